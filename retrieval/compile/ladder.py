"""The ladder of a piece: nested variants of it, from its signature or focus lines over slices to the whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from retrieval.compile.builder import Piece
from retrieval.compile.pack_config import PackConfig
from retrieval.compile.render import elision_tokens
from retrieval.compile.slicer_atoms import Atom
from retrieval.records import BlockKind, FileText

Ranges = tuple[tuple[int, int], ...]


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


class Ladder:
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

    def rungs(self) -> tuple[Rung, ...]:
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
            if at in shown:
                continue
            for added in (*atoms[at].ancestors, at):
                if added not in shown:
                    shown.add(added)
                    spent += costs[added]
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
        first, last = self._trimmed(atom.start - self._start, atom.end - self._start)
        if first > last:
            return Rung("signature", (), 0, 0.0)
        last = last if atom.kind is BlockKind.SIGNATURE else first
        tokens, worth = (
            self._tokens_to[last + 1] - self._tokens_to[first],
            self._worth_to[last + 1] - self._worth_to[first],
        )
        return Rung("signature", ((first + self._start, last + self._start),), tokens, worth)

    def _rung(self, name: str, shown: Iterable[int]) -> Rung:
        """The rung that shows these atoms; a gap that costs no more than its mark is shown too."""
        spans: list[tuple[int, int]] = []
        atoms, tokens_to, worth_to, start = self._atoms, self._tokens_to, self._worth_to, self._start
        most, low, end = (
            self._config.closed_gap_tokens,
            -1,
            0,
        )  # lines from ``low`` up to ``end``, counted from ``start``
        for at in sorted(shown):
            atom = atoms[at]
            first = atom.start - start
            if low < 0 or tokens_to[first] - tokens_to[end] > most:
                if low >= 0:
                    spans.append((low, end))
                low = first
            end = atom.end - start + 1
        spans.append((low, end))
        ranges: list[tuple[int, int]] = []
        tokens, worth = 0, 0.0
        for low, end in spans:
            first, last = self._trimmed(low, end - 1)
            if first > last:
                continue
            if ranges:
                tokens += elision_tokens(ranges[-1][1] + 1, first + start - 1)
            tokens += tokens_to[last + 1] - tokens_to[first]
            worth += worth_to[last + 1] - worth_to[first]
            ranges.append((first + start, last + start))
        return Rung(name, tuple(ranges), tokens, worth)

    def _trimmed(self, first: int, last: int) -> tuple[int, int]:
        """Without blank lines at the ends; empty (last < first) when it is wholly blank."""
        lines, before = self._lines, self._start - 1
        while last >= first and not lines[last + before].strip():
            last -= 1
        while first < last and not lines[first + before].strip():
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
