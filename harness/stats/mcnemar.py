"""McNemar's exact test for paired pass/fail outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class McNemar:
    """``gained`` pairs went from fail to pass, ``lost`` from pass to fail; ``p`` is two-sided and exact."""

    gained: int
    lost: int
    p: float


def mcnemar(before: Sequence[bool], after: Sequence[bool]) -> McNemar:
    """The pairs in the order given.

    Under the null hypothesis a pair that differs differs either way with probability one half, so the smaller of the
    two counts is binomial (McNemar 1947; exact form: Agresti, Categorical Data Analysis, 10.1).
    """
    gained = sum(not a and b for a, b in zip(before, after, strict=True))
    lost = sum(a and not b for a, b in zip(before, after, strict=True))
    return McNemar(gained, lost, two_sided_sign_p(min(gained, lost), gained + lost))


def two_sided_sign_p(smaller: int, n: int) -> float:
    """P of a count as extreme as ``smaller`` of ``n`` fair coins, both tails; exact integers, one final division."""
    if n == 0:
        return 1.0
    tail = coefficient = 1
    for i in range(smaller):
        coefficient = coefficient * (n - i) // (i + 1)
        tail += coefficient
    return min(1.0, 2 * tail / (1 << n)) if n < 1000 else min(1.0, _ratio(2 * tail, n))


def _ratio(numerator: int, n: int) -> float:
    """``numerator / 2**n`` where both leave the range of a float."""
    shift = max(0, numerator.bit_length() - 64)
    value = float(numerator >> shift)
    exponent = shift - n
    return 0.0 if exponent < -1100 else value * 2.0**exponent
