"""Leg weights by question class: the one table.

A weight is the share of a leg's per-question normalised score in the fused score. The planner keeps the legs that can
run (no vector leg without an embedder, no graph leg without a resolved symbol) and scales the rest to sum to 1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from retrieval.records import QuestionClass

LEGS: tuple[str, ...] = ("lexical", "vector", "graph")

_TABLE: Mapping[QuestionClass, tuple[float, float, float]] = MappingProxyType(
    {
        #                          lexical vector graph
        QuestionClass.LOCATE: (0.60, 0.40, 0.00),
        QuestionClass.EXPLAIN: (0.55, 0.45, 0.00),
        QuestionClass.CALLERS: (0.35, 0.25, 0.40),
        QuestionClass.CALLEES: (0.35, 0.25, 0.40),
        QuestionClass.IMPACT: (0.35, 0.25, 0.40),
        QuestionClass.TESTS: (0.40, 0.20, 0.40),
        QuestionClass.CONNECT: (0.35, 0.25, 0.40),
        QuestionClass.CONFIG: (0.65, 0.35, 0.00),
        QuestionClass.ERROR: (0.65, 0.35, 0.00),
        QuestionClass.ARCHITECTURE: (0.40, 0.60, 0.00),
        QuestionClass.DOCS: (0.50, 0.50, 0.00),
    }
)


def leg_weights(question_class: QuestionClass, available: Collection[str] = LEGS) -> dict[str, float]:
    """Weight of each leg that is to run, summing to 1; legs outside ``available`` and legs of weight 0 are left out."""
    row = dict(zip(LEGS, _TABLE[question_class], strict=True))
    kept = {leg: weight for leg, weight in row.items() if leg in available and weight > 0}
    total = sum(kept.values())
    return {leg: weight / total for leg, weight in kept.items()} if total else {}
