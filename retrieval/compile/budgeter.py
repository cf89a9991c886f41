"""Stage: which piece is shown, and how much of it, so that the evidence in the budget is worth most.

Each piece climbs its ladder (nothing, signature, slices, full) by worth per token. The worth of a rung is the worth
of its lines times the piece's expected relevance; the first piece of an aspect earns a bonus, further ones less, so
the objective is monotone and submodular and the lazy greedy of Minoux (1978) applies: a gain is recomputed only when
it reaches the top of the heap. Of a ladder only the rungs on its concave hull are steps; when a step does not fit,
the hull of the smaller ones that do takes its place. So worth is spent in the order of density.

A share of the budget is kept for pointers: the least rung of the best piece of each file of which nothing is shown,
best files first. They say where else to look, at a price per file that no body could compete with, and never in place
of it. What they leave over is spent as before.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from retrieval.compile.allocation import Allocation, Choice, Overhead
from retrieval.compile.ladder import Rung
from retrieval.compile.pack_config import DEFAULT, PackConfig
from retrieval.compile.rungs import first_lines, hull_of
from retrieval.compile.slicer import Sliced

_EPSILON = 1e-12
_Step = tuple[float, int, int, int]  # (minus worth per token, piece, step of its hull, version of the hull)
_LEAST = 1e-6  # likelihood below which pieces count as equally unlikely


def standings(pieces: Sequence[Sliced], config: PackConfig = DEFAULT) -> tuple[float, ...]:
    """Expected relevance (0..1) of each piece to its aspects, from score and rank; pieces come best first."""
    top = max((item.piece.score for item in pieces), default=0.0)
    found: list[float] = []
    for rank, item in enumerate(pieces):
        share = max(0.0, item.piece.score) / top if top > 0 else 1.0
        found.append(max(1e-6, share**config.score_power) / (1.0 + config.rank_decay * rank))
    return tuple(found)


def allocate(
    pieces: Sequence[Sliced],
    overheads: Sequence[Overhead],
    budget: int,
    aspects: Sequence[Mapping[str, float]] = (),
    config: PackConfig = DEFAULT,
) -> Allocation:
    """Choose a rung for every piece.

    Args:
        pieces: Best first.
        overheads: Of each piece.
        budget: Tokens for everything, at least 1.
        aspects: Terms (with weights) of each aspect of the question.
    """
    state = _State(pieces, overheads, budget, aspects, config)
    state.run()
    if pieces and not any(rung is not None for rung in state.rungs):
        state.show_least()
    return state.result()


@dataclass(slots=True)
class _State:
    pieces: Sequence[Sliced]
    overheads: Sequence[Overhead]
    budget: int
    aspects: Sequence[Mapping[str, float]]
    config: PackConfig
    paths: list[str] = field(default_factory=list)
    likelihood: tuple[float, ...] = ()
    standing: tuple[float, ...] = ()
    rungs: list[Rung | None] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    hulls: list[list[Rung]] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    owners: set[tuple[str, str]] = field(default_factory=set)  # path and class that a shown header tells
    siblings: dict[str, list[int]] = field(default_factory=dict)
    spent: list[int] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)
    uncovered: list[float] = field(default_factory=list)
    coverage: list[tuple[float, ...]] = field(default_factory=list)
    bonuses: list[float] = field(default_factory=list)
    limit: int = 0
    left: int = 0
    worth: float = 0.0

    def __post_init__(self) -> None:
        count = len(self.pieces)
        self.likelihood = tuple(max(_LEAST, item.piece.likelihood) for item in self.pieces)
        self.standing = standings(self.pieces, self.config)
        self.paths = [item.piece.path for item in self.pieces]
        for at, path in enumerate(self.paths):
            self.siblings.setdefault(path, []).append(at)
        self.spent = [0] * count
        self.rungs = [None] * count
        self.why = [""] * count
        self.left = self.budget
        self.uncovered = [1.0] * len(self.aspects)
        self.coverage = [self._coverage(item.terms) for item in self.pieces]
        small = min(self.budget * self.config.max_small_share, self.config.small_limit_tokens)
        self.limit = self.budget if count == 1 else int(max(self.budget * self.config.max_share, small))

    def _next_hull(self, at: int) -> list[Rung]:
        """The steps above what is shown of a piece."""
        shown = self.rungs[at]
        if shown is None:
            return self._first_hull(at)
        own = self.overheads[at].own
        more = [r for r in self.pieces[at].rungs if r.tokens > shown.tokens and own + r.tokens <= self.limit]
        return hull_of(more, shown.tokens, shown.worth)

    def _first_hull(self, at: int) -> list[Rung]:
        """The steps of a piece of which nothing is shown; what it earns by being shown at all counts."""
        overhead = self._overhead(at)
        fitting = [rung for rung in self.pieces[at].rungs if overhead + rung.tokens <= self.limit]
        if self.config.pointer_share > 0:  # a signature without its body answers little: it is left to the pointers
            fitting = [rung for rung in fitting if rung.name != "signature"] or fitting
        return hull_of(fitting, -overhead, -self.bonuses[at] / self.likelihood[at])

    def _overhead(self, at: int) -> int:
        """Tokens of the piece's header, were it shown now."""
        overhead, path = self.overheads[at], self.paths[at]
        if path not in self.files:
            return overhead.own + overhead.entry + overhead.owner_tokens
        return overhead.own if (path, overhead.owner) in self.owners else overhead.own + overhead.owner_tokens

    def _coverage(self, terms: frozenset[str]) -> tuple[float, ...]:
        shares = []
        for aspect in self.aspects:
            total = sum(aspect.values())
            shares.append(sum(w for term, w in aspect.items() if term in terms) / total if total else 0.0)
        return tuple(shares)

    # -------------------------------------------------------------------------------------------------------- greedy

    def run(self) -> None:
        kept = int(self.budget * self.config.pointer_share) if len(self.siblings) > 1 else 0
        self.left -= kept
        self.climb()
        self.left += kept
        self.point()
        if self.left >= self.config.pointer_tokens:
            self.climb()

    def climb(self) -> None:
        """Spend what is left by worth per token."""
        self.versions = [0] * len(self.pieces)
        self.bonuses = [self._bonus(at) for at in range(len(self.pieces))]
        self.hulls = [self._next_hull(at) for at in range(len(self.pieces))]
        heap: list[_Step] = []
        for at in range(len(self.pieces)):
            self._push(heap, at, 0)
        while heap:
            stored, at, step, version = heapq.heappop(heap)
            if version != self.versions[at]:
                continue
            if self.rungs[at] is None and (bonus := self._bonus(at)) < self.bonuses[at] - _EPSILON:
                self._restart(heap, at, bonus)
                continue
            target = self.hulls[at][step]
            if -self._density(at, target) > stored + _EPSILON:
                self._push(heap, at, step)
                continue
            if self._price(at, target) > self.left:
                self.hulls[at] = self._lesser(at, target)
                self._push(heap, at, 0)
                continue
            path, owner = self.pieces[at].piece.path, self.overheads[at].owner
            file_is_new, owner_is_new = path not in self.files, (path, owner) not in self.owners
            self._show(at, target)
            self._push(heap, at, step + 1)
            if file_is_new or owner_is_new:  # what is told makes the headers of the file's other pieces cheaper
                for other in self.siblings[path]:
                    if self.rungs[other] is None and (file_is_new or self.overheads[other].owner == owner):
                        self._restart(heap, other, self._bonus(other))

    def point(self) -> None:
        """The least that can be shown of each file of which nothing is shown yet, best files first."""
        for path, members in self.siblings.items():
            if path in self.files:
                continue
            at = min(members, key=lambda at: (self.pieces[at].rungs[0].tokens > self.config.pointer_tokens, at))
            least = self.pieces[at].rungs[0]
            if least.tokens <= 2 * self.config.pointer_tokens and self._price(at, least) <= self.left:
                self._show(at, least)

    def _push(self, heap: list[_Step], at: int, step: int) -> None:
        if step < len(self.hulls[at]):
            heapq.heappush(heap, (-self._density(at, self.hulls[at][step]), at, step, self.versions[at]))

    def _restart(self, heap: list[_Step], at: int, bonus: float) -> None:
        """A piece of which nothing is shown has another bonus or price now."""
        self.bonuses[at] = bonus
        self.versions[at] += 1
        self.hulls[at] = self._first_hull(at)
        self._push(heap, at, 0)

    def _price(self, at: int, rung: Rung) -> int:
        shown = self.rungs[at]
        return rung.tokens - shown.tokens if shown else rung.tokens + self._overhead(at)

    def _gain(self, at: int, rung: Rung) -> float:
        shown = self.rungs[at]
        if shown is not None:
            return (rung.worth - shown.worth) * self.likelihood[at]
        return rung.worth * self.likelihood[at] + self._bonus(at)

    def _bonus(self, at: int) -> float:
        """What the piece earns by being shown at all: its aspects."""
        if not self.uncovered:
            return 0.0
        standing = self.standing[at]
        bonus = 0.0
        for share, uncovered in zip(self.coverage[at], self.uncovered, strict=True):
            bonus += self.config.aspect_bonus * share * standing * uncovered
        return bonus

    def _density(self, at: int, rung: Rung) -> float:
        """Gain over price; the two in one, since it is asked for two hundred times a pack."""
        shown, likelihood = self.rungs[at], self.likelihood[at]
        if shown is not None:
            return (rung.worth - shown.worth) * likelihood / max(1, rung.tokens - shown.tokens)
        return (rung.worth * likelihood + self._bonus(at)) / max(1, rung.tokens + self._overhead(at))

    def _show(self, at: int, rung: Rung) -> None:
        price, gain = self._price(at, rung), self._gain(at, rung)
        self.spent[at] += price
        if self.rungs[at] is None:
            path = self.pieces[at].piece.path
            self.files.add(path)
            self.owners.add((path, self.overheads[at].owner))
            for index, share in enumerate(self.coverage[at]):
                self.uncovered[index] *= 1.0 - share * self.standing[at]
        self.why[at] = (
            f"{rung.name}: {gain / max(1, price):.4f} worth per token at likelihood {self.likelihood[at]:.2f}"
        )
        self.rungs[at] = rung
        self.left -= price
        self.worth += gain

    def _lesser(self, at: int, target: Rung) -> list[Rung]:
        """The hull of the steps below ``target``, which does not fit, that do; empty when none does."""
        shown = self.rungs[at]
        bonus = -self._bonus(at) / self.likelihood[at]
        base_tokens, base_worth = (shown.tokens, shown.worth) if shown else (-self._overhead(at), bonus)
        steps = [
            rung
            for rung in self.pieces[at].rungs
            if base_tokens < rung.tokens < target.tokens and self._price(at, rung) <= self.left
        ]
        if shown is None:
            need = self._price(at, self.pieces[at].rungs[0])
            self.why[at] = f"needs {need} tokens or more, {self.left} were left"
        return hull_of(steps, base_tokens, base_worth)

    # -------------------------------------------------------------------------------------------------------- corner

    def show_least(self) -> None:
        """Nothing fitted: show as many lines of the best piece's least rung as the budget holds, at least one."""
        for at, item in enumerate(self.pieces):
            room = self.budget - self.overheads[at].first
            part = first_lines(item, room)
            if part is not None:
                self._show(at, part)
                self.why[at] = "cut to the budget"
                return

    def result(self) -> Allocation:
        choices = tuple(
            Choice(
                item,
                rung,
                spent,
                likelihood,
                why or "worth less per token than what was kept",
            )
            for item, rung, spent, likelihood, why in zip(
                self.pieces, self.rungs, self.spent, self.likelihood, self.why, strict=True
            )
        )
        smallest = min(
            (
                overhead.first + min(item.price(a) for a, _ in item.rungs[0].ranges)
                for item, overhead in zip(self.pieces, self.overheads, strict=True)
            ),
            default=0,
        )
        return Allocation(choices, self.budget - self.left, self.worth, smallest)
