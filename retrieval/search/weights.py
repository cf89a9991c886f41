"""Leg weights by question class: the one table.

A weight is the share of a leg's per-question normalised score in the fused score. The planner keeps the legs that can
run (no vector leg without an embedder, no graph leg without a resolved symbol) and scales the rest to sum to 1.

The table is for lines, that is for packs. A list of files is ranked with more weight on meaning (``for_files``): what a
file is about is told by its chunks' similarity, which of its lines answer is told by the words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from retrieval.pack_records import QuestionClass

LEGS: tuple[str, ...] = ("lexical", "vector", "graph")

_VECTOR_FACTOR_OF_FILES = 1.4

_TABLE: Mapping[QuestionClass, tuple[float, float, float]] = MappingProxyType(
    {
        #                          lexical vector graph
        QuestionClass.LOCATE: (0.68, 0.32, 0.00),
        QuestionClass.EXPLAIN: (0.64, 0.36, 0.00),
        QuestionClass.CALLERS: (0.38, 0.19, 0.43),
        QuestionClass.CALLEES: (0.38, 0.19, 0.43),
        QuestionClass.IMPACT: (0.38, 0.19, 0.43),
        QuestionClass.TESTS: (0.43, 0.14, 0.43),
        QuestionClass.CONNECT: (0.38, 0.19, 0.43),
        QuestionClass.CONFIG: (0.73, 0.27, 0.00),
        QuestionClass.ERROR: (0.73, 0.27, 0.00),
        QuestionClass.ARCHITECTURE: (0.49, 0.51, 0.00),
        QuestionClass.DOCS: (0.59, 0.41, 0.00),
    }
)


def leg_weights(question_class: QuestionClass, available: Collection[str] = LEGS) -> dict[str, float]:
    """Weight of each leg that is to run, summing to 1; legs outside ``available`` and legs of weight 0 are left out."""
    row = dict(zip(LEGS, _TABLE[question_class], strict=True))
    kept = {leg: weight for leg, weight in row.items() if leg in available and weight > 0}
    total = sum(kept.values())
    return {leg: weight / total for leg, weight in kept.items()} if total else {}


def for_files(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights by which files are ranked, from those of ``leg_weights``; they sum to 1 again."""
    raised = {leg: weight * _VECTOR_FACTOR_OF_FILES if leg == "vector" else weight for leg, weight in weights.items()}
    total = sum(raised.values())
    return {leg: weight / total for leg, weight in raised.items()} if total else {}
