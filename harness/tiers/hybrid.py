"""Tier 3: vector, lexical and graph legs fused, the best chunks concatenated. Nothing is sliced, merged or expanded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from harness.tiers.base import ConcatenatingTier
from harness.tiers.concatenate import Ranked
from retrieval.pack_records import Plan
from retrieval.search.engine import Searcher
from retrieval.search.weights import leg_weights

_DEPTH = 300


def with_legs(plan: Plan, legs: tuple[str, ...]) -> Plan:
    """The plan with only ``legs`` of those it routes; the lexical leg when none is left."""
    kept = leg_weights(plan.question_class, set(legs) & set(plan.leg_weights))
    return replace(plan, leg_weights=kept or {"lexical": 1.0})


class HybridTier(ConcatenatingTier):
    """The searcher with every ranking feature off: fused leg scores alone."""

    @cached_property
    def _searcher(self) -> Searcher:
        own = self.session.searcher
        return Searcher(own.reader, own.embedder, own.vectors, replace(own.config, features=frozenset()))

    def ranked(self, plan: Plan) -> Iterator[Ranked]:
        found = self._searcher.search(with_legs(plan, self.options.legs), _DEPTH)
        yield from map(Ranked.of, found.candidates)
