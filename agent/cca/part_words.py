"""Checks of an answer's parts in words, for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_SQL = {
    "no_select_star": "SQL names its columns, no star",
    "no_comma_join": "SQL joins by JOIN, not by commas",
    "upper_keywords": "SQL keywords in capitals",
    "lower_names": "SQL names in lower case",
    "semicolon": "SQL ends with a semicolon",
    "limit": "SQL has a LIMIT",
    "lower_keywords": "SQL keywords in lower case",
    "select_only": "SQL is a SELECT",
    "no_writes": "SQL changes nothing",
    "one_statement": "one SQL statement",
    "no_subqueries": "SQL without subqueries",
    "order_by": "SQL has an ORDER BY",
    "where": "SQL has a WHERE",
    "no_comments": "SQL without comments",
    "no_semicolon": "SQL without a semicolon at its end",
}
_NTH = {1: "first ", 2: "second ", 3: "third ", -1: "last ", -2: "last but one "}


def part_in_words(part: Any) -> str:
    name = f"section “{part.name[:40]}”" if part.kind == "section" and part.name else part.kind.replace("_", " ")
    if part.kind == "match":
        name = f"place that matches /{part.pattern[:60]}/"
    place = _NTH.get(part.nth, f"{part.nth}th " if part.nth else "")
    return f"{place}{name}{f' of each {part_in_words(part.of)}' if part.of is not None else ''}"


def each(check: Any, in_words: Callable[[Any], str]) -> str:
    that = f" that {in_words(check.selects)}" if check.selects is not None else ""
    which = "one" if check.one else "the" if check.part.nth or check.part.kind == "section" else "each"
    return f"{which} {part_in_words(check.part)}{that}: {in_words(check.check)}"


def pieces(check: Any) -> str:
    least, most = check.least, check.most
    number = f"exactly {least}" if least == most else f"at most {most}" if least is None else f"at least {least}"
    upper = f", at most {most}" if None not in (least, most) and least != most else ""
    return f"{number}{upper} of: {part_in_words(check.part)}"


def series(check: Any) -> str:
    said = "counted up" if check.counted else "that differ" if check.unique else f"sorted by {check.by}"
    return f"each {part_in_words(check.part)}, {said}{', falling' if check.descending else ''}"


def sql(check: Any) -> str:
    return _SQL[check.demand]


def code(check: Any) -> str:
    number = f"at least {check.least}" if check.least else f"at most {check.most}" if check.most else "no"
    named = "commands" if check.language == "commands" else f"{check.language} code".strip()
    where = f" that has /{check.where[:60]}/" if check.where else ""
    return f"{named}{where}: {number} {check.finds or f'/{check.pattern[:60]}/'}"
