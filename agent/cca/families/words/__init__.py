"""Families of demands: words."""

from __future__ import annotations

from agent.cca.families.family import Family

FAMILIES: tuple[Family, ...] = ()
