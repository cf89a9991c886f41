"""Families of demands: code."""

from __future__ import annotations

from agent.cca.families.code import (
    changelogs,
    citations,
    commands,
    commits,
    docs,
    examples,
    javascript,
    languages,
    more,
    pull_requests,
    python_calls,
    python_style,
    snippets,
)
from agent.cca.families.family import Family

FAMILIES: tuple[Family, ...] = (
    *python_style.FAMILIES,
    *python_calls.FAMILIES,
    *snippets.FAMILIES,
    *commands.FAMILIES,
    *commits.FAMILIES,
    *pull_requests.FAMILIES,
    *changelogs.FAMILIES,
    *citations.FAMILIES,
    *javascript.FAMILIES,
    *languages.FAMILIES,
    *docs.FAMILIES,
    *examples.FAMILIES,
    *more.FAMILIES,
)
