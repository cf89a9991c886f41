"""Stage: from a piece to a ladder of nested variants, each with its price in tokens and its worth in lines.

The ladder climbs from the signature (or the focus lines) through slices to the full text. What a slice holds is
decided statement by statement: worth of the block's kind, raised by how well rank-bm25 matches the block with the
question, per token. The control headers that enclose a statement come with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from retrieval.compile.builder import Piece
from retrieval.compile.ladder import Ladder, Rung
from retrieval.compile.pack_config import DEFAULT, PackConfig
from retrieval.compile.slicer_atoms import Atom, cut_atoms
from retrieval.compile.slicer_match import held_terms, match_documents
from retrieval.records import BlockKind, FileText
from retrieval.tokens.counter import SATURATED

_UNSHOWABLE = 1 << 40  # price of a line whose count is saturated: its true count is unknown


class Sliced(NamedTuple):
    """A piece with its ladder, cheapest rung first, and the question terms that its text holds.

    ``prices`` are the tokens of the piece's lines; ``prices[0]`` is its first line's.
    """

    piece: Piece
    rungs: tuple[Rung, ...]
    terms: frozenset[str]
    prices: Sequence[int]

    def price(self, line: int) -> int:
        """Tokens of a line of the file; a price above every budget when its count is saturated."""
        return self.prices[line - self.piece.start_line]


def slice_pieces(
    pieces: Sequence[Piece],
    files: Mapping[str, FileText],
    terms: Mapping[str, float],
    allowance: int,
    config: PackConfig = DEFAULT,
    *,
    coverage: bool = True,
) -> tuple[Sliced, ...]:
    """Ladders for ``pieces``, in their order.

    Args:
        files: The text of every piece's file.
        terms: The question's terms with their weights.
        allowance: Most tokens that one piece may take; statements beyond it are cut at lines.
        coverage: Whether the terms that a piece holds are wanted even where no slice depends on them.
    """
    cut: list[tuple[Piece, Sequence[int], list[int], tuple[Atom, ...]]] = []
    asked: list[tuple[Sequence[str], Sequence[Atom]]] = []
    places: list[int] = []  # in ``documents``, of the atoms of ``asked``
    lengths: list[int] = []
    for piece in pieces:
        file = files[piece.path]
        prices = _prices(file.line_tokens[piece.start_line - 1 : piece.end_line])
        tokens_to = [0, *accumulate(prices)]
        total = tokens_to[-1]
        plain = piece.whole and (total <= config.small_piece_tokens or not piece.focus)
        if plain and total <= config.plain_piece_tokens:
            atoms = _head_and_body(piece, total > config.small_piece_tokens)
        else:
            plain = False
            atoms = cut_atoms(piece, file.lines, file.line_tokens, allowance, config)
        cut.append((piece, prices, tokens_to, atoms))
        if coverage or not plain:
            asked.append((file.lines[piece.start_line - 1 : piece.end_line], atoms))
            places += range(len(lengths), len(lengths) + len(atoms))
        start = piece.start_line
        lengths += [tokens_to[atom.end - start + 1] - tokens_to[atom.start - start] for atom in atoms]
    documents: list[list[str]] = [[] for _ in lengths]
    for at, held in zip(places, held_terms(asked, terms), strict=True):
        documents[at] = held
    matches = match_documents(documents, lengths, terms)
    sliced: list[Sliced] = []
    first = 0
    for piece, prices, tokens_to, atoms in cut:
        last = first + len(atoms)
        own = frozenset().union(*documents[first:last])
        worths = _atom_worths(piece, atoms, matches[first:last], config)
        if len(atoms) == 1:
            span, whole = (piece.start_line, piece.end_line), [*accumulate(worths * (len(tokens_to) - 1))][-1]
            rungs: tuple[Rung, ...] = (Rung("full", (span,), tokens_to[-1], whole),)
        else:
            rungs = Ladder(piece, atoms, worths, lengths[first:last], tokens_to, files[piece.path], config).rungs()
        sliced.append(Sliced(piece, rungs, own, prices))
        first = last
    return tuple(sliced)


def _head_and_body(piece: Piece, divided: bool) -> tuple[Atom, ...]:
    """A piece of moderate length is shown by its signature or whole: what a guess at its statements saves is less
    than what it loses."""
    first, last = piece.start_line, piece.end_line
    head = next((b for b in piece.blocks if b.kind is BlockKind.SIGNATURE), None) if divided else None
    if head is None or head.end >= last or head.start < first:
        return (Atom(first, last, BlockKind.STATEMENT, False, ()),)
    before = (Atom(first, head.start - 1, BlockKind.DECORATOR, False, ()),) if first < head.start else ()
    body = Atom(head.end + 1, last, BlockKind.STATEMENT, False, (len(before),))
    return (*before, Atom(head.start, head.end, BlockKind.SIGNATURE, False, ()), body)


def _prices(counts: Sequence[int]) -> Sequence[int]:
    return counts if max(counts, default=0) < SATURATED else [_UNSHOWABLE if c >= SATURATED else c for c in counts]


def _atom_worths(
    piece: Piece, atoms: Sequence[Atom], matches: Sequence[float], config: PackConfig
) -> tuple[float, ...]:
    """Worth of one line of each atom, 0..1."""
    worths: list[float] = []
    share, kind_worth = config.neighbour_share, config.kind_worth
    matched = any(matches)
    before = 0.0
    for at, atom in enumerate(atoms):
        own = matches[at]
        after = matches[at + 1] if at + 1 < len(atoms) else 0.0
        worth = config.lead_worth if atom.lead else kind_worth[atom.kind]
        if matched and atom.kind is not BlockKind.BLANK:
            worth += (1.0 - worth) * config.match_weight * max(own, share * before, share * after)
        if not piece.whole and not any(atom.start <= line <= atom.end for line in piece.focus):
            worth *= config.off_focus_factor
        worths.append(worth * _member_share(piece, atom) if len(piece.worth) > 1 else worth)
        before = own
    return tuple(worths)


def _member_share(piece: Piece, atom: Atom) -> float:
    """Likelihood of the best merged chunk that holds the atom, as a share of the piece's."""
    if piece.likelihood <= 0:
        return 1.0
    scores = [score for first, last, score in piece.worth if atom.start <= last and atom.end >= first]
    return min(1.0, max(0.0, max(scores, default=0.0)) / piece.likelihood)
