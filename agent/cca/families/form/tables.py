"""Tables: whether, how large, with which head, how their cells are filled."""

from __future__ import annotations

from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.form.making import layout, none_of, of_each, simple

_SIGN = r"\||<table>|\|.{0,30}\|"


def _of_tables(check: Any) -> Any:
    return of_each("table", check)


def _rows(slots: Slots) -> Any:
    if slots.terms or (slots.least is None and slots.most is None):
        return None
    return _of_tables(c.Pieces(part=c.Part(kind="row"), least=slots.least, most=slots.most))


def _columns(slots: Slots) -> Any:
    if slots.terms or (slots.least is None and slots.most is None):
        return None
    return _of_tables(c.Table(least_columns=slots.least, most_columns=slots.most))


def _number(slots: Slots) -> Any:
    if slots.terms or (slots.least is None and slots.most is None):
        return None
    return c.Pieces(part=c.Part(kind="table"), least=slots.least, most=slots.most)


def _head(ordered: bool) -> Any:
    def make(slots: Slots) -> Any:
        named = slots.named
        if not named or (ordered and len(named) < 2) or any(len(name) > 120 for name in named):
            return None
        return c.When(condition=c.Table(least_rows=0), then=c.Table(columns=named, ordered=ordered))

    return make


def _first_column(slots: Slots) -> Any:
    if len(slots.named) != 1:
        return None
    import re

    head = rf"(?i)\A\s*\|?[\s*_]*{re.escape(slots.named[0])}[\s*_]*\|"
    return _of_tables(of_each("line", c.Matches(pattern=head, finds=f"“{slots.named[0]}” first"), nth=1))


def _last_row(slots: Slots) -> Any:
    import re

    name = slots.named[0] if len(slots.named) == 1 else "Total" if re.search(r"\btotals?\b", slots.text, re.I) else ""
    if not name:
        return None
    row = rf"(?i)\A\s*\|?[\s*_]*{re.escape(name)}s?\b"
    return of_each("table", of_each("row", c.Matches(pattern=row, finds=f"“{name}”"), nth=-1))


def _filled() -> Any:
    """Of a Markdown table, and of rows that are divided otherwise."""
    return c.AllOf(checks=(c.Layout(demand="filled_cells"), c.CsvForm(demand="filled")))


def _some_table() -> Any:
    return c.AnyOf(checks=(c.Table(least_rows=0), c.Matches(pattern=r"(?i)<table\b", finds="tables")))


FAMILIES: tuple[Family, ...] = (
    simple("table.none", "no tables", lambda: c.Not(check=_some_table()), _SIGN),
    simple("table.some", "a table", _some_table, _SIGN),
    Family("table.count", "{limit} tables", _number, bounded=True),
    Family("table.rows", "each table has {limit} rows", _rows, bounded=True),
    Family("table.columns", "each table has {limit} columns", _columns, bounded=True),
    Family("table.head", "the table has the columns {terms}", _head(False), takes_terms=True),
    Family("table.head_ordered", "the table has the columns {terms} in this order", _head(True), takes_terms=True),
    Family("table.first_column", "the first column of a table is {terms}", _first_column, takes_terms=True),
    Family("table.last_row", "the last row of a table is {terms}", _last_row, takes_terms=True),
    simple("table.filled", "no empty table cells", _filled, r"[-–—]|n/?a|none|unknown|not applicable"),
    layout("table.introduced", "text before each table", "table_introduced"),
    layout("table.explained", "text after each table", "text_after_table"),
    layout("table.only", "nothing but a table", "only_table"),
    layout("table.equal_rows", "as many cells in each row", "equal_rows"),
    layout("table.right", "number columns aligned to the right", "right_aligned_numbers", r"-{2,}:"),
    layout("table.sorted", "table rows in alphabetical order", "sorted_rows"),
    simple(
        "table.no_html",
        "no tables in HTML",
        lambda: none_of(r"(?i)</?t(?:able|r|d|h)\b", "HTML tables"),
        r"</?table>|\|",
    ),
    simple(
        "table.no_bold",
        "no bold in table cells",
        lambda: of_each("cell", none_of(r"\*\*|__", "bold", "answer")),
        r"\*\*",
    ),
    simple(
        "table.bold_head",
        "table heads in bold",
        lambda: _of_tables(
            of_each("line", c.Matches(pattern=r"\A\s*\|?(?:\s*\*\*[^|*]+\*\*\s*\|?)+\s*\z", finds="a bold head"), nth=1)
        ),
        r"\*\*.{0,20}",
    ),
    simple(
        "table.no_links",
        "no links in tables",
        lambda: _of_tables(none_of(r"\]\(|https?://", "links", "answer")),
    ),
    simple(
        "table.capital",
        "table cells begin with a capital letter",
        lambda: of_each("cell", none_of(r"\A[^\p{L}\d`]*\p{Ll}", "small letters at the start", "answer")),
    ),
    simple(
        "table.cells_no_period",
        "table cells end without a full stop",
        lambda: of_each("cell", none_of(r"[^.]\.[*_]*\s*\z", "full stops at the end", "answer")),
        r"\.",
    ),
)
