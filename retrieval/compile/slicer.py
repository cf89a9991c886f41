"""Stage: from a piece to a ladder of nested variants, each with its price in tokens and its worth in lines.

The ladder climbs from the signature (or the focus lines) through slices to the full text. What a slice holds is
decided statement by statement: worth of the block's kind, raised by how well rank-bm25 matches the block with the
question, per token. The control headers that enclose a statement come with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from retrieval.compile.builder import Piece
from retrieval.compile.pack_config import DEFAULT, PackConfig
from retrieval.compile.render import elision_tokens
from retrieval.compile.slicer_atoms import Atom, cut_atoms
from retrieval.records import BlockKind, FileText
from retrieval.text.terms import index_terms
from retrieval.tokens.counter import SATURATED

Ranges = tuple[tuple[int, int], ...]

_UNSHOWABLE = 1 << 40  # price of a line whose count is saturated: its true count is unknown


@dataclass(frozen=True, slots=True)
class Rung:
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

    ``line_tokens`` prices each line of the piece, by line number.
    """

    piece: Piece
    rungs: tuple[Rung, ...]
    terms: frozenset[str]
    line_tokens: Mapping[int, int]


def slice_pieces(
    pieces: Sequence[Piece],
    files: Mapping[str, FileText],
    terms: Mapping[str, float],
    allowance: int,
    config: PackConfig = DEFAULT,
) -> tuple[Sliced, ...]:
    """Ladders for ``pieces``, in their order.

    Args:
        files: The text of every piece's file.
        terms: The question's terms with their weights.
        allowance: Most tokens that one piece may take; statements beyond it are cut at lines.
    """
    cut: list[tuple[Piece, tuple[Atom, ...]]] = []
    documents: list[list[str]] = []
    owners: list[int] = []
    for at, piece in enumerate(pieces):
        file = files[piece.path]
        atoms = cut_atoms(piece, file.lines, file.line_tokens, allowance, config)
        cut.append((piece, atoms))
        for atom in atoms:
            documents.append(index_terms("\n".join(file.lines[atom.start - 1 : atom.end])))
            owners.append(at)
    matches = _match(documents, terms)
    sliced: list[Sliced] = []
    first = 0
    for piece, atoms in cut:
        last = first + len(atoms)
        held = frozenset(term for document in documents[first:last] for term in document if term in terms)
        file = files[piece.path]
        rungs = _ladder(piece, atoms, matches[first:last], file, config)
        numbers = range(piece.start_line, piece.end_line + 1)
        sliced.append(Sliced(piece, rungs, held, {n: _price(file.line_tokens[n - 1]) for n in numbers}))
        first = last
    return tuple(sliced)


def _price(count: int) -> int:
    return _UNSHOWABLE if count >= SATURATED else count


def _match(documents: Sequence[Sequence[str]], terms: Mapping[str, float]) -> list[float]:
    """BM25 of each document for the weighted terms, scaled so that the best document has 1."""
    if not any(documents):
        return [0.0] * len(documents)
    from rank_bm25 import BM25Okapi

    bm25 = BM25Okapi([list(document) for document in documents])
    total = [0.0] * len(documents)
    for term, weight in terms.items():
        if term in bm25.idf:
            for at, score in enumerate(bm25.get_scores([term]).tolist()):
                total[at] += weight * score
    best = max(total)
    return [max(0.0, score) / best for score in total] if best > 0 else [0.0] * len(documents)


# -------------------------------------------------------------------------------------------------------------- ladder


def _ladder(
    piece: Piece,
    atoms: Sequence[Atom],
    matches: Sequence[float],
    file: FileText,
    config: PackConfig,
) -> tuple[Rung, ...]:
    worths = _atom_worths(piece, atoms, matches, config)
    view = _View(piece, atoms, worths, file, config)
    everything = range(len(atoms))
    full = view.full()
    base = _base(piece, atoms, worths)
    if full.tokens <= config.small_piece_tokens and piece.whole:
        return (full,)
    first = view.rung("signature" if piece.whole else "focus", base)
    shown = set(base)
    spare = sum(view.cost(at) for at in everything if at not in shown)
    steps = [spare * share for share in config.rung_shares]
    rungs = [first]
    spent = 0
    for at in _by_density(atoms, worths, shown, view):
        added = {at, *atoms[at].ancestors} - shown
        if not added:
            continue
        shown |= added
        spent += sum(view.cost(other) for other in added)
        if steps and spent >= steps[0]:
            steps = [step for step in steps if step > spent]
            rungs.append(view.rung("sliced", shown))
    rungs.append(full)
    return _rising(rungs)


def _rising(rungs: Iterable[Rung]) -> tuple[Rung, ...]:
    """Drop a rung when a later one shows more and costs no more; the last always stays."""
    kept: list[Rung] = []
    for rung in rungs:
        while kept and kept[-1].tokens >= rung.tokens:
            kept.pop()
        kept.append(rung)
    return tuple(kept)


def _by_density(atoms: Sequence[Atom], worths: Sequence[float], shown: set[int], view: _View) -> list[int]:
    """Atoms outside ``shown`` by worth per token, their missing ancestors paid for; ties in line order."""

    def density(at: int) -> float:
        group = {at, *atoms[at].ancestors} - shown
        value = sum(worths[i] * (atoms[i].end - atoms[i].start + 1) for i in group)
        return value / max(1, sum(view.cost(i) for i in group))

    return sorted((at for at in range(len(atoms)) if at not in shown), key=lambda at: (-density(at), at))


def _base(piece: Piece, atoms: Sequence[Atom], worths: Sequence[float]) -> list[int]:
    """What the least variant shows: the signature and the docstring's lead, or the focus, or the best atom."""
    base: set[int] = set()
    for line in piece.focus:
        at = next((i for i, atom in enumerate(atoms) if atom.start <= line <= atom.end), None)
        if at is not None:
            base |= {at, *atoms[at].ancestors}
    signature = next((i for i, atom in enumerate(atoms) if atom.kind is BlockKind.SIGNATURE), None)
    if signature is not None:
        base.add(signature)
        if piece.whole:
            lead = next((i for i, atom in enumerate(atoms) if atom.lead and atom.kind is BlockKind.DOCSTRING), None)
            base |= {lead} if lead is not None and lead <= signature + 2 else set()
    if not base or (piece.whole and signature is None and not piece.focus):
        best = max(range(len(atoms)), key=lambda i: (worths[i], -i))
        base |= {best, *atoms[best].ancestors}
    return sorted(base)


def _atom_worths(
    piece: Piece, atoms: Sequence[Atom], matches: Sequence[float], config: PackConfig
) -> tuple[float, ...]:
    """Worth of one line of each atom, 0..1."""
    worths: list[float] = []
    for at, atom in enumerate(atoms):
        beside = max((matches[i] for i in (at - 1, at + 1) if 0 <= i < len(atoms)), default=0.0)
        match = max(matches[at], config.neighbour_share * beside)
        base = config.lead_worth if atom.lead else config.kind_worth[atom.kind]
        worth = base + (1.0 - base) * config.match_weight * match
        if atom.kind is BlockKind.BLANK:
            worth = base
        if not piece.whole and not any(atom.start <= line <= atom.end for line in piece.focus):
            worth *= config.off_focus_factor
        worths.append(worth * _member_share(piece, atom))
    return tuple(worths)


def _member_share(piece: Piece, atom: Atom) -> float:
    """Score of the best merged chunk that holds the atom, as a share of the piece's score."""
    if len(piece.worth) < 2 or piece.score <= 0:
        return 1.0
    scores = [score for first, last, score in piece.worth if atom.start <= last and atom.end >= first]
    return min(1.0, max(0.0, max(scores, default=0.0)) / piece.score)


class _View:
    """Prices and worths of line sets of one piece."""

    def __init__(
        self,
        piece: Piece,
        atoms: Sequence[Atom],
        worths: Sequence[float],
        file: FileText,
        config: PackConfig,
    ) -> None:
        self._atoms = atoms
        self._config = config
        self._start = piece.start_line
        counts = file.line_tokens[piece.start_line - 1 : piece.end_line]
        self._blank = [not line.strip() for line in file.lines[piece.start_line - 1 : piece.end_line]]
        self._tokens = [_price(count) for count in counts]
        self._worths = [0.0] * len(self._tokens)
        for atom, worth in zip(atoms, worths, strict=True):
            for number in range(atom.start, atom.end + 1):
                self._worths[number - self._start] = worth
        self._costs = [sum(self._tokens[a.start - self._start : a.end - self._start + 1]) for a in atoms]

    def cost(self, at: int) -> int:
        return self._costs[at]

    def rung(self, name: str, shown: Iterable[int]) -> Rung:
        spans: list[tuple[int, int]] = []
        for at in sorted(shown):
            atom = self._atoms[at]
            if spans and self._gap_tokens(spans[-1][1], atom.start) <= self._config.closed_gap_tokens:
                spans[-1] = (spans[-1][0], atom.end)
            else:
                spans.append((atom.start, atom.end))
        ranges = tuple(map(self._trimmed, spans))
        tokens = sum(sum(self._tokens[a - self._start : b - self._start + 1]) for a, b in ranges)
        tokens += sum(elision_tokens(a[1] + 1, b[0] - 1) for a, b in pairwise(ranges))
        worth = sum(sum(self._worths[a - self._start : b - self._start + 1]) for a, b in ranges)
        return Rung(name, ranges, tokens, worth)

    def _gap_tokens(self, last: int, first: int) -> int:
        return sum(self._tokens[last + 1 - self._start : first - self._start])

    def _trimmed(self, span: tuple[int, int]) -> tuple[int, int]:
        """Without blank lines at the ends; a wholly blank span keeps its first line."""
        first, last = span
        while last > first and self._blank[last - self._start]:
            last -= 1
        while first < last and self._blank[first - self._start]:
            first += 1
        return first, last

    def full(self) -> Rung:
        """All lines of the piece."""
        last = self._start + len(self._tokens) - 1
        return Rung("full", ((self._start, last),), sum(self._tokens), sum(self._worths))
