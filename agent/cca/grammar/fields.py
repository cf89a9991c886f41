"""Demands on fields in set phrases: the values of one, how keys are spelled, which there are and no others."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_GIVES = r"(?:answer|respond|reply|return|output|give|provide|write|print|produce|generate|create)"


def where_json(properties: dict[str, Any]) -> Any:
    """Where the answer is JSON, an object or an array of such, the properties that are there are of these schemas."""
    of_object = {"type": "object", "properties": properties}
    schema = {"anyOf": [of_object, {"type": "array", "items": of_object}]}
    return c.When(condition=c.Valid(format="json"), then=c.Schema(schema=schema))


_VALUES = re.compile(
    r"^(?:the )?(?:value (?:of|for) (?:the )?)?§(?: (?:field|key|value|property|attribute))? (?:must|should|shall"
    r"|can only|may only|has to|needs to) (?:always )?(?:be|have|contain|take|equal)\b(?: (?:either|exactly|only|one"
    r"|of|the|following|values?|any|these|strings?|options?))*:? ?(§(?:\s?,?\s?(?:or |and )?§)+)[ .]*$",
    _I,
)


def values_of_field(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``"severity" must be either "low" or "high"``: where the answer is JSON, that field holds one of them."""
    found = _VALUES.match(masked)
    if found is None or len(terms) != masked.count("§") or not re.fullmatch(r"[A-Za-z_][\w-]*", terms[0].text):
        return None
    values = [each.text for each in terms[1:]]
    return where_json({terms[0].text: {"enum": values}})


_KEY_CASE = re.compile(
    r"^(?:(?:all|the|your|use|write|format|json|in|top-level) )*(?:(?P<case1>snake[_ ]?case|camel[_ ]?case) (?:for|in)"
    r" (?:(?:all|the|your) )*json keys|(?:json )?keys(?: in (?:the )?json)? (?:(?:must|should|shall|are|be|have"
    r"|always|written|use|to|all) )*(?:in )?(?P<case2>snake[_ ]?case|camel[_ ]?case))[ .]*$",
    _I,
)


def case_of_keys(masked: str) -> Any | None:
    found = _KEY_CASE.match(masked)
    if found is None:
        return None
    snake = (found["case1"] or found["case2"]).lower().startswith("snake")
    wrong = r"\"[^\"\n]*[A-Z\- ][^\"\n]*\"\s*:" if snake else r"\"(?:[^\"\n]*[_\- ][^\"\n]*|[A-Z][^\"\n]*)\"\s*:"
    return c.When(condition=c.Valid(format="json"), then=c.Matches(pattern=wrong, least=0, most=0))


_BEYOND = re.compile(
    r"\bjson\b[^§]{0,40}\b(?:not|never|no|n['’]t)\b[^§]{0,30}\b(?:additional|other|extra|further|more|any) (?:keys?"
    r"|fields?|properties) (?:besides|except(?: for)?|other than|than|beyond|apart from) (§(?:\s?,?\s?(?:or |and )?§)*)"
    r"[ .]*$",
    _I,
)


def no_other_keys(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    found = _BEYOND.search(masked)
    if found is None or len(terms) != found[1].count("§") or not re.match(r"(?:the|your|return|output)\b", masked, _I):
        return None
    return c.Keys(keys=tuple(each.text for each in terms), only=True)


_BARE_KEYS = re.compile(
    rf"^(?:please |always )*{_GIVES}\b[^,;§]{{0,40}}?\bjson(?: (?:object|dict(?:ionary)?))? (?:with|containing|that has"
    r"|having) (?:(?:the|exactly|only|these|two|three|four|following) )*(?:keys|fields)(?: named| called)?:? "
    r"((?:[a-z][a-z0-9_]*, )*[a-z][a-z0-9_]*,? and [a-z][a-z0-9_]*)[ .]*$"
)
_NO_KEY = re.compile(r"\b(?:for|each|every|the|a|an|as|that|their|its|values?|your|in|of|with|no|not)\b")


def bare_keys(masked: str) -> Any | None:
    """``Return a JSON with keys score and reason``."""
    found = _BARE_KEYS.match(masked[:1].lower() + masked[1:].replace("JSON", "json"))
    if found is None or _NO_KEY.search(found[1]):
        return None
    return c.Keys(keys=tuple(name for name in re.split(r",? and |, ", found[1]) if name))
