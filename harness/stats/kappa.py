"""Cohen's kappa: how far two graders agree beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.bootstrap import bootstrap_statistic


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of two graders over the ``n`` answers that both graded.

    Attributes:
        observed: Share on which they agree.
        kappa: None when chance alone would agree always (each grader gave one and the same grade).
        low, high: 95 % bootstrap interval over answers; None with kappa.
    """

    n: int
    observed: float
    kappa: float | None
    low: float | None
    high: float | None


def kappa_of(first: Sequence[str], second: Sequence[str]) -> float | None:
    """(observed - expected) / (1 - expected) (Cohen 1960); None when expected is 1 or there is nothing."""
    n = len(first)
    if not n:
        return None
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    left, right = Counter(first), Counter(second)
    expected = sum(left[grade] * right[grade] for grade in left) / (n * n)
    return None if expected >= 1.0 else (observed - expected) / (1.0 - expected)


def agreement(first: Sequence[str], second: Sequence[str], seed: int = 0) -> Agreement:
    """Agreement of paired grades, in the order given."""
    n = len(first)
    if not n:
        return Agreement(0, 0.0, None, None, None)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    kappa = kappa_of(first, second)
    if kappa is None:
        return Agreement(n, observed, None, None, None)

    def resampled(rows: npt.NDArray[np.int64]) -> float | None:
        return kappa_of([first[i] for i in rows], [second[i] for i in rows])

    interval = bootstrap_statistic(n, resampled, seed)
    return Agreement(n, observed, kappa, *(interval or (None, None)))
