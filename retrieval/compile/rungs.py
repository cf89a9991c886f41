"""Which rungs of a ladder are worth stepping on."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.compile.ladder import Rung
from retrieval.compile.slicer import Sliced

_EPSILON = 1e-12


def first_lines(item: Sliced, room: int) -> Rung | None:
    """The longest run from the start of a range of the least rung that fits ``room`` tokens; earlier ranges first."""
    rung = item.rungs[0]
    for first, last in rung.ranges:
        tokens, end = 0, first - 1
        while end < last and tokens + item.price(end + 1) <= room:
            end += 1
            tokens += item.price(end)
        if end >= first:
            shown = sum(b - a + 1 for a, b in rung.ranges)
            return Rung("cut", ((first, end),), tokens, rung.worth * (end - first + 1) / shown)
    return None


def hull_of(rungs: Sequence[Rung], base_tokens: int, base_worth: float) -> list[Rung]:
    """The rungs on the upper concave hull of worth over tokens, seen from the base; cheapest first."""
    hull: list[Rung] = []
    for rung in rungs:
        while hull:
            tokens, worth = (hull[-2].tokens, hull[-2].worth) if len(hull) > 1 else (base_tokens, base_worth)
            # cross product: does the last rung lie above the line from the one before it to the new one?
            rise = (hull[-1].worth - worth) * (rung.tokens - tokens)
            if rise > (rung.worth - worth) * (hull[-1].tokens - tokens) + _EPSILON:
                break
            hull.pop()
        hull.append(rung)
    return hull
