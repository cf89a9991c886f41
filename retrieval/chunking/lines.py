"""Lines and runs of lines: the arithmetic that every chunker shares.

Rows are 0-based and ranges inclusive here; records carry 1-based lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Rows = tuple[int, int]

#: A definition, section or window above either limit is split.
MAX_CHUNK_LINES = 80
MAX_CHUNK_CHARS = 6_000

#: Fewer lines than this are no chunk of their own where a neighbour can take them.
SCRAP_LINES = 6


@dataclass(frozen=True, slots=True)
class Limits:
    """The most lines and characters that one chunk may take (one line longer than ``chars`` still stands alone)."""

    lines: int = MAX_CHUNK_LINES
    chars: int = MAX_CHUNK_CHARS

    def exceeded(self, lines: int, chars: int) -> bool:
        return lines > self.lines or chars > self.chars


def split_lines(text: str) -> list[str]:
    """The lines of a file. Only ``\\n`` ends a line; a final ``\\n`` opens no further line; "" has none."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def is_blank(line: str) -> bool:
    return not line or line.isspace()


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


class LineTable:
    """The lines of a file with constant-time sums of characters over a range of rows."""

    __slots__ = ("_sums", "lines")

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        sums = [0]
        total = 0
        for line in lines:
            total += len(line) + 1
            sums.append(total)
        self._sums = sums

    def chars(self, start: int, end: int) -> int:
        """Characters of rows ``start..end``, line ends included."""
        return self._sums[end + 1] - self._sums[start]

    def exceeds(self, start: int, end: int, limits: Limits) -> bool:
        return limits.exceeded(end - start + 1, self.chars(start, end))

    def trim(self, start: int, end: int) -> Rows | None:
        """The range without blank rows at its ends; None when every row is blank."""
        while start <= end and is_blank(self.lines[start]):
            start += 1
        while end >= start and is_blank(self.lines[end]):
            end -= 1
        return (start, end) if start <= end else None

    def runs(self, start: int, end: int) -> list[Rows]:
        """Maximal runs of non-blank rows inside ``start..end``."""
        found: list[Rows] = []
        first = -1
        for row in range(start, end + 1):
            if is_blank(self.lines[row]):
                if first >= 0:
                    found.append((first, row - 1))
                    first = -1
            elif first < 0:
                first = row
        if first >= 0:
            found.append((first, end))
        return found


def cut_rows(table: LineTable, start: int, end: int, limits: Limits) -> list[Rows]:
    """Cut rows ``start..end`` into windows within ``limits``, trimmed of blank ends.

    A cut falls in the second half of what fits: at a blank row if there is one, else before the least indented row
    (the next element of a long literal), the latest of equals.
    """
    found: list[Rows] = []
    trimmed = table.trim(start, end)
    while trimmed is not None:
        start, end = trimmed
        if start == end or not table.exceeds(start, end, limits):
            found.append((start, end))
            break
        last = start
        while last < end and not table.exceeds(start, last + 1, limits):
            last += 1
        cut = _best_cut(table.lines, start + (last - start + 1) // 2, last + 1)
        first = table.trim(start, cut - 1)
        if first is not None:
            found.append(first)
        trimmed = table.trim(cut, end)
    return found


def _best_cut(lines: Sequence[str], low: int, high: int) -> int:
    """The row in ``low..high`` (at least one past the window's first row) where the next window starts best."""
    best, best_rank = high, math.inf
    for row in range(high, low, -1):
        rank: float = -1 if is_blank(lines[row]) or is_blank(lines[row - 1]) else indent_of(lines[row])
        if rank >= 0 and lines[row].lstrip()[0] in ")]}":
            rank += 0.5
        if rank < best_rank:
            best, best_rank = row, rank
            if rank < 0:
                break
    return best


def pack_rows(table: LineTable, pieces: Sequence[Rows], limits: Limits, glued: Sequence[bool] = ()) -> list[list[int]]:
    """Group neighbouring pieces into chunks of about equal size within ``limits``; returns the indices of each group.

    Args:
        pieces: Sorted, disjoint ranges of rows. One that exceeds the limits stands alone.
        glued: Where true, the piece is kept with the next one (a header with its body) as far as a chunk can hold both.
    """
    if not pieces:
        return []
    start, end = pieces[0][0], pieces[-1][1]
    lines, chars = end - start + 1, table.chars(start, end)
    groups_wanted = max(math.ceil(lines / limits.lines), math.ceil(chars / limits.chars))
    enough = 0.9 / groups_wanted
    groups: list[list[int]] = []
    current: list[int] = []
    for index, (_, piece_end) in enumerate(pieces):
        if current:
            first = pieces[current[0]][0]
            if glued and glued[index - 1] and not table.exceeds(first, piece_end, Limits()):
                current.append(index)
                continue
            done = pieces[current[-1]][1]
            filled = max((done - first + 1) / lines, table.chars(first, done) / chars)
            if table.exceeds(first, piece_end, limits) or (len(groups) + 1 < groups_wanted and filled >= enough):
                groups.append(current)
                current = []
        current.append(index)
    groups.append(current)
    return _join_scraps(table, pieces, groups)


def _join_scraps(table: LineTable, pieces: Sequence[Rows], groups: list[list[int]]) -> list[list[int]]:
    """A group of a few rows joins the group behind it, or the one before, when a chunk can hold both."""
    kept: list[list[int]] = []
    scrap = False
    for group in groups:
        small = pieces[group[-1]][1] - pieces[group[0]][0] < SCRAP_LINES
        fits = bool(kept) and not table.exceeds(pieces[kept[-1][0]][0], pieces[group[-1]][1], Limits())
        if fits and (scrap or small):
            kept[-1] = kept[-1] + group
            scrap = False
        else:
            kept.append(group)
            scrap = small
    return kept
