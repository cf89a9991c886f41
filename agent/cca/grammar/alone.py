"""What says that nothing else may stand in the answer, and whether a clause holds nothing beside what was read."""

from __future__ import annotations

import re

from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.polarity import without_denials

_I = re.IGNORECASE
ONLY = re.compile(
    r"\b(?:only|just|solely|exclusively|purely|pure|raw|nothing (?:but|else|more|other than|except|besides)|and"
    r" nothing else|alone"
    r"|by itself|no other (?:text|languages?(?: (?:is|are) (?:allowed|permitted|acceptable))?|format|output|content"
    r"|words?)"
    r"|(?:no|without)(?: any)? (?:(?:additional|extra|other|surrounding|further|accompanying|introductory"
    r"|explanatory|leading|trailing|free-form|natural language) )*(?:text|prose|commentary|comments|explanations?"
    r"|words|content"
    r"|notes|output|preambles?|characters|narration|wrapping|information)(?: (?:before|after|around|outside"
    r"|or) [\w ]{1,30})?)\b",
    _I,
)


def is_light(text: str, *also: re.Pattern[str]) -> bool:
    for pattern in also:
        text = pattern.sub(" ", text)
    return leaves_nothing(without_denials(text))
