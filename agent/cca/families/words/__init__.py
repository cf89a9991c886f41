"""Families of demands on words, tone and typography."""

from __future__ import annotations

from agent.cca.families.family import Family
from agent.cca.families.words.dates import FAMILIES as DATES
from agent.cca.families.words.edges import FAMILIES as EDGES
from agent.cca.families.words.letters import FAMILIES as LETTERS
from agent.cca.families.words.marks import FAMILIES as MARKS
from agent.cca.families.words.numbers import FAMILIES as NUMBERS
from agent.cca.families.words.quotes import FAMILIES as QUOTES
from agent.cca.families.words.sources import FAMILIES as SOURCES
from agent.cca.families.words.terms import FAMILIES as TERMS
from agent.cca.families.words.tone import FAMILIES as TONE

FAMILIES: tuple[Family, ...] = (
    *DATES, *EDGES, *LETTERS, *MARKS, *NUMBERS, *QUOTES, *SOURCES, *TERMS, *TONE,
)  # fmt: skip
