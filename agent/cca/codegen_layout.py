"""CodeGen: characters and layout. ASCII, emoji, tabs, case, indentation, lists, headings, code blocks."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.forms import none_of, some
from agent.cca.reading import NUMBER, OTHER_SUBJECT, SUBJECT, Reading, number_of_word

_I = re.IGNORECASE
_ASCII = re.compile(r"\bascii\b", _I)
_EMOJI = re.compile(r"\bemojis?\b", _I)
_TABS = re.compile(
    r"\bspaces\b[^.]{0,30}\b(?:not|never|no|instead of|rather than)\b[^.]{0,12}\btabs\b|\b(?:no|"
    r"never use|do not use|don['’]t use|avoid(?: using)?) (?:hard )?tabs\b",
    _I,
)
_LOWER = re.compile(
    r"\b(?:all[- ]?|entirely |only |in |be |use )lower[- ]?case\b|\blower[- ]?case (?:letters )?(?:only"
    r"|throughout)\b",
    _I,
)
_UPPER = re.compile(
    r"\b(?:all[- ]?|entirely |only )(?:upper[- ]?case|caps)\b|\b(?:upper[- ]?case|capital letters) only\b", _I
)


def characters(reading: Reading) -> Any | None:
    text = reading.text
    if _ASCII.search(text) and not re.search(r"\bascii (?:art|mock\w*|diagrams?|drawings?)\b|\bfile", text, _I):
        if reading.negative and not re.search(r"\bnon[- ]ascii\b|\boutside\b|\bbeyond\b|\bother than\b", text, _I):
            return None
        return c.Charset(allow="ascii")
    if _EMOJI.search(text) and (
        reading.negative or re.search(r"\b(?:no|without|free of) (?:\w+ (?:or|and) )?emoji", text, _I)
    ):
        return c.Charset(allow="no_emoji")
    if _TABS.search(text):
        tabs = c.Charset(allow="no_tabs", within="code" if reading.code else "answer")
        width = _indentation(text)
        return tabs if width is None else c.AllOf(checks=(tabs, c.Indent(width=width)))
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
    width = None if reading.negative else _indentation(reading.text)
    return None if width is None else c.Indent(width=width)


def _indentation(text: str) -> int | None:
    match = _INDENT.search(text)
    if match is None or re.search(r"\b(?:html|javascript|js|css|yaml|json|continuation|list|bullets?)\b", text, _I):
        return None
    return number_of_word(match[1] or match[2])


_STRUCTURE: tuple[tuple[re.Pattern[str], c.Unit], ...] = (
    (re.compile(r"(?<=\bno )lists?$", _I), "bullets"),
    (re.compile(r"\b(?:bullet(?:ed)?[- ](?:points?|lists?)|bullets)\b", _I), "bullets"),
    (re.compile(r"\bnumbered (?:lists?|steps?)\b", _I), "numbered"),
    (
        re.compile(r"\bheadings?\b|\bheaders?\b(?! (?:rows?|lines?|cells?|columns?|names?|fields?|records?)\b)", _I),
        "headings",
    ),
    (
        re.compile(
            r"\b(?:markdown )?(?:fenced )?code (?:blocks?|fences?|snippets?)(?: markers?)?\b|\bfenced code\b"
            r"|\bmarkdown (?:blocks?|fences?|fencing)\b"
            r"|\b(?:markdown )?code (?:markers?|marks)\b|\btriple backticks\b",
            _I,
        ),
        "fences",
    ),
)
_VERB = re.compile(
    r"\b(?:use|using|include|add|give|present|write|answer|respond|reply|format|list|contain|"
    r"employ|provide|show|output|as|wrap|put|enclose|place|surround|leave|omit|skip)\b",
    _I,
)


_TABLE = re.compile(r"\b(?:markdown )?tables?\b(?! of contents| ?\d| tags?)", _I)
_SOME_CODE = re.compile(
    r"^(?:all |any |the |your )?(?:\w+ )?(?:code|scripts?|commands?|snippets?"
    r"|programs?) (?:should|must|is|are)\b",
    _I,
)
_INSIDE = re.compile(
    r"\b(?:before|after|inside|within|under|between|above|below|around|each|every|in|on|from|about) (?:\w+ ){0,2}$", _I
)
_FORMED = re.compile(
    r"\b(?:answer|respond|reply|write|present\w*|(?:wrap|put|enclose)\b(?: \w+){0,3}) in (?:an? )?(?:fenced )?$", _I
)
_FOR_SOME = re.compile(
    r"[^.]{0,20}\b(?:for (?!(?:the|your|every|each|all) (?:answers?|repl\w+|response\w*)\b)|when\b|where\b"
    r"|if\b|to (?:show|list|compare|explain|separate|present)\b)",
    _I,
)
"""It is how some things are shown, where they occur: "Use numbered lists for steps"."""
_ELSEWHERE = re.compile(
    r"\b(?:in|of|for|to) (?:the |your |any |all )?(?:commit messages?|commits?|docstrings?|comments?|changelogs?"
    r"|tickets?|titles?)\b",
    _I,
)
_OTHERS = re.compile(r"\b(?:other|additional|further|more|extra)\s(?:\w+ )?$", _I)
"""``No other headings``: than those that are asked for elsewhere."""
_LACKS = re.compile(r"\b(?:no|without|avoid|free of)\b", _I)
_DENIES = re.compile(r"\b(?:no|without|avoid)\b[^.]{0,20}$", _I)
_COUNTED = re.compile(rf"\b{NUMBER} (?:\w+ )?$", _I)
_PUT_SOME = re.compile(
    r"\b(?:wrap|put|enclose|place|show|present) (?!(?:the|your|it|this|everything|all|any)\b)\w+", _I
)
"""``Put commands in code blocks``: where there are some."""
_AT_WILL = re.compile(r"\b(?:freely|liberally|sparingly|as you (?:like|please|wish|see fit))\b|^not\b", _I)
_OF_THEIRS = re.compile(
    r"\b(?:punctuation|periods?|full stops?|colons?|capital\w*|end of|ends? (?:with|in)|nest\w*|levels?)\b"
    r"|\b(?:not|never|n['’]t|avoid)\b.* (?:for|as) (?:a |the )?(?:bullets?|list items?|bullet points?|headings?)\W*$",
    _I,
)
"""What is told of them, not whether there are any."""
_MAX_WORDS = 22  # a longer sentence says more about a list than that there is to be one


def structure(reading: Reading) -> Any | None:
    """Lists, headings, code blocks, tables: that there are some, or none."""
    text = reading.text
    if (
        len(text.split()) > _MAX_WORDS
        or reading.terms
        or _OF_THEIRS.search(text)
        or _ELSEWHERE.search(text)
        or _AT_WILL.search(text)
    ):
        return None
    denied: list[Any] = []
    for pattern, unit in (*_STRUCTURE, (_TABLE, None)):
        match = pattern.search(text)
        if match is None:
            continue
        before = text[: match.start()]
        if reading.negative and _COUNTED.search(before):
            return None  # "never three bullets" allows two
        formed = _FORMED.search(before) is not None and (unit == "fences" or not reading.negative)
        if _INSIDE.search(before) and not formed:
            continue
        present: Any = c.Count(unit=unit, least=1) if unit else some("tables")
        if _OTHERS.search(before):
            return None
        if reading.negative or _DENIES.search(before):
            denied.append(c.Count(unit=unit, most=0) if unit else none_of("tables"))
        elif not denied and _VERB.search(before) and not OTHER_SUBJECT.search(before):
            some_things = unit == "fences" and _PUT_SOME.search(before)
            binds_some = _FOR_SOME.match(text, match.end()) or _SOME_CODE.match(text) or some_things
            return None if binds_some else present
    if not denied or not (_VERB.search(text) or _LACKS.search(text)):
        return None
    return denied[0] if len(denied) == 1 else c.AllOf(checks=tuple(denied))
