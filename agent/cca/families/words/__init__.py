"""Families of demands on words, tone and typography."""

from __future__ import annotations

from agent.cca.families.family import Family
from agent.cca.families.words import dates, edges, letters, marks, numbers, quotes, sources, terms, tone

FAMILIES: tuple[Family, ...] = (
    *terms.FAMILIES, *edges.FAMILIES, *tone.FAMILIES, *marks.FAMILIES, *quotes.FAMILIES, *numbers.FAMILIES,
    *dates.FAMILIES, *letters.FAMILIES, *sources.FAMILIES,
)  # fmt: skip
