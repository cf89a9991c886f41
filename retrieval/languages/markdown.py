"""Markdown by heading: ATX and setext headings, fenced code and front matter respected."""

from __future__ import annotations

import re

from retrieval.chunking.lines import LineTable, Rows, is_blank, split_lines
from retrieval.chunking.sections import Section, section_chunks
from retrieval.languages.headings import Heading, sections_of
from retrieval.records import ChunkKind, FileAnalysis

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t\r]|$)")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t\r]*$")
_NOT_PARAGRAPH = re.compile(r"(?: {4}|\t| {0,3}(?:[>|<]|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]))")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")


def analyze_markdown(path: str, text: str, module: str) -> FileAnalysis:
    """Sections of a Markdown file; ``symbol`` is the heading path."""
    table = LineTable(split_lines(text))
    headings, fences, front_end = _scan(table)
    sections = sections_of(table, headings, fences, first_row=front_end)
    if front_end:
        sections.insert(0, Section(0, front_end - 1, (), front_end))  # goes with what follows, as a heading does
    return FileAnalysis(section_chunks(table, sections, ChunkKind.SECTION))


def _scan(table: LineTable) -> tuple[list[Heading], list[Rows], int]:
    """Headings, ranges of fenced code, and the number of rows that the front matter takes."""
    lines = table.lines
    headings: list[Heading] = []
    fences: list[Rows] = []
    front_end = _front_matter(table)
    row, paragraph = front_end, -1  # first row of the paragraph under way
    while row < len(lines):
        line = lines[row]
        fence = _FENCE.match(line)
        if fence is not None and not (fence.group(1)[0] == "`" and "`" in line[fence.end() :]):
            end = _fence_end(table, row, fence.group(1))
            fences.append((row, end))
            row, paragraph = end + 1, -1
            continue
        atx = _ATX.match(line)
        if atx is not None:
            title = line[atx.end() :].strip()
            stripped = title.rstrip("#")
            title = stripped.rstrip() if not stripped or stripped[-1] in " \t" else title
            headings.append(Heading(row, row, len(atx.group(1)), _plain(title)))
            paragraph = -1
        elif is_blank(line):
            paragraph = -1
        elif paragraph >= 0 and (setext := _SETEXT.match(line)) is not None:
            title = " ".join(lines[at].strip() for at in range(paragraph, min(row, paragraph + 3)))
            headings.append(Heading(paragraph, row, 1 if setext.group(1)[0] == "=" else 2, _plain(title)))
            paragraph = -1
        elif paragraph < 0:
            paragraph = -1 if _NOT_PARAGRAPH.match(line) or _SETEXT.match(line) else row
            if paragraph < 0:
                row = _skip_block(table, row)
        row += 1
    return headings, fences, front_end


def _skip_block(table: LineTable, row: int) -> int:
    """Last row of a list, quote, table or HTML block whose lines can be neither paragraph nor heading."""
    lines = table.lines
    while row + 1 < len(lines) and not is_blank(lines[row + 1]):
        following = lines[row + 1]
        if _ATX.match(following) or _FENCE.match(following):
            break
        row += 1
    return row


def _front_matter(table: LineTable) -> int:
    lines = table.lines
    if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
        return 0
    for row in range(1, min(len(lines), 200)):
        if lines[row].rstrip() in ("---", "..."):
            return row + 1
    return 0


def _fence_end(table: LineTable, start: int, mark: str) -> int:
    for row in range(start + 1, len(table.lines)):
        line = table.lines[row].strip()
        if line.startswith(mark) and not line.strip(mark[0]):
            return row
    return len(table.lines) - 1


def _plain(title: str) -> str:
    return _LINK.sub(r"\1", title).replace("`", "").replace("**", "").strip()
