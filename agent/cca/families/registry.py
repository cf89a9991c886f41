"""All families, by id."""

from __future__ import annotations

from functools import cache

from agent.cca.families.family import Family


@cache
def families() -> dict[str, Family]:
    """In the order of their ids."""
    from agent.cca.families import code, contract, form, words

    every = [family for domain in (code, contract, form, words) for family in domain.FAMILIES]
    found = {family.id: family for family in sorted(every, key=lambda each: each.id)}
    if len(found) != len(every):
        raise ValueError("two families have one id")
    return found
