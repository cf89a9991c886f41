"""What passes between a tool, the toolbox and its callers: frozen, typed, free of I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Evidence(NamedTuple):
    """Lines ``first`` to ``last`` of ``path`` that a result showed.

    ``sha256`` is of those lines as the file holds them, joined by line feeds (before redaction): what
    `agent.loop.ledger` compares with the file before it takes the lines.
    """

    path: str
    first: int
    last: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a result's text; with ``path`` and ``number`` it shows that line of a file."""

    text: str
    path: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """What a page never tears apart unless it alone is larger than a page: lines to read, and the same as JSON."""

    lines: tuple[Line, ...]
    data: Any = None


def next_offset(position: int) -> dict[str, Any]:
    return {"offset": position}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool found, before it is cut to a page.

    Attributes:
        head: Lines before the items, on every page.
        items: What is listed, from position ``start`` on.
        start: Position of ``items[0]`` in the whole list.
        rest: How many more there are behind ``items``.
        data: JSON beside the items, which become ``data["results"]``.
        following: The arguments that change for the page that begins at a position.
        tail: Lines after the items, on the last page.
    """

    head: tuple[str, ...]
    items: Sequence[Item] = ()
    start: int = 0
    rest: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)
    following: Callable[[int], Mapping[str, Any]] = next_offset
    tail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a caller of a tool gets.

    Attributes:
        text: For a model to read: at most the toolbox's limit of tokens; its last line says how to page on.
        data: The same as JSON: ``results`` and what the tool adds, or ``error`` with ``cause`` and ``mend``.
        is_error: Nothing was found out: ``text`` is one line of cause and one of mend.
        more: The arguments of the next page, None on the last one.
        evidence: The lines of files that ``text`` shows.
    """

    text: str
    data: Mapping[str, Any]
    is_error: bool = False
    more: Mapping[str, Any] | None = None
    evidence: tuple[Evidence, ...] = ()
