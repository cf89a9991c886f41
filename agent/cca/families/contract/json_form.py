"""Families of how JSON is written: its keys, its values, its layout, its order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.data_models import JsonDemand
from agent.cca.families.contract.kinds import bare, falls, is_of, letters_of
from agent.cca.families.contract.said import both, field_of, has, told, where
from agent.cca.families.family import Family, Slots
from agent.cca.families.pairs import is_swapped

_I = re.IGNORECASE
_KEY = re.compile(r"[A-Za-z_$@][\w.$-]{0,60}")
_CASES: tuple[tuple[str, JsonDemand], ...] = (
    (r"snake[_ -]?case|underscores", "snake_keys"),
    (r"upper[- ]?camel[_ -]?case|pascal[_ -]?case", "pascal_keys"),
    (r"(?:lower[- ]?)?camel[_ -]?case", "camel_keys"),
    (r"kebab[_ -]?case|hyphens", "kebab_keys"),
    (r"lower[- ]?case|small letters|capital|capitali[sz]e|capitals|upper-case letters", "lower_keys"),
)
_EMPTY = (("string", "maxLength"), ("array", "maxItems"), ("object", "maxProperties"))
_FILLED: dict[str, Any] = {"not": {"anyOf": [{"type": "null"}, *({"type": kind, size: 0} for kind, size in _EMPTY)]}}


def form(demand: JsonDemand, **fields: Any) -> Any:
    return c.JsonForm(demand=demand, **fields)


def _simple(demand: JsonDemand) -> Callable[[Slots], Any | None]:
    """A demand on all of the JSON; of a sentence about another format there is no check."""
    return lambda slots: form(demand) if is_of(slots.text, "json") else None


def _keyed(demand: JsonDemand, least: int = 1) -> Callable[[Slots], Any | None]:
    return lambda slots: (
        form(demand, names=slots.named)
        if len(slots.named) >= least and all(_KEY.fullmatch(name) for name in slots.named)
        else None
    )


def _key_case(slots: Slots) -> Any | None:
    """By the name of the case that is wanted; names that show it are no terms."""
    shown = (*slots.examples, *slots.contrast)
    for words, demand in _CASES:
        wanted = re.search(rf"\b(?:{words})\b", slots.text, _I)
        if wanted is None or any(re.fullmatch(words, term, _I) for term in slots.contrast):
            continue
        denied = re.search(rf"\b(?:no|never|not)\b[^,;]{{0,12}}\b(?:{words})\b", slots.text, _I)
        if denied and demand != "lower_keys":
            continue
        other = [term for term in slots.terms if term not in shown and not re.search(r"(?i)case$", term)]
        return None if other else form(demand)
    return None


def _one_or_all(schema: dict[str, Any], demand: JsonDemand) -> Callable[[Slots], Any | None]:
    """Of the field that is named, else of all values."""

    def make(slots: Slots) -> Any | None:
        field = field_of(slots)
        if field and field != "null":
            return c.Property(name=field, schema=schema)
        return form(demand) if is_of(slots.text, "json") and not set(slots.terms) - {"null"} else None

    return make


def _no_breaks(slots: Slots) -> Any | None:
    field = field_of(slots)
    if field and field not in ("\\n", "n"):
        check = c.Matches(pattern=r"\A[^\n]*\z", finds="one line")
        return c.Property(name=field, schema={"type": ["string", "null", "array"]}, check=check)
    return form("one_line_texts") if is_of(slots.text, "json") else None


def _length(slots: Slots) -> Any | None:
    """Of the array under the key that is named, else of the array that the answer is."""
    bounds = {"minItems": slots.least, "maxItems": slots.most}
    size = {name: value for name, value in bounds.items() if value is not None}
    field = field_of(slots)
    if has(slots, "keys|fields|propert(?:y|ies)|attributes") or len(slots.terms) > 1:
        return None
    if field:
        return c.Property(name=field, schema={"type": ["array", "null"], **size})
    return c.Schema(schema={"type": "array", **size}) if re.search(r"\bjson\b", slots.text, _I) else None


def _number_of_keys(slots: Slots) -> Any:
    return form("key_count", least=slots.least, most=slots.most) if is_of(slots.text, "json") else None


def _depth(slots: Slots) -> Any | None:
    if not re.search(r"\b(?:json|objects?)\b", slots.text, _I):
        return None
    return form("depth", most=slots.most) if slots.most and slots.least in (None, slots.most) else None


_ONE_LINE = re.compile(r"\b(?:one|a single)(?: line\b|-line)", _I)


def _indent(slots: Slots) -> Any | None:
    if not is_of(slots.text, "json"):
        return None
    numbers = tuple(number for number in slots.numbers if number != 1 or not _ONE_LINE.search(slots.text))
    widths = {int(number) for number in numbers if number in (1, 2, 3, 4, 8)}
    if not numbers:
        return form("tabs") if re.search(r"\b(?:by|with) tabs?\b", slots.text, _I) else form("pretty")
    return form("indent", most=widths.pop()) if len(widths) == 1 and len(set(numbers)) == 1 else None


def _sorted_by(slots: Slots) -> Any | None:
    field = field_of(slots)
    return form("falling_by" if falls(slots.text) else "sorted_by", names=(field,)) if field else None


def _pair(slots: Slots) -> Any | None:
    names = tuple(term for term in slots.terms if _KEY.fullmatch(term))
    if len(names) != 2:
        return None
    return form("pair_order", names=names[::-1] if is_swapped(slots.text, *names) else names)


def _absent(slots: Slots) -> Any | None:
    names = slots.named or slots.contrast
    return both(*(c.Property(name=name, absent=True) for name in names)) if names else None


_NO_NULL: dict[str, Any] = {"not": {"type": "null"}}
_UNIQUE: dict[str, Any] = {"anyOf": [{"not": {"type": "array"}}, {"uniqueItems": True}]}


def _named_case(slots: Slots) -> Any | None:
    """Keys by the name of a case; else a field's text, or the letters of keys."""
    if re.search(r"\b(?:the words?|phrases?|headings?|titles?|sentences?|labels?)\b", bare(slots.text), _I):
        return None
    if not field_of(slots) and not _NAMES.search(slots.text) and not has(slots, "json"):
        return None
    if re.search(
        r"(?i)\b(?:snake|camel|uppercamel|lowercamel|kebab|pascal)[_ -]?(?:case)?|\bunderscores|\bhyphens", slots.text
    ):
        return _key_case(slots)
    field = field_of(slots)
    letters: Any = letters_of(bare(slots.text))
    if field and letters:
        return c.Property(name=field, check=c.Case(letters=letters))
    return _key_case(slots) if letters == "lower" else None


def _spaceless(slots: Slots) -> Any | None:
    field = field_of(slots)
    if field:
        return c.Property(name=field, check=c.Matches(pattern=r"\A\S*\z", finds="a text without spaces"))
    return form("spaceless_keys") if _NAMES.search(slots.text) else None


_NAMES = re.compile(r"\b(?:keys?|propert(?:y|ies)|fields?|attributes?)\b", _I)
_TWICE = re.compile(
    r"\b(?:duplicat\w*|dedup\w*|unique|twice|once|distinct|repeat\w*|repetition|differ|different|equal lines"
    r"|more than once|never repeat|own)\b",
    _I,
)
_LINES = c.Part(kind="line")


def _sorted(slots: Slots) -> Any | None:
    if slots.terms or not is_of(slots.text, "json"):
        return None
    if _NAMES.search(slots.text):
        return form("sorted_keys")
    if not re.search(r"\blines?\b", slots.text, _I):
        return None
    own = c.Series(part=_LINES)
    return both(own, c.Series(part=_LINES, unique=True)) if _TWICE.search(slots.text) else own


_PLURAL = re.compile(
    r"(?:the |all )?(?!keys\b|items\b|values\b|objects\b|elements\b|entries\b|fields\b)([a-z_]{2,20})s (?:are"
    r"|must be|have to be"
    r"|need to be) unique\b.*\b(?:array|list|json|objects?)\b",
    _I,
)
"""``ids are unique within the array``: the key is told by its plural."""


def _unique(slots: Slots) -> Any | None:
    """Of a field: the items of its list differ, and its values do from one object to the next."""
    field = field_of(slots)
    if field:
        return both(c.Property(name=field, schema=_UNIQUE), form("unique_by", names=(field,)))
    if slots.terms or not is_of(slots.text, "json"):
        return None
    plural = _PLURAL.match(slots.text)
    if plural:
        return form("unique_by", names=(plural[1],))
    if _NAMES.search(slots.text):
        return form("unique_keys")
    if re.search(r"\blines?\b", slots.text, _I):
        return c.Series(part=_LINES, unique=True)
    return form("unique_items") if re.search(r"\b(?:json|arrays?)\b", slots.text, _I) else None


_ABOVE = re.compile(
    r"\b(?<!or a )(?<!or )positive\b|\b(?:greater|larger|more|higher) than (?:zero|0)\b|\babove (?:zero|0)\b"
    r"|\bzero (?:and|or) negative|\bnegative (?:and|or) zero|\bno zero\b", _I,
)  # fmt: skip


def _sign(slots: Slots) -> Any | None:
    field = field_of(slots)
    above = _ABOVE.search(slots.text) is not None and not re.search(r"\bzero or (?:above|greater|more)", slots.text, _I)
    if field:
        bound = {"exclusiveMinimum": 0} if above else {"minimum": 0}
        return c.Property(name=field, schema={"type": ["number", "null"], **bound})
    return form("no_negative") if not above and not slots.terms and is_of(slots.text, "json") else None


FAMILIES: tuple[Family, ...] = (
    told("names.case", "keys or a field in the case that is named", _named_case),
    told("names.spaceless", "keys or a field without spaces", _spaceless),
    told("order.sorted", "keys or lines in alphabetical order", _sorted),
    told(
        "order.unique",
        "no key, line, item or value twice",
        where(
            r"\w+",
            _unique,
            r"questions?|changes?|scores?|convolute",
        ),
    ),
    told("field.sign", "numbers above zero, or not below it", _sign),
    told("json.array_length", "the array has {limit} items", _length, bounded=True),
    Family("json.key_count", "the object has {limit} keys", _number_of_keys, bounded=True),
    told("json.items_have", "each item has {terms}", _keyed("items_have")),
    told(
        "json.key_absent",
        "no key {terms}",
        where(
            r"no|not|never|don.t|omit|leave|drop|without|forbidden|remove|strip|keep"
            r"|refused",
            _absent,
            r"only return",
        ),
    ),
    told("json.key_order", "the keys in the order {terms}", _keyed("key_order", 2)),
    Family("json.same_keys", "all items have the same keys", where(r"keys?|fields?|propert\w+", _simple("same_keys"))),
    Family("json.minified", "minified JSON", _simple("minified")),
    Family("json.one_line", "JSON on one line", _simple("one_line")),
    Family("json.indent", "indented JSON, by so many spaces", _indent),
    told(
        "json.no_null",
        "no null",
        where(
            r"no|not|never|don.t|can.t|avoid|none|reject(?:s|ed)|forbidden|other than|leave out|instead|free of",
            _one_or_all(_NO_NULL, "no_null"),
            r"find|found|could",
        ),
    ),
    told("json.no_empty_text", "no empty strings in the JSON", _simple("no_empty_text")),
    told(
        "json.no_empty",
        "no empty values",
        where(r"empty|blank|filled|fill|without a value|something|content|value", _one_or_all(_FILLED, "no_empty")),
    ),
    told(
        "json.no_stand_ins",
        "null where a value is missing, no word",
        lambda slots: both(form("no_stand_ins"), form("no_empty_text")),
    ),
    Family("json.flat", "a flat object", _simple("flat")),
    Family("json.depth", "nested {limit} levels", _depth, bounded=True),
    Family(
        "json.texts_only",
        "all values strings",
        where(r"strings?|string|non-string|quoted|quotes|quote every|text", _simple("texts_only")),
    ),
    told("json.real_booleans", "booleans without quotes", _simple("real_booleans")),
    Family("json.real_numbers", "numbers without quotes", _simple("real_numbers")),
    told(
        "json.one_line_texts",
        "no line breaks in values",
        where(
            r"json|strings?|values?|fields?|propert(?:y|ies)|object|newlines?|line breaks?|one line",
            _no_breaks,
            r"commands?|fences?|paragraphs?|except",
        ),
    ),
    told("json.sorted_by", "items sorted by a key", _sorted_by),
    told("json.pair_order", "{terms} in this order of size", _pair),
)
