"""How the delimited rows of an answer are written. What is no such rows gives no verdict."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass

from agent.cca.csv_orders import is_sum, twice_in, unsorted_in
from agent.cca.data_models import CSV_WORDS, CsvForm
from agent.cca.formats import Judgement
from agent.cca.linear import compiled, scrub
from agent.cca.tables import find_tables
from agent.cca.views import Span, View

_DELIMITERS = (",", ";", "\t", "|")
_FENCES = frozenset({"csv", "tsv", "psv", "text", "txt", ""})
_MAX_CHARS = 400_000
_NUMBER = re.compile(r"[-+]?\d[\d,.]*%?")
_SENTENCE = re.compile(r"[a-z]{2,}[.!?:]$")


@dataclass(frozen=True, slots=True)
class _Rows:
    """``lines``: as written; ``cells``: without the white space around them."""

    lines: list[str]
    cells: list[list[str]]
    delimiter: str


def judge_csv_form(view: View, check: CsvForm) -> Judgement:
    if check.demand == "column":
        return _judge_column(view, check)
    if check.demand in ("unique_column", "rising", "falling"):
        return _judge_order(view, check)
    span = _where(view)
    if span is None or span.end - span.start > _MAX_CHARS:
        return "no_verdict", "there are no delimited rows", ()
    lines = [line for line in view.of(span).split("\n") if line.strip()]
    rows = _read(lines, check)
    if check.demand == "no_prose":
        around = [line for line in view.prose_lines if view.of(line).strip()] if view.fences else []
        if around or rows is None:
            return "violated", "it has more than rows of fields", tuple(around[:20])
        return "holds", "", ()
    if rows is None:
        return "no_verdict", "there are no delimited rows", ()
    told = _JUDGES[check.demand](rows, check)
    if told is None:
        return "no_verdict", "there is nothing such in the rows", ()
    return ("violated", f"{CSV_WORDS[check.demand]}: {told[:160]}", (span,)) if told else ("holds", "", ())


def _judge_column(view: View, check: CsvForm) -> Judgement:
    """Of the first table with such a column; cells that are empty are no fault of their form."""
    wanted = compiled(rf"\A(?:{check.pattern})\z")
    for table in find_tables(view.text):
        at = _column_at(table.header, check.names[0] if check.names else "")
        filled = [row[at].strip("*_` ") for row in table.cells if at is not None and row[at].strip()]
        if filled:
            wrong = next((cell for cell in filled if not wanted.search(scrub(cell))), "")
            said = f"{CSV_WORDS['column']}: “{wrong[:80]}” in “{check.names[0][:60]}”"
            return ("violated", said, (Span(0, len(view.text)),)) if wrong else ("holds", "", ())
    return "no_verdict", "there is no such column", ()


def _judge_order(view: View, check: CsvForm) -> Judgement:
    """Of the first table with such a column, of two rows at least."""
    for table in find_tables(view.text):
        at = _column_at(table.header, check.names[0] if check.names else "")
        body = table.cells if check.demand == "unique_column" else [row for row in table.cells if not is_sum(row)]
        filled = [row[at].strip("*_` ") for row in body if at is not None and row[at].strip()]
        if len(filled) > 1:
            wrong = twice_in(filled) if check.demand == "unique_column" else unsorted_in(filled, check.demand)
            if wrong is None:
                return "no_verdict", "the column has no order that can be told", ()
            said = f"{CSV_WORDS[check.demand]}: “{wrong[:80]}”"
            return ("violated", said, (Span(0, len(view.text)),)) if wrong else ("holds", "", ())
    return "no_verdict", "there is no such column", ()


def _column_at(header: tuple[str, ...], name: str) -> int | None:
    place = re.fullmatch(r"#(-?\d{1,2})", name)
    if place:
        at = int(place[1]) - (int(place[1]) > 0)
        return at % len(header) if -len(header) <= at < len(header) else None
    plain = [re.sub(r"[_\W]+", " ", each).strip().lower() for each in header]
    wanted = re.sub(r"[_\W]+", " ", name).strip().lower()
    return plain.index(wanted) if wanted in plain else None


def _where(view: View) -> Span | None:
    """The one fence of rows, else the whole answer where it has none and is no Markdown table."""
    fences = [fence for fence in view.fences if fence.language in _FENCES]
    if view.fences:
        return fences[0].span if len(fences) == 1 else None
    return None if view.tables else Span(0, len(view.text))


def _read(lines: list[str], check: CsvForm) -> _Rows | None:
    """Rows of two fields at least, by the delimiter that is told or else the one that leaves the most in each row."""
    known = tuple(filter(None, (check.delimiter,))) if check.demand != "delimiter" else ()
    best: _Rows | None = None
    fewest = 1
    for delimiter in known or _DELIMITERS:
        rows = _split(lines, delimiter)
        least = min(map(len, rows), default=0)
        if least > fewest:
            best, fewest = _Rows(lines, rows, delimiter), least
    if best is None or any(_SENTENCE.search(line) and line.count(" ") > 5 for line in lines):
        return None
    return best


def _split(lines: list[str], delimiter: str) -> list[list[str]]:
    try:
        rows = csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter, skipinitialspace=True)
        return [[cell.strip() for cell in row] for row in rows if row]
    except csv.Error:
        return []


def _bare(line: str) -> str:
    return re.sub(r'"(?:[^"]|"")*"', '"', line)


def _delimiter(rows: _Rows, check: CsvForm) -> str | None:
    if rows.delimiter == check.delimiter:
        return ""
    return f"divided by {rows.delimiter!r}"


def _header(rows: _Rows, check: CsvForm) -> str | None:
    given = [cell.lower() for cell in rows.cells[0]]
    return "" if given == [name.strip().lower() for name in check.names] else f"it begins with {rows.lines[0][:80]}"


def _has_header(rows: _Rows, check: CsvForm) -> str | None:
    return "the first row holds numbers" if any(map(_NUMBER.fullmatch, rows.cells[0])) else ""


def _no_header(rows: _Rows, check: CsvForm) -> str | None:
    """A row of words over columns of numbers is a header."""
    if len(rows.cells) < 2 or len({len(row) for row in rows.cells}) > 1:
        return None
    for at, cell in enumerate(rows.cells[0]):
        if all(_NUMBER.fullmatch(row[at]) for row in rows.cells[1:]):
            return f"“{cell}” is the header of a column" if re.search(r"[A-Za-z]{2}", cell) else ""
    return None


def _limits(number: int, check: CsvForm, what: str) -> str:
    fits = (check.least or 0) <= number and (check.most is None or number <= check.most)
    return "" if fits else f"{number} {what}"


def _columns(rows: _Rows, check: CsvForm) -> str | None:
    return next(filter(None, (_limits(len(row), check, "fields in a row") for row in rows.cells)), "")


def _row_count(rows: _Rows, check: CsvForm) -> str | None:
    """Data rows, with or without a header: both counts have to break the limit, but where ``names`` tells of one."""
    if check.names:
        return _limits(len(rows.cells) - 1, check, "rows")
    with_header = _limits(len(rows.cells), check, "rows")
    return with_header and _limits(len(rows.cells) - 1, check, "rows")


def _equal(rows: _Rows, check: CsvForm) -> str | None:
    widths = sorted({len(row) for row in rows.cells})
    return "" if len(widths) == 1 else f"{widths[0]} to {widths[-1]} fields"


def _quoted(rows: _Rows, check: CsvForm) -> str | None:
    return next((line for line in rows.lines if not _all_quoted(line, rows.delimiter)), "")


def _all_quoted(line: str, delimiter: str) -> bool:
    return all(piece.strip() == '"' for piece in _bare(line).split(delimiter))


def _unquoted(rows: _Rows, check: CsvForm) -> str | None:
    return next((line for line in rows.lines if '"' in line), "")


def _commas_quoted(rows: _Rows, check: CsvForm) -> str | None:
    return _equal(rows, check) if rows.delimiter == "," else None


def _spaceless(rows: _Rows, check: CsvForm) -> str | None:
    mark = re.escape(rows.delimiter)
    return next((line for line in rows.lines if re.search(rf" {mark}|{mark} ", _bare(line))), "")


def _filled(rows: _Rows, check: CsvForm) -> str | None:
    return next((", ".join(row) for row in rows.cells if not all(row)), "")


def _first_numeric(rows: _Rows, check: CsvForm) -> str | None:
    body = rows.cells[1:] if len(rows.cells) > 1 and not any(map(_NUMBER.fullmatch, rows.cells[0])) else rows.cells
    return next((row[0] or "(empty)" for row in body if not _NUMBER.fullmatch(row[0])), "")


def _header_form(rows: _Rows, check: CsvForm) -> str | None:
    """A first row that holds a number is no header, and what has no rows below it, or reads like prose, is no CSV."""
    names = rows.cells[0]
    if len(rows.cells) < 2 or len({len(row) for row in rows.cells}) > 1 or rows.lines[0].lstrip()[:1] in ("{", "["):
        return None
    if any(_NUMBER.fullmatch(name) or len(name.split()) > 6 or name.endswith((".", "!", "?")) for name in names):
        return None
    wanted = compiled(rf"\A(?:{check.pattern})\z")
    return next((cell for cell in rows.cells[0] if cell and not wanted.search(scrub(cell))), "")


def _unique_rows(rows: _Rows, check: CsvForm) -> str | None:
    return twice_in([rows.delimiter.join(row) for row in rows.cells]) if len(rows.cells) > 1 else None


_JUDGES: dict[str, Callable[[_Rows, CsvForm], str | None]] = {
    "delimiter": _delimiter,
    "header": _header,
    "has_header": _has_header,
    "no_header": _no_header,
    "columns": _columns,
    "rows": _row_count,
    "equal_columns": _equal,
    "quoted": _quoted,
    "unquoted": _unquoted,
    "commas_quoted": _commas_quoted,
    "spaceless": _spaceless,
    "filled": _filled,
    "first_numeric": _first_numeric,
    "header_form": _header_form,
    "unique_rows": _unique_rows,
}
