"""Whether the values of a column differ, and whether they are sorted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_NUMBER = re.compile(r"[-+]?[$€£]? ?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)? ?%?")
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?(?:[T ][\d:.]+Z?)?")
_SUM = re.compile(r"(?:(?:grand|sub)[ -]?)?totals?|sum|average|mean|median|overall|all|other", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)*")


def is_sum(row: Sequence[str]) -> bool:
    """Whether it is a row of totals, which stands last however the others are sorted."""
    return any(_SUM.fullmatch(cell.strip("*_` :")) for cell in row)


def twice_in(values: Sequence[str]) -> str:
    """The first value that was there before, or ""."""
    seen: set[str] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return ""


def unsorted_in(values: Sequence[str], way: str) -> str | None:
    """The first value that is out of its place; None where the values are of no kind that has one order alone."""
    ranks = _ranks(values)
    if ranks is None:
        return None
    for at, (one, other) in enumerate(pairwise(ranks)):
        if (other > one) if way == "falling" else (other < one):
            return values[at + 1]
    return ""


def _ranks(values: Sequence[str]) -> list[tuple[float, str]] | None:
    """Numbers by their value, ISO dates and plain words by their letters; accents and digits in names have no place."""
    if all(map(_NUMBER.fullmatch, values)):
        return [(float(re.sub(r"[^\d.-]", "", value)), "") for value in values]
    if len({len(value) for value in values}) == 1 and all(map(_DATE.fullmatch, values)):
        return [(0.0, value) for value in values]
    if all(map(_WORDS.fullmatch, values)):
        return [(0.0, value.lower()) for value in values]
    return None
