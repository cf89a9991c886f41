"""Fields of an object and their types, columns, sections, dates: demands that list names."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.codegen_shape import dates
from agent.cca.grammar.fields import where_json
from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.limits import limit_at
from agent.cca.grammar.polarity import BAILS, denials
from agent.cca.quoted import Quoted
from agent.cca.reading import Reading

_I = re.IGNORECASE
_FIELD = re.compile(
    r"\b(?:json|keys?|fields?|propert(?:y|ies)|attributes?|values?|objects?|type|of|called|named|holds?)\b", _I
)
_TYPES: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"}, "whole number": {"type": "integer"}, "int": {"type": "integer"},
    "number": {"type": "number"}, "float": {"type": "number"}, "numeric value": {"type": "number"},
    "string": {"type": "string"}, "boolean": {"type": "boolean"}, "bool": {"type": "boolean"},
    "list of strings": {"type": "array", "items": {"type": "string"}},
    "array of strings": {"type": "array", "items": {"type": "string"}},
    "list of integers": {"type": "array", "items": {"type": "integer"}},
    "list of objects": {"type": "array", "items": {"type": "object"}},
    "array of objects": {"type": "array", "items": {"type": "object"}},
    "list of numbers": {"type": "array", "items": {"type": "number"}},
    "list": {"type": "array"}, "array": {"type": "array"}, "object": {"type": "object"},
    "dictionary": {"type": "object"},
}  # fmt: skip
_TYPE = re.compile(
    r"\b(?:an? |the )?(?:valid |single |json"
    r" )?(" + "|".join(sorted(_TYPES, key=len, reverse=True)) + r")\b(?! of)",
    _I,
)
_RANGE = re.compile(
    r"\b(?:between|from|in the range(?: of)?|ranging from)\s?(-?\d+(?:\.\d+)?)\s?(?:-|–|to"
    r"|and)\s?(-?\d+(?:\.\d+)?)(?: \(?inclusive\)?)?",
    _I,
)
_IN_JSON = re.compile(r"\b(?:json|keys?|fields?|propert(?:y|ies)|attributes?|values?)\b", _I)


def typed_field(text: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``The "score" field must be an integer between 1 and 5``; the term is masked in ``text``."""
    if re.search(r"\b(?:with|contain|includ|return|output|respond|ha[sv]e?)\w*\b", text, _I):
        return None  # that the field is there is demanded, too
    opens = re.match(r"(?:the )?§ (?:must|should|shall|has to|needs to)\b", text, _I)
    if len(terms) != 1 or denials(text) or BAILS.search(text) or not (_IN_JSON.search(text) or opens):
        return None
    after = text.find("§")
    found = _TYPE.search(text, after)
    if found is None:
        return None
    wanted = dict(_TYPES[found[1].lower()])
    rest = text[: found.start()] + " " + text[found.end() :]
    bounds = _RANGE.search(rest)
    if bounds:
        if wanted["type"] not in ("integer", "number"):
            return None
        low, high = float(bounds[1]), float(bounds[2])
        if low > high:
            return None
        wanted |= {"minimum": low, "maximum": high}
        rest = rest[: bounds.start()] + " " + rest[bounds.end() :]
    if not leaves_nothing(_FIELD.sub(" ", rest.replace("§", " "))):
        return None
    return where_json({terms[0].text: wanted})


_KEYED = re.compile(
    r"§(?:\s?\(|(?: (?:keys?|fields?|values?|propert(?:y|ies)|attributes?))?,?(?: (?:which|that"
    r"|whose value))?(?: (?:is|as|must be|should be|mapping to|maps to|containing|being|with|holding))? )"
    r"(?:an? |the )?(?:json )?(list of strings|array of strings|list of integers|list of numbers"
    r"|list of json objects|list of objects|array of objects|list of json|integer|int|float|number|string|str"
    r"|boolean|bool|list|array)\b(?! of)",
    _I,
)
_SHORT_TYPES = {
    "str": {"type": "string"},
    "list of json objects": _TYPES["list of objects"],
    "list of json": _TYPES["list of objects"],
}


def typed_keys(text: str, terms: tuple[Quoted, ...]) -> Any | None:
    """Types that stand right behind the keys that are demanded: ``with the "claims" key as a list of strings``."""
    if not re.search(r"\bjson\b", text, _I) or text.count("§") != len(terms):
        return None
    places = [match.start() for match in re.finditer("§", text)]
    properties: dict[str, Any] = {}
    for found in _KEYED.finditer(text):
        kind = found[1].lower()
        properties[terms[places.index(found.start())].text] = _SHORT_TYPES.get(kind) or _TYPES[kind]
    if not properties:
        return None
    return where_json(properties)


_ARRAY = re.compile(
    r"\b(?:json )?(?:list|array) (?:of|with|containing|(?:must|should|has to|needs to|will) (?:have|contain|include"
    r"|hold|be of)) (?=(?:exactly|at least|at most|up to"
    r"|no more than|\d|two|three|four|five|six|seven|eight|nine|ten)\b)",
    _I,
)


_AS_ARRAY = re.compile(
    r"^(?:please |only |always )*(?:return|give|list|output|provide|generate|suggest|produce|respond with|write)"
    r" (?:me )?(?:exactly |at most |at least |up to |no more than"
    r" |only )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten) (?:[\w-]+ ){0,2}?(?P<noun>[a-z]+s) (?:as|in|in"
    r" the form of|formatted as) (?:a |one )?(?:valid )?json (?:array|list)\b",
    _I,
)


def array_length(text: str) -> Any | None:
    """``a JSON array of exactly two objects``."""
    several = _AS_ARRAY.match(text)
    if several and not denials(text):
        limit = limit_at(text, several.start("noun"), several.end("noun"), False)
        if limit is not None and not limit.turned:
            size: dict[str, Any] = {} if limit.least is None else {"minItems": limit.least}
            return c.Schema(schema={"type": "array"} | size | ({} if limit.most is None else {"maxItems": limit.most}))
    found = _ARRAY.search(text)
    if found is None or denials(text) or not re.search(r"\bjson\b", text, _I):
        return None
    noun = re.compile(r"(?:json )?(?:objects?|strings?|items?|elements?|entries|integers?|numbers?)\b", _I).search(
        text, found.end()
    )
    limit = limit_at(text, noun.start(), noun.end(), False) if noun else None
    if limit is None:
        return None
    schema: dict[str, Any] = {"type": "array"}
    schema |= {} if limit.least is None else {"minItems": limit.least}
    schema |= {} if limit.most is None else {"maxItems": limit.most}
    return c.Schema(schema=schema)


_LISTING = re.compile(
    r"^(?:the |required |mandatory |expected |markdown |json |table |your |answer |exactly these |these |following "
    r"|output )*(columns|sections|headings|headers|keys|fields)"
    r"(?: (?:of|in) the (?:table|answer|response|json|object|output|json object))?(?: (?:in (?:this |that )?order"
    r"|\(in (?:this |that )?order\)))?\s?:\s*(.+)$",
    _I,
)


def listing(text: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``Sections: Summary, Risks``: a label and names, nothing else."""
    found = _LISTING.match(text)
    if found is None:
        return None
    if terms:
        if not re.fullmatch(r"[\s§,;&]*(?:and[\s§]*)?", found[2]):
            return None
        names = tuple(each.text for each in terms)
    else:
        names = tuple(
            part.strip(" *_") for part in re.split(r",\s*(?:and )?|\s+and\s+|;\s*|\s*\|\s*", found[2].strip(" ."))
        )
        if not all(re.fullmatch(r"[A-Za-z][\w /-]{0,40}", name) and len(name.split()) <= 4 for name in names):
            return None
    kind, ordered = found[1].lower(), re.search(r"\border\b", found[0], _I) is not None
    if kind in ("keys", "fields"):
        plain = all(re.fullmatch(r"\w+", name) for name in names)
        return c.Keys(keys=names) if plain and re.search(r"\bjson\b", found[0], _I) else None
    if len(names) < 2 or not (terms or all(name[0].isupper() for name in names)):
        return None
    return c.Table(columns=names, ordered=ordered) if kind == "columns" else c.Sections(headings=names, ordered=ordered)


_DATE = re.compile(
    r"\b(?:dates?|times?|timestamps?|YYYY-MM-DD|ISO[- ]?8601|ISO|formatted|formats?|24[- ]hour|clock|notation"
    r"|according)\b",
    _I,
)


def dated(text: str) -> Any | None:
    """``Date format: YYYY-MM-DD``."""
    if not leaves_nothing(_DATE.sub(" ", text)) or denials(text):
        return None
    return dates(Reading(text, (), False, False))
