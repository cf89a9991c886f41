"""Percentile bootstrap over questions (Efron and Tibshirani 1993); seeded: the same data give the same interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RESAMPLES = 10_000
_MAX_DRAWS = 20_000_000  # of one interval: with more than 2,000 questions fewer resamples, at least 1,000, do as well
_CELLS = 4_000_000  # drawn at a time: memory stays flat whatever the number of questions
FEW = 15  # pairs
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval over ``n`` values."""

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of ``after - before`` over pairs, its 95 % interval and a two-sided p."""

    mean: float
    low: float
    high: float
    p: float
    n: int


def resamples_for(n: int) -> int:
    """``RESAMPLES``, fewer for many values."""
    return min(RESAMPLES, max(1_000, _MAX_DRAWS // max(1, n)))


def bootstrap_mean(values: Sequence[float], seed: int = 0, resamples: int = 0) -> Estimate | None:
    """None for no values."""
    if not values:
        return None
    data = np.asarray(values, np.float64)
    means = _means(data, seed, resamples or resamples_for(len(data)))
    low, high = np.percentile(means, (2.5, 97.5))
    return Estimate(float(data.mean()), float(low), float(high), len(data))


def paired_bootstrap(
    before: Sequence[float], after: Sequence[float], seed: int = 0, resamples: int = 0
) -> Difference | None:
    """Difference of means over pairs; None for no pairs.

    The p counts resamples on the other side of zero, twice, with one added above and below (Davison and Hinkley 1997,
    4.2), so that it is never 0. The bootstrap of a handful of pairs finds too much, so up to ``FEW`` get the exact
    p of the sign-flip test instead (Fisher 1935): the share of the 2^n ways to swap pairs that differ as much.
    """
    if len(before) != len(after):
        raise ValueError("pairs need equal numbers")
    if not before:
        return None
    data = np.asarray(after, np.float64) - np.asarray(before, np.float64)
    resamples = resamples or resamples_for(len(data))
    means = _means(data, seed, resamples)
    low, high = np.percentile(means, (2.5, 97.5))
    below, above = int((means <= 0).sum()), int((means >= 0).sum())
    p = min(1.0, 2 * (min(below, above) + 1) / (resamples + 1)) if len(data) > FEW else _sign_flip_p(data)
    return Difference(float(data.mean()), float(low), float(high), p, len(data))


def _sign_flip_p(data: Floats) -> float:
    n = len(data)
    signs = 1 - 2 * ((np.arange(1 << n)[:, None] >> np.arange(n)) & 1)
    sums = np.abs(signs @ data)
    return float((sums >= abs(data.sum()) * (1 - 1e-12)).mean())


def bootstrap_statistic(
    n: int, statistic: Callable[[npt.NDArray[np.int64]], float | None], seed: int = 0, resamples: int = 1_000
) -> tuple[float, float] | None:
    """95 % interval of any statistic of resampled positions ``0..n-1``; resamples where it is None are left out."""
    rng = np.random.default_rng(seed)
    found = [value for _ in range(resamples) if (value := statistic(rng.integers(0, n, n))) is not None]
    if not found:
        return None
    low, high = np.percentile(np.asarray(found), (2.5, 97.5))
    return float(low), float(high)


def _means(data: Floats, seed: int, resamples: int) -> Floats:
    rng = np.random.default_rng(seed)
    n = len(data)
    step = max(1, _CELLS // n)
    parts = [
        data[rng.integers(0, n, (min(step, resamples - done), n))].mean(axis=1) for done in range(0, resamples, step)
    ]
    return np.concatenate(parts)
