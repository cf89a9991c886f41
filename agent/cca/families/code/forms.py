"""What families of demands on commits, branches, pull requests and changelogs share: parts, and what stands in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Slots

TYPES = "build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test|release|deps|hotfix|security|wip"
"""Types of Conventional Commits, and those that are seen beside them."""
TICKET = r"#\d+|\b[A-Z]{2,10}-\d+\b"


def found(pattern: str, finds: str = "") -> c.Matches:
    return c.Matches(pattern=pattern, least=1, finds=finds)


def none(pattern: str, finds: str = "", within: Any = "answer") -> c.Matches:
    return c.Matches(pattern=pattern, least=0, most=0, finds=finds, within=within)


def size(part: c.Part, unit: Any) -> Callable[[Slots], Any | None]:
    """The bound, in that unit, of each such part."""
    return lambda slots: c.Each(part=part, check=c.Count(unit=unit, least=slots.least, most=slots.most))
