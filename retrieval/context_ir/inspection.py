"""``inspect_ir`` and ``expand_ir``: is a representation what its source gives, and what exactly was the source?"""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.context_ir.formats import (
    RECEIPT,
    Representation,
    SourceUnit,
    encode,
    parse_representation,
    units_of,
)
from retrieval.context_ir.vault import Artifact, Vault
from retrieval.errors import UserError

MAX_PAGE_CHARS = 20_000


class IrMismatchError(UserError):
    """The text is no representation, or not the one that its source gives."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """A representation that was verified: its source, where it was shown, and the units of the source."""

    format: str
    ordinal: int
    roles: tuple[str, ...]
    artifact: str
    sha256: str
    chars: int
    units: tuple[SourceUnit, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Characters ``offset`` to ``offset + len(text)`` of an exact source. ``next_offset`` is None at its end."""

    artifact: str
    text: str
    offset: int
    total: int
    next_offset: int | None


def inspect_ir(text: str, vault: Vault) -> Inspection:
    """Verify that ``text`` is exactly what its vaulted source gives at a position that was recorded.

    Raises:
        IrMismatchError: No representation; shown nowhere at that position in that format; not what the source gives.
        VaultError: The source is missing or damaged.
    """
    shown, artifact = _verified(text, vault)
    roles = tuple(role for ordinal, role, name in artifact.shown if (ordinal, name) == (shown.ordinal, shown.format))
    units = () if shown.format == RECEIPT else units_of(shown.format, artifact.text)
    return Inspection(shown.format, shown.ordinal, roles, artifact.id, artifact.sha256, len(artifact.text), units)


def expand_ir(text: str, vault: Vault, *, offset: int = 0, limit: int = MAX_PAGE_CHARS) -> Page:
    """A page of the exact source of a representation, verified as ``inspect_ir`` does.

    Raises:
        IrMismatchError, VaultError: As ``inspect_ir``.
        ValueError: ``offset`` or ``limit`` is negative or no whole number.
    """
    _, artifact = _verified(text, vault)
    return page_of(artifact, offset, limit)


def page_of(artifact: Artifact, offset: int, limit: int) -> Page:
    """At most ``limit`` characters from ``offset`` on, and never more than 20,000.

    Raises:
        ValueError: ``offset`` or ``limit`` is negative or no whole number.
    """
    for name, value in (("offset", offset), ("limit", limit)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ValueError(f"{name} must be a whole number from 0 on, not {value!r}")
    text = artifact.text[offset : offset + min(limit, MAX_PAGE_CHARS)]
    end = offset + len(text)
    total = len(artifact.text)
    return Page(artifact.id, text, offset, total, end if text and end < total else None)


def _verified(text: str, vault: Vault) -> tuple[Representation, Artifact]:
    shown = parse_representation(text)
    if shown is None:
        raise IrMismatchError("This text is no context IR.", "Give the whole content of the message that holds it.")
    artifact = vault.read(shown.source)
    if not any((ordinal, name) == (shown.ordinal, shown.format) for ordinal, _, name in artifact.shown):
        raise IrMismatchError(
            f"{artifact.id} was never shown as {shown.format} in message {shown.ordinal}.",
            "Take the text from the request as it was sent.",
        )
    body = "" if shown.format == RECEIPT else encode(shown.format, artifact.text)
    if body is None or Representation(shown.format, shown.ordinal, artifact.id, body).text() != text:
        raise IrMismatchError(
            f"The text is not what {artifact.id} gives as {shown.format}.",
            f"Read the exact source: contextc artifact get {artifact.id}",
        )
    return shown, artifact
