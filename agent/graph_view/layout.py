"""Places for the nodes of a neighbourhood: callers to the left, callees to the right, a column for each step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

_GAP = 110  # pixels between columns
_ROW = 46
_MAX_ROWS = 28  # a longer column is folded into several


def steps_from(centre: Collection[str], edges: Collection[tuple[str, str]]) -> dict[str, int]:
    """Steps from the centre by name: negative for what leads to it, positive for what it leads to; nearest wins."""
    ahead: dict[str, list[str]] = defaultdict(list)
    behind: dict[str, list[str]] = defaultdict(list)
    for source, target in sorted(edges):
        ahead[source].append(target)
        behind[target].append(source)
    steps = dict.fromkeys(sorted(centre), 0)
    frontier = list(steps)
    while frontier:
        fresh: list[str] = []
        for name in frontier:
            step = steps[name]
            for sign, near in ((-1, behind), (1, ahead)):
                for other in near[name]:
                    if other not in steps:
                        steps[other] = step + (sign if step * sign >= 0 else -sign)
                        fresh.append(other)
        frontier = fresh
    return steps


def positions(
    steps: Mapping[str, int], edges: Collection[tuple[str, str]], widths: Mapping[str, int]
) -> dict[str, tuple[int, int]]:
    """``(x, y)`` of the middle of each node. In a column the order follows the neighbours nearer to the centre."""
    near: dict[str, list[str]] = defaultdict(list)
    for source, target in sorted(edges):
        near[source].append(target)
        near[target].append(source)
    columns: dict[int, list[str]] = defaultdict(list)
    for name in sorted(steps):
        columns[steps[name]].append(name)
    placed: dict[str, tuple[int, int]] = {}
    for sign in (1, -1):
        side = 0.0  # how far out the columns reach so far
        for step in sorted((step for step in columns if step * sign >= 0), key=abs):
            if step == 0 and sign < 0:
                side = max(widths[name] for name in columns[0]) / 2
                continue

            def wish(name: str, step: int = step) -> tuple[float, str]:
                rows = [placed[other][1] for other in near[name] if other in placed and abs(steps[other]) < abs(step)]
                return (sum(rows) / len(rows) if rows else 0.0, name)

            for fold in _folds(sorted(columns[step], key=wish)):
                width = max(widths[name] for name in fold)
                middle = 0.0 if step == 0 and side == 0 else side + _GAP + width / 2
                for row, name in enumerate(fold):
                    placed[name] = (round(sign * middle), round((row - (len(fold) - 1) / 2) * _ROW))
                side = middle + width / 2
    return placed


def _folds(names: Sequence[str]) -> list[Sequence[str]]:
    """A long column as several of about the same length."""
    count = -(-len(names) // _MAX_ROWS)
    rows = -(-len(names) // count)
    return [names[start : start + rows] for start in range(0, len(names), rows)]
