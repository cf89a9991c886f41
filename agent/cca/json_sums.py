"""Numbers that add up and texts that are sorted, in an answer's JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from agent.cca.data_models import JsonForm
from agent.cca.json_values import inner_of, keyed, leaves, listed, lists


def sorted_items(values: list[Any], check: JsonForm) -> Iterator[str]:
    for items in lists(values):
        if len(items) > 1 and all(isinstance(item, str) for item in items):
            for one, other in pairwise(map(str.lower, items)):
                yield f"{other[:40]} behind {one[:40]}" if other < one else ""


def sums(values: list[Any], check: JsonForm) -> Iterator[str]:
    """Numbers that belong together, none beyond the sum; of several groups it is not known which are meant."""
    target = float(check.most or 0)
    groups = [
        numbers
        for numbers in _groups(values, check.names)
        if len(numbers) > 1 and all(0 <= number <= max(target, number * len(check.names)) for number in numbers)
    ]
    if len(groups) == 1 or (groups and check.names):
        for numbers in groups:
            total = math.fsum(numbers)
            yield "" if abs(total - target) <= 0.01 * target + 1e-9 else f"{total:g}, not {target:g}"


def _groups(values: list[Any], names: tuple[str, ...]) -> Iterator[list[float]]:
    if len(names) > 1:
        yield from ([number for name in names for number in _numbers([each.get(name)])] for each in keyed(values))
        return
    for items in listed(values):
        for key in names or items[0]:
            found = _numbers([item.get(key) for item in items])
            yield found if len(found) == len(items) else []
    for value in [*values, *leaves(values)] if not names else [each.get(names[0]) for each in keyed(values)]:
        inner = inner_of(value)
        found = _numbers(inner)
        yield found if len(found) == len(inner) else []


def _numbers(values: list[Any]) -> list[float]:
    return [float(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
