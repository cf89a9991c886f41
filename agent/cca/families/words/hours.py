"""Families of how times of day, dates, days of the week, decades and centuries are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.direction import choose
from agent.cca.families.words.kit import none

_I = re.IGNORECASE
_LONG = "January|February|March|April|May|June|July|August|September|October|November|December"
_NOT_WORDS = _LONG.replace("|March", "").replace("|May", "")
_SHORT = r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_YEAR = r"(?:1[5-9]|20)\d\d"
Way = tuple[str, str, str]
SPELLED = r"\bspell\w*(?:(?: [\w-]+){0,4}? out\b)?|\b(?:writ\w+|wrote)(?: [\w-]+){0,4}? out\b|\bin full\b"
_LEFT_OUT = re.compile(
    r"\b(?:dropped|omitted|left out|left off|removed|skipped|lost|unused|unwelcome|not (?:used|wanted|needed"
    r"|allowed))\b",
    _I,
)
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\"])\. (?=[A-Z][a-z]+ )")


TWICE = re.compile(
    r"(?:\b(?:not|never|no)\b|n['’]t\b)[^.;:]{0,40}?"
    r"\b(?:omit\w*|miss\w*|leave out|left out|drop\w*|skip\w*|without|lack\w*|forget|forgotten|mask\w*|hid\w*)\b",
    re.IGNORECASE,
)
"""Two denials, which demand."""


def way_of(text: str, names: Mapping[str, str]) -> str | None:
    """``choose``, which also knows what is left out, and that a denial ends with its sentence."""
    return choose(_SENTENCE_END.sub("; ", _LEFT_OUT.sub("forbidden", text)), names)


def either_way(id: str, says: str, ways: Mapping[str, Way], about: str = "") -> Family:
    """A demand for one of two ways. ``ways``: for each its names, the pattern of what it refuses, what that is.

    ``about``: what a sentence has somewhere that speaks of it.
    """
    names = {name: words for name, (words, _, _) in ways.items()}

    def make(s: Slots) -> Any | None:
        way = way_of(s.text, names) if re.search(about, s.whole, _I) else None
        return None if way is None else none(ways[way][1], ways[way][2])

    return Family(id, says, make, takes_terms=True)


_DOTTED = r"(?-i:\b[ap]\.m\.)|(?-i:\b[AP]\.M\.)"
_LOWER = r"(?-i:(?:\b|\d)[ap]m\b)|\blower[- ]?case\b|\bsmall letters\b"
_UPPER = r"(?-i:(?:\b|\d)[AP]M\b)|\bcapitals?\b|\bcaps\b|\bupper[- ]?case\b"
_ALL_THREE = {"dotted": _DOTTED, "lower": _LOWER, "upper": _UPPER}
_STOPS = re.compile(r"\b(?:periods?|full stops?|dots?|points?|stops)\b", _I)
_NO_STOPS = re.compile(
    r"\b(?:no|not|never|without|drop|omit|skip|lose|leave out|leave off|free of|minus)\b[^;:.]{0,30}?"
    r"\b(?:periods?|full stops?|dots?|points?|stops)\b|\bun(?:dotted|punctuated)\b",
    _I,
)
_MERIDIEM = r"\d ?(?:a\.m\.?|p\.m\.?|A\.M\.?|P\.M\.?|am\b|pm\b|AM\b|PM\b)"
_REFUSED = {
    "dotted": r"\d ?(?:[AaPp]m|[AP]M)\b",
    "lower": r"\d ?(?:[AP]M\b|[ap]\.m\b|[AP]\.M\b)",
    "upper": r"\d ?(?:[ap]m\b|[ap]\.m\b|[AP]\.M\b)",
    "bare": r"\d ?(?:[ap]\.m\b|[AP]\.M\b)",
}


def _meridiem(s: Slots) -> Any | None:
    """``a.m.``, ``am`` or ``AM``, behind a number; where only stops are spoken of, in either case."""
    text = s.text
    if not re.search(r"(?-i:(?:\b|\d)(?:am|pm|AM|PM|a\.m|p\.m|A\.M|P\.M)\b)|\bmeridiems?\b", text):
        return None
    if _NO_STOPS.search(text):
        upper = re.search(_UPPER, text, _I) and not re.search(_LOWER, text, _I)
        way = "upper" if upper else "lower" if re.search(_LOWER, text, _I) else "bare"
    else:
        chosen = way_of(text, _ALL_THREE)
        if chosen is None:
            return None
        way = "dotted" if _STOPS.search(text) and chosen != "upper" else chosen
        if way == "dotted" and not re.search(_DOTTED, text, _I) and not re.search(r"\bwith\b", text, _I):
            return None
    return none(_REFUSED[way], "am or pm in another form")


def _noon(s: Slots) -> Any | None:
    way = way_of(
        s.text, {"words": r"\bnoon\b|\bmidnight\b|\bmidday\b", "figures": r"\b12(?::00)? ?[ap]\.?m\b|\b0?0:00"}
    )
    if way != "words" or re.search(r"\b(?:before|after|until|by|at|from) (?:noon|midnight|midday)\b", bare_of(s), _I):
        return None
    return none(r"(?i)\b12(?::00)? ?(?:[ap]m|[ap]\.m)\b", "12 am or 12 pm")


def bare_of(s: Slots) -> str:
    """The sentence without what it quotes."""
    text = s.text
    for term in (*s.terms, *s.contrast):
        text = text.replace(term, " ")
    return text


_AT = r"(?i:\b(?:at|until|till|before|after|opens|closes)) "
_ZERO = (
    r"\b0[1-9]:\d\d|\bpad\w*(?: [\w-]+){0,8} zeros?\b|\bzeros?\b|\bpad\w*|\btwo[- ]digits?\b|\btwo digits\b"
    r"|\b2[- ]digits?\b"
)


def _hour(s: Slots) -> Any | None:
    """Hours with a leading zero, or without one."""
    if not re.search(r"\bhours?\b|\btimes?\b|\bclock\b", s.text, _I):
        return None
    way = way_of(s.text, {"padded": _ZERO, "bare": r"(?<![\d:])[1-9]:\d\d|\bone[- ]digit\b"})
    if way == "padded":
        return none(rf"{_AT}\d:[0-5]\d\b", "hours of one digit")
    return none(r"(?:^|[\s(–])0[1-9]:[0-5]\d(?:[^:\d]|$)", "hours with a zero") if way == "bare" else None


_DATE_IN_DIGITS = r"\b\d{1,2}([-/.])\d{1,2}[-/.]\d{4}\b"
_ANY_DIGITS = r"\b(?:\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{4}[-/]\d{1,2}[-/]\d{1,2})\b"
_PADS = r"\b0\d/|\bpad\w*(?: [\w-]+){0,8} zeros?\b|\b0\d\b|\bzeros?\b|\bpad\w*|\btwo[- ]digits?\b|\b2[- ]digits?\b"


def _padded(s: Slots) -> Any | None:
    """Days and months in digits with a leading zero, or without one."""
    if not re.search(r"\bdates?\b|\bdays?\b|\bmonths?\b", s.text, _I) or re.search(r"\bhours?\b", s.text, _I):
        return None
    way = way_of(
        s.text, {"padded": _PADS, "bare": r"(?<![\d/.-])[1-9][/.][1-9]?\d?[/.]|(?<![\d/.-])[1-9] (?:" + _LONG + ")"}
    )
    if way is None:
        return None
    if way == "padded":
        check = none(r"(?:^|[-/.])\d(?:[-/.]|$)", "days or months of one digit", "answer")
        return c.Each(part=c.Part(kind="match", pattern=f"({_ANY_DIGITS})"), check=check)
    months = rf"\b0[1-9](?:st|nd|rd|th)? (?:{_LONG}|{_SHORT})\b|\b(?:{_LONG}) 0[1-9]\b"
    return none(rf"\b0[1-9][/.]\d{{1,2}}[/.]\d{{4}}\b|\b\d{{1,2}}[/.]0[1-9][/.]\d{{4}}\b|{months}", "padded dates")


def _with_year(s: Slots) -> Any | None:
    """Day and month have a year behind them on their line."""
    if not re.search(r"\byears?\b", s.text, _I) or (
        re.search(
            r"\b(?:no|without|omit|drop|skip|never (?:the|a|with|state|give|write))\b(?! dates?\b"
            r"| day\b)[^.;,]{0,20}\byears?\b",
            s.text,
            _I,
        )
        and not re.search(
            r"\b(?:never|not?|don['’]t|do not)\b[^.;,]{0,40}\b(?:without|omit|drop|skip|lack\w*|leave)\b"
            r"|\bwithout\b[^.;]{0,30}\b(?:incomplete|not|never|wrong|useless|nothing|banned)\b",
            s.text,
            _I,
        )
    ):
        return None  # fmt: skip
    if re.search(r"\byears?\b[^.;]{0,20}\b(?:left out|omitted|dropped|superfluous|not (?:given|needed))\b", s.text, _I):
        return None
    days = (
        rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_LONG})|(?:{_NOT_WORDS}) \d{{1,2}}(?:st|nd|rd|th)?)\b"
        r"|\b(?:May|March) \d{1,2}(?:st|nd|rd|th|[.,;)]|$)"
    )
    return c.Each(
        part=c.Part(kind="match", pattern=days, behind=60), check=c.Matches(pattern=rf"\b{_YEAR}\b", finds="year")
    )


_HAS_COMMA = re.compile(r"\bcommas?\b", _I)


def _comma(s: Slots) -> Any | None:
    """A comma between day and year, or none."""
    if not _HAS_COMMA.search(s.text) or not re.search(r"\bdates?\b|\byears?\b", s.text, _I):
        return None
    near = re.search(
        r"(?:\b(?:no|not|never|without|omit|drop|skip|leave out|nor)\b"
        r"|n['’]t\b)[^.;:]{0,50}?\bcommas?\b",
        s.text,
        _I,
    )
    twice = near and re.search(
        r"(?:\b(?:not|never|no)\b|n['’]t\b).*\b(?:without|omit|drop|skip|leave out"
        r"|forget)\b",
        near[0],
        _I,
    )
    way = "without" if near and not twice else "with"
    if way == "with":
        return none(rf"\b(?:{_LONG}) \d{{1,2}} {_YEAR}\b", "dates without a comma")
    return none(rf"\b\d{{1,2}} (?:{_LONG}), {_YEAR}\b|\b(?:{_LONG}) \d{{1,2}}, {_YEAR}\b", "dates with a comma")


_DAY_NAMES = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_CENTURIES = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth"
    "|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty-first"
)
_APOSTROPHES = (
    rf"\b(?i:the|early|mid|late) (?:(?i:early|mid|late|the)[ -])*{_YEAR[:-2]}0['’]s\b"
    r"|\b(?i:the|early|mid|late) [1-9]0['’]s\b"
)
_ACRONYMS = r"\b(?i:many|several|few|two|three|four|five|these|those|multiple|various) [A-Z]{2,5}['’]s\b"


def _no_apostrophe(s: Slots) -> Any | None:
    """Decades and short forms in the plural, each where the sentence speaks of it, both of any plural."""
    if (
        TWICE.search(s.text)
        or not re.search(r"\bapostroph\w*|\d0s\b|\b[A-Z]{2,5}s\b", s.text)
        or re.search(r"\bpossessive\b", s.text, _I)
    ):
        return None
    refuses = re.search(r"\b(?:no|not|never|without|omit|drop|skip|leave|lose|avoid|free|nor|rather|instead)\b"
                        r"|n['’]t\b",
                        s.text, _I)  # fmt: skip
    decades = re.search(r"\bdecades?\b|\d0['’]?s\b|\byears\b", s.text, _I)
    short = re.search(r"\bacronyms?\b|\binitialisms?\b|\babbreviations?\b|\b[A-Z]{2,5}['’]?s\b", s.text)
    plurals = re.search(r"\bplurals?\b|\bpluralis|\bpluraliz", s.text, _I)
    if not refuses or not (decades or short or plurals):
        return None
    found = [*([_APOSTROPHES] if decades or not short else []), *([_ACRONYMS] if short or not decades else [])]
    return none("|".join(found), "plurals with an apostrophe")


FAMILIES: tuple[Family, ...] = (
    Family("time.meridiem", "am and pm in the form that is named", _meridiem, takes_terms=True),
    either_way("time.whole_hour", "full hours with their minutes, or without", {
        "full": (r"\b\d{1,2}:00\b|(?<![\d:]):00\b|\bminutes\b|\bzero(?:e?s)?\b|\bdouble zeros?\b",
                 r"(?i)(?:^|[^\d:.,$€£])\d{1,2} ?(?:[ap]m\b|[ap]\.m\b)", "full hours without minutes"),
        "short": (r"(?<![\d:])\d{1,2} ?[ap]\.?m\b", r"(?i)\b\d{1,2}:00 ?(?:[ap]m\b|[ap]\.m\b)", "full hours with :00"),
    }, r"\bhours?\b|:00|\bo['’]clock\b"),
    Family("time.noon", "noon and midnight, not 12 pm and 12 am", _noon, takes_terms=True),
    Family("time.hour_digits", "hours with a leading zero, or without", _hour, takes_terms=True),
    Family("date.padding", "days and months with a leading zero, or without", _padded, takes_terms=True),
    Family("date.with_year", "dates with their year", _with_year, takes_terms=True),
    Family("date.comma", "a comma between day and year, or none", _comma, takes_terms=True),
    either_way("weekday.form", "days of the week in full or cut short", {
        "full": (rf"\bin full\b|\bfull(?:y| names?)?\b|\b(?:spell\w*|writ\w+)(?: \w+){{0,5}} out\b|\bspelled out\b"
                 rf"|\bwritten out\b|\b(?:{_DAY_NAMES})\b|\bwhole (?:name|word)\b",
                 r"\b(?:Tues?|Thu(?:rs?)?|Fri)\b|\b(?i:on|every|until|till|by|next|last|this) (?:Mon|Wed|Sat)\b"
                 r"|\b(?:Mon|Wed|Sat|Sun)(?:\.,?|,) \d", "days cut short"),
        "short": (r"\babbreviat\w*|\bshort\w*|\bthree[- ]letters?\b|\bthree letters\b|\bthree characters\b"
                  r"|(?-i:\b(?:Mon|Tues?|Wed|Thu(?:rs)?|Fri|Sat|Sun)\b)",
                  rf"\b(?:{_DAY_NAMES})s?\b", "days in full"),
    }, r"\bweekdays?\b|\bdays?\b|day\b"),
    either_way("century.form", "centuries in words or in digits", {
        "words": (rf"{SPELLED}|\bin words\b|\bwords\b|\b(?:writ\w+)(?: \w+){{0,3}} out\b|\bin full\b"
                  rf"|\b(?:{_CENTURIES})[- ]centur\w+|\b(?:{_CENTURIES})\b",
                  r"\b\d{1,2}(?:st|nd|rd|th)?[ -]centur(?:y|ies)\b", "centuries in digits"),
        "digits": (r"\bdigits?\b|\bfigures?\b|\bnumerals?\b|\b\d{1,2}(?:st|nd|rd|th)[- ]centur\w+|\b\d{1,2}(?:st"
                   r"|nd|rd|th)\b",
                   rf"(?i)\b(?:{_CENTURIES.split('third|')[1]})[ -]centur(?:y|ies)\b", "centuries in words"),
    }, r"\bcentur(?:y|ies)\b"),
    Family("plural.no_apostrophe", "no apostrophe in plurals of decades and short forms", _no_apostrophe,
           takes_terms=True),
)  # fmt: skip
