"""Stage: from a piece to a ladder of nested variants, each with its price in tokens and its worth in lines.

The ladder climbs from the signature (or the focus lines) through slices to the full text. What a slice holds is
decided statement by statement: worth of the block's kind, raised by how well rank-bm25 matches the block with the
question, per token. The control headers that enclose a statement come with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from retrieval.compile.builder import Piece
from retrieval.compile.pack_config import DEFAULT, PackConfig
from retrieval.compile.render import elision_tokens
from retrieval.compile.slicer_atoms import Atom, cut_atoms
from retrieval.compile.slicer_match import HeldTerms, match_documents
from retrieval.records import BlockKind, FileText
from retrieval.tokens.counter import SATURATED

Ranges = tuple[tuple[int, int], ...]

_UNSHOWABLE = 1 << 40  # price of a line whose count is saturated: its true count is unknown


class Rung(NamedTuple):
    """One way to show a piece.

    Attributes:
        name: ``signature``, ``focus``, ``sliced`` or ``full``.
        ranges: Shown lines, sorted and disjoint; each rung of a ladder holds the lines of the one below.
        tokens: Upper bound of the body's tokens, elision marks included, header excluded.
        worth: Sum of the shown lines' worth, in fully relevant lines.
    """

    name: str
    ranges: Ranges
    tokens: int
    worth: float


@dataclass(frozen=True, slots=True)
class Sliced:
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
    documents: list[list[str]] = []
    lengths: list[int] = []
    held_terms = HeldTerms(terms)
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
        if plain and not coverage:
            documents += [[] for _ in atoms]
        else:
            documents += held_terms.documents(file.lines[piece.start_line - 1 : piece.end_line], atoms)
        start = piece.start_line
        lengths += [tokens_to[atom.end - start + 1] - tokens_to[atom.start - start] for atom in atoms]
    matches = match_documents(documents, lengths, terms)
    sliced: list[Sliced] = []
    first = 0
    for piece, prices, tokens_to, atoms in cut:
        last = first + len(atoms)
        held = frozenset().union(*documents[first:last])
        worths = _atom_worths(piece, atoms, matches[first:last], config)
        if len(atoms) == 1:
            span, whole = (piece.start_line, piece.end_line), [*accumulate(worths * (len(tokens_to) - 1))][-1]
            rungs: tuple[Rung, ...] = (Rung("full", (span,), tokens_to[-1], whole),)
        else:
            rungs = _View(piece, atoms, worths, lengths[first:last], tokens_to, files[piece.path], config).ladder()
        sliced.append(Sliced(piece, rungs, held, prices))
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


# -------------------------------------------------------------------------------------------------------------- ladder


class _View:
    """Prices and worths of the atoms and line sets of one piece."""

    def __init__(
        self,
        piece: Piece,
        atoms: Sequence[Atom],
        worths: Sequence[float],
        costs: Sequence[int],
        tokens_to: Sequence[int],
        file: FileText,
        config: PackConfig,
    ) -> None:
        """``tokens_to``: tokens before each line, counted from the piece's first; one more than lines."""
        self._piece = piece
        self._atoms = atoms
        self._costs = costs
        self._config = config
        self._start = piece.start_line
        self._lines = file.lines
        self._worths = worths
        self._tokens_to = tokens_to
        line_worths: list[float] = []
        for atom, worth in zip(atoms, self._worths, strict=True):
            line_worths += [worth] * (atom.end - atom.start + 1)
        self._worth_to = [0.0, *accumulate(line_worths)]

    def ladder(self) -> tuple[Rung, ...]:
        """Rungs, cheapest first; each shows the lines of the one below and more."""
        full = Rung("full", ((self._start, self._piece.end_line),), self._tokens_to[-1], self._worth_to[-1])
        shown = self._base()
        if not self._piece.whole:  # a caller is evidence by its calling lines: the rest of it is other callers' room
            focus = self._rung("focus", shown)
            return (focus if focus.ranges else full,)
        rungs = [self._rung("signature", shown)]
        if not self._piece.focus:
            rungs.insert(0, self._pointer(shown))
        costs, atoms = self._costs, self._atoms
        spare = sum(costs) - sum(costs[at] for at in shown)
        steps = [spare * share for share in self._config.rung_shares]
        steps = [float(size) for size in self._config.rung_tokens if size < steps[0]] + steps
        spent = 0
        for at in self._by_density(shown):
            added = [i for i in (*atoms[at].ancestors, at) if i not in shown]
            if not added:
                continue
            shown.update(added)
            spent += sum(costs[i] for i in added)
            if steps and spent >= steps[0]:
                steps = [step for step in steps if step > spent]
                rungs.append(self._rung("sliced", shown))
        rungs.append(full)
        return _rising(rung for rung in rungs if rung.ranges)

    def _by_density(self, shown: set[int]) -> list[int]:
        """Atoms outside ``shown`` by worth per token, their missing ancestors paid for; ties in line order."""
        atoms, costs = self._atoms, self._costs
        values = [worth * (atom.end - atom.start + 1) for worth, atom in zip(self._worths, atoms, strict=True)]
        ranked: list[tuple[float, int]] = []
        for at, atom in enumerate(atoms):
            if at in shown:
                continue
            value, cost = values[at], costs[at]
            for ancestor in atom.ancestors:
                if ancestor not in shown:
                    value += values[ancestor]
                    cost += costs[ancestor]
            ranked.append((-value / max(1, cost), at))
        ranked.sort()
        return [at for _, at in ranked]

    def _base(self) -> set[int]:
        """What the least variant shows: the signature and the docstring's lead, or the focus, or the best atom."""
        piece, atoms = self._piece, self._atoms
        base: set[int] = set()
        for line in piece.focus:
            at = next((i for i, atom in enumerate(atoms) if atom.start <= line <= atom.end), None)
            if at is not None:
                base.update((at, *atoms[at].ancestors))
        signature = next((i for i, atom in enumerate(atoms) if atom.kind is BlockKind.SIGNATURE), None)
        if signature is not None:
            base.add(signature)
            if piece.whole:
                after = range(signature + 1, min(signature + 3, len(atoms)))
                base.update(i for i in after if atoms[i].lead and atoms[i].kind is BlockKind.DOCSTRING)
        if not base or (piece.whole and signature is None and not piece.focus):
            best = max(range(len(atoms)), key=lambda i: (self._worths[i], -i))
            base.update((best, *atoms[best].ancestors))
        return base

    def _pointer(self, shown: set[int]) -> Rung:
        """The signature alone, or the first line of prose: with its header it says what is where."""
        atom = self._atoms[min(shown)]
        first, last = self._trimmed(atom[:2])
        if first > last:
            return Rung("signature", (), 0, 0.0)
        last = last if atom.kind is BlockKind.SIGNATURE else first
        start, end = first - self._start, last - self._start + 1
        tokens, worth = self._tokens_to[end] - self._tokens_to[start], self._worth_to[end] - self._worth_to[start]
        return Rung("signature", ((first, last),), tokens, worth)

    def _rung(self, name: str, shown: Iterable[int]) -> Rung:
        """The rung that shows these atoms; a gap that costs no more than its mark is shown too."""
        spans: list[tuple[int, int]] = []
        tokens_to, start, most = self._tokens_to, self._start, self._config.closed_gap_tokens
        for at in sorted(shown):
            first, last = self._atoms[at][:2]
            if spans and tokens_to[first - start] - tokens_to[spans[-1][1] + 1 - start] <= most:
                spans[-1] = (spans[-1][0], last)
            else:
                spans.append((first, last))
        ranges = tuple(span for span in map(self._trimmed, spans) if span[0] <= span[1])
        tokens = sum(tokens_to[last + 1 - start] - tokens_to[first - start] for first, last in ranges)
        tokens += sum(elision_tokens(a[1] + 1, b[0] - 1) for a, b in pairwise(ranges))
        worth = sum(self._worth_to[last + 1 - start] - self._worth_to[first - start] for first, last in ranges)
        return Rung(name, ranges, tokens, worth)

    def _trimmed(self, span: tuple[int, int]) -> tuple[int, int]:
        """Without blank lines at the ends; empty (last < first) when it is wholly blank."""
        first, last = span
        while last >= first and not self._lines[last - 1].strip():
            last -= 1
        while first < last and not self._lines[first - 1].strip():
            first += 1
        return first, last


def _rising(rungs: Iterable[Rung]) -> tuple[Rung, ...]:
    """Drop a rung when a later one shows more and costs no more; the last always stays."""
    kept: list[Rung] = []
    for rung in rungs:
        while kept and kept[-1].tokens >= rung.tokens:
            kept.pop()
        kept.append(rung)
    return tuple(kept)


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
