"""Dates as ``git log --since`` takes them. git itself takes any text: what it does not understand means "now"."""

from __future__ import annotations

import re

from retrieval.errors import UserError

_NUMBER = re.compile(
    r"@?\d[\d:/+-]*(?:T[\d:]+)?(?:Z|[+-]\d{2}:?\d{2})?|[+-]\d{4}|\d+(?:st|nd|rd|th|am|pm)", re.IGNORECASE
)
_ALONE = frozenset(["now", "today", "yesterday", "noon", "midnight", "tea", "never"])
_UNITS = frozenset(["second", "minute", "hour", "day", "week", "fortnight", "month", "year"])
_COUNTS = frozenset(["a", "an", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "last"])
_JOINING = frozenset(["ago", "at", "on", "of", "the", "and", "am", "pm", "utc", "gmt", "z"])
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_LEAST = 3  # letters of a month or a weekday that git needs


def check_since(text: str) -> None:
    """Raises UserError for a text that git would silently take for the present moment; "" is no limit."""
    if not text.strip():
        return
    words = [word.lower() for word in re.split(r"[\s,._]+|(?<=\d)-(?=[A-Za-z])|(?<=[A-Za-z])-(?=\d)", text) if word]
    kinds = [_kind(word) for word in words]
    anchored = {"alone", "number", "day", "month"} & set(kinds) or ("count" in kinds and "unit" in kinds)
    if not words or "" in kinds or not anchored:
        raise UserError(f"--since {text[:60]!r} is no date.", "Write --since 2025-01-31, or --since '3 months ago'.")


def _kind(word: str) -> str:
    for kind, known in (("alone", _ALONE), ("count", _COUNTS), ("unit", _UNITS), ("joining", _JOINING)):
        if word in known or (kind == "unit" and word.removesuffix("s") in known):
            return kind
    if _NUMBER.fullmatch(word):
        return "number"
    for kind, names in (("month", _MONTHS), ("day", _DAYS)):
        if len(word) >= _LEAST and any(name.startswith(word) for name in names):
            return kind
    return ""
