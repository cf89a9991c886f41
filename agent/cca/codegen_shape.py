"""CodeGen: how single things are spelled. Forms shown by an example (``ABC-123``), dates, times, decimals."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.reading import NUMBER, Reading, number_of_word

_I = re.IGNORECASE
_SHOWN_AS = re.compile(
    r"\b(?:(?:in|of|using|with) the (?:form|format|style|shape|pattern)(?: of)?|look(?:s|ing)? like"
    r"|formatted (?:as|like)|written as"
    r"|such as|as in|like|as|e\.g\.,?|for example,?|for instance,?|form|format)[ :]{1,2}\(?",
    _I,
)
_GIVES = re.compile(
    r"\b(?:mention|includ|contain|cit|nam|giv|quot|stat|referenc|provid|need|ha[sv]e?|carr|add|rate|follow|show|end"
    r"|start|finish)\w*\b",
    _I,
)
_TOKEN = re.compile(r"[`\"“']([^`\"”'\n]{2,60})[`\"”']|(\[[^\]\n]{2,40}\])|([^\s`\"“',;()]{2,40})")
_EACH_THING = {
    "path": r"[\w./\\-]+", "file": r"[\w./\\-]+", "filename": r"[\w./\\-]+", "module": r"[\w./\\-]+",
    "line": r"\d+", "lines": r"\d+(?:-\d+)?", "number": r"\d+", "num": r"\d+", "start": r"\d+", "id": r"[\w-]+",
    "n": r"\d+", "nn": r"\d+", "nnn": r"\d+", "nnnn": r"\d+", "x": r"\d+", "y": r"\d+", "z": r"\d+", "xxx": r"\d+",
    "major": r"\d+", "minor": r"\d+", "patch": r"\d+",
    "yyyy": r"\d{4}", "mm": r"\d{2}", "dd": r"\d{2}", "hh": r"\d{2}", "ss": r"\d{2}",
}  # fmt: skip
_RUN = re.compile(r"v(?=[\dXxN]\b|[\dXN]\.)|[A-Za-z]+|\d+|[^A-Za-z\d]")


def shape_of(token: str) -> str:
    """An RE2 pattern for what is spelled like the token; "" where the token shows no form.

    Digits stand for digits, capitals for capitals, words like ``path`` and ``line`` for what they name.
    """
    parts, formal = [], False
    for run in _RUN.findall(token.strip(".")):
        named = _EACH_THING.get(run.lower()) if run.isalpha() else None
        if run == "v":
            parts.append("v")
        elif run.isdigit() or named:
            parts.append(named or (rf"\d{{{len(run)}}}" if len(run) > 2 and set(run) == {"0"} else r"\d+"))
            formal = True
        elif run.isalpha():
            parts.append(r"[A-Z][A-Z0-9]*" if run.isupper() else r"[A-Za-z_][\w/-]*")
        elif run == " ":
            parts.append(r"\s+")
        else:
            parts.append(re.escape(run))
    marked = any(not run.isalnum() and run != " " for run in _RUN.findall(token.strip(".")))
    return "".join(parts) if formal and marked and len(parts) <= 24 else ""


def example_form(reading: Reading) -> Any | None:
    """``Mention the ticket in the form ABC-123``: something of that form occurs."""
    text = reading.text
    if reading.negative or reading.code or not _GIVES.search(text):
        return None
    if re.search(
        r"\b(?:files?|branch(?:es)?|commits?|titles?|tags?|variables?|functions?) (?:must|should|names?|are)\b",
        text,
        _I,
    ):
        return None
    for match in _SHOWN_AS.finditer(text):
        token = _TOKEN.match(text, match.end())
        if token is None:
            continue
        pattern = shape_of(next(group for group in token.groups() if group))
        if pattern:
            return c.Matches(pattern=pattern)
    return None


def shows_example(text: str, before: int) -> bool:
    """Whether what stands at ``before`` only illustrates: ``e.g. `app.py:10` ``."""
    return (
        re.search(r"(?:\be\.g\.|\bfor example|\bfor instance|\bsuch as|\blike)[,:]?\s{0,2}\(?$", text[:before], _I)
        is not None
    )


_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_ISO = re.compile(r"\bYYYY-MM-DD\b|\bISO[- ]?8601\b|\bISO (?:date|format)", _I)
_NOT_ISO = (
    r"\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b\d{4}/\d{1,2}/\d{1,2}\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b|\b\d{1,2}-\d{1,2}-\d{4}\b"
    rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}\b|\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? \d{{4}}\b"
)
_TWELVE_HOURS = r"(?i)\b\d{1,2}(?::\d{2})? ?[ap]\.?m\b"


def dates(reading: Reading) -> Any | None:
    text = reading.text
    if reading.negative:
        return None
    if re.search(r"\bdates?\b", text, _I) and _ISO.search(text):
        return c.Matches(pattern=_NOT_ISO, least=0, most=0, within="prose")
    if re.search(r"\b24[- ]hour\b", text, _I) and re.search(r"\b(?:times?|clock)\b", text, _I):
        return c.Matches(pattern=_TWELVE_HOURS, least=0, most=0, within="prose")
    return None


_DECIMALS = re.compile(rf"\b{NUMBER} (?:decimals?|decimal places?|digits? after the (?:decimal )?point)\b", _I)
_WHOLE = re.compile(r"\bwhole (?:numbers?|percent\w*)\b|\bno decimals?\b|\bwithout decimals?\b", _I)


def decimals(reading: Reading) -> Any | None:
    """Percentages with so many decimals; numbers rounded to at most so many."""
    text = reading.text
    match = _DECIMALS.search(text)
    if match is None and not _WHOLE.search(text):
        return None
    number = number_of_word(match[1]) if match else 0
    if re.search(r"\bpercent(?:s|ages?)?\b|%", text, _I):
        wrong = [rf"\.\d{{{number + 1},}}\s?%"]
        if number:
            wrong.append(r"(?:^|[^\d.,])\d+\s?%")
        if number > 1:
            wrong.append(rf"\.\d{{1,{number - 1}}}\s?%")
        return c.Matches(pattern="|".join(wrong), least=0, most=0, within="prose")
    if match and re.search(r"\bround\w*\b|\bat most\b|\bno more than\b", text, _I):
        return c.Matches(pattern=rf"\d\.\d{{{number + 1},}}", least=0, most=0, within="prose")
    return None
