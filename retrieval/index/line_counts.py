"""Tokens of each line of a file that enters the index, as a pack will render it.

The writing process counts, not the workers: it waits for them anyway, and the vocabulary (half a second, 100 MB) is
loaded once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.index.codec import split_lines, unpack_counts, unpack_text
from retrieval.tokens.counter import (
    estimate_tokens,
    line_token_counts,
    number_tokens,
    rendered_counts,
    rendered_line_tokens,
)


@dataclass(frozen=True, slots=True)
class LineCounts:
    """``tokens[i]`` is an upper bound for line ``i + 1``; ``exact`` when every one is the tokenizer's count."""

    tokens: Sequence[int]
    exact: bool


def count_lines(text: bytes) -> LineCounts:
    """The tokenizer's counts for a packed text (see ``codec``)."""
    return LineCounts(rendered_counts(line_token_counts(split_lines(unpack_text(text)))), True)


def bound_lines(text: bytes, conn: sqlite3.Connection, path: str) -> LineCounts:
    """Counts without the tokenizer: the last version's for lines that it had, upper bounds for the others."""
    known = _last_counts(conn, path)
    tokens: list[int] = []
    exact = True
    for number, line in enumerate(split_lines(unpack_text(text)), start=1):
        count = known.get(line)
        if count is None:
            exact = False
            count = known[line] = estimate_tokens(f" {line}\n")
        tokens.append(rendered_line_tokens(number, count))
    return LineCounts(tokens, exact)


def _last_counts(conn: sqlite3.Connection, path: str) -> dict[str, int]:
    """Token counts by line text, without the line numbers' share."""
    row = conn.execute("SELECT text, line_tokens FROM files WHERE root_id = 0 AND path = ?", (path,)).fetchone()
    if row is None:
        return {}
    lines = split_lines(unpack_text(row[0]))
    return {
        line: count - number_tokens(number)
        for number, (line, count) in enumerate(zip(lines, unpack_counts(row[1]), strict=True), start=1)
    }
