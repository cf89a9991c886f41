"""The Wilson interval of a share."""

from __future__ import annotations

from math import sqrt

_Z = 1.959963984540054  # 97.5 % point of the standard normal distribution


def wilson(successes: int, n: int) -> tuple[float, float]:
    """95 % interval of ``successes / n`` (Wilson 1927); (0, 1) for no trials."""
    if not n:
        return 0.0, 1.0
    share = successes / n
    centre = share + _Z * _Z / (2 * n)
    half = _Z * sqrt(share * (1 - share) / n + _Z * _Z / (4 * n * n))
    scale = 1 + _Z * _Z / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)
