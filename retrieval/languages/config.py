"""Configuration by section: TOML, INI, YAML and JSON, read line by line, without a parser and without failing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from retrieval.chunking.flat import window_chunks
from retrieval.chunking.lines import Limits, LineTable, indent_of, is_blank, split_lines
from retrieval.chunking.sections import Section, section_chunks
from retrieval.languages.protocol import Analyzer
from retrieval.records import ChunkKind, FileAnalysis

_INI_HEADER = re.compile(r"\[([^\[\]\n]{1,200})\][ \t\r]*(?:[#;].*)?$")
# An indented ``[3]`` is an element of an array.
_TOML_HEADER = re.compile(
    r"(?:[ \t]*\[{1,2}[ \t]*([A-Za-z_\"'][^\[\]\n,={}]{0,200})|\[{1,2}[ \t]*([0-9][\w.\-]{0,200}))"
    r"[ \t]*\]{1,2}[ \t\r]*(?:#.*)?$"
)
_TRIPLE_QUOTE = re.compile(r"\"{3}|'{3}")
_TOML_KEY = re.compile(r"([A-Za-z0-9_\-.\"']{1,100})[ \t]*=")
_YAML_KEY = re.compile(
    r"([\"']?)([^\s#:'\"{}\[\],&*!|>%@`\-][^:#\n]{0,150}|-[^\s:#\n][^:#\n]{0,150})\1[ \t]*:(?:[ \t\r]|$)"
)
_JSON_KEY = re.compile(r"[ \t]+\"([^\"\\\n]{1,150})\"[ \t]*:")

#: ``(row, name)`` of each place where a section starts.
_Starts = list[tuple[int, str]]


def _analyzer(find: Callable[[Sequence[str]], _Starts]) -> Analyzer:
    def analyze(path: str, text: str, module: str) -> FileAnalysis:
        table = LineTable(split_lines(text))
        starts = find(table.lines)
        if not starts and not any(not is_blank(line) for line in table.lines):
            return FileAnalysis(())
        return FileAnalysis(section_chunks(table, _sections(table, starts), ChunkKind.CONFIG))

    return analyze


def _sections(table: LineTable, starts: _Starts) -> list[Section]:
    """Sections from where they start; comments right above a start belong to it."""
    total = len(table.lines)
    firsts = [_comment_start(table.lines, row) for row, _ in starts]
    sections: list[Section] = []
    if not starts or firsts[0] > 0:
        sections.append(Section(0, (firsts[0] if firsts else total) - 1, (), 0))
    for index, (row, name) in enumerate(starts):
        end = (firsts[index + 1] if index + 1 < len(starts) else total) - 1
        sections.append(Section(firsts[index], end, (name,), row + 1))
    return sections


def _comment_start(lines: Sequence[str], row: int) -> int:
    while row > 0 and lines[row - 1][:1] in ("#", ";"):
        row -= 1
    return row


def _find_ini(lines: Sequence[str]) -> _Starts:
    return [(row, match.group(1).strip()) for row, line in enumerate(lines) if (match := _INI_HEADER.match(line))]


def _find_toml(lines: Sequence[str]) -> _Starts:
    starts: _Starts = []
    quote = ""
    for row, line in enumerate(lines):
        if not quote:
            header = _TOML_HEADER.match(line)
            if header is not None:
                starts.append((row, (header.group(1) or header.group(2)).strip()))
                continue
        quote = _open_quote(line, quote)
    if not starts:
        return [(row, match.group(1)) for row, line in enumerate(lines) if (match := _TOML_KEY.match(line))]
    return starts


def _open_quote(line: str, quote: str) -> str:
    """The triple quote that is open behind ``line``, given the one open before it."""
    for match in _TRIPLE_QUOTE.finditer(line):
        if not quote:
            quote = match.group()
        elif quote == match.group():
            quote = ""
    return quote


def _find_yaml(lines: Sequence[str]) -> _Starts:
    starts: _Starts = []
    for row, line in enumerate(lines):
        if line.startswith("- "):
            starts.append((row, line[2:].strip()[:60]))
        elif match := _YAML_KEY.match(line):
            starts.append((row, match.group(2).strip()))
    return starts


def _find_json(lines: Sequence[str]) -> _Starts:
    """The keys of the outermost object of a pretty-printed file: those with the indent of the first key."""
    starts: _Starts = []
    margin = -1
    for row, line in enumerate(lines):
        match = _JSON_KEY.match(line)
        if match is not None:
            if margin < 0:
                margin = indent_of(line)
            if indent_of(line) == margin:
                starts.append((row, match.group(1)))
    return starts


def analyze_json(path: str, text: str, module: str) -> FileAnalysis:
    """By top-level key when one stands on each line, else by windows."""
    table = LineTable(split_lines(text))
    starts = _find_json(table.lines)
    if not starts:
        return FileAnalysis(window_chunks(text, Limits(40, 4_000)))
    if not any(line.strip("{[ \t\r\ufeff") for line in table.lines[: starts[0][0]]):
        starts[0] = (0, starts[0][1])  # the opening bracket goes with the first key
    return FileAnalysis(section_chunks(table, _sections(table, starts), ChunkKind.CONFIG))


analyze_ini = _analyzer(_find_ini)
analyze_toml = _analyzer(_find_toml)
analyze_yaml = _analyzer(_find_yaml)
