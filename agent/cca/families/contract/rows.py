"""Families of answers that are CSV, YAML, TOML, or JSON's other relatives."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.data_models import CsvDemand
from agent.cca.families.contract.kinds import is_of
from agent.cca.families.contract.said import always, both, delimiter_of, has, never, told, where
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE


def _csv(demand: CsvDemand, **fields: Any) -> Any:
    return c.CsvForm(demand=demand, **fields)


def _simple(demand: CsvDemand) -> Any:
    """A demand on rows; of a sentence about another format there is no check."""
    return lambda slots: _csv(demand) if is_of(slots.text, "csv", "tsv") else None


def _header(slots: Slots) -> Any | None:
    """The names as one term ("id,name,price") or as several."""
    names = slots.named
    if len(names) == 1:
        names = tuple(name.strip() for name in re.split(r"[,;|\t]", names[0]))
    return _csv("header", names=names) if len(names) > 1 and all(names) else None


def _columns(slots: Slots) -> Any:
    sign = delimiter_of(slots)
    own = _csv("columns", least=slots.least, most=slots.most)
    return both(own, _csv("delimiter", delimiter=sign)) if sign in (";", "\t", "|") else own


def _row_count(slots: Slots) -> Any:
    behind = has(slots, r"(?:below|under|beneath|after|behind|without|besides|excluding|not counting) (?:the "
        r"|a )?header(?: row| line)?"
                        r"|(?:data|body) rows|header (?:row )?not (?:counted|included)")  # fmt: skip
    return _csv("rows", least=slots.least, most=slots.most, names=("header",) if behind else ())


def _divided(slots: Slots) -> Any | None:
    sign = delimiter_of(slots)
    return _csv("delimiter", delimiter=sign) if sign else None


_MATTER = r"\A\s*---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?:\n|\z)"


def _matter_keys(slots: Slots) -> Any | None:
    """Each of the keys stands at a line's start between the first two rules."""
    names = tuple(name for name in slots.terms if re.search(r"\w", name))
    if not all(re.fullmatch(r"[A-Za-z_][\w.-]*", name) for name in names):
        return None
    if not names:
        return c.Matches(pattern=_MATTER, finds="front matter at the start")
    line = r"(?:[^-\n][^\n]*\n|-[^-\n][^\n]*\n|\n)*"
    return both(
        *(
            c.Matches(
                pattern=rf"\A\s*---[ \t]*\n{line}{re.escape(name)}:[^\n]*\n{line}---",
                finds=f"front matter with {name[:30]}",
            )
            for name in names
        )
    )


_NO_TABS = never(r"^ *\t", "tabs at the start of a line")


def _filled(slots: Slots) -> Any | None:
    table = c.When(condition=c.Table(least_rows=0), then=never(r"^\|.*\|[ \t]*\|", "empty cells"))
    is_csv, is_table = (re.search(rf"\b{word}", slots.text, _I) for word in ("csv", "table"))
    return (
        _csv("filled") if is_csv and not is_table else table if is_table and not is_csv else both(_csv("filled"), table)
    )


def _quoted(slots: Slots) -> Any | None:
    if not is_of(slots.text, "csv", "tsv"):
        return None
    return _csv("commas_quoted" if has(slots, "commas?") else "quoted")


FAMILIES: tuple[Family, ...] = (
    Family("csv.quoted", "CSV fields in double quotes, all or those with a comma", where(r"quot\w+|unquoted", _quoted)),
    Family("rows.filled", "no empty cells in the CSV or the table", _filled),
    told("yaml.front_matter", "YAML front matter first, with {terms}", _matter_keys),
    told("csv.header", "CSV with the header {terms}", where(r"csv|columns?|header", _header)),
    Family("csv.has_header", "CSV with a header row", _simple("has_header")),
    Family(
        "csv.no_header",
        "CSV without a header row",
        where(r"csv|header row|header line|data", _simple("no_header"), r"modify|headings?"),
    ),
    told("csv.columns", "CSV of {limit} columns", _columns, bounded=True),
    Family("csv.rows", "CSV of {limit} rows", _row_count, bounded=True),
    told("csv.delimiter", "CSV with a given delimiter", _divided),
    Family("csv.unquoted", "no quotes in the CSV", where(r"csv|cells?", _simple("unquoted"))),
    Family("csv.equal_columns", "as many fields in each CSV row", _simple("equal_columns")),
    told("csv.spaceless", "no space behind the delimiters", _simple("spaceless")),
    Family("csv.first_numeric", "numbers in the first CSV column", _simple("first_numeric")),
    told("yaml.no_front_matter", "no front matter", always(lambda: never(_MATTER, "front matter at the start"))),
    Family("yaml.no_tabs", "no tabs in the YAML", always(lambda: _NO_TABS)),
)
