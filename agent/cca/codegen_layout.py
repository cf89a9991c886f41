"""CodeGen: characters and layout. ASCII, emoji, tabs, case, indentation, lists, headings, code blocks."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.reading import OTHER_SUBJECT, SUBJECT, Reading, number_of_word

_I = re.IGNORECASE
_ASCII = re.compile(r"\bascii\b", _I)
_EMOJI = re.compile(r"\bemojis?\b", _I)
_TABS = re.compile(
    r"\bspaces\b[^.]{0,30}\b(?:not|never|no|instead of|rather than)\b[^.]{0,12}\btabs\b|\b(?:no|"
    r"never use|do not use|don['’]t use|avoid(?: using)?) (?:hard )?tabs\b",
    _I,
)
_LOWER = re.compile(r"\b(?:all[- ]?|entirely |only )lower[- ]?case\b|\blower[- ]?case (?:letters )?only\b", _I)
_UPPER = re.compile(
    r"\b(?:all[- ]?|entirely |only )(?:upper[- ]?case|caps)\b|\b(?:upper[- ]?case|capital letters) only\b", _I
)


def characters(reading: Reading) -> Any | None:
    text = reading.text
    if _ASCII.search(text) and not re.search(r"\bascii art\b|\bfile", text, _I):
        if reading.negative and not re.search(r"\bnon[- ]ascii\b|\boutside\b|\bbeyond\b|\bother than\b", text, _I):
            return None
        return c.Charset(allow="ascii")
    if _EMOJI.search(text) and (
        reading.negative or re.search(r"\b(?:no|without|free of) (?:\w+ (?:or|and) )?emoji", text, _I)
    ):
        return c.Charset(allow="no_emoji")
    if _TABS.search(text):
        return c.Charset(allow="no_tabs", within="code" if reading.code else "answer")
    if SUBJECT.search(text) and not OTHER_SUBJECT.search(text) and not reading.negative:
        if _LOWER.search(text):
            return c.Case(letters="lower")
        if _UPPER.search(text):
            return c.Case(letters="upper")
    return None


_INDENT = re.compile(
    r"\b(\d{1,2}|two|four|eight)[- ]spaces?\b[^.]{0,40}\bindent|"
    r"\bindent\w*\b[^.]{0,60}?\b(\d{1,2}|two|four|eight)[- ]spaces?",
    _I,
)


def indent(reading: Reading) -> Any | None:
    match = _INDENT.search(reading.text)
    if (
        match is None
        or reading.negative
        or re.search(r"\b(?:html|javascript|js|css|yaml|json|continuation|list|bullets?)\b", reading.text, _I)
    ):
        return None
    return c.Indent(width=number_of_word(match[1] or match[2]))


_STRUCTURE: tuple[tuple[re.Pattern[str], c.Unit], ...] = (
    (re.compile(r"\b(?:bullet(?:ed)?[- ](?:points?|lists?)|bullets)\b", _I), "bullets"),
    (re.compile(r"\bnumbered (?:lists?|steps?)\b", _I), "numbered"),
    (re.compile(r"\bheadings?\b|\bheaders?\b", _I), "headings"),
    (re.compile(r"\b(?:fenced )?code (?:blocks?|fences?|snippets?)\b|\bfenced code\b", _I), "fences"),
)
_VERB = re.compile(
    r"\b(?:use|using|include|add|give|present|write|answer|respond|reply|format|list|contain|"
    r"employ|provide|show|output|as)\b",
    _I,
)


_TABLE = re.compile(r"\b(?:markdown )?tables?\b", _I)
_INSIDE = re.compile(
    r"\b(?:before|after|inside|within|under|between|above|below|around|each|every|in) (?:\w+ ){0,2}$", _I
)
_FORMED = re.compile(
    r"\b(?:answer|respond|reply|write|present\w*|(?:wrap|put|enclose)\b(?: \w+){0,3}) in (?:an? )?(?:fenced )?$", _I
)
_DENIES = re.compile(r"\b(?:no|without|avoid)\b[^.]{0,20}$", _I)
_MAX_WORDS = 22  # a longer sentence says more about a list than that there is to be one


def structure(reading: Reading) -> Any | None:
    """Lists, headings, code blocks, tables: that there are some, or none."""
    text = reading.text
    if len(text.split()) > _MAX_WORDS or reading.terms:
        return None
    denied: list[Any] = []
    for pattern, unit in (*_STRUCTURE, (_TABLE, None)):
        match = pattern.search(text)
        if match is None:
            continue
        before = text[: match.start()]
        if _INSIDE.search(before) and not _FORMED.search(before):
            continue
        present: Any = c.Count(unit=unit, least=1) if unit else c.Table(least_rows=0)
        if reading.negative or _DENIES.search(before):
            denied.append(c.Count(unit=unit, most=0) if unit else c.Not(check=present))
        elif not denied and _VERB.search(before) and not OTHER_SUBJECT.search(before):
            return present
    if not denied or not (_VERB.search(text) or _DENIES.search(text[: text.lower().find("no ") + 3])):
        return None
    return denied[0] if len(denied) == 1 else c.AllOf(checks=tuple(denied))
