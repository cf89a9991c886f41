"""Families of parts of a number and a size ("four stanzas of three lines each"), and of acrostics."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.marks import Mark, numbers_in, terms_in

_I = re.IGNORECASE
_PARTS: tuple[tuple[str, Any], ...] = (
    (r"stanzas?|verses?|paragraphs?", "paragraph"),
    (r"bullets?(?: points?)?|dot points?", "bullet"),
    (r"(?:numbered )?steps?|numbered (?:items?|points?)", "step"),
    (r"items?|list (?:items?|entries)|entries|points?", "list_item"),
    (r"sections?", "section"),
    (r"sentences?", "sentence"),
    (r"lines?", "line"),
)
_UNITS: tuple[tuple[str, Any], ...] = (
    (r"words?", "words"), (r"sentences?", "sentences"), (r"lines?", "lines"), (r"characters?|letters?", "characters"),
)  # fmt: skip
_MOST = re.compile(r"\b(?:at most|no more than|not more than|up to|maximum(?: of)?|max\.?|no longer than)\s*$", _I)
_LEAST = re.compile(r"\b(?:at least|no fewer than|no less than|minimum(?: of)?|min\.?)\s*$", _I)
_BEHIND = re.compile(
    r"^ ?[\w-]+(?: each)? (?:(?P<most>or (?:fewer|less)|at most|maximum)|(?P<least>or more"
    r"|at least))\b",
    _I,
)


def _bound(text: str, mark: Mark) -> tuple[int | None, int | None]:
    before, behind = text[: mark.start], _BEHIND.match(text[mark.end :])
    low, high = int(mark.low), int(mark.high)
    if mark.kind == "range":
        return low, high
    if _MOST.search(before) or (behind and behind["most"]):
        return None, low
    return (low, None) if _LEAST.search(before) or (behind and behind["least"]) else (low, low)


def _noun(text: str, mark: Mark, nouns: tuple[tuple[str, Any], ...]) -> Any | None:
    behind = text[mark.end : mark.end + 40]
    return next((kind for words, kind in nouns if re.match(rf"[ -](?:\w+ )?(?:{words})\b", behind, _I)), None)


def _sized(slots: Slots) -> Any | None:
    """Exactly two numbers: of the parts, and of what each of them has."""
    text = slots.text
    marks = numbers_in(text, terms_in(text))
    if len(marks) != 2 or slots.terms or not re.search(r"\beach\b|\bevery\b|\bper\b|\bof\b|\bapiece\b", text, _I):
        return None
    part, unit = _noun(text, marks[0], _PARTS), _noun(text, marks[1], _UNITS)
    if part is None:  # "two sentences in each of the three paragraphs"
        marks.reverse()
        part, unit = _noun(text, marks[0], _PARTS), _noun(text, marks[1], _UNITS)
    if part is None or unit is None or (part, unit) in (("sentence", "sentences"), ("line", "lines")):
        return None
    (least, most), (low, high) = _bound(text, marks[0]), _bound(text, marks[1])
    own = c.Part(kind=part)
    return c.AllOf(
        checks=(
            c.Pieces(part=own, least=least, most=most),
            c.Each(part=own, check=c.Count(unit=unit, least=low, most=high)),
        )
    )


_WORD = re.compile(
    r"\b(?i:word|name|spells?|spelling|spelled|read|reads|form|forms|acrostic (?:on|of|for|with|from)|out)"
    r"(?: (?:out|of|on|for|the|word|name|your|from|top|to|bottom|down))* [\"“'‘`*]{0,2}(?P<word>[A-Z]{2,20})\b"
)


def _acrostic(slots: Slots) -> Any | None:
    """The n-th line begins with the n-th letter, and no line more stands there."""
    if not re.search(r"\bacrostic|\b(?:first|initial|opening) letters?\b|\binitials\b|\bspells?\b", slots.text, _I):
        return None
    shown = next((term for term in slots.terms if re.fullmatch(r"[A-Za-z]{2,20}", term)), "")
    found = _WORD.search(slots.text)
    word = shown or (found["word"] if found else "")
    if not word:
        return None
    filled = r"\S"
    lines = [
        c.Each(
            part=c.Part(kind="line", nth=at, pattern=filled),
            check=c.Matches(pattern=rf"(?i)\A[^\p{{L}}]*{letter}", finds=f"line {at} with “{letter}”"),
            required=True,
        )
        for at, letter in enumerate(word, 1)
    ]
    return c.AllOf(checks=(c.Count(unit="lines", least=len(word), most=len(word)), *lines))


FAMILIES: tuple[Family, ...] = (
    Family("parts.sized", "so many parts, each of such a size", _sized),
    Family("lines.acrostic", "the first letters of the lines spell a word", _acrostic, takes_terms=True),
)
