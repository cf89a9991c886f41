"""The smallest cuts of a piece: statements, signatures, paragraphs of docstrings and prose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.compile.builder import Piece, covering_blocks
from retrieval.compile.pack_config import PackConfig
from retrieval.records import Block, BlockKind

_HEADERS = frozenset({BlockKind.CONTROL, BlockKind.SIGNATURE})


@dataclass(frozen=True, slots=True)
class Atom:
    """Lines ``start..end`` that are shown together or not at all.

    Attributes:
        lead: First paragraph of a docstring or of prose.
        ancestors: Indices of the control and signature atoms that enclose it, outermost first.
    """

    start: int
    end: int
    kind: BlockKind
    lead: bool
    ancestors: tuple[int, ...]


def cut_atoms(
    piece: Piece, lines: Sequence[str], line_tokens: Sequence[int], allowance: int, config: PackConfig
) -> tuple[Atom, ...]:
    """Atoms that cover the piece, in line order.

    Args:
        lines, line_tokens: Of the whole file; index 0 is line 1.
        allowance: A statement of more tokens than this is cut at lines, since it could never be shown whole.
    """
    atoms: list[Atom] = []
    headers: dict[int, int] = {}  # depth -> index of the latest header atom
    for block in covering_blocks(piece):
        for depth in [d for d in headers if d >= block.depth]:
            del headers[depth]
        ancestors = tuple(headers[depth] for depth in sorted(headers))
        for nth, (start, end) in enumerate(_cuts(block, lines, line_tokens, allowance, config)):
            lead = nth == 0 and block.kind in (BlockKind.DOCSTRING, BlockKind.TEXT)
            atoms.append(Atom(start, end, block.kind, lead, ancestors))
            if nth == 0 and block.kind in _HEADERS:
                headers[block.depth] = len(atoms) - 1
    return tuple(atoms)


def _cuts(
    block: Block, lines: Sequence[str], line_tokens: Sequence[int], allowance: int, config: PackConfig
) -> list[tuple[int, int]]:
    if block.start == block.end:
        return [(block.start, block.end)]
    if block.kind in (BlockKind.DOCSTRING, BlockKind.TEXT, BlockKind.COMMENT):
        return _paragraphs(block, lines, config.text_block_lines)
    if sum(line_tokens[block.start - 1 : block.end]) > allowance:
        return _runs(block.start, block.end, line_tokens, max(1, allowance // 2), config.text_block_lines)
    return [(block.start, block.end)]


def _paragraphs(block: Block, lines: Sequence[str], most: int) -> list[tuple[int, int]]:
    """Cut after blank lines and after ``most`` lines; a blank line ends the paragraph before it.

    Quotes alone on the first or last line of a docstring stay with the paragraph beside them.
    """
    cuts: list[tuple[int, int]] = []
    start = block.start
    for number in range(block.start, block.end):
        blank_after = not lines[number - 1].strip()
        opening = number == block.start and block.kind is BlockKind.DOCSTRING
        next_blank = not lines[number].strip()
        if (blank_after and not next_blank and not opening) or (number - start + 1 >= most and not next_blank):
            cuts.append((start, number))
            start = number + 1
    cuts.append((start, block.end))
    if block.kind is BlockKind.DOCSTRING and len(cuts) > 1 and cuts[-1][0] == cuts[-1][1]:
        last = cuts.pop()
        cuts[-1] = (cuts[-1][0], last[1])
    return cuts


def _runs(start: int, end: int, line_tokens: Sequence[int], most_tokens: int, most_lines: int) -> list[tuple[int, int]]:
    """Runs of at most ``most_lines`` lines and ``most_tokens`` tokens, at least one line each."""
    runs: list[tuple[int, int]] = []
    first, tokens = start, 0
    for number in range(start, end + 1):
        cost = line_tokens[number - 1]
        if number > first and (tokens + cost > most_tokens or number - first >= most_lines):
            runs.append((first, number - 1))
            first, tokens = number, 0
        tokens += cost
    runs.append((first, end))
    return runs
