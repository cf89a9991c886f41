"""Families of the values of one column, of numbers that add up, and of texts in an array that are sorted."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.kinds import affirmed, bare
from agent.cca.families.contract.said import alternatives, field_of, has, told, where
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_PLACES = {
    "first": "#1", "leftmost": "#1", "second": "#2", "third": "#3", "fourth": "#4", "fifth": "#5", "last": "#-1",
    "rightmost": "#-1",
}  # fmt: skip
_NTH = re.compile(rf"\b({'|'.join(_PLACES)}) column\b|\bcolumn (one|two|three|1|2|3|4|5)\b", _I)
_NUMBERED = {"one": "#1", "two": "#2", "three": "#3"}
_CALLED = re.compile(
    r"\bcolumns? (?:called |named |headed )?(?P<behind>[A-Za-z_]\w*)\b(?= (?:holds?|contains?|has|is|are|must"
    r"|may|takes?"
    r"|carr\w+|only|consists?|shows?))"
    r"|\b(?:the|an?|each|every|in) (?P<before>[A-Za-z_]\w*) column\b",
    _I,
)
_NO_NAMES = "the a an each every this that table csv same one first last other new number numeric and or of there"
_PLAIN = frozenset(_NO_NAMES.split())
_FORMS: tuple[tuple[str, str], ...] = (
    (r"\b(?:integers?|whole numbers?|counts?)\b", r"[-+]?\d{1,3}(?:,\d{3})+|[-+]?\d+"),
    (r"\byyyy-mm-dd\b|\biso (?:8601 )?dates?\b|\bdates? .{0,40}\biso\b|\b8601\b", r"\d{4}-\d{2}-\d{2}"),
    (r"\btrue (?:or|and|/) ?false\b|\bbooleans?\b", r"(?i:true|false)"),
    (r"\byes (?:or|and|/) ?no\b", r"(?i:yes|no)"),
    (r"\b(?:percentages?|per ?cent|percent signs?)\b", r"[-+]?[\d.,]+ ?%"),
    (r"\bnumbers?\b|\bnumeric\b|\bnumerical\b", r"[-+]?\d[\d,]*(?:\.\d+)?|[-+]?\.\d+"),
    (r"\b(?:upper[- ]?case|capitals|capital letters|caps)\b", r"[^a-z]*"),
    (r"\b(?:lower[- ]?case|small letters)\b", r"[^A-Z]*"),
)


def column_name(slots: Slots) -> str:
    nth = _NTH.search(slots.text)
    if nth:
        said = (nth[1] or nth[2]).lower()
        return _PLACES.get(said) or _NUMBERED.get(said) or f"#{said}"
    called = _CALLED.search(bare(slots.text))
    for name in (called["behind"], called["before"]) if called else ():
        if name and name.lower() not in _PLAIN:
            return name
    if any(re.search(rf"{re.escape(term)}\W{{0,3}} ?column|column\W{{1,2}}{re.escape(term)}", slots.text) for term in
           slots.terms[:1]):  # fmt: skip
        return slots.terms[0]
    return field_of(slots) if re.search(r"\bcolumns?\b", slots.text, _I) else ""


def _column(slots: Slots) -> Any | None:
    """What each cell of the column is: one of several texts, or of a form; what is denied is no form."""
    name = column_name(slots)
    if not name or has(slots, "sorted|order|aligned|wide|empty|unique|header"):
        return None
    values = tuple(term for term in slots.terms if term != name) or tuple(v for v in slots.listed if v != name)
    text = affirmed(bare(slots.text))
    places = re.search(r"\b(\d|one|two|three|four) (?:decimals?\b|decimal places|places|digits after)", text, _I)
    if len(values) > 1:
        pattern = alternatives(values)
    elif places:
        many = {"one": "1", "two": "2", "three": "3", "four": "4"}.get(places[1].lower(), places[1])
        pattern = rf"\D{{0,4}}[\d,]+\.\d{{{many}}}\D{{0,4}}" if many != "0" else r"\D{0,4}[\d,]+\D{0,4}"
    else:
        pattern = next((form for words, form in _FORMS if re.search(words, text, _I)), "")
    return c.CsvForm(demand="column", names=(name,), pattern=pattern) if pattern else None


_TARGET = re.compile(
    r"\b(?:to|is|are|of|equals?|be|makes?|exactly|total) (?:exactly |up to |a total of )?(1\.0+|1|one|100"
    r"|a hundred)\b(?!\.\d)",
    _I,
)
_KEYS = re.compile(r"[A-Za-z_][\w-]{0,60}")


def _sum(slots: Slots) -> Any | None:
    """To one or to a hundred. Keys that are quoted name the numbers."""
    found = _TARGET.search(slots.text)
    names = tuple(term for term in slots.terms if _KEYS.fullmatch(term))
    if not found or len(names) != len([term for term in slots.terms if not re.fullmatch(r"[\d.%]+", term)]):
        return None
    return c.JsonForm(demand="sums_to", names=names, most=100 if found[1].lower() in ("100", "a hundred") else 1)


FAMILIES: tuple[Family, ...] = (
    told("column.values", "each cell of a column is of the kind that is named", where(r"columns?", _column)),
    told(
        "json.sum",
        "numbers that add up to 1 or to 100",
        where(r"sum|sums|add|adds|added|total|totals|together", _sum, r"at most|at least|no more than|exceeds?"),
    ),
)
