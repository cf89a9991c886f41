"""A sentence about one field, or about the fields of the objects in a list, read whole; None where a word is left.

``"severity" must be one of "low", "high"``, ``If type is "A", name must be "n1"``, ``Each item of "rows" has "id"``.
Such a demand is looked at in an answer's JSON only, and only where that has the field.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.contract.conditions import Condition, after, before
from agent.cca.contract.members import members
from agent.cca.contract.names import Name, Terms, name_at
from agent.cca.contract.presence import presence
from agent.cca.contract.reworded import of_items, of_text
from agent.cca.contract.toplevel import top_level
from agent.cca.contract.values import Value, choice_at, denied, value_at
from agent.cca.contract.ways import HEDGE, allowed, closed, for_it, set_to, use_for
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_MAX_CHARS = 500
_LEAD = re.compile(
    r"(?:[^\w§]+|(?:please|note(?: that)?|important|remember(?: that)?|also|and|always|then|finally|additionally|"
    r"(?:make|be) (?:absolutely )?(?:sure|certain)(?: that)?|ensure(?: that)?|in the (?:final |output )?(?:json"
    r"|output|response|answer)(?: (?:object|output|response))?|you must|you should|it is (?:required|mandatory)"
    r" that)\b[,:]? ?)*",
    _I,
)
_VERB = re.compile(
    r",? (?:(?P<modal>must|should|shall|has to|have to|needs? to|ought to|will|can|may|is to|are to|is required"
    r" to) )?"
    r"(?P<not>not |never )?(?:(?:always|only|also|strictly|ever|still|either|exactly|each|itself|all)"
    r" )*(?P<not2>not |never )?"
    r"(?P<verb>be(?: (?:set to|given as|formatted as|formatted in|expressed as|represented as|written as|written"
    r" in|returned as"
    r"|provided as|specified as|encoded as|chosen from|selected from|limited to|equal to|drawn from|in the format"
    r"|of type))?"
    r"|contain|hold|have|take|equal|use|accept|follow|match|lie|range|exceed|is(?: (?:an?|always|(?:always"
    r" )?(?:set|fixed|equal) to))?|are"
    r"|contains|holds"
    r"|has|takes|accepts|equals|ranges|lies|stores|follows)\b(?: (?:always|only|strictly|exactly|not|as|the format"
    r"|exclusively))*",
    _I,
)
_COLON = re.compile(r"\s?(?::|=|–|—|-)\s+(?:must be |should be |is )?|\s?(?=\()")


Reader = Callable[[str], Any | None]
"""The check of a sentence about an answer, where the whole sentence is read."""


def of_fields(masked: str, terms: tuple[Quoted, ...], read: Reader, sure: bool = True) -> Any | None:
    """The check of a sentence about fields; its quoted terms are masked by "§".

    Args:
        sure: Only where the name is quoted, called a field, or spelled like one ("The verdict must be one of …").
    """
    if len(masked) > _MAX_CHARS or len(terms) != masked.count("§") or "?" in masked:
        return None
    masked = masked.strip()
    masked = masked[_LEAD.match(masked).end() :].rstrip() if not masked.startswith("§") else masked  # type: ignore[union-attr]
    try:
        several = _several(masked, terms, read, sure)
        if several is not None:
            return several
        held = Terms(masked, terms)
        return members(held, read) or top_level(held) or _conditional(held, read, sure)
    except ValueError:  # more than a check may hold
        return None


_NAME = r"(?:§|[a-z]+[a-z0-9]*(?:_[a-z0-9]+)+)"
_SEVERAL = re.compile(
    rf"(?:both |all |the |your )*(?P<names>{_NAME}(?:, {_NAME}){{0,8}},? and (?:the )?{_NAME})(?: (?:fields|keys"
    rf"|properties|values|attributes"
    r"|entries|dates))?(?= (?:must|should|shall|have to|has to|need to|are|may only|can only)\b)(?P<rest>.*)$",
    _I,
)


def _several(masked: str, terms: tuple[Quoted, ...], read: Reader, sure: bool) -> Any | None:
    """``Both start_date and end_date must be …``: the same is said of each."""
    found = _SEVERAL.match(masked)
    if found is None:
        return None
    names = re.findall(_NAME, found["names"])
    marks = found["names"].count("§")
    rest = re.sub(r"\b(?:both|all|each) (?=be\b)|(?<=be )(?:both|all|each) ", "", found["rest"])
    own, at = terms[marks:], 0
    checks: list[Any] = []
    for name in names:
        first = (terms[at],) if name == "§" else ()
        at += len(first)
        held = Terms(f"{name}{rest}", (*first, *own))
        made = _conditional(held, read, sure)
        if made is None:
            return None
        checks.append(made)
    return c.AllOf(checks=tuple(checks))


def _conditional(terms: Terms, read: Reader, sure: bool) -> Any | None:
    split = before(terms) or after(terms)
    if split is None:
        return _one(terms, None, read, sure)
    condition, rest = split
    return _one(rest, condition, read, sure)


def _one(terms: Terms, condition: Condition | None, read: Reader, sure: bool) -> Any | None:
    for form in (_named, set_to, allowed, for_it, use_for):
        made = form(terms, condition)
        if made is None:
            continue
        name, value = made
        if not name.sure and condition is None and (sure or "enum" not in value.schema):
            continue
        return _check(name, value, condition)
    said = of_items(terms) or of_text(terms, read, sure)
    if said is not None:
        return said if condition is None else said.model_copy(update={"where": condition.where})
    return presence(terms, condition) if condition is not None else None


def _check(name: Name, value: Value, condition: Condition | None) -> Any:
    schema = value.schema
    if "enum" in schema and name.key.endswith("s"):  # "tags" that are one of a few: each of them
        schema = {"anyOf": [schema, {"type": "array", "items": schema}]}
    return c.Property(
        name=name.key, parent=name.parent, schema=schema, check=value.check, where=condition.where if condition else {}
    )


def _named(terms: Terms, condition: Condition | None) -> tuple[Name, Value] | None:
    """``"score" must be an integer``, ``score: integer``."""
    named = name_at(terms, 0)
    if named is None:
        return None
    name, end = named
    verb = _VERB.match(terms.text, end)
    if verb is None:
        return _labelled(terms, name, end)
    says = verb["verb"].lower()
    if (verb["modal"] or "").lower() in ("may", "can") and not (
        verb["not"] or verb["not2"] or re.search(r"\bonly\b", verb[0])
    ):
        return None
    no = (verb["not"] or verb["not2"] or "").strip() != "" or re.search(r" not$", verb[0]) is not None
    at = verb.end() + len(terms.text[verb.end() :]) - len(terms.text[verb.end() :].lstrip(" :"))
    if says == "exceed" or (
        no
        and re.match(
            r"(?:exceed|be (?:greater|more|less|lower|higher|above|below))", terms.text[verb.start("verb") :], _I
        )
    ):
        at, no = verb.start("verb") - (4 if says == "exceed" and no else 0), False
        bound = re.compile(
            r"(?:be )?(?:exceed|(?:greater|more|higher) than|above) (-?\d+(?:\.\d+)?)(?![\w.%]|"
            r" \w)",
            _I,
        )
        over = bound.match(terms.text, verb.start("verb"))
        if over is None:
            return None
        value: Value | None = Value({"type": "number", "maximum": float(over[1])}, None, over.end())
    else:
        value = value_at(terms, at)
    if value is not None and "enum" in value.schema and says in ("contain", "contains", "use", "follow", "follows"):
        value = None
    if (
        value is not None
        and no
        and not re.match(
            r"(?:more|less|fewer|greater|longer|shorter|higher|lower)"
            r" than\b",
            terms.text[at:],
            _I,
        )
    ):
        value = denied(value)
    return (name, value) if closed(terms, value, condition) else None  # type: ignore[return-value]


_NOTED_TYPE = re.compile(
    r"\((?:str|string|text|enum|int|integer)\)\s?[:,–—-]\s?(?=(?:must be |should be )?(?:exactly |strictly"
    r" )?(?:one|any|either)\b)(?:must be"
    r" |should be )?",
    _I,
)
_TYPED = re.compile(r"(?:an? )?(?:string|str|text|enum),? (?=(?:one|any|either|exactly)\b)", _I)


def _labelled(terms: Terms, name: Name, end: int) -> tuple[Name, Value] | None:
    """``"score": an integer between 1 and 5``, ``score (integer): how good it is``."""
    colon = _COLON.match(terms.text, end)
    if colon is None or not name.sure:
        return None
    both = _NOTED_TYPE.match(terms.text, colon.end())
    if both:
        value = choice_at(terms, both.end(), listed=True)
        return (name, value) if value is not None and closed(terms, value, None) else None
    noted = re.compile(r"\(([^()]{1,160})\)(?:\s?[:–—-].*)?\W*$").match(terms.text, colon.end())
    if noted:
        value = value_at(terms, colon.end() + 1)
        inside = noted.end(1)
        if value is None or terms.text[value.end : inside].strip(" ,") not in ("", "required", "mandatory"):
            return None
        return None if HEDGE.search(terms.text[inside:]) else (name, value)
    typed = _TYPED.match(terms.text, colon.end())
    value = value_at(terms, typed.end() if typed else colon.end())
    if value is None or not closed(terms, value, None):
        value = choice_at(terms, colon.end(), listed=name.noun)
    return (name, value) if value is not None and closed(terms, value, None) else None
