"""Data in lines, dates, lists of HTML, and what stands for a value that is missing: demands in set phrases."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_NOT_TOLD = re.compile(r"\b(?:if|when|unless|input|given|example|e\.g|tool|each time|or)\b", _I)
_ISO_DATES = re.compile(
    r"^(?:please |always |do not forget to |remember to |make sure to |be sure to |you must |and )*(?:(?:mention"
    r"|give|state|write|format|use|express|include|provide|put|show|print|report|return|output|render|convert"
    r"|specify)\b"
    r"(?![^.]*\b(?:field|key|column|parameter|argument|file|names?|query|tool|function|input)\b)|(?:all |any "
    r"|every |each |the )*(?:dates?|deadlines?|days?)\b)"
    r"(?=[^.]*\b(?:dates?|days?|when|deadlines?|timestamps?|birthdays?)\b)[^.;]{0,160}?\b(?:in|as|using|with|to|is"
    r"|be)(?: the)?(?: (?:iso )?(?:format|form|pattern))? ?[\"'`“(]?YYYY-MM-DD[\"'`”)]?(?: format| form)?[ .]*$",
    _I,
)
_NOT_ISO = (
    r"\b\d{1,2}/\d{1,2}/\d{2,4}\b|\b\d{4}/\d{1,2}/\d{1,2}\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b|\b\d{1,2}-\d{1,2}-\d{4}\b"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?,? \d{4}\b"
)


def iso_dates(text: str) -> Any | None:
    """``Mention when the next meeting is, in 'YYYY-MM-DD' format``: no date is written in another way."""
    if not _ISO_DATES.match(text) or re.search(r"\b(?:if|unless|or|may|can|not)\b(?<!do not)", text, _I):
        return None
    return c.Matches(pattern=_NOT_ISO, least=0, most=0, within="prose", finds="dates in another form")


_HTML = re.compile(
    r"\b(?:as|in|using|with|use|into) (?:an? |the )?(?:html (?P<kind>unordered list|ordered list|numbered list"
    r"|bullet(?:ed)? list|table|list)|(?P<kind2>unordered|ordered) html list)(?: elements?| tags?| markup)?[ .]*$",
    _I,
)


def html_list(text: str) -> Any | None:
    """``Write the details using unordered HTML list elements``."""
    found = _HTML.search(re.sub(r"\b(unordered|ordered) html list\b", r"html \1 list", text, flags=_I))
    if found is None or _NOT_TOLD.search(text) or re.search(r"\b(?:not|never|no|avoid)\b|n['’]t\b", text, _I):
        return None
    kind = (found["kind"] or "").lower()
    tag = {"table": "table", "list": "[uo]l", "ordered list": "ol", "numbered list": "ol"}.get(kind, "ul")
    return c.Matches(pattern=rf"(?is)<{tag}\b[^<>]*>.*</{tag}>")


_LINES = re.compile(
    r"\b(?:each|every|all) (?:output )?lines? (?:of (?:the |your )?(?:output|response|answer) )?(?:(?:must|should"
    r"|shall|has to|is|to|will|are) )*(?:be|contain|hold|parse as|contains|holds)?"
    r" ?(?:a |an |one |exactly one |single |separate |complete |valid |standalone |self-contained |well-formed "
    r"|own )*json(?: (?:object|value|document|record))?s?\b"
    r"|\b(?:one|a single|exactly one|a|each|every) (?:valid |complete )?json(?: (?:object|record|value))? (?:per"
    r"|on each|on every|on its own|on a separate|to a) line\b"
    r"|\b(?:as|in|using|valid|use|only) (?:the )?(?:json ?lines|jsonl|ndjson|newline[- ]delimited json)\b"
    r"|\b(?:output|format|response|answer|result)s? (?:(?:must|should|has to|is) )?(?:be )?:? ?(?:valid )?(?:json"
    r" ?lines|jsonl|ndjson|newline[- ]delimited json)\b",
    _I,
)
_OF_FILES = re.compile(r"\b(?:files?|dataset|input|read|load|parse|each row of the|logs?)\b|\.jsonl", _I)


def speaks_of_lines(text: str) -> bool:
    return (
        _LINES.search(text) is not None
        or re.search(
            r"\bjson ?lines\b|\bjsonl\b|\bndjson\b|\bper"
            r" line\b",
            text,
            _I,
        )
        is not None
    )


def json_lines(masked: str) -> Any | None:
    """``Each line must be a JSON object``, ``Output JSON Lines``."""
    found = _LINES.search(masked)
    if (
        found is None
        or _OF_FILES.search(masked)
        or re.search(
            r"\b(?:not|never|don['’]t|if|when|unless"
            r"|or)\b",
            masked,
            _I,
        )
    ):
        return None
    valid = c.Every(scope="line", check=c.Valid(format="json", whole=True))
    return c.When(condition=c.Count(unit="fences", most=0), then=valid)


_NULLS = re.compile(
    r"\bnull\b[^§]{0,60}\b(?:not|never|instead of|rather than|no|do not use|don['’]t use|and"
    r" not)\b[^§.]{0,40}(?P<rest>(?:§|(?:an |the )?empty strings?)(?:[,;]? ?(?:or |nor |and )?(?:the (?:string"
    r"|word)s? )?(?:§|(?:an |the )?empty strings?))*)",
    _I,
)
_MISSING = re.compile(
    r"\b(?:missing|unknown|unavailable|absent|not (?:found|known|available|present|given|stated"
    r"|mentioned)|could not|cannot|can['’]t|empty|no value|fields?|values?)\b",
    _I,
)


def null_values(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``Use null for what is missing, never "N/A" or an empty string``: in an answer that is JSON."""
    found = _NULLS.search(masked)
    if found is None or not _MISSING.search(masked) or masked[found.end() :].strip(" .!)"):
        return None
    first = masked[: found.start("rest")].count("§")
    banned = [re.escape(each.text) for each in terms[first : first + found["rest"].count("§")]]
    if re.search(r"empty strings?", found["rest"], _I):
        banned.append("")
    return c.When(
        condition=c.Valid(format="json"), then=c.Matches(pattern=rf":\s*\"(?i:{'|'.join(banned)})\"", least=0, most=0)
    )
