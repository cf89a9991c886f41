"""Families of answers that are one word, one number, one thing and nothing else."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.said import alternatives, always, any_case, both, has, has_places, told, where, whole
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE


def _label(slots: Slots) -> Any | None:
    """One of several words, or the one word that is quoted."""
    names_a_field = slots.terms and re.match(r"[\"`'“]?\w+[\"`'”]?(?: \(\w+\))?:", slots.text)
    if not slots.named or names_a_field or has_places(slots) or has(slots, _PARTS):
        return None
    if len(slots.named) > 1:
        return whole(rf"{any_case(slots)}(?:{alternatives(slots.named)})", "one of the labels alone")
    term = slots.named[0]
    given = r"reply|answer|output|respond|response|say|print|write|return|send|just the word"
    alone = has(slots, given) and has(slots, _ALONE_ONE)
    quoted = re.search(rf"[\"'`“]{re.escape(term)}", slots.text) or term.isupper()
    if not alone or not quoted or not re.search(r"\w", term) or re.fullmatch(r"<.*>", term):
        return None
    return whole(rf"[\"“`]?{re.escape(term)}[\"”`]?", "that text alone")


_PARTS = (
    r"includes?|contains?|mentions?|keys|fields|sections?|never|ends? (?:with|the)|after the|answer after|objects?"
    r"|questions? with|sentence|language|not even"
)
_ALONE_ONE = (
    r"only|exactly|nothing|just|alone|not (?:a|one) word|all that|literal|by itself|single word|without|whole"
    r"|is the word|and stop|bare|reply is|no more|(?:full|whole) (?:answer|response|reply|output) is"
)


def _labels(slots: Slots) -> Any | None:
    if len(slots.named) < 2:
        return None
    one = f"(?:{alternatives(slots.named)})"
    return whole(rf"{any_case(slots)}{one}(?:\s*,\s*{one})*", "labels of the list, between commas")


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
    if any(not re.fullmatch(r"[\d.,%$€£#]+", term) for term in slots.terms):
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
    alone = r"nothing|around|outside|alone|lone|no (?:other )?text|only|whole|just|before|all of|everything|entire"
    alone += r"|complete|not a word|consists of"
    if has(slots, "per|each|every|last") or not has(slots, alone):
        return None
    fence = c.Matches(pattern=r"(?s)\A\s*```.*```\s*\z", finds="a fence and nothing else")
    return both(c.Count(unit="fences", least=1, most=1), fence)


_ALONE = (
    r"only|just|nothing|alone|bare|plain|answer|reply|respond|response|output|say|single|no words|no explanation"
    r"|one word|entire|whole|all (?:that )?we|anything (?:except|to)|no further|everything else out"
)
_INTEGER = r"[-+]?\d+"
_NUMBER = r"[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
_YES_NO = r"(?i:yes|no)"
FAMILIES: tuple[Family, ...] = (
    told("label.whole", "{terms}, or one of them, and nothing else", _label),
    told(
        "yes_no.only",
        "yes or no, true or false, and nothing else",
        where(r"yes|true", _yes_no, r"followed|then|reasoning|reasons?"),
    ),
    told(
        "number.only",
        "a number and nothing else",
        where(r"numbers?|integers?|figure|numeric|percentages?|decimals?|whole number|count|amount|value", _number),
    ),
    told("label.several", "some of {terms} between commas", _labels),
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
        where(r"code|fence|fenced|block", _one_fence, r"no code fences?|no quotes|no fences?|counted|below"),
    ),
)
