"""Conditions on a field: ``If "type" is "A", …``, ``… when `found` is false``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agent.cca.contract.names import Terms, name_at

_I = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class Condition:
    """The schemas that properties of an object satisfy where the demand holds."""

    where: dict[str, dict[str, Any]]


_WORD = r"(?:if|when|whenever|where|wherever|in case|in cases where|as long as|provided(?: that)?|whenever)"
_OPENS = re.compile(rf"{_WORD} ", _I)
_FOR = re.compile(r"for (?:an? |the |every |each |all )?", _I)
_IS = re.compile(
    r" (?:is (?P<not>not )?(?:(?:set|equal) to )?|(?P<not2>isn['’]t |is different from |differs from |is anything"
    r" but |!= ?)"
    r"|equals |== ?|= ?|has the value |is exactly |takes the value |was set to )(?:the value )?(?:an? |the )?",
    _I,
)
_VALUE = re.compile(
    r"(?P<json>true|false|null|-?\d+(?:\.\d+)?)(?![\w.])|['‘](?P<quoted>[^'’\n]{1,40})['’]"
    r"|(?P<bare>[A-Za-z][\w-]*)(?=\s*[,:]|\s*$)",
    _I,
)
_EMPTY = re.compile(r"(?:empty|an empty (?:list|array|string|object))(?![\w-])", _I)
_OR = re.compile(r",? or (?:if )?(?:it is )?(?=§)|, (?=§(?:, §){0,8},? or §,)", _I)
_THEN = re.compile(r"\s*[,:;]\s*(?:then )?|\s+then ,?", _I)
_JSON: dict[str, Any] = {"true": True, "false": False, "null": None}


def before(terms: Terms) -> tuple[Condition, Terms] | None:
    """A condition that opens the sentence, and what follows it."""
    opened = _OPENS.match(terms.text)
    made = _condition(terms, opened.end()) if opened else _of_kind(terms)
    if made is None:
        return None
    condition, end = made
    then = _THEN.match(terms.text, end)
    if then is None:
        return None
    return condition, Terms(*terms.cut(then.end(), len(terms.text)))


def after(terms: Terms) -> tuple[Condition, Terms] | None:
    """A condition that closes the sentence, and what stands before it."""
    for found in re.finditer(rf",? \b{_WORD} ", terms.text, _I):
        if re.search(r"\b(?:only|even|not|except|and|or)$", terms.text[: found.start()], _I):
            continue
        made = _condition(terms, found.end())
        if made and not terms.text[made[1] :].strip(" .!"):
            return made[0], Terms(*terms.cut(0, found.start()))
    return None


def _of_kind(terms: Terms) -> tuple[Condition, int] | None:
    """``For type "A", …``."""
    head = _FOR.match(terms.text)
    named = name_at(terms, head.end()) if head else None
    if named is None or terms.text[named[1] : named[1] + 2] != " §":
        return None
    value = terms.at[named[1] + 1].text
    return Condition({named[0].key: {"enum": _meant(value)}}), named[1] + 2


def _condition(terms: Terms, at: int) -> tuple[Condition, int] | None:
    named = name_at(terms, at)
    verb = _IS.match(terms.text, named[1]) if named else None
    if named is None or verb is None:
        return None
    schema, end = _compared(terms, verb.end(), named[0].sure)
    if not schema:
        return None
    if verb["not"] or verb["not2"]:
        schema = {"not": schema}
    return Condition({named[0].key: schema}), end


def _compared(terms: Terms, at: int, sure: bool) -> tuple[dict[str, Any], int]:
    """The schema of the value at ``at``; an empty one where none stands there."""
    empty = _EMPTY.match(terms.text, at)
    if empty and sure:
        return {"enum": ["", [], {}, None]}, empty.end()
    values: list[Any] = []
    end = at
    either = re.compile(r"(?:either |one of )", _I).match(terms.text, at)
    at = either.end() if either else at
    while at in terms.at:
        values += _meant(terms.at[at].text)
        end = at + 1
        more = _OR.match(terms.text, end)
        if more is None:
            break
        at = more.end()
    if values:
        return {"enum": values}, end
    found = _VALUE.match(terms.text, at)
    if found is None or (found["bare"] and not sure):
        return {}, at
    if found["bare"]:
        word = found["bare"]
        if re.fullmatch(
            r"(?:not|missing|present|absent|given|known|unknown|available|unclear|a|an|the|provided|set"
            r"|used)",
            word,
            _I,
        ):
            return {}, at
        return {"enum": list(dict.fromkeys([word, word.lower(), word.upper(), word.capitalize()]))}, found.end()
    if found["quoted"]:
        return {"enum": _meant(found["quoted"])}, found.end()
    low = found["json"].lower()
    return {"enum": [_JSON[low] if low in _JSON else float(low) if "." in low else int(low)]}, found.end()


def _meant(spelled: str) -> list[Any]:
    """What a quoted value may be meant as."""
    return [spelled, _JSON[spelled.lower()]] if spelled.lower() in _JSON else [spelled]
