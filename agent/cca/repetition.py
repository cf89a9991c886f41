"""Endless repetition: small models fall into saying one thing over and over until the limit of tokens."""

from __future__ import annotations

_TAIL_CHARS = 600
_MAX_PERIOD = 120  # so that what repeats has been said at least five times
_KEPT = 2


def repeats(text: str) -> bool:
    """Whether the text ends in at least 600 characters of a piece of at most 120, said over and over."""
    return len(text) >= _TAIL_CHARS and _period(text[-_TAIL_CHARS:]) <= _MAX_PERIOD


def without_repeats(text: str) -> str:
    """The text up to the second time that the repeated piece is said; the text itself when nothing repeats."""
    if not repeats(text):
        return text
    period = _period(text[-_TAIL_CHARS:])
    start = len(text) - _TAIL_CHARS
    while start > 0 and text[start - 1] == text[start - 1 + period]:
        start -= 1
    return text[: start + _KEPT * period]


def _period(text: str) -> int:
    """The smallest p with ``text[i] == text[i + p]`` throughout (Knuth, Morris and Pratt's failure function)."""
    border = [0] * len(text)
    for at in range(1, len(text)):
        length = border[at - 1]
        while length and text[at] != text[length]:
            length = border[length - 1]
        border[at] = length + (text[at] == text[length])
    return len(text) - border[-1]
