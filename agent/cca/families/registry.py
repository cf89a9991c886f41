"""All families, by id."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from agent.cca.families.family import Family, Slots
from agent.cca.families.slots import without_reason


@cache
def families() -> dict[str, Family]:
    """In the order of their ids."""
    from agent.cca.families import code, contract, form, texts, words

    every = [family for domain in (code, contract, form, texts, words) for family in domain.FAMILIES]
    found = {family.id: _with_reasons(family) for family in sorted(every, key=lambda each: each.id)}
    if len(found) != len(every):
        raise ValueError("two families have one id")
    return found


def _with_reasons(family: Family) -> Family:
    """Where the whole sentence makes no check, what it demands may, its reason left aside."""

    def make(slots: Slots) -> Any | None:
        made = family.make(slots)
        own = without_reason(slots) if made is None else None
        return made if own is None else family.make(own)

    return replace(family, make=make)
