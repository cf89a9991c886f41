"""Which of two terms comes first, whichever a sentence names first: "B comes after A", "never put B before A"."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_BEFORE = (
    r"\b(?:before|ahead of|above|preced\w+|earlier than|less than|smaller than|prior to|followed by|then"
    r"|(?:after|behind|below) (?:it|that|this|which|them))\b"
)
_AFTER = re.compile(
    r"\b(?:after|behind|below|beneath|later than|greater than|larger than|more than|higher than|follows?|following)\b",
    _I,
)
_EITHER = re.compile(rf"{_BEFORE}|{_AFTER.pattern}", _I)
_OPENS = re.compile(r"\b(before|ahead of|prior to|above|after|behind|below)\s+(?:the |any |each |every )*\W*$", _I)
_DENIES = re.compile(r"\b(?:not|never|cannot|no|rejects?|refuses?|forbidden|invalid)\b|n['’]t\b", _I)


def is_swapped(text: str, first: str, second: str) -> bool:
    """Whether the second of the terms, as they stand in the text, is to come before the first."""
    shown = re.search(rf"(?<!\w){re.escape(first)}(?!\w)", text)
    ahead, rest = (text[: shown.start()], text[shown.end() :]) if shown else ("", text)
    ahead = re.split(r"[,;:.]\s", ahead)[-1]  # what another clause denies is no matter
    between = re.split(rf"(?<!\w){re.escape(second)}(?!\w)", rest)[0]
    said = _EITHER.search(between)
    opens = None if said is not None else _OPENS.search(ahead)
    if said is None and opens is None:
        return False
    denied = len(_DENIES.findall(ahead + between)) % 2 == 1
    if opens is not None:  # "before A there is B"
        return (_AFTER.search(opens[0]) is None) != denied
    return (said is not None and _AFTER.fullmatch(said[0]) is not None) != denied
