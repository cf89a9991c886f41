"""What holds for every analysis of every text."""

from __future__ import annotations

from retrieval.records import BlockKind, FileAnalysis


def lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def check(text: str, analysis: FileAnalysis) -> None:
    lines = lines_of(text)
    owners = [0] * len(lines)
    previous_end = 0
    for chunk in analysis.chunks:
        assert 1 <= chunk.start_line <= chunk.end_line <= len(lines)
        assert chunk.start_line > previous_end, "chunks are sorted and disjoint"
        previous_end = chunk.end_line
        assert lines[chunk.start_line - 1].strip(), "a chunk starts with text"
        assert lines[chunk.end_line - 1].strip(), "a chunk ends with text"
        assert 1 <= chunk.part <= chunk.parts
        for row in range(chunk.start_line - 1, chunk.end_line):
            owners[row] += 1
        expected = chunk.start_line
        for block in chunk.blocks:
            assert block.start == expected <= block.end, "blocks are sorted, disjoint and without gaps"
            assert block.depth >= 0
            blank = all(not line.strip() for line in lines[block.start - 1 : block.end])
            assert blank == (block.kind is BlockKind.BLANK)
            expected = block.end + 1
        assert expected == chunk.end_line + 1, "blocks cover the chunk"
    for row, line in enumerate(lines):
        assert owners[row] == 1 or (not line.strip() and owners[row] == 0), f"line {row + 1} is in {owners[row]} chunks"
    names = [symbol.qualname for symbol in analysis.symbols]
    assert len(names) == len(set(names)), "qualified names are unique"
    known = {*names, ""}
    for symbol in analysis.symbols:
        assert 1 <= symbol.start_line <= symbol.def_line <= max(symbol.end_line, 1)
        assert symbol.end_line <= max(len(lines), 1)
        assert "\n" not in symbol.signature
        assert symbol.parent in known
        assert len(symbol.doc) <= 2_000
