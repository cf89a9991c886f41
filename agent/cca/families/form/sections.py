"""Sections by their names, and the title."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.form.making import HEADING_SIGN, count, layout, none_of, of_each, simple
from agent.cca.families.pairs import is_swapped

_CALLED = re.compile(
    r"\b(?:section|heading|part)s? (?:(?:called|headed|titled|named|entitled|on|the heading|is|with) ){0,3}"
    r"(?P<behind>[A-Z][\w-]*(?: [A-Z][\w-]*)?)\b"
    r"|\b(?:an?|the|no|An?|The|No) (?:final )?(?P<before>[A-Z][\w-]*(?: [A-Z][\w-]*)?) section\b"
)


def names_of(slots: Slots) -> tuple[str, ...]:
    """The sections that are named: quoted, enumerated, or with a capital beside the word section."""
    if slots.named:
        return tuple(re.sub(r"^#{1,6} +(?=\S)|(?<=\w):$", "", name) for name in slots.named)
    match = _CALLED.search(slots.text)
    return (match["behind"] or match["before"],) if match else ()


def _sections(least: int, ordered: bool) -> Any:
    def make(slots: Slots) -> Any:
        named = names_of(slots)
        if len(named) < least or any(len(name) > 120 for name in named):
            return None
        return c.Sections(headings=named, ordered=ordered)

    return make


def _only_order(slots: Slots) -> Any:
    """The sections are in this order where they are there."""
    if len(slots.named) < 2:
        return None
    named = slots.named
    if len(named) == 2 and is_swapped(slots.text, *named):
        named = named[::-1]
    return c.Series(part=c.Part(kind="heading"), by="terms", terms=named)


def _heading_pattern(name: str) -> str:
    return rf"(?i)\A[\W\d]*(?:{re.escape(name)})\W*\z"


def _place(nth: int) -> Any:
    def make(slots: Slots) -> Any:
        named = names_of(slots)
        if len(named) != 1 or len(named[0]) > 80:
            return None
        check = c.Matches(pattern=_heading_pattern(named[0]), finds=f"“{named[0]}”")
        return c.Each(part=c.Part(kind="heading", nth=nth), check=check, required=True)

    return make


_CLOSING = (
    r"(?i)\A[\W\d]*(?:(?:final )?conclusions?|conclusion and .{1,30}|closing(?: remarks)?|in conclusion"
    r"|final thoughts|wrap(?:ping)?[- ]up)\W*\z"
)
_OPENING = r"(?i)\A[\W\d]*(?:introduction|intro)\W*\z"


def _absent(slots: Slots) -> Any:
    named = names_of(slots)
    if not named:
        if re.search(r"conclusion|concluding|closing|wrap[- ]?up", slots.text, re.IGNORECASE):
            return of_each("heading", none_of(_CLOSING, "a conclusion", "answer"))
        if re.search(r"introduct\w+|\bintro\b", slots.text, re.IGNORECASE):
            return of_each("heading", none_of(_OPENING, "an introduction", "answer"))
        return None
    spelled = "|".join(re.escape(name) for name in named)
    return c.AllOf(checks=(none_of(rf"(?i)^[ #*\d.]*(?:{spelled})[ :*]*$", "such a section"),))


def _title(check: Any, required: bool = False) -> Any:
    return c.Each(part=c.Part(kind="title"), check=check, required=required)


def _wrapped(slots: Slots) -> Any:
    """``<<this>>``: the first line begins and ends with what stands around the word."""
    shown = next(iter((*slots.terms, *slots.examples)), "")
    match = re.fullmatch(r"([^\w\s]{1,4})[\w ]{1,40}([^\w\s]{1,4})", shown)
    around = (match[1], match[2]) if match else _around(slots)
    if around is None:
        return None
    pattern = rf"^[ \t#*]*{re.escape(around[0])}[^\n]+{re.escape(around[1])}[ \t*]*$"
    return c.Each(part=c.Part(kind="line", nth=1), check=c.Matches(pattern=pattern, finds="a title in such signs"))


def _around(slots: Slots) -> tuple[str, str] | None:
    said = slots.text.lower()
    if len(slots.terms) == 2 and all(re.fullmatch(r"[^\w\s]{1,4}", term) for term in slots.terms):
        return slots.terms[0], slots.terms[1]
    shown = re.search(r"(?<!\S)([<\[({*=~]{1,4})(?:the )?(?:title|headline)([>\])}*=~]{1,4})(?!\w)", said)
    if shown:
        return shown[1], shown[2]
    for words, signs in (
        (r"double angular|double angle", ("<<", ">>")),
        (r"square brackets?", ("[", "]")),
        (r"(?:double )?quot(?:es|ation marks)", ('"', '"')),
        (r"double asterisks|\bbold\b", ("**", "**")),
    ):
        if re.search(words, said):
            return signs
    return None


FAMILIES: tuple[Family, ...] = (
    Family("section.named", "the section {terms}", _sections(1, False), takes_terms=True),
    Family("sections.ordered", "the sections {terms}, in this order", _sections(2, True), takes_terms=True),
    Family("sections.order", "{terms} in this order, where they are there", _only_order, takes_terms=True),
    Family("section.absent", "no section {terms}", _absent, takes_terms=True),
    Family("section.last", "the last section is {terms}", _place(-1), takes_terms=True),
    Family("section.first", "the first section is {terms}", _place(1), takes_terms=True),
    count("sections.count", "{limit} sections", "headings", signs=HEADING_SIGN),
    layout("sections.rule", "a horizontal rule between sections", "rule_between_sections", r"[-*_]{3,}"),
    simple(
        "title.some", "a title", lambda: _title(c.Matches(pattern=r"\S", finds="text"), required=True), HEADING_SIGN
    ),
    simple("title.none", "no title", lambda: c.Pieces(part=c.Part(kind="title"), most=0), HEADING_SIGN),
    simple("title.case", "the title in title case", lambda: _title(c.Layout(demand="title_case"))),
    simple(
        "title.no_period",
        "the title ends without a full stop",
        lambda: _title(none_of(r"\.\s*\z", "a full stop at the end", "answer")),
        r"\.",
    ),
    simple("title.no_colon", "no colon in the title", lambda: _title(none_of(":", "colons", "answer")), r"[^:]*:.*"),
    simple(
        "title.question",
        "the title is a question",
        lambda: _title(c.Matches(pattern=r"\?[*_\"”]*\s*\z", finds="question marks")),
    ),
    simple(
        "title.no_question",
        "the title is no question",
        lambda: _title(none_of(r"\?[*_\"”]*\s*\z", "question marks", "answer")),
    ),
    simple("title.upper", "the title in capitals", lambda: _title(none_of(r"\p{Ll}", "small letters", "answer"))),
    Family("title.wrapped", "the title in such signs", _wrapped, takes_terms=True),
)
