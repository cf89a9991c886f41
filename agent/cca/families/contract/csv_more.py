"""Families of CSV: how its columns are called, rows that differ, rows that are sorted."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.columns import column_name
from agent.cca.families.contract.kinds import affirmed, bare, cases_of, falls, is_of
from agent.cca.families.contract.said import has, told, where
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_FORMS = (
    (r"snake[_ -]?case", "[a-z][a-z0-9]*(?:_[a-z0-9]+)*"),
    (r"(?:upper[- ]?camel|pascal)[_ -]?case", "[A-Z][A-Za-z0-9]*"),
    (r"camel[_ -]?case", "[a-z][A-Za-z0-9]*"),
    (r"kebab[_ -]?case", "[a-z][a-z0-9]*(?:-[a-z0-9]+)*"),
    (r"lower[- ]?case|small letters", "[^A-Z]*"),
    (r"upper[- ]?case|capitals|capital letters|all caps", "[^a-z]*"),
)
_SPACELESS = re.compile(
    r"\b(?:no|without|never|not|free of)\b[^,;.]{0,20}\b(?:spaces?|blanks?|white ?space)\b|\bspace-free\b"
    r"|\b(?:spaces?|blanks?) (?:are|is) (?:forbidden|banned|not allowed)\b",
    _I,
)


def _header_form(slots: Slots) -> Any | None:
    """The one form that is wanted; names that show it are no terms."""
    shown = {*slots.examples, *slots.contrast}
    if not is_of(slots.text, "csv", "tsv") or any(
        term not in shown and not re.search(r"[_A-Z-]|case$", term) for term in slots.terms
    ):
        return None
    wanted = affirmed(slots.text)
    found = [pattern for words, pattern in _FORMS if re.search(rf"\b(?:{words})\b", wanted, _I)]
    cases = cases_of(wanted)
    if len(cases) > 1:
        return None
    found = found[:1] if cases else found  # "lower snake_case"
    if not found and _SPACELESS.search(slots.text):
        found = [r"\S*"]
    return c.CsvForm(demand="header_form", pattern=found[0]) if len(found) == 1 else None


_ONCE = r"unique|duplicates?|duplicated|twice|distinct|repeat\w*|once|differs?|different|same"


def _unique(slots: Slots) -> Any | None:
    """Rows, or the values of the column that is named."""
    if not is_of(slots.text, "csv", "tsv") or len(slots.named) > 1:
        return None
    if not has(slots, "columns?") and not slots.named:
        return c.CsvForm(demand="unique_rows") if has(slots, "rows?|lines?|records?") else None
    name = column_name(slots) or next(iter(slots.terms), "")
    if not name or not has(slots, "columns?") or has(slots, "header names?|column names?|columns are unique"):
        return None
    return c.CsvForm(demand="unique_column", names=(name,))


def _sorted(slots: Slots) -> Any | None:
    """By one column; "then by" another, or rows as they came, no check tells."""
    if len(slots.named) > 1 or not is_of(slots.text, "csv", "tsv"):
        return None
    if re.search(r"\bthen by\b|\bin (?:the|their) original\b|\b(?:not|never|n['’]t) (?:be )?(?:re-?)?sort",
                 slots.text, _I):  # fmt: skip
        return None
    by = re.search(r"\b(?:sort\w*|order\w*|ascend\w*|descend\w*|rise|fall)\b.*?\b(?:by|on|in|of)\b(.*)", slots.text, _I)
    name = column_name(slots) or next(iter(slots.terms), "")
    if not name and by:
        said = re.match(r"\W*(?:the |its |their |column )*([A-Za-z_]\w*)(?=[\s,.;]|$)", bare(by[1]))
        name = said[1] if said and said[1].lower() not in _NO_COLUMNS else ""
    if not name:
        return None
    return c.CsvForm(demand="falling" if falls(slots.text) else "rising", names=(name,))


_NO_COLUMNS = frozenset(["ascending", "descending", "alphabetical", "order", "column", "value", "values", "size", "a"])
FAMILIES: tuple[Family, ...] = (
    told(
        "csv.header_form",
        "columns are named in a given form",
        where(
            r"headers?|column names?|columns?|column titles|column headings|names of (?:the )?columns",
            _header_form,
            r"sql|database|tables?|cells?|values|first row is",
        ),
    ),
    told(
        "csv.unique",
        "no row, or no value of {terms}, twice",
        where(_ONCE, _unique, r"json|words?|items?|bullets?|headers?|number of|as many"),
    ),
    told(
        "csv.sorted",
        "rows are sorted by {terms}",
        where(
            r"sort\w*|order\w*|ascend\w*|descend\w*|highest|lowest|newest|oldest|largest|smallest",
            _sorted,
            r"objects?|json|bullets?|columns are|columns in|headings?|sections?|preserve|keep the order|original order",
        ),
    ),
)
