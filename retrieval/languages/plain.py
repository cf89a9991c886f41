"""Plain text by paragraphs."""

from __future__ import annotations

from retrieval.chunking.lines import Limits, LineTable, cut_rows, pack_rows, split_lines
from retrieval.chunking.sections import blocks_of, paragraphs
from retrieval.records import Chunk, ChunkKind, FileAnalysis

TEXT_LIMITS = Limits(40, 3_000)


def analyze_text(path: str, text: str, module: str) -> FileAnalysis:
    """Windows that end between paragraphs."""
    table = LineTable(split_lines(text))
    pieces = [
        rows
        for first, last in paragraphs(table, 0, len(table.lines) - 1)
        for rows in (
            [(first, last)]
            if not table.exceeds(first, last, TEXT_LIMITS)
            else cut_rows(table, first, last, TEXT_LIMITS)
        )
    ]
    chunks = []
    for group in pack_rows(table, pieces, TEXT_LIMITS):
        start, end = pieces[group[0]][0], pieces[group[-1]][1]
        blocks = blocks_of([pieces[index] for index in group], start, end)
        chunks.append(Chunk(start + 1, end + 1, ChunkKind.WINDOW, "", "", "", "", blocks))
    return FileAnalysis(tuple(chunks))
