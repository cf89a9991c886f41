"""How an answer's JSON is written: its keys, its values, its layout. Nothing is evaluated, nothing raises."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from agent.cca.data_models import JSON_WORDS, JsonForm
from agent.cca.formats import Judgement, body_of, parse
from agent.cca.json_places import JUDGES as PLACES
from agent.cca.json_sums import sorted_items, sums
from agent.cca.json_values import MAX_VALUES, inner_of, keyed, leaves, listed, lists
from agent.cca.properties import json_in
from agent.cca.views import Span, View

_STAND_INS = frozenset({"n/a", "na", "none", "null", "unknown", "-", "--", "tbd", "not available", "not known", "nil"})
_BOOLEANS = frozenset({"yes", "no", "true", "false"})
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_ISO_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T.*)?")
_DATE = re.compile(
    r"\d{1,4}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}-\d{1,2}-\d{2,4}|\d{4}-\d{1,2}-\d{1,2}"
    r"|(?i:(?:\w+,? )?\d{1,2}(?:st|nd|rd|th)?\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d{4}"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})"
)
_KEYS = {
    "snake_keys": re.compile(r"[a-z0-9_$@]+"),
    "camel_keys": re.compile(r"[a-z$@][A-Za-z0-9]*"),
    "kebab_keys": re.compile(r"[a-z0-9-]+"),
    "pascal_keys": re.compile(r"[A-Z][A-Za-z0-9]*"),
    "lower_keys": re.compile(r"[^A-Z]*"),
    "upper_keys": re.compile(r"[^a-z]*"),
    "spaceless_keys": re.compile(r"\S*"),
}


def judge_json_form(view: View, check: JsonForm) -> Judgement:
    found = _values_in(view)
    if found is None:
        return "no_verdict", "there is no JSON to look at", ()
    values, span = found
    if check.demand in _LAYOUTS:
        told = None if len(values) > 1 else _LAYOUTS[check.demand](view.of(span).strip("\n"), values[0], check)
    else:
        told = _first(_JUDGES[check.demand](values, check))
    if told is None:
        return "no_verdict", "there is nothing such in the JSON", ()
    return ("violated", f"{JSON_WORDS[check.demand]}: {told[:160]}", (span,)) if told else ("holds", "", ())


def _values_in(view: View) -> tuple[list[Any], Span] | None:
    """JSON Lines are as many values; so is the JSON of an answer one."""
    body = body_of(view, "json")
    lines = [line for line in view.of(body).split("\n") if line.strip()]
    if len(lines) > 1:
        try:
            return [parse(line, "json") for line in lines], body
        except (ValueError, OverflowError):
            pass
    found = json_in(view)
    return None if found is None else ([found[0]], found[1])


def _first(faults: Iterator[str]) -> str | None:
    """The first fault; "" where something was looked at and found right, None where nothing was."""
    seen: str | None = None
    for fault in faults:
        if fault:
            return fault
        seen = ""
    return seen


def _key_form(values: list[Any], check: JsonForm) -> Iterator[str]:
    form = _KEYS[check.demand]
    for each in keyed(values):
        for key in each:
            yield "" if form.fullmatch(key) else key


def _each(fault: Callable[[Any], bool], of: type | tuple[type, ...] = object) -> Callable[..., Iterator[str]]:
    def judge(values: list[Any], check: JsonForm) -> Iterator[str]:
        for value in leaves(values):
            if isinstance(value, of):
                yield f"{json.dumps(value)[:80]}" if fault(value) else ""

    return judge


def _sorted_keys(values: list[Any], check: JsonForm) -> Iterator[str]:
    for each in keyed(values):
        for one, other in pairwise(map(str.lower, each)):
            yield f"“{other}” behind “{one}”" if other < one else ""


def _key_order(values: list[Any], check: JsonForm) -> Iterator[str]:
    for each in keyed(values):
        there = [name for name in each if name in check.names]
        if len(there) > 1:
            wanted = [name for name in check.names if name in each]
            yield "" if there == wanted else ", ".join(there)


def _key_count(values: list[Any], check: JsonForm) -> Iterator[str]:
    items = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    for each in items:
        if isinstance(each, dict):
            number = len(each)
            fits = (check.least or 0) <= number and (check.most is None or number <= check.most)
            yield "" if fits else f"{number} keys"


def _same_keys(values: list[Any], check: JsonForm) -> Iterator[str]:
    for items in listed(values):
        for item in items[1:]:
            yield "" if item.keys() == items[0].keys() else ", ".join(sorted(item.keys() ^ items[0].keys()))


def _items_have(values: list[Any], check: JsonForm) -> Iterator[str]:
    lists = list(listed(values))[:1]  # the outermost
    for items in lists or ([each for each in values if isinstance(each, dict)],):
        for item in items:
            held = [name for name in check.names if name in item]
            if check.demand == "items_lack":
                yield held[0] if held else ""
            else:
                lacking = [name for name in check.names if name not in item]
                yield f"lacks {lacking[0]}" if lacking else ""


def _flat(values: list[Any], check: JsonForm) -> Iterator[str]:
    items = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    for each in items:
        for key, value in each.items() if isinstance(each, dict) else ():
            yield key if isinstance(value, dict) or (isinstance(value, list) and any(map(inner_of, value))) else ""


def _texts_only(values: list[Any], check: JsonForm) -> Iterator[str]:
    for value in leaves(values):
        if not isinstance(value, dict | list):
            yield "" if isinstance(value, str) else json.dumps(value)


def _twice(names: list[str]) -> str:
    seen: set[str] = set()
    return next((name for name in names if name in seen or seen.add(name)), "")  # type: ignore[func-returns-value]


def _unique_items(values: list[Any], check: JsonForm) -> Iterator[str]:
    for items in lists(values):
        shown = [json.dumps(item, sort_keys=True) for item in items]
        if len(shown) > 1:
            yield _twice(shown)


def _unique_by(values: list[Any], check: JsonForm) -> Iterator[str]:
    for items in listed(values):
        found = [item.get(name) for name in check.names[:1] for item in items]
        shown = [json.dumps(value) for value in found if isinstance(value, str | int | float)]
        if len(shown) > 1:
            yield "" if len(set(shown)) == len(shown) else f"{check.names[0]} comes twice"


def _sorted_by(values: list[Any], check: JsonForm) -> Iterator[str]:
    for items in listed(values):
        found = [item[name] for name in check.names[:1] for item in items if name in item]
        kinds = {isinstance(value, str) for value in found if not isinstance(value, bool)}
        if len(found) < 2 or len(kinds) != 1 or any(isinstance(value, dict | list | None) for value in found):
            continue
        for one, other in pairwise(str(value).lower() if isinstance(value, str) else value for value in found):
            wrong = other > one if check.demand == "falling_by" else other < one
            yield f"{other} behind {one}" if wrong else ""


def _pair_order(values: list[Any], check: JsonForm) -> Iterator[str]:
    for each in keyed(values):
        pair = [each.get(name) for name in check.names[:2]]
        if len(pair) == 2 and (
            all(isinstance(value, str) for value in pair) or all(isinstance(value, int | float) for value in pair)
        ):
            yield f"{pair[1]} is before {pair[0]}" if pair[1] < pair[0] else ""  # type: ignore[operator]


def _depth(values: list[Any], check: JsonForm) -> Iterator[str]:
    level, number = list(values), 0
    while level and number < 100:
        level = [inner for value in level for inner in inner_of(value)][:MAX_VALUES]
        number += bool(level)
    yield f"{number} levels" if check.most is not None and number > check.most else ""


def _minified(text: str, value: Any, check: JsonForm) -> str:
    forms = {json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_).replace(" ", "") for ascii_ in (False, True)}
    return "" if text.strip().replace(" ", "") in forms and _tight(text) else "it has white space between its parts"


def _tight(text: str) -> bool:
    return not re.search(r"\s", re.sub(r'"(?:[^"\\]|\\.)*"', '""', text.strip()))


def _one_line(text: str, value: Any, check: JsonForm) -> str:
    return f"{text.strip().count(chr(10)) + 1} lines" if "\n" in text.strip() else ""


def _pretty(text: str, value: Any, check: JsonForm) -> str | None:
    if not inner_of(value):
        return None
    return "" if re.search(r"\n[ \t]+", text) else "it is not indented"


def _indent(text: str, value: Any, check: JsonForm) -> str | None:
    """By the first line that is indented: all others stand at multiples of it where the JSON is well laid out."""
    if not inner_of(value):
        return None
    first = re.search(r"\n([ \t]+)\S", text)
    if first is None:
        return "it is not indented"
    wanted = "\t" if check.demand == "tabs" else " " * (check.most or 2)
    return "" if first[1] == wanted else f"its first level has {first[1]!r}"


def _unique_keys(text: str, value: Any, check: JsonForm) -> str:
    twice: list[str] = []

    def seen(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        twice.append(_twice([name for name, _ in pairs]))
        return dict(pairs)

    json.loads(text, object_pairs_hook=seen)
    return next(filter(None, twice), "")


_LAYOUTS: dict[str, Callable[[str, Any, JsonForm], str | None]] = {
    "minified": _minified, "one_line": _one_line, "pretty": _pretty, "indent": _indent, "tabs": _indent,
    "unique_keys": _unique_keys,
    "ascii_only": lambda text, value, check: next(iter(re.findall(r"[^\x00-\x7f]", text)), ""),
}  # fmt: skip
_JUDGES: dict[str, Callable[[list[Any], JsonForm], Iterator[str]]] = {
    **dict.fromkeys(_KEYS, _key_form),
    "sorted_keys": _sorted_keys,
    "key_order": _key_order,
    "key_count": _key_count,
    "same_keys": _same_keys,
    "items_have": _items_have,
    "items_lack": _items_have,
    "no_null": _each(lambda value: value is None),
    "no_empty_text": _each(lambda value: not value.strip(), str),
    "no_empty": _each(lambda value: value is None or value == "" or value == [] or value == {}),
    "no_stand_ins": _each(lambda value: value.strip().lower() in _STAND_INS, str),
    "flat": _flat,
    "texts_only": _texts_only,
    "real_booleans": _each(lambda value: value.strip().lower() in _BOOLEANS, str),
    "real_numbers": _each(lambda value: _NUMBER.fullmatch(value.strip()) is not None, str),
    "no_negative": _each(lambda value: value < 0, (int, float)),
    "one_line_texts": _each(lambda value: "\n" in value, str),
    "trimmed_texts": _each(lambda value: value != value.strip(), str),
    "iso_dates": _each(
        lambda value: _DATE.fullmatch(value.strip()) is not None and not _ISO_DATE.fullmatch(value), str
    ),
    "unique_items": _unique_items,
    "unique_by": _unique_by,
    "sorted_by": _sorted_by,
    "falling_by": _sorted_by,
    "sorted_items": sorted_items,
    "sums_to": sums,
    "pair_order": _pair_order,
    "depth": _depth,
    **PLACES,
}
