"""reStructuredText by heading: underlined and overlined, in whatever order a file first uses the adornments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.chunking.lines import LineTable, is_blank, split_lines
from retrieval.chunking.sections import blank_or_end, section_chunks
from retrieval.languages.headings import Heading, sections_of
from retrieval.records import ChunkKind, FileAnalysis

_ROLE = re.compile(r":[\w:+.-]{1,40}:`~?([^`<]*)(?:<[^`]*)?`")


def analyze_rst(path: str, text: str, module: str) -> FileAnalysis:
    """Sections of a reStructuredText file; ``symbol`` is the heading path."""
    table = LineTable(split_lines(text))
    return FileAnalysis(section_chunks(table, sections_of(table, _headings(table.lines)), ChunkKind.SECTION))


def _adornment(line: str) -> str:
    """The character a line repeats, "" when it is no adornment."""
    mark = line.rstrip()
    if len(mark) < 2 or mark[0].isalnum() or mark[0].isspace() or ord(mark[0]) > 126:
        return ""
    return mark[0] if mark == mark[0] * len(mark) else ""


def _headings(lines: Sequence[str]) -> list[Heading]:
    headings: list[Heading] = []
    levels: dict[tuple[str, bool], int] = {}
    row = 0
    while row < len(lines):
        heading = _heading_at(lines, row)
        if heading is None:
            row += 1
            continue
        last, mark, overlined, title = heading
        level = levels.setdefault((mark, overlined), len(levels) + 1)
        headings.append(Heading(_label_start(lines, row), last, level, title))
        row = last + 1
    return headings


def _heading_at(lines: Sequence[str], row: int) -> tuple[int, str, bool, str] | None:
    """``(last row, mark, overlined, title)`` of the heading that starts on ``row``."""
    over = _adornment(lines[row])
    if over and row + 2 < len(lines) and not is_blank(lines[row + 1]) and _adornment(lines[row + 2]) == over:
        title = lines[row + 1].strip()
        if not _adornment(title) and _long_enough(lines[row + 2], title):
            return row + 2, over, True, _plain(title)
    if over or is_blank(lines[row]) or lines[row][0].isspace() or row + 1 >= len(lines):
        return None
    mark = _adornment(lines[row + 1])
    if not mark or not _long_enough(lines[row + 1], lines[row].rstrip()):
        return None
    above = row - 1
    if blank_or_end(lines, above) or lines[above].startswith("..") or _adornment(lines[above]):
        return row + 1, mark, False, _plain(lines[row].strip())
    return None


def _long_enough(adornment: str, title: str) -> bool:
    return len(adornment.rstrip()) >= min(len(title), 4)


def _label_start(lines: Sequence[str], row: int) -> int:
    """First row of the ``.. _label:`` lines that stand right above a heading."""
    start = at = row
    while at > 0:
        at -= 1
        if lines[at].startswith((".. _", ".. index::", ".. module::", ".. currentmodule::")):
            start = at
        elif not is_blank(lines[at]):
            break
    return start


def _plain(title: str) -> str:
    return _ROLE.sub(lambda match: match.group(1).strip(), title).replace("``", "").replace("\\", "").strip()
