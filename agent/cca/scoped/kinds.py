"""Values that are known wherever they stand: dates, times, sums of money, percentages, temperatures, numbers, codes."""

from __future__ import annotations

from dataclasses import dataclass

MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = (
    rf"\b{_DAY}(?: of)? {MONTH},? \d{{4}}\b|\b{MONTH} {_DAY},? \d{{4}}\b|\b\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b"
    r"|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{4}\b|\b\d{1,2}/\d{1,2}/\d{2}\b"
)
TIME = (
    r"\b\d{1,2}:\d{2}(?::\d{2})?(?: ?(?:[ap]m\b|[ap]\.m\.))?|\b\d{1,2}[.h]\d{2} ?(?:[ap]m\b|[ap]\.m\.)"
    r"|\b\d{1,2} ?(?:[ap]m\b|[ap]\.m\.)"
    r"|\b\d{1,2} o['’]clock\b|\b\d{1,2}h\d{2}\b"
)
_AMOUNT = r"\d+(?:[.,' ]\d{3})*(?:[.,]\d+)?"
MONEY = (
    rf"(?:US|C|A)?[€$£¥] ?{_AMOUNT}|\b{_AMOUNT} ?(?:€|£|\$|euros?\b|dollars?\b|pounds?\b|cents?\b|pence\b"
    rf"|EUR\b|USD\b|GBP\b"
    rf"|CHF\b|c\b)|\b(?:EUR|USD|GBP|CHF) ?{_AMOUNT}"
)
PERCENTAGE = rf"\b{_AMOUNT} ?(?:%|per ?cent\b|percent\b|pct\b)"
TEMPERATURE = r"[-−]?\b\d+(?:[.,]\d+)? ?(?:°|º|degrees?\b|deg\b)(?: ?(?:[CFK]\b|Celsius|Fahrenheit))?"
DECIMAL = r"\b\d+[.,]\d+\b"


@dataclass(frozen=True, slots=True)
class Kind:
    """``words``: how it is named; ``pattern``: RE2 of all the ways in which such a value is written."""

    name: str
    words: str
    pattern: str


KINDS = (
    Kind("date", r"(?:calendar |full )?dates?", DATE),
    Kind("time", r"(?:clock )?times?(?: of (?:the )?day)?|opening (?:times|hours)", TIME),
    Kind(
        "money",
        r"(?:(?:money|monetary|currency) )?amounts?(?: of money)?|prices?|sums?(?: of money)?|fees?|fines?"
        r"|costs?"
        r"|currency values?",
        MONEY,
    ),
    Kind("percentage", r"percentages?(?: (?:figures|values))?|per ?cents?", PERCENTAGE),
    Kind("temperature", r"(?:oven |air |water )?temperatures?", TEMPERATURE),
    Kind("decimal", r"decimal (?:numbers?|fractions?|values?)|decimals", DECIMAL),
    Kind("version", r"(?:release )?version(?: numbers?|s)|release numbers?", r"\bv?\d+\.\d+(?:\.\d+)*\b"),
    Kind("url", r"urls?|web addresses|bare links", r"\bhttps?://[^\s)>\]\"']+"),
)
BY_NAME = {kind.name: kind for kind in KINDS}
