"""The smallest cuts of a piece: statements, signatures, paragraphs of docstrings and prose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from retrieval.compile.builder import Piece, covering_blocks
from retrieval.compile.pack_config import PackConfig
from retrieval.records import Block, BlockKind

_LED = frozenset({BlockKind.DOCSTRING, BlockKind.TEXT})
_PROSE = frozenset({BlockKind.DOCSTRING, BlockKind.TEXT, BlockKind.COMMENT})
_HEADERS = frozenset({BlockKind.CONTROL, BlockKind.SIGNATURE})


class Atom(NamedTuple):
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
    depths: list[int] = []  # of the open header atoms, outermost first
    open_headers: tuple[int, ...] = ()
    for block in covering_blocks(piece):
        while depths and depths[-1] >= block.depth:
            depths.pop()
            open_headers = open_headers[:-1]
        first = len(atoms)
        lead = block.kind in _LED
        if block.start == block.end:
            atoms.append(Atom(block.start, block.end, block.kind, lead, open_headers))
        else:
            for start, end in _cuts(block, lines, line_tokens, allowance, config):
                atoms.append(Atom(start, end, block.kind, lead, open_headers))
                lead = False
        if block.kind in _HEADERS:
            depths.append(block.depth)
            open_headers = (*open_headers, first)
    return tuple(atoms)


def _cuts(
    block: Block, lines: Sequence[str], line_tokens: Sequence[int], allowance: int, config: PackConfig
) -> list[tuple[int, int]]:
    if block.kind in _PROSE:
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
