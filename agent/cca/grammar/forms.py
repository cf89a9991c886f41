"""Words of which the set phrases of demands are made, and how a sentence is held against such phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.features import FEATURES, wanted
from agent.cca.grammar.limits import NUMBERS

_I = re.IGNORECASE
Maker = Callable[[re.Match[str], tuple[str, ...]], Any]
Form = tuple[re.Pattern[str], Any]
"""A phrase from its first to its last word, quoted terms masked by "§"; its check, or a maker of it."""
NO = r"(?:please )?(?:do not|don['’]t|never|avoid|you must not|you must never|refrain from)(?: ever)?"
ANSWER = (
    r"(?:(?:the|your|each|every|all|any|its|our|final|whole|entire) )*(?:answers?|responses?|repl(?:y|ies)|outputs?"
    r"|messages?|text|reports?|summar(?:y|ies))"
)
MUST = r"(?:(?:must|should|shall|has to|have to|needs? to|is to|are to|always|also) )*"
ALWAYS = r"(?:please |always |you must |you should |make sure to |and |then |finally,? )*"
END = r"[ .!]*$"
_N = "|".join(sorted((n for n in NUMBERS if " " not in n), key=len, reverse=True))
NUMBER = rf"(\d{{1,4}}|{_N})"
_NAMED = {each.name: each for each in FEATURES}
_MAX_CHARS = 200


def form(pattern: str, made: Any) -> Form:
    return re.compile(pattern, _I), made


def none_of(name: str) -> Any:
    """No feature of that name."""
    return wanted(_NAMED[name], "", None, 0)


def some(name: str, least: int = 1) -> Any:
    return wanted(_NAMED[name], "", least, None)


def never(pattern: str, finds: str, within: Any = "prose") -> Any:
    return c.Matches(pattern=pattern, least=0, most=0, within=within, finds=finds)


def read_form(forms: Sequence[Form], masked: str, values: tuple[str, ...]) -> Any | None:
    """The check of the first of ``forms`` that ``masked`` is; None where it is none of them."""
    text = masked.strip(" *|-•")
    if len(text) > _MAX_CHARS:
        return None
    for pattern, made in forms:
        found = pattern.match(text)
        if found is not None and ("n" not in pattern.groupindex or found["n"]):
            return made(found, values) if callable(made) else made
    return None
