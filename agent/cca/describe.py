"""Checks in words, for people: what a verifier looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agent.cca.data_models import CSV_WORDS, JSON_WORDS
from agent.cca.demands import WORDS
from agent.cca.layout_models import WORDS as LAYOUT
from agent.cca.part_words import code, each, pieces, series, sql

_MAX_TERMS = 6
_PLACES = {
    "answer": "",
    "prose": " in prose",
    "bare_code": " in code",
    "code": " in code",
    "inline_code": " in inline code",
    "first_line": " in the first line",
    "last_line": " in the last line",
    "first_sentence": " in the first sentence",
    "headings": " in headings",
}


def in_words(check: Any) -> str:
    """One clause that says when the check holds."""
    describe = _WORDS.get(check.op)
    place = _PLACES.get(getattr(check, "within", "answer"), "")
    return (describe(check) if describe else check.op) + place


def _terms(terms: Sequence[str], joined: str = ", ") -> str:
    shown = joined.join(f"“{' '.join(term.split())[:60]}”" for term in terms[:_MAX_TERMS])
    return shown + (f" and {len(terms) - _MAX_TERMS} more" if len(terms) > _MAX_TERMS else "")


def _limits(check: Any, unit: str) -> str:
    unit = unit.removeprefix("a ").removeprefix("an ")
    if check.least is not None and check.least == check.most:
        return f"exactly {check.least} {unit}" if check.least else f"no {unit}"
    if check.least is None:
        return f"at most {check.most} {unit}" if check.most else f"no {unit}"
    return f"at least {check.least} {unit}" + (f", at most {check.most}" if check.most is not None else "")


def _contains(check: Any) -> str:
    if check.of == "question":
        return f"the question has {_terms(check.terms, ' or ')}"
    if check.least and check.least < len(check.terms):
        return f"has at least {check.least} of {_terms(check.terms)}"
    return f"has {_terms(check.terms)}"


def _numeric(check: Any) -> str:
    parts = ["a number"]
    if check.units:
        parts.append(f"in {_terms(check.units, ' or ')}")
    if check.low is not None or check.high is not None:
        parts.append(f"between {check.low} and {check.high}")
    if check.uncertainty:
        parts.append("with its uncertainty" + (" in that unit" if check.uncertainty_unit else ""))
    return " ".join(parts)


def _table(check: Any) -> str:
    rows = check.least_rows is not None or check.most_rows is not None
    columns = f" with the columns {_terms(check.columns)}" if check.columns else ""
    size = f" of {check.least_rows or 0} to {check.most_rows or 'any number of'} rows" if rows else ""
    least, most = check.least_columns, check.most_columns
    most_shown = "any number of" if most is None else most
    span = most_shown if least in (most, None) else f"{least} to {most_shown}"
    wide = "" if least is None and most is None else f" of {span} columns"
    return f"a table{size}{wide}{columns}"


def _property(check: Any) -> str:
    where = "".join(f", where “{name}” is as said" for name in sorted(check.where))
    inner = f": {in_words(check.check)}" if check.check is not None else " of the given form" if check.schema_ else ""
    there = "no property" if check.absent else "with the property" if check.required else "any property"
    return f"json: {there} “{check.name[:60]}”{f' in “{check.parent[:60]}”' if check.parent else ''}{inner}{where}"


def _data(kind: str, words: dict[str, str]) -> Callable[[Any], str]:
    def says(check: Any) -> str:
        bounds = [f"{word} {at}" for word, at in (("at least", check.least), ("at most", check.most)) if at is not None]
        shown = [_terms(check.names)] if check.names else []
        return f"{kind}: {words[check.demand]}" + (f" ({', '.join(shown + bounds)})" if shown + bounds else "")

    return says


def _python(check: Any) -> str:
    return WORDS[check.demand] + (f" (at most {check.most})" if check.most is not None else "")


_CHARSETS = {"ascii": "ASCII only", "latin1": "Latin-1 only", "no_emoji": "no emoji", "no_tabs": "no tabs"}
_WORDS: dict[str, Callable[[Any], str]] = {
    "contains": _contains,
    "absent": lambda check: f"has no {_terms(check.terms, ' or ')}",
    "matches": lambda check: (
        _limits(check, check.finds) if check.finds else f"matches /{check.pattern[:120]}/ " + _limits(check, "times")
    ),
    "count": lambda check: _limits(check, check.unit.replace("_", " ")),
    "order": lambda check: f"{_terms(check.terms, ' before ')}",
    "starts": lambda check: f"starts with {_terms(check.terms, ' or ')}",
    "ends": lambda check: f"ends with {_terms(check.terms, ' or ')}",
    "charset": lambda check: _CHARSETS[check.allow],
    "case": lambda check: f"{check.letters} case only",
    "language": lambda check: f"in {check.language.capitalize()}",
    "sorted": lambda check: "list items that differ" if check.unique else "list items in alphabetical order",
    "line_length": lambda check: f"lines of at most {check.most} characters",
    "indent": lambda check: "indented by tabs" if check.tabs else f"indented by {check.width} spaces",
    "valid": lambda check: f"{'nothing but ' if check.whole else ''}valid {check.format}",
    "schema": lambda check: f"{check.format} of the given schema",
    "keys": lambda check: f"{check.format} with the keys {_terms(check.keys)}{' alone' if check.only else ''}",
    "property": _property,
    "table": _table,
    "sections": lambda check: f"the sections {_terms(check.headings)}{' in order' if check.ordered else ''}",
    "numeric": _numeric,
    "python_code": _python,
    "every": lambda check: (
        f"each {check.scope.replace('_', ' ')}"
        + (f" that {in_words(check.selects)}" if check.selects is not None else "")
        + f": {in_words(check.check)}"
    ),
    "each": lambda check: each(check, in_words),
    "pieces": pieces,
    "series": series,
    "sql": sql,
    "code": code,
    "json_form": _data("json", JSON_WORDS),
    "csv_form": _data("csv", CSV_WORDS),
    "layout": lambda check: LAYOUT[check.demand],
    "when": lambda check: f"where {in_words(check.condition)}: {in_words(check.then)}",
    "all": lambda check: "; ".join(in_words(each) for each in check.checks),
    "any": lambda check: " or ".join(in_words(each) for each in check.checks),
    "not": lambda check: f"not: {in_words(check.check)}",
    "python": lambda check: "a generated program decides",
}
