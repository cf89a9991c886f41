"""Limits of the IR stage: rejected when set wrong in code, clamped when set wrong in the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

PREFIX = "CONTEXTC_CONTEXT_IR"
FORMATS = ("table", "table-dict", "template", "spans", "defs")

MAX_RECORDS = 1024  # records or lines of one source
MAX_FIELDS = 32  # scalar fields of one record

# name -> (default, least, most)
_BOUNDS: dict[str, tuple[int, int, int]] = {
    "min_chars": (600, 1, 500_000),
    "max_chars": (64_000, 1, 500_000),
    "max_messages": (8, 1, 64),
    "max_evaluations": (24, 1, 192),
}
_TRUE = frozenset({"1", "true", "yes", "on"})


@dataclass(frozen=True, slots=True)
class IrSettings:
    """What the stage may do.

    Attributes:
        enabled: Off unless the user turns it on.
        min_chars, max_chars: Size of a source; a larger one is skipped, never cut.
        max_messages: Candidate messages of one request.
        max_evaluations: Complete requests measured in the search.
        formats: Encodings that may be used; none leaves only what attention does.

    Raises:
        ValueError: A value of the wrong type or out of its bounds.
    """

    enabled: bool = False
    min_chars: int = 600
    max_chars: int = 64_000
    max_messages: int = 8
    max_evaluations: int = 24
    formats: tuple[str, ...] = FORMATS

    def __post_init__(self) -> None:
        if not isinstance(self.enabled, bool):
            raise ValueError(f"enabled must be True or False, not {self.enabled!r}")
        for name, (_, least, most) in _BOUNDS.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise ValueError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
        if self.min_chars > self.max_chars:
            raise ValueError(f"min_chars ({self.min_chars}) is larger than max_chars ({self.max_chars})")
        unknown = [name for name in self.formats if name not in FORMATS]
        if unknown:
            raise ValueError(f"unknown formats: {unknown}; known: {FORMATS}")

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> IrSettings:
        """From ``CONTEXTC_CONTEXT_IR`` and ``CONTEXTC_CONTEXT_IR_MIN_CHARS``, ``_MAX_CHARS``, ``_MAX_MESSAGES`` and
        ``_MAX_EVALUATIONS``. Numbers out of bounds are clamped; what is no number gives the default. Never raises."""
        source = os.environ if env is None else env
        values = {name: _clamped(source.get(f"{PREFIX}_{name.upper()}", ""), name) for name in _BOUNDS}
        values["min_chars"] = min(values["min_chars"], values["max_chars"])
        return cls(
            source.get(PREFIX, "").strip().lower() in _TRUE,
            values["min_chars"],
            values["max_chars"],
            values["max_messages"],
            values["max_evaluations"],
        )


def _clamped(text: str, name: str) -> int:
    default, least, most = _BOUNDS[name]
    try:
        value = int(text.strip()[:20])
    except ValueError:
        return default
    return max(least, min(most, value))


DEFAULT_VAULT_BYTES = 256 * 1024 * 1024


def vault_bytes_from_env(env: Mapping[str, str] | None = None) -> int:
    """``CONTEXTC_VAULT_MAX_BYTES``, at least one megabyte; the default where it is no number."""
    text = (os.environ if env is None else env).get("CONTEXTC_VAULT_MAX_BYTES", "").strip()
    return max(1024 * 1024, int(text[:18])) if text.isascii() and text.isdigit() else DEFAULT_VAULT_BYTES
