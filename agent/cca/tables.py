"""data_analyzer, its reader: tables found in a text, with several delimiters, and their columns.

Malformed rows are counted and left out; what can be read is returned. Nothing here raises on content. ``fits.py``
summarises and fits what is read here.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent.cca.documents import Block, blocks
from agent.cca.ir import Column, DataProfile

MAX_ROWS = 200_000
MAX_COLUMNS = 100
_UNIT = re.compile(
    r"^(.{1,200}?)\s*[\[(]\s*([^\[\]()]{1,40}?)\s*[\])]\s*$|^(.{1,200}?)\s*/\s*([A-Za-zµ°%][\w^·*/ -]{0,30})$"
)
_RULE_ROW = re.compile(r"^[\s|:+=-]+$")
_NUMBER = re.compile(r"^[-+−]?(?:\d{1,3}(?:,\d{3})+|\d{1,300})?(?:\.\d{0,300})?(?:[eE][-+−]?\d{1,4})?$")
_TIMES_TEN = re.compile(r"^([-+−]?\d{1,30}(?:\.\d{1,30})?)\s?[x×*·]\s?10\^?\{?([-+−]?\d{1,4})\}?$")
_MISSING = frozenset({"", "-", "–", "—", "na", "n/a", "nan", "null", "none", "?", "."})

Delimiter = Literal["|", ",", ";", "\t", " "]


@dataclass(frozen=True, slots=True)
class DataTable:
    """``cells``: rows of strings, header left out, each as wide as ``header``. Lines are those of the text, 1-based."""

    header: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    delimiter: Delimiter
    first_line: int
    last_line: int
    malformed: int = 0

    def numbers(self, column: int) -> list[float | None]:
        return [number_of(row[column]) for row in self.cells]


def number_of(text: str) -> float | None:
    """The number in a cell, thousands commas, ``1.2 x 10^-7`` and a trailing ``± …`` understood; None for none."""
    shown = re.split(r"\s*(?:±|\+/-)", text.strip().strip("*_`$ "), maxsplit=1)[0].strip()
    match = _TIMES_TEN.match(shown)
    if match:
        shown = f"{match[1]}e{match[2]}"
    if not any(char.isdigit() for char in shown) or not _NUMBER.match(shown):
        return None
    try:
        value = float(shown.replace("−", "-").replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def find_tables(text: str) -> tuple[DataTable, ...]:
    """The tables of a text, in order: Markdown and grid tables, delimited data in fences and in plain lines."""
    found: list[DataTable] = []
    for block in blocks(text):
        table: DataTable | None = None
        if block.kind == "table":
            table = _piped(block)
        elif block.kind in ("code", "paragraph") and block.text.count("\n") >= 1:
            table = _delimited(block)
        if table is not None and table.cells:
            found.append(table)
    return tuple(found)


def _piped(block: Block) -> DataTable | None:
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in block.text.split("\n")
        if line.strip() and not _RULE_ROW.match(line)
    ]
    return _table(rows, "|", block.first_line, block.last_line)


def _delimited(block: Block) -> DataTable | None:
    lines = [line for line in block.text.split("\n") if line.strip()]
    lead = 1 if block.kind == "code" and block.text and block.last_line - block.first_line >= len(lines) else 0
    for delimiter in ("\t", ";", ",", "|", " "):
        rows = _read(lines, delimiter)
        if rows is None:
            continue
        table = _table(rows, delimiter, block.first_line + lead, block.last_line)
        if table is not None and _is_data(table):
            return table
    return None


def _read(lines: Sequence[str], delimiter: Delimiter) -> list[list[str]] | None:
    """Rows by one delimiter; None when it does not divide most lines into the same number of at least two."""
    if delimiter == " ":
        rows = [re.split(r"\s{2,}|(?<=\d)\s(?=[-+\d])", line.strip()) for line in lines]
    else:
        try:
            rows = [
                [cell.strip() for cell in row] for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter)
            ]
        except csv.Error:
            return None
    widths = Counter(len(row) for row in rows)
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    return rows if width >= 2 and 2 * count > len(rows) else None


def _table(rows: list[list[str]], delimiter: Delimiter, first: int, last: int) -> DataTable | None:
    if len(rows) < 2:
        return None
    rows = rows[: MAX_ROWS + 1]
    widths = Counter(len(row) for row in rows)
    width = max(widths.items(), key=lambda item: (item[1], item[0]))[0]
    if not 1 < width <= MAX_COLUMNS:
        return None
    header = rows[0] if len(rows[0]) == width and not all(number_of(cell) is not None for cell in rows[0]) else None
    body = rows[1:] if header is not None or len(rows[0]) != width else rows
    good = [tuple(row) for row in body if len(row) == width]
    names = tuple(header) if header is not None else tuple(f"column {at + 1}" for at in range(width))
    return DataTable(names, tuple(good), delimiter, first, last, len(body) - len(good))


def _is_data(table: DataTable) -> bool:
    """Prose with commas is no table: a column of it must be numeric, or every cell short."""
    if any(column_kind(table, at) == "number" for at in range(len(table.header))):
        return True
    return (
        table.delimiter != " " and len(table.cells) >= 2 and all(len(cell) <= 40 for row in table.cells for cell in row)
    )


def column_kind(table: DataTable, column: int) -> Literal["number", "text", "empty"]:
    """``number`` when nine in ten of the filled cells are numbers."""
    filled = [row[column] for row in table.cells if row[column].strip().lower() not in _MISSING]
    if not filled:
        return "empty"
    return "number" if 10 * sum(number_of(cell) is not None for cell in filled) >= 9 * len(filled) else "text"


def split_unit(name: str) -> tuple[str, str]:
    """``Flux (W/m^2)``, ``T [K]`` and ``length / mm`` into name and unit."""
    match = _UNIT.match(name.strip().strip("*_`"))
    if match is None:
        return name.strip().strip("*_`"), ""
    return (match[1] or match[3]).strip(), (match[2] or match[4]).strip()


def profile(text: str, source: str = "") -> tuple[DataProfile, ...]:
    """The data profile slot of the IR."""
    profiles = []
    for table in find_tables(text):
        columns = []
        for at, name in enumerate(table.header):
            plain, unit = split_unit(name)
            columns.append(Column(name=plain or f"column {at + 1}", kind=column_kind(table, at), unit=unit))
        profiles.append(
            DataProfile(
                source=source,
                first_line=table.first_line,
                last_line=table.last_line,
                delimiter=table.delimiter,
                columns=tuple(columns),
                rows=len(table.cells),
                malformed=table.malformed,
            )
        )
    return tuple(profiles)
