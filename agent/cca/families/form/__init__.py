"""The form of an answer: its length, lists, headings, tables, marks, code blocks, edges and language."""

from __future__ import annotations

from agent.cca.families.family import Family
from agent.cca.families.form import code, edges, headings, lengths, lists, marks, sections, sized, tables
from agent.cca.families.form.guards import guarded

FAMILIES: tuple[Family, ...] = tuple(
    guarded(family)
    for module in (code, edges, headings, lengths, lists, marks, sections, sized, tables)
    for family in module.FAMILIES
)
