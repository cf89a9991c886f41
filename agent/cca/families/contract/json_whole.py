"""Families of an answer that is JSON: what it is, what stands around it, its keys."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.data_models import JsonDemand
from agent.cca.families.contract.said import always, both, never, of_field, told, whole
from agent.cca.families.family import Family, Slots

_KEY = re.compile(r"[A-Za-z_$@][\w.$-]{0,60}")


def _valid(*, alone: bool = False) -> Any:
    return c.Valid(format="json", whole=alone)


def _kind(schema: dict[str, Any], *, alone: bool = False) -> Any:
    return both(_valid(alone=alone), c.Schema(schema=schema))


def form(demand: JsonDemand, **fields: Any) -> Any:
    return c.JsonForm(demand=demand, **fields)


def _keys(only: bool) -> Any:
    def make(slots: Slots) -> Any | None:
        if not slots.named or not all(_KEY.fullmatch(name) for name in slots.named):
            return None
        return c.Keys(keys=slots.named, only=only)

    return make


def _keyed(demand: JsonDemand, least: int = 1) -> Any:
    return lambda slots: (
        form(demand, names=slots.named)
        if len(slots.named) >= least and all(_KEY.fullmatch(name) for name in slots.named)
        else None
    )


def _named_cases(slots: Slots) -> tuple[str, ...]:
    return tuple(term for term in slots.terms if term not in slots.examples)


def _cased(demand: JsonDemand, *spelled: str) -> Any:
    """What is spelled like the case names it ("snake_case"); other terms would name keys."""
    return lambda slots: (
        form(demand)
        if all(term.lower().replace("-", "").replace("_", "") in spelled for term in _named_cases(slots))
        else None
    )


def _length(slots: Slots) -> Any:
    size = {"minItems": slots.least, "maxItems": slots.most}
    return c.Schema(schema={"type": "array", **{name: value for name, value in size.items() if value is not None}})


def _number_of_keys(slots: Slots) -> Any:
    return form("key_count", least=slots.least, most=slots.most)


def _depth(slots: Slots) -> Any | None:
    return form("depth", most=slots.most) if slots.most and slots.least in (None, slots.most) else None


def _indent(slots: Slots) -> Any | None:
    widths = {int(number) for number in slots.numbers}
    if not widths:
        widths = {1} if re.search(r"\b(?:single|one) space", slots.text, re.IGNORECASE) else set()
    return form("indent", most=widths.pop()) if len(widths) == 1 and widths <= {1, 2, 3, 4, 8} else None


def _or_word(slots: Slots) -> Any | None:
    if len(slots.named) != 1:
        return None
    word = whole(rf'"?{re.escape(slots.named[0])}"?')
    return c.AnyOf(checks=(word, _valid(alone=True)))


def _empty_array(slots: Slots) -> Any:
    names = r"(?:hits|results|items|matches|entries|records|data|rows|list|values|files|tags|\w+_list)"
    return both(
        never(
            r"\A\s*(?:null|None|\"\"|\{\s*\}|(?i:n/a|none|nothing found|no results?)\.?)\s*\z", "another empty result"
        ),
        never(rf'(?i)"{names}"\s*:\s*(?:null|"")', "another empty list"),
    )


def _pair(slots: Slots) -> Any | None:
    names = tuple(term for term in slots.terms if _KEY.fullmatch(term))
    return form("pair_order", names=names) if len(names) == 2 else None


def _strict(slots: Slots) -> Any | None:
    """Parsers that are named are no terms, nor are the marks that are not to be there."""
    other = [
        term for term in slots.terms if re.search(r"\w", term) and not re.search(r"loads?\b|parse", term, re.IGNORECASE)
    ]
    return None if other else _valid()


_FENCED = r"(?is)^ {0,3}```json[ \t]*\n.*^ {0,3}```[ \t]*$"
FAMILIES: tuple[Family, ...] = (
    Family("json.format", "the answer is JSON", always(_valid)),
    Family("json.only", "JSON and nothing else", always(lambda: _valid(alone=True))),
    Family("json.object", "a JSON object", always(lambda: _kind({"type": "object"}))),
    Family("json.object_only", "a JSON object and nothing else", always(lambda: _kind({"type": "object"}, alone=True))),
    Family("json.array", "a JSON array", always(lambda: _kind({"type": "array"}))),
    Family(
        "json.array_of_objects",
        "a JSON array of objects",
        always(lambda: _kind({"type": "array", "items": {"type": "object"}})),
    ),
    Family(
        "json.array_of_strings",
        "a JSON array of strings",
        always(lambda: _kind({"type": "array", "items": {"type": "string"}})),
    ),
    Family(
        "json.array_of_numbers",
        "a JSON array of numbers",
        always(lambda: _kind({"type": "array", "items": {"type": "number"}})),
    ),
    Family("json.array_length", "the JSON array has {limit} items", _length, bounded=True),
    Family("json.key_count", "the object has {limit} keys", _number_of_keys, bounded=True),
    Family(
        "json.unfenced",
        "bare JSON, no code fence",
        always(lambda: both(_valid(alone=True), c.Count(unit="fences", most=0))),
    ),
    Family(
        "json.fenced",
        "JSON in a code fence named json",
        always(lambda: both(c.Matches(pattern=_FENCED, finds="a fence of JSON"), _valid())),
    ),
    told("json.keys", "the keys {terms}", _keys(False)),
    told("json.keys_only", "the keys {terms} and no others", _keys(True)),
    told("json.items_have", "each item has {terms}", _keyed("items_have")),
    told(
        "json.key_absent",
        "no key {terms}",
        lambda s: both(*(c.Property(name=name, absent=True) for name in s.named)) if s.named else None,
    ),
    told("json.key_order", "the keys in the order {terms}", _keyed("key_order", 2)),
    told("json.snake_keys", "keys in snake_case", _cased("snake_keys", "snakecase")),
    told("json.camel_keys", "keys in camelCase", _cased("camel_keys", "camelcase", "lowercamelcase")),
    told("json.kebab_keys", "keys in kebab-case", _cased("kebab_keys", "kebabcase")),
    told("json.pascal_keys", "keys in PascalCase", _cased("pascal_keys", "pascalcase", "uppercamelcase")),
    Family("json.lower_keys", "keys in lower case", always(lambda: form("lower_keys"))),
    Family("json.spaceless_keys", "keys without spaces", always(lambda: form("spaceless_keys"))),
    Family("json.sorted_keys", "keys in alphabetical order", always(lambda: form("sorted_keys"))),
    Family("json.unique_keys", "no key twice", always(lambda: form("unique_keys"))),
    Family("json.same_keys", "all items have the same keys", always(lambda: form("same_keys"))),
    Family("json.minified", "minified JSON", always(lambda: form("minified"))),
    Family("json.one_line", "JSON on one line", always(lambda: form("one_line"))),
    Family("json.pretty", "indented JSON", always(lambda: form("pretty"))),
    Family("json.indent", "JSON indented by so many spaces", _indent),
    told("json.no_null", "no null in the JSON", always(lambda: form("no_null"))),
    told("json.no_empty_text", "no empty strings in the JSON", always(lambda: form("no_empty_text"))),
    Family("json.no_empty", "no empty values in the JSON", always(lambda: form("no_empty"))),
    told(
        "json.no_stand_ins",
        "null where a value is missing, no word",
        always(lambda: both(form("no_stand_ins"), form("no_empty_text"))),
    ),
    Family("json.flat", "a flat object", always(lambda: form("flat"))),
    Family("json.depth", "nested {limit} levels", _depth, bounded=True),
    Family("json.texts_only", "all values strings", always(lambda: form("texts_only"))),
    told("json.real_booleans", "booleans without quotes", always(lambda: form("real_booleans"))),
    Family("json.real_numbers", "numbers without quotes", always(lambda: form("real_numbers"))),
    Family("json.no_negative", "no negative numbers in the JSON", always(lambda: form("no_negative"))),
    told("json.one_line_texts", "no line breaks in values", always(lambda: form("one_line_texts"))),
    told("json.iso_dates", "dates in the JSON as YYYY-MM-DD", always(lambda: form("iso_dates"))),
    Family("json.unique_items", "no item of an array twice", always(lambda: form("unique_items"))),
    told("json.unique_by", "a key's values differ", of_field(lambda field, s: form("unique_by", names=(field,)))),
    told(
        "json.sorted_by", "items sorted by a key, rising", of_field(lambda field, s: form("sorted_by", names=(field,)))
    ),
    told(
        "json.falling_by",
        "items sorted by a key, falling",
        of_field(lambda field, s: form("falling_by", names=(field,))),
    ),
    told("json.pair_order", "{terms} in this order of size", _pair),
    told("json.empty_array", "an empty result is []", _empty_array),
    told("json.or_word", "JSON or the word {terms}", _or_word),
    told("json.strict", "no comments or trailing commas in the JSON", _strict),
    Family(
        "json.lines",
        "one JSON object a line",
        always(lambda: c.Every(scope="line", check=both(_valid(alone=True), c.Schema(schema={"type": "object"})))),
    ),
    told(
        "json.braces",
        "begins with { and ends with }",
        always(lambda: both(c.Starts(terms=("{",)), c.Ends(terms=("}",)))),
    ),
    told(
        "json.brackets",
        "begins with [ and ends with ]",
        always(lambda: both(c.Starts(terms=("[",)), c.Ends(terms=("]",)))),
    ),
)
