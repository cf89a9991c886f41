"""Families of answers that are one word, one number, one thing and nothing else."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.said import alternatives, always, any_case, both, has, told, where, whole
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE


def _label(slots: Slots) -> Any | None:
    if len(slots.named) < 2 or (re.match(r"[\"`'“]?\w+[\"`'”]?(?: \(\w+\))?:", slots.text) and slots.terms):
        return None
    return whole(rf"{any_case(slots)}(?:{alternatives(slots.named)})", "one of the labels alone")


def _labels(slots: Slots) -> Any | None:
    if len(slots.named) < 2:
        return None
    one = f"(?:{alternatives(slots.named)})"
    return whole(rf"{any_case(slots)}{one}(?:\s*,\s*{one})*", "labels of the list, between commas")


def _exact(slots: Slots) -> Any | None:
    return whole(rf"[\"“`]?{re.escape(slots.terms[0])}[\"”`]?", "that text alone") if len(slots.terms) == 1 else None


def _letter(slots: Slots) -> Any | None:
    letters = letters_in(slots)
    return whole(rf"\(?[{letters}{letters.lower()}]\)?\.?", "one letter alone") if letters else None


def letters_in(slots: Slots) -> str:
    found = re.search(
        r"\b([A-Z])\s?(?:-|–|to|through|and|or|/|,)\s?(?:[A-Z](?:,| or|, or|/| and)? ?)*([A-Z])\b", slots.text
    )
    if found and found[1] < found[2]:
        return f"{found[1]}-{found[2]}"
    return "A-Z" if re.search(r"\bletter\b", slots.text, _I) and not found else ""


def _number(slots: Slots) -> Any | None:
    """An integer, a percentage, a number of so many decimals, or any number."""
    if any(re.search(r"[A-Za-z]{2}", term) for term in slots.terms):
        return None
    if has(slots, "every|each|all (?!(?:that )?we)|percentages|amounts|prices|numbers|round") or not has(slots, _ALONE):
        return None
    places = {int(number) for number in slots.numbers}
    places = places - {1} or places  # "one number of two decimals"
    if re.search(r"\bdecimals?\b(?: places?)?|\bdigits after the (?:decimal )?point", slots.text, _I) and places:
        many = places.pop()
        return whole(rf"[-+]?[\d,]+\.\d{{{many}}}", "a number of so many decimals") if 1 <= many <= 12 else None
    if re.search(r"\bpercentages?\b", slots.text, _I):
        return (
            None
            if re.search(r"\bnot\b[^,;]*\bpercentage", slots.text, _I)
            else whole(rf"{_NUMBER} ?%", "a percentage alone")
        )
    if re.search(r"\b(?:integers?|whole numbers?)\b", slots.text, _I):
        return whole(_INTEGER, "an integer alone")
    return whole(_NUMBER, "a number alone")


def within(slots: Slots) -> Any:
    """A number alone, within the bounds that are told."""
    is_whole = re.search(r"\b(?:integers?|whole numbers?)\b", slots.text, _I)
    alone = whole(_INTEGER if is_whole else _NUMBER, "a number alone")
    return both(alone, c.Numeric(low=slots.least, high=slots.most))


def _yes_no(slots: Slots) -> Any | None:
    if has(slots, r"keys?|fields?|propert\w+|json|column|dictionary") or not has(slots, _ALONE):
        return None
    if re.search(r"\btrue\b.{0,12}\bfalse\b", slots.text, _I):
        return whole(r"(?i:true|false)[.]?", "true or false alone")
    return whole(rf"{_YES_NO}[.!]?", "yes or no alone") if re.search(r"\byes\b.{0,12}\bno\b", slots.text, _I) else None


def _one_fence(slots: Slots) -> Any | None:
    """More is said than how many code blocks there are."""
    alone = r"nothing|around|outside|alone|lone|no (?:other )?text|only|whole|just|before|all of"
    if has(slots, "per|each|every|last") or not has(slots, alone):
        return None
    fence = c.Matches(pattern=r"(?s)\A\s*```.*```\s*\z", finds="a fence and nothing else")
    return both(c.Count(unit="fences", least=1, most=1), fence)


_ALONE = (
    r"only|just|nothing|alone|bare|plain|answer|reply|respond|response|output|say|single|no words|no explanation"
    r"|one word|entire|whole|all (?:that )?we|anything (?:except|to)|no further"
)
_INTEGER = r"[-+]?\d+"
_NUMBER = r"[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
_YES_NO = r"(?i:yes|no)"
FAMILIES: tuple[Family, ...] = (
    told("yes_no.only", "yes or no, true or false, and nothing else", _yes_no),
    told("number.only", "a number and nothing else", _number),
    told("label.whole", "one of {terms} and nothing else", _label),
    told("label.several", "some of {terms} between commas", _labels),
    told(
        "label.exact",
        "the answer is {terms} and nothing else",
        where(r"reply|answer|output|respond|response|say|print|write|return|send", _exact, r"tags?"),
    ),
    told(
        "yes_no.first",
        "yes or no first",
        where(
            r"yes or (?:a )?no|.yes. or .no.|yes",
            always(lambda: c.Matches(pattern=rf"\A\s*[\"“*_]*{_YES_NO}(?:\W|\z)", finds="yes or no first")),
            r"sure",
        ),
    ),
    Family("letter.only", "one letter and nothing else", _letter),
    told(
        "only.fence",
        "one code fence and nothing else",
        where(r"code|fence|fenced|block", _one_fence, r"no code fences?|no quotes|no fences?"),
    ),
)
