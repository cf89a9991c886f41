"""CodeGen: signs and marks in an answer's text. Quotes, brackets, bold, capitals, blanks, plain text."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.reading import OTHER_SUBJECT, Reading

_I = re.IGNORECASE
_CURLY = ("\u201c", "\u201d", "\u2018", "\u2019")
_BOLD = r"\*\*\S|__\S[^_\n]*__"
_ITALICS = r"(?:^|[\s(])\*[^\s*][^*\n]*\*|(?:^|[\s(])_[^\s_][^_\n]*_(?:[\s).,;:!?]|$)"
_CAPITALS = r"\b[A-Z]{2,}(?:[ ,:;!?'\"-]+[A-Z]{2,}){3,}|^[^a-z\n]*\b[A-Z]{5,}[ ,:;!-]+[A-Z]{4,}[^a-z\n]*$"
_BANNED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\btrailing (?:white[- ]?space|spaces|blanks)\b", _I), r"[ \t]+$"),
    (re.compile(r"\bparenthes[ei]s\b|\bparenthetical\w*|\bround brackets\b", _I), r"(?:^|[^\]])\([^)\n]"),
    (re.compile(r"\ball[- ]caps\b|\ball upper[- ]?case\b|\ball capital letters\b|\bshout\w*\b", _I), _CAPITALS),
    (re.compile(r"\bhash ?tags?\b", _I), r"(?:^|\s)#[A-Za-z]\w*"),
    (re.compile(r"\bhtml\b(?! (?:files?|pages?|templates?))", _I), r"</?[A-Za-z][^>\n]{0,200}>"),
    (re.compile(r"\b(?:consecutive|more than one|double|multiple) blank lines?\b", _I), r"\n[ \t]*\n[ \t]*\n"),
    (re.compile(r"\b(?:blank|empty) lines\b(?! (?:between|before|after|at|in))", _I), r"\n[ \t]*\n"),
    (re.compile(r"\b(?:block ?quotes?)\b", _I), r"^ {0,3}>\s?\S"),
    (re.compile(r"\bhorizontal rules?\b", _I), r"^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$"),
    (re.compile(r"\bimages?\b(?! (?:files?|names?))", _I), r"!\[[^\]\n]*\]\("),
    (re.compile(r"\bfootnotes?\b", _I), r"\[\^\w+\]"),
)
_EMPHASIS = re.compile(r"\b(?:bold(?:face|ed|ing)?|italics?|italici[sz]\w*|emphasis)\b(?! (?:for|only))", _I)
_PLAIN = re.compile(
    r"\b(?:no|without|avoid|(?:don['’]t|do not|never) use) (?:any )?(?:markdown|markup"
    r"|formatting)\b(?! (?:files?|tables?|headings?|lists?|links?|delimiters?|fenc\w+|code|blocks?|markers?"
    r"|backticks?|reports?|syntax errors))"
    r"|\bplain[- ]text(?: only)?\b(?! (?:files?|password))",
    _I,
)
_REFUSED = re.compile(r"\b(?:no|without|avoid|free of)\b[^.]{0,30}$", _I)


def signs(reading: Reading) -> Any | None:
    """Marks that an answer must do without. Prose is looked at, code where the document is about code."""
    text = reading.text
    straight = re.search(
        r"\bstraight (?:double |single )?quot\w+|\b(?:curly|smart|typographic\w*|fancy) quot\w+", text, _I
    )
    if straight:
        wants_straight = straight[0].lower().startswith("straight")
        if wants_straight or reading.negative or _denied(text, straight.start()):
            return c.Absent(terms=_CURLY, words=False, within="code" if reading.code else "prose")
        return None
    if reading.terms or re.search(r"\b(?:unless|except|files?|commits?|between|around|mix\w*|combin\w*)\b", text, _I):
        return None
    for pattern, wrong in _BANNED:
        match = pattern.search(text)
        if match and (reading.negative or _denied(text, match.start())):
            place: Any = "answer" if wrong.startswith((r"\n", r"[ \t]")) else "prose"
            if reading.code and wrong != r"[ \t]+$":
                return None
            return c.Matches(pattern=wrong, least=0, most=0, within="code" if reading.code else place)
    if reading.code:
        return None
    if _PLAIN.search(text) and not OTHER_SUBJECT.search(text):
        return c.AllOf(
            checks=(
                c.Count(unit="fences", most=0),
                c.Count(unit="headings", most=0),
                c.Matches(pattern=rf"{_BOLD}|\]\(|^ {{0,3}}#{{1,6}} ", least=0, most=0, within="prose"),
            )
        )
    match = _EMPHASIS.search(text)
    if match and (reading.negative or _denied(text, match.start())):
        wanted = [pattern for word, pattern in (("bold", _BOLD), ("ital", _ITALICS)) if word in text.lower()]
        return c.Matches(pattern="|".join(wanted or (_BOLD, _ITALICS)), least=0, most=0, within="prose")
    return None


def _denied(text: str, at: int) -> bool:
    return _REFUSED.search(text[:at]) is not None


def lower_case_terms(reading: Reading) -> Any | None:
    """``The terms `must` and `should` are written in lower case``."""
    if not reading.terms or reading.negative or reading.code:
        return None
    if not re.search(r"\b(?:in|written|be|are) (?:all )?lower[- ]?case\b", reading.text, _I):
        return None
    if not all(each.text.islower() for each in reading.terms):
        return None
    return c.Absent(terms=tuple(each.text.upper() for each in reading.terms), case=True, within="prose")


_QUANTITY = re.compile(
    r"\b(?:giv|report|stat|express|quot|measur|writ|show|convert)\w*\b[^.(]{0,60}\b(?:in"
    r"|to) (?:\w+ ){0,2}?([A-Za-z]+) \(([^\s()]{1,12})\)",
    _I,
)


def unit_named(reading: Reading) -> Any | None:
    """``Give temperatures in kelvin (K)``: where there is a number, one has the unit."""
    match = _QUANTITY.search(reading.text)
    if match is None or reading.negative or reading.code or len(match[2]) > 6:
        return None
    units = c.Numeric(units=(match[2], match[1]))
    return c.When(condition=c.Matches(pattern=r"\d", within="prose"), then=units)
