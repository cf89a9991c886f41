"""Families of dates and times."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.kit import never, none, wants
from agent.cca.scoped.kinds import DATE, TIME

_I = re.IGNORECASE
_LONG = "January|February|March|April|May|June|July|August|September|October|November|December"
_SHORT = r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_FORMS: dict[str, str] = {
    "iso": r"\b\d{4}-\d{2}-\d{2}\b",
    "ymd_slash": r"\b\d{4}/\d{1,2}/\d{1,2}\b",
    "slash": r"\b\d{1,2}/\d{1,2}/\d{2,4}\b",
    "dot": r"\b\d{1,2}\.\d{1,2}\.\d{2,4}\b",
    "dash": r"\b\d{1,2}-\d{1,2}-\d{4}\b",
    "day_month": rf"\b\d{{1,2}} (?:{_LONG})\b",
    "day_th_month": rf"\b\d{{1,2}}(?:st|nd|rd|th)(?: of)? (?:{_LONG}|{_SHORT})\b",
    "day_short": rf"\b\d{{1,2}} (?:{_SHORT})\b",
    "month_day": rf"\b(?:{_LONG}) \d{{1,2}}\b",
    "month_day_th": rf"\b(?:{_LONG}|{_SHORT})\.? \d{{1,2}}(?:st|nd|rd|th)\b",
    "short_day": rf"\b(?:{_SHORT})\.? \d{{1,2}}\b",
}
_WITHOUT_YEAR = ("day_month", "day_th_month", "day_short", "month_day", "month_day_th", "short_day")
"""A date without its year cannot be written in digits: it breaks no demand of such a form."""
_NAMED: tuple[tuple[str, str], ...] = (
    (r"\biso(?:[ -]?8601)?\b|\byyyy-mm-dd\b|\b\d{4}-\d{2}-\d{2}\b|\byear-month-day\b", "iso"),
    (r"\byyyy/mm/dd\b|\b\d{4}/\d{2}/\d{2}\b", "ymd_slash"),
    (r"\bdd/mm/yy(?:yy)?\b|\bmm/dd/yy(?:yy)?\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b", "slash"),
    (r"\bdd\.mm\.yy(?:yy)?\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b", "dot"),
    (r"\b(?:dd|mm)-(?:mm|dd)-yyyy\b|\b\d{1,2}-\d{1,2}-\d{4}\b", "dash"),
    (rf"\b\d{{1,2}} (?:{_LONG})\b|\bd{{1,2}} mmmm\b|\bday,? month(?: \w+){{0,3}},? (?:and )?year\b"
     r"|\bday (?:first|before the month|then month)\b|\bday month year\b", "day_month"),
    (rf"\b(?:{_LONG}) \d{{1,2}},? \d{{4}}\b|\bmmmm d{{1,2}}\b|\bmonth,? day,? (?:and |then )?year\b"
     r"|\bmonth (?:first|before the day)\b", "month_day"),
)  # fmt: skip
_AGAINST = re.compile(r"(?:\b(?:not|never|instead of|rather than|no)\b|n['’]t)[^;.]*", _I)


def _form(s: Slots) -> Any | None:
    """Dates of any other known form are refused; a form of the same order is not."""
    if len([term for term in s.terms if term.isidentifier()]) > 1:
        return None  # fields of data
    text = _AGAINST.sub(" ", s.text)
    found = [form for words, form in _NAMED if re.search(words, text, _I)]
    if len(found) != 1:
        return None
    numeric = found[0] not in ("day_month", "month_day")
    others = [
        rf"(?:{pattern}),? \d{{4}}\b" if numeric and form in _WITHOUT_YEAR else pattern
        for form, pattern in _FORMS.items()
        if form != found[0]
    ]
    return none("|".join(others), f"dates of another form than {found[0]}")


_ZONE = r"(?:Z|UTC|GMT|CET|CEST|EST|EDT|PST|PDT|BST|ET|PT|CT|[+-]\d{2}:?\d{2}|local time)"
SHORT_MONTH = rf"\b\d{{1,2}} (?:{_SHORT})\b|\b(?:{_SHORT})\.? \d{{1,4}}\b"
TWELVE = r"(?i)\b\d{1,2}(?:[:.]\d{2})? ?(?:am|pm|a\.m\.|p\.m\.)|\b\d{1,2} o['’]clock\b"
TWENTY_FOUR = r"\b(?:1[3-9]|2[0-3]):[0-5]\d\b|\b0\d:[0-5]\d\b"
_RELATIVE = (
    r"(?i)\b(?:today|yesterday|tomorrow|recently|nowadays|currently|(?:last|next|this) (?:week|month|year|monday"
    r"|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|quarter|weekend)|(?:a few|two|three|several|\d+) (?:days|weeks"
    r"|months|years)"
    r" ago|the other day|these days)\b"
)
_WEEKDAY = r"\b(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)s?\b"


def _zoned(s: Slots) -> Any:
    part = c.Part(kind="match", pattern=r"\b\d{1,2}:\d{2}(?::\d{2})?", behind=14)
    return c.Each(part=part, check=c.Matches(pattern=rf"\d ?(?:[ap]m )?\(?{_ZONE}", finds="time zone"))


FAMILIES: tuple[Family, ...] = (
    Family("date.form", "dates in the form that is named", _form, takes_terms=True),
    never("date.none", "no dates", rf"{DATE}|\b\d{{1,2}} (?:{_LONG})\b|\b(?:{_LONG}) \d{{1,2}}\b", "dates"),
    wants("date.present", "a date", rf"{DATE}|\b\d{{1,2}} (?:{_LONG})\b|\b(?:{_LONG}) \d{{1,2}}\b", "a date"),
    never("date.relative_none", "no dates that depend on today", _RELATIVE, "relative dates", terms=True),
    never("date.numeric_none", "no dates in digits alone",
          "|".join(_FORMS[form] for form in ("iso", "ymd_slash", "slash", "dot", "dash")),
          "dates in digits", terms=True),
    never("weekday.none", "no days of the week", _WEEKDAY, "days of the week", terms=True),
    never("year.none", "no years", r"\b(?:19|20)\d{2}\b", "years", terms=True),
    Family("year.long", "years have four digits",
           lambda s: none(r"\b\d{1,2}/\d{1,2}/\d{2}\b|\b\d{1,2}\.\d{1,2}\.\d{2}\b|['’]\d{2}\b", "short years"),
           takes_terms=True),
    Family("time.zone", "times with their zone", _zoned, takes_terms=True),
    Family("time.colon", "hours and minutes are parted by a colon",
           lambda s: c.Each(part=c.Part(kind="match", pattern=TIME),
                            check=none(r"\d[.h]\d", "times without a colon", "answer")), takes_terms=True),
)  # fmt: skip
