"""From sections (headings, tables, keys) to chunks: tiny neighbours merge, big ones split between paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.chunking.lines import Limits, LineTable, Rows, cut_rows, indent_of, is_blank, pack_rows
from retrieval.records import Block, BlockKind, Chunk, ChunkKind

#: A section above these limits is split.
SECTION_LIMITS = Limits(60, 4_000)
#: Neighbouring sections merge while one of them is tiny and both together stay within the second.
TINY_LIMITS = Limits(6, 300)
MERGED_LIMITS = Limits(24, 1_500)
MAX_SYMBOL_CHARS = 120
_BRACKETS = frozenset(["{", "}", "[", "]", "(", ")", "},", "],", "),"])

_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)]|#\.|\.\. )\s*\S")


@dataclass(frozen=True, slots=True)
class Section:
    """Rows ``start..end`` under a heading. Sections are sorted and disjoint, and no text lies outside of them.

    Attributes:
        path: Headings from the outermost in; () for text before the first.
        body: First row behind the heading (``start`` when there is none).
        solid: Ranges of rows that are kept in one piece when the section is split (fenced code).
    """

    start: int
    end: int
    path: tuple[str, ...]
    body: int
    solid: tuple[Rows, ...] = ()

    @property
    def symbol(self) -> str:
        return " > ".join(self.path)


def paragraphs(table: LineTable, start: int, end: int, solid: Sequence[Rows] = ()) -> list[Rows]:
    """Prose in its smallest pieces: paragraphs and list items; ``solid`` ranges stay whole."""
    found: list[Rows] = []
    fences = iter(solid)
    fence = next(fences, None)
    for first, last in table.runs(start, end):
        while fence is not None and fence[1] < first:
            fence = next(fences, None)
        if fence is not None and found and fence[0] <= found[-1][1] and first <= fence[1]:
            found[-1] = (found[-1][0], last)  # still inside the range that the paragraph before it opened
            continue
        row, margin = first, indent_of(table.lines[first])
        for at in range(first + 1, last + 1):
            inside = fence is not None and fence[0] < at <= fence[1]
            if not inside and indent_of(table.lines[at]) <= margin and _ITEM.match(table.lines[at]):
                found.append((row, at - 1))
                row = at
        found.append((row, last))
    return found


def entries(table: LineTable, start: int, end: int) -> list[Rows]:
    """Configuration in its smallest pieces: a key with what is indented below it and the comments above it."""
    lines = table.lines
    found: list[Rows] = []
    for first, last in table.runs(start, end):
        margin = min(
            (indent_of(lines[row]) for row in range(first, last + 1) if lines[row].strip() not in _BRACKETS), default=0
        )
        row, open_comment = first, _is_comment(lines[first])
        for at in range(first + 1, last + 1):
            line = lines[at]
            starts = indent_of(line) <= margin and line.strip()[0] not in "}])" and not open_comment
            if starts:
                found.append((row, at - 1))
                row = at
            open_comment = _is_comment(line)
        found.append((row, last))
    return found


def _is_comment(line: str) -> bool:
    return line.lstrip()[:1] in ("#", ";") or line.lstrip()[:2] == "//"


def blocks_of(pieces: Sequence[Rows], start: int, end: int) -> tuple[Block, ...]:
    """TEXT blocks for ``pieces``, which hold every non-blank row of ``start..end``, and BLANK ones between them."""
    found: list[Block] = []
    row = start
    for first, last in pieces:
        if first > row:
            found.append(Block(row + 1, first, 0, BlockKind.BLANK))
        found.append(Block(first + 1, last + 1, 0, BlockKind.TEXT))
        row = last + 1
    if row <= end:
        found.append(Block(row + 1, end + 1, 0, BlockKind.BLANK))
    return tuple(found)


def section_chunks(table: LineTable, sections: Sequence[Section], kind: ChunkKind) -> tuple[Chunk, ...]:
    """Chunks of ``kind`` (SECTION: prose, CONFIG: keys and values) out of the sections of a file."""
    chunks: list[Chunk] = []
    for group in _merge(table, sections):
        trimmed = table.trim(group[0].start, group[-1].end)
        if trimmed is None:
            continue
        start, end = trimmed
        main = _main(table, group)
        symbol = _symbol(group, main, kind)
        solid = [rows for section in group for rows in section.solid]
        if not table.exceeds(start, end, SECTION_LIMITS):
            ranges = [(start, end)]
        else:
            ranges = _split(table, start, end, main.body, solid, kind)
        outer = " > ".join(main.path[:-1])
        for index, (first, last) in enumerate(ranges):
            pieces = paragraphs(table, first, last, solid) if kind is ChunkKind.SECTION else entries(table, first, last)
            context = outer if index == 0 else main.symbol
            blocks = blocks_of(pieces, first, last)
            chunks.append(Chunk(first + 1, last + 1, kind, symbol, "", context, "", blocks, index + 1, len(ranges)))
    return tuple(chunks)


def _merge(table: LineTable, sections: Sequence[Section]) -> list[list[Section]]:
    """Group neighbours: a heading without text goes with the section below it, a tiny section with its neighbour."""
    groups: list[list[Section]] = []
    bare = False  # the last group holds nothing but headings
    for section in sections:
        if table.trim(section.start, section.end) is None:
            continue
        is_bare = _is_bare(table, section)
        if groups and _belongs(table, groups[-1], section, bare and not is_bare):
            groups[-1].append(section)
            bare = bare and is_bare
        else:
            groups.append([section])
            bare = is_bare
    return groups


def _is_bare(table: LineTable, section: Section) -> bool:
    """Nothing but a heading."""
    return table.trim(section.body, section.end) is None


def _belongs(table: LineTable, group: Sequence[Section], section: Section, headed: bool) -> bool:
    """Whether ``section`` joins the group before it; ``headed`` when that is but the headings above it."""
    start = group[0].start
    if headed:
        return True
    if table.exceeds(start, section.end, SECTION_LIMITS):
        return False
    tiny = not table.exceeds(section.start, section.end, TINY_LIMITS) or not table.exceeds(
        start, group[-1].end, TINY_LIMITS
    )
    return tiny and not table.exceeds(start, section.end, MERGED_LIMITS)


def _main(table: LineTable, group: Sequence[Section]) -> Section:
    """The section that a group is named after: the first with both a heading and text."""
    texts = [section for section in group if not _is_bare(table, section)]
    return next((section for section in texts if section.path), texts[0] if texts else group[0])


def _symbol(group: Sequence[Section], main: Section, kind: ChunkKind) -> str:
    """The names of all keys; the path of the main heading, with the bare ones that stand above it in the file."""
    if kind is ChunkKind.CONFIG:
        symbol = ", ".join(section.symbol for section in group if section.path)
    else:
        above = [held for held in group[: group.index(main)] if held.path != main.path[: len(held.path)]]
        symbol = " > ".join([*main.path[:-1], *(held.path[-1] for held in above), *main.path[-1:]])
    return symbol if len(symbol) <= MAX_SYMBOL_CHARS else symbol[: MAX_SYMBOL_CHARS - 1] + "…"


def _split(table: LineTable, start: int, end: int, body: int, solid: Sequence[Rows], kind: ChunkKind) -> list[Rows]:
    if kind is ChunkKind.SECTION:
        pieces = paragraphs(table, start, end, solid)
    else:
        head = table.trim(start, min(body, end + 1) - 1) if body > start else None
        pieces = ([head] if head else []) + entries(table, body if head else start, end)
    small: list[Rows] = []
    glued: list[bool] = []
    for first, last in pieces:
        for rows in (
            [(first, last)]
            if not table.exceeds(first, last, SECTION_LIMITS)
            else cut_rows(table, first, last, SECTION_LIMITS)
        ):
            small.append(rows)
            # a heading stays with its text, a lead-in ("for example:") with the indented lines it announces
            ending = table.lines[rows[1]].rstrip()
            glued.append(rows[1] < body or (kind is ChunkKind.SECTION and ending.endswith(":")))
    return [(small[group[0]][0], small[group[-1]][1]) for group in pack_rows(table, small, SECTION_LIMITS, glued)]


def blank_or_end(lines: Sequence[str], row: int) -> bool:
    """Whether ``row`` is blank or outside the file."""
    return not 0 <= row < len(lines) or is_blank(lines[row])
