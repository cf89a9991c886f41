"""Token counts that budgets rest on: exact where tiktoken is loaded, upper bounds everywhere else.

A pack renders a line as ``"{number} {line}\\n"``. Such a line starts with a digit and ends with a line feed, and the
o200k pattern never matches across that border, so the counts of a text's lines add up to the count of the text.
"""

from __future__ import annotations

import logging
import re
from array import array
from collections.abc import Callable, Sequence

from retrieval.tokens.estimate import estimate_tokens
from retrieval.tokens.vocabulary import DEFAULT_ENCODING, encoding

__all__ = [
    "SATURATED",
    "count_tokens",
    "estimate_tokens",
    "forget",
    "line_token_counts",
    "number_tokens",
    "rendered_counts",
    "rendered_line_tokens",
]

_LOG = logging.getLogger(__name__)

SATURATED = 0xFFFF
"""The largest count that a stored line can carry; a line at this value has an unknown, larger count."""

_PIECE_CHARS = 4096
_HARD_CUT_TOKENS = 4  # a cut inside a word or number can change how the pieces on both sides merge
_MEMO_LINES = 200_000
_DIGITS_PER_TOKEN = 3

_memo: dict[str, int] = {}


def _pieces(text: str) -> tuple[list[str], int]:
    """``text`` in pieces of at most ``_PIECE_CHARS`` characters, and how many cuts fell inside a word.

    A cut before a blank that follows a printing character is where the o200k pattern splits anyway.
    """
    pieces: list[str] = []
    hard = start = 0
    while len(text) - start > _PIECE_CHARS:
        cut = text.rfind(" ", start + 1, start + _PIECE_CHARS)
        while cut > start and text[cut - 1].isspace():
            cut = text.rfind(" ", start + 1, cut)
        if cut <= start:
            cut = start + _PIECE_CHARS
            hard += 1
        pieces.append(text[start:cut])
        start = cut
    pieces.append(text[start:])
    return pieces, hard


def _upper_bound(text: str) -> int:
    """Every token covers at least one byte."""
    return len(text.encode("utf-8", "replace")) if text.isascii() else 4 * len(text)


def _counter(name: str) -> Callable[[str], int]:
    encode = encoding(name).encode_ordinary

    def count(text: str) -> int:
        try:
            if len(text) <= _PIECE_CHARS:
                return len(encode(text))
            pieces, hard = _pieces(text)
            return sum(len(encode(piece)) for piece in pieces) + _HARD_CUT_TOKENS * hard
        except Exception as error:  # the regex engine gives up on some texts; a budget must still hold
            _LOG.warning("tiktoken could not count %d characters (%s); using an upper bound", len(text), error)
            return _upper_bound(text)

    return count


def count_tokens(text: str, encoding_name: str = DEFAULT_ENCODING) -> int:
    """Tokens of ``text``; special tokens such as ``<|endoftext|>`` count as the plain text they are.

    Exact for texts without lines of more than 4,096 characters, an upper bound for others and where tiktoken fails.

    Raises:
        UserError: The vocabulary is missing or altered.
    """
    count = _counter(encoding_name)
    if len(text) <= _PIECE_CHARS:
        return count(text)
    total = 0
    group: list[str] = []
    size = 0
    # The pattern always splits after a line feed, unless white space or "/" follows it.
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        if size + len(line) > _PIECE_CHARS and not (line[0].isspace() or line[0] == "/"):
            total += count("".join(group))
            group, size = [], 0
        group.append(line)
        size += len(line)
    return total + count("".join(group))


def number_tokens(number: int) -> int:
    """Tokens of a line number: the pattern cuts digit runs into threes from the left."""
    return 1 if number < 1000 else -(-len(str(number)) // _DIGITS_PER_TOKEN)


def rendered_line_tokens(number: int, count: int) -> int:
    """Tokens of a line in a pack, from its number and the ``count`` of ``" " + line + "\\n"``."""
    return min(SATURATED, count + number_tokens(number))


def rendered_counts(counts: Sequence[int]) -> list[int]:
    """``rendered_line_tokens`` of all lines of a text, from their ``counts``."""
    found: list[int] = []
    digits = _DIGITS_PER_TOKEN
    while len(found) < len(counts):
        more = digits // _DIGITS_PER_TOKEN
        part = counts[len(found) : 10**digits - 1]
        found += [count + more if count + more < SATURATED else SATURATED for count in part]
        digits += _DIGITS_PER_TOKEN
    return found


def line_token_counts(lines: Sequence[str]) -> array[int]:
    """Upper bound of the tokens of ``" " + line + "\\n"`` for each line, given without its end. Equal lines cost once.

    The line number that a pack puts before it is added with ``rendered_line_tokens``.

    Returns:
        uint16 counts, at least 1; a line with 65,535 tokens or more saturates at ``SATURATED``.

    Raises:
        UserError: The vocabulary is missing or altered.
    """
    if len(_memo) > _MEMO_LINES:
        _memo.clear()
    count: Callable[[str], int] | None = None
    counts = array("H")
    for line in lines:
        known = _memo.get(line)
        if known is None:
            count = count or _counter(DEFAULT_ENCODING)
            known = min(SATURATED, max(1, count(f" {line}\n")))
            if len(line) <= _PIECE_CHARS:
                _memo[line] = known
        counts.append(known)
    return counts


def forget() -> None:
    """Let go of the vocabularies and of the counts of lines; the next count loads them again."""
    _memo.clear()
    encoding.cache_clear()
