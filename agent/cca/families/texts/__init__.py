"""An answer as a text that people send: letters, labelled lines, written items, the order and edges of its parts."""

from __future__ import annotations

from agent.cca.families.family import Family
from agent.cca.families.texts import blocks, items, labels, mails, stated

FAMILIES: tuple[Family, ...] = tuple(
    family for module in (blocks, items, labels, mails, stated) for family in module.FAMILIES
)
