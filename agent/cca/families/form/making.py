"""How families of form are made: simple ones, counts of the whole answer, counts of each part."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots

HEADING_SIGN = r"#{1,6}(?: .{0,40})?|={3,}|h[1-6]"
FENCE_SIGN = r"`{3,}|~{3,}|`{3,}\w+"


def fits(slots: Slots, signs: str, numbers: bool) -> bool:
    """Nothing is quoted but ``signs`` and examples; no number above two is named that is no part of it."""
    if any(not re.fullmatch(signs, term.strip(), re.IGNORECASE) for term in slots.terms if term not in slots.examples):
        return False
    return numbers or all(number <= 2 for number in slots.numbers)


def simple(id_: str, says: str, check: Callable[[], Any], signs: str = "", numbers: bool = False) -> Family:
    """A demand without slots. ``signs``: what may be quoted, since it names the thing itself."""
    return Family(id_, says, lambda slots: check() if fits(slots, signs, numbers) else None, takes_terms=bool(signs))


def count(id_: str, says: str, unit: str, within: str = "answer", signs: str = "") -> Family:
    """So many ``unit`` in the answer."""

    def make(slots: Slots) -> Any:
        if not fits(slots, signs, True) or (slots.least is None and slots.most is None):
            return None
        return c.Count(unit=unit, least=slots.least, most=slots.most, within=within)  # type: ignore[arg-type]

    return Family(id_, says, make, bounded=True, takes_terms=bool(signs))


def found(id_: str, says: str, pattern: str, finds: str, within: str = "prose", signs: str = "") -> Family:
    """So many places that match."""

    def make(slots: Slots) -> Any:
        if not fits(slots, signs, True) or (slots.least is None and slots.most is None):
            return None
        return c.Matches(pattern=pattern, least=slots.least or 0, most=slots.most, finds=finds, within=within)  # type: ignore[arg-type]

    return Family(id_, says, make, bounded=True, takes_terms=bool(signs))


def each(id_: str, says: str, part: c.Part, unit: str, signs: str = "") -> Family:
    """So many ``unit`` in each part; without such a part there is no verdict."""

    def make(slots: Slots) -> Any:
        if not fits(slots, signs, True) or (slots.least is None and slots.most is None):
            return None
        return c.Each(part=part, check=c.Count(unit=unit, least=slots.least, most=slots.most))  # type: ignore[arg-type]

    return Family(id_, says, make, bounded=True, takes_terms=bool(signs))


def layout(id_: str, says: str, demand: str, signs: str = "") -> Family:
    return simple(id_, says, lambda: c.Layout(demand=demand), signs)  # type: ignore[arg-type]


def of_each(kind: str, check: Any, **part: Any) -> Any:
    return c.Each(part=c.Part(kind=kind, **part), check=check)  # type: ignore[arg-type]


def none_of(pattern: str, finds: str, within: str = "prose") -> Any:
    return c.Matches(pattern=pattern, least=0, most=0, finds=finds, within=within)  # type: ignore[arg-type]


def some_of(pattern: str, finds: str, within: str = "prose") -> Any:
    return c.Matches(pattern=pattern, least=1, finds=finds, within=within)  # type: ignore[arg-type]
