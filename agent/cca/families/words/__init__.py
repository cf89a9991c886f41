"""Families of demands on words, tone and typography."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agent.cca.families.family import Family, Slots
from agent.cca.families.words.dates import FAMILIES as DATES
from agent.cca.families.words.direction import demands, refuses
from agent.cca.families.words.edges import FAMILIES as EDGES
from agent.cca.families.words.exposed import FAMILIES as EXPOSED
from agent.cca.families.words.figures import FAMILIES as FIGURES
from agent.cca.families.words.hours import FAMILIES as HOURS
from agent.cca.families.words.kit import bare
from agent.cca.families.words.letters import FAMILIES as LETTERS
from agent.cca.families.words.marks import FAMILIES as MARKS
from agent.cca.families.words.numbers import FAMILIES as NUMBERS
from agent.cca.families.words.shapes import FAMILIES as SHAPES
from agent.cca.families.words.signs import FAMILIES as SIGNS
from agent.cca.families.words.sources import FAMILIES as SOURCES
from agent.cca.families.words.terms import FAMILIES as TERMS
from agent.cca.families.words.tone import FAMILIES as TONE
from agent.cca.families.words.ways import FAMILIES as WAYS


def _guarded(family: Family) -> Family:
    """No check of a family that refuses where nothing denies, nor of one that demands where something does."""
    fits = {"none": refuses, "absent": refuses, "present": demands}.get(family.id.rsplit(".", 1)[-1])
    return family if fits is None else replace(family, make=_where(family.make, fits))


def _where(make: Callable[[Slots], Any | None], fits: Callable[[str], bool]) -> Callable[[Slots], Any | None]:
    return lambda s: make(s) if fits(bare(s.text)) else None


_ALL: tuple[Family, ...] = (
    *DATES, *EDGES, *LETTERS, *MARKS, *NUMBERS, *WAYS, *SHAPES, *SOURCES, *TERMS, *TONE,
    *HOURS, *FIGURES, *SIGNS, *EXPOSED,
)  # fmt: skip
FAMILIES: tuple[Family, ...] = tuple(_guarded(family) for family in _ALL)
