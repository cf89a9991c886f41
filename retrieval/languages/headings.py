"""Headings to sections: the step that Markdown and reStructuredText share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.chunking.lines import LineTable, Rows
from retrieval.chunking.sections import Section

MAX_TITLE_CHARS = 80


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on rows ``start..end`` (adornments and labels included); level 1 is the outermost."""

    start: int
    end: int
    level: int
    title: str


def sections_of(
    table: LineTable, headings: Sequence[Heading], solid: Sequence[Rows] = (), first_row: int = 0
) -> list[Section]:
    """One section per heading, up to the next heading of any level, and one for the text before the first."""
    sections: list[Section] = []
    open_headings: list[Heading] = []
    fences = list(solid)
    at = 0

    def add(start: int, end: int, path: tuple[str, ...], body: int) -> None:
        nonlocal at
        if end < start:
            return
        first = at
        while at < len(fences) and fences[at][0] <= end:
            at += 1
        sections.append(Section(start, end, path, body, tuple(fences[first:at])))

    total = len(table.lines)
    add(first_row, (headings[0].start if headings else total) - 1, (), first_row)
    for index, heading in enumerate(headings):
        while open_headings and open_headings[-1].level >= heading.level:
            open_headings.pop()
        open_headings.append(heading)
        end = headings[index + 1].start - 1 if index + 1 < len(headings) else total - 1
        path = tuple(held.title[:MAX_TITLE_CHARS] for held in open_headings if held.title)
        add(heading.start, end, path, heading.end + 1)
    return sections
