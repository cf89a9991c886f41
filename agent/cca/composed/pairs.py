"""Markers that come in pairs: ``[Start of Rating] … [End of Rating]``, ``[ENTITIES] … [/ENTITIES]``."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c

_I = re.IGNORECASE
_MARK = re.compile(r"\[(?P<name>/?[A-Za-z][\w ]{2,40})\]")
_TOLD = re.compile(
    r"\b(?:between|within|inside|in|with|by|using|format|form|enclosed|wrapped|structure|template"
    r"|formato)\b[^\[\]]{0,60}$",
    _I,
)
_GIVES = re.compile(
    r"\b(?:answer|return|respond|reply|output|give|provide|write|put|wrap|enclose|place|present|format|responde|the"
    r" (?:final )?"
    r"(?:answer|response|output|format))\b",
    _I,
)
_NOT = re.compile(
    r"\b(?:if|when|unless|given|input|is in|are in|enclosed text|can|may|not|never|without|example|e\.g)\b", _I
)


def pairs(text: str) -> Any | None:
    """Each pair stands in the answer, in order, with something between its marks."""
    marks = list(_MARK.finditer(text))
    if len(marks) < 2 or len(marks) % 2 or len(marks) > 12:
        return None
    lead = text[: marks[0].start()]
    if not _TOLD.search(lead) or not _GIVES.search(lead) or _NOT.search(lead):
        return None
    couples = list(zip(marks[::2], marks[1::2], strict=True))
    if not all(_closes(first["name"], second["name"]) for first, second in couples):
        return None
    pattern = ".*?".join(rf"{re.escape(first[0])}.*?{re.escape(second[0])}" for first, second in couples)
    return c.Matches(pattern=f"(?s){pattern}", finds=f"{marks[0][0][:30]} … {marks[-1][0][:30]}")


def _closes(first: str, second: str) -> bool:
    one, other = first.lower(), second.lower()
    return (
        other
        in (
            f"/{one}",
            one.replace("start", "end"),
            one.replace("begin", "end"),
            one.replace("beginning", "end"),
            one.replace("open", "close"),
        )
        and one != other
    )
