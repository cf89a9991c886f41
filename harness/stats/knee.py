"""Where a curve of gain over cost bends."""

from __future__ import annotations

from collections.abc import Sequence


def knee(costs: Sequence[float], gains: Sequence[float]) -> int | None:
    """Position of the point farthest above the straight line from the first to the last point, both axes scaled to 1.

    That is Kneedle (Satopää et al. 2011, "Finding a kneedle in a haystack") without smoothing. Costs rise; None for
    fewer than three points, or a curve that never runs above the line (it does not bend: every step pays alike).
    """
    if len(costs) != len(gains):
        raise ValueError("costs and gains need equal numbers")
    if len(costs) < 3 or costs[-1] <= costs[0] or gains[-1] <= gains[0]:
        return None
    width, height = costs[-1] - costs[0], gains[-1] - gains[0]
    above = [(gain - gains[0]) / height - (cost - costs[0]) / width for cost, gain in zip(costs, gains, strict=True)]
    best = max(range(len(above)), key=lambda at: (above[at], -at))
    return best if above[best] > 1e-9 else None


def smallest_sufficient(passed: Sequence[Sequence[float]], costs: Sequence[float]) -> int:
    """Position of the cheapest setting that is not shown to be worse than the best one.

    ``passed`` are the outcomes of each setting over the same questions. Worse is shown when the 95 % paired bootstrap
    interval of the difference to the best mean lies below 0.
    """
    from harness.stats.bootstrap import paired_bootstrap

    means = [sum(each) / len(each) if each else 0.0 for each in passed]
    best = max(range(len(means)), key=lambda at: (means[at], -costs[at]))
    fits = [best]
    for at, outcomes in enumerate(passed):
        difference = paired_bootstrap(passed[best], outcomes)
        if difference is not None and difference.high >= 0:
            fits.append(at)
    return min(fits, key=lambda at: costs[at])
