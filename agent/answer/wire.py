"""What goes out to a model's server and comes in, made harmless: text that UTF-8 can carry, sizes, figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from retrieval.model_http import EndlessReplyError

MAX_TEXT_CHARS = 500_000  # of one reply; no model writes as much
_USAGE = ("prompt_tokens", "completion_tokens", "total_tokens")
_MAX_TOKENS = 10**12  # beyond it, and below zero, a server's figure is none


def encodable(value: Any) -> Any:
    """``value`` as JSON has it, lone surrogates replaced: a file, a question or an earlier reply may hold some."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {name: encodable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [encodable(each) for each in value]
    return value


def bounded(pieces: Iterator[str]) -> Iterator[str]:
    """The pieces of a reply, without lone surrogates.

    Raises:
        EndlessReplyError: They are more than ``MAX_TEXT_CHARS``; that many have been passed on.
    """
    left = MAX_TEXT_CHARS
    for piece in pieces:
        yield encodable(piece[:left])
        left -= len(piece)
        if left < 0:
            raise EndlessReplyError(f"wrote more than {MAX_TEXT_CHARS:,} characters")


def usage_of(usage: object) -> dict[str, int]:
    """The figures that a server reports, where they can be any."""
    found = {name: usage.get(name) if isinstance(usage, Mapping) else getattr(usage, name, None) for name in _USAGE}
    return {name: value for name, value in found.items() if type(value) is int and 0 <= value <= _MAX_TOKENS}
