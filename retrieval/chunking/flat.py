"""Fixed windows of lines: tier 1 of the benchmark, and the fallback for what has no structure."""

from __future__ import annotations

from retrieval.chunking.lines import Limits, LineTable, cut_rows, split_lines
from retrieval.records import Block, BlockKind, Chunk, ChunkKind


def text_blocks(table: LineTable, start: int, end: int) -> tuple[Block, ...]:
    """Blocks of rows without grammar: paragraphs (TEXT) and the blank rows between them."""
    found: list[Block] = []
    row = start
    for first, last in table.runs(start, end):
        if first > row:
            found.append(Block(row + 1, first, 0, BlockKind.BLANK))
        found.append(Block(first + 1, last + 1, 0, BlockKind.TEXT))
        row = last + 1
    if row <= end:
        found.append(Block(row + 1, end + 1, 0, BlockKind.BLANK))
    return tuple(found)


def window(table: LineTable, start: int, end: int) -> Chunk:
    """The WINDOW chunk on rows ``start..end``."""
    return Chunk(start + 1, end + 1, ChunkKind.WINDOW, "", "", "", "", text_blocks(table, start, end))


def flat_chunks(text: str, lines: int = 40, overlap: int = 0) -> tuple[Chunk, ...]:
    """Windows of ``lines`` lines, each starting ``lines - overlap`` after the one before; blank windows are left out.

    Raises:
        ValueError: Unless ``0 <= overlap < lines``.
    """
    if not 0 <= overlap < lines:
        raise ValueError(f"overlap must be in 0..{lines - 1}, not {overlap}")
    table = LineTable(split_lines(text))
    total = len(table.lines)
    found: list[Chunk] = []
    for start in range(0, total, lines - overlap):
        end = min(start + lines, total) - 1
        if table.runs(start, end):
            found.append(window(table, start, end))
        if end == total - 1:
            break
    return tuple(found)


def window_chunks(text: str, limits: Limits) -> tuple[Chunk, ...]:
    """Windows within ``limits``, cut at blank lines where possible, without blank lines at their ends."""
    table = LineTable(split_lines(text))
    return tuple(window(table, start, end) for start, end in cut_rows(table, 0, len(table.lines) - 1, limits))
