"""Keys that stand first or last, numbers that count a list, and what all texts and numbers of an answer's JSON are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from agent.cca.data_models import JsonForm
from agent.cca.json_values import inner_of, keyed, leaves

_TAGS = "p|br|b|i|u|em|strong|a|div|span|ul|ol|li|h[1-6]|table|tr|td|th|img|code|pre|script|style|hr|sub|sup|html|body"
_HTML = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_MARKDOWN = re.compile(r"\*\*[^*\s][^*\n]*\*\*|^#{1,6} \S|`[^`\n]+`|\[[^\]\n]+\]\(https?:", re.MULTILINE)
_ID = re.compile(r"(?i:id)|\w*(?:_id|Id|ID)")
_IDS = re.compile(r"(?i:ids)|\w*(?:_ids|Ids|IDs)")


def _place(values: list[Any], check: JsonForm) -> Iterator[str]:
    """Of the outermost objects that have the key; where none has it, it is missing."""
    name = check.names[0] if check.names else ""
    level = list(values)
    seen = False
    for _ in range(20):
        objects = [each for each in level if isinstance(each, dict)]
        seen = seen or any(objects)
        having = [each for each in objects if name in each]
        for each in having:
            keys = list(each)
            at = 0 if check.demand == "first_key" else -1
            yield "" if keys[at] == name else f"“{keys[at][:60]}” stands there"
        if having or not level:
            break
        level = [inner for value in level for inner in inner_of(value)]
    else:
        having = []
    if seen and not having:
        yield f"“{name}” is missing"


def _counts(values: list[Any], check: JsonForm) -> Iterator[str]:
    """A number and a list in one object; else the only number and the only list of these names."""
    pairs = [[each.get(name) for name in check.names] for each in keyed(values)]
    found = [pair for pair in map(_counted, pairs) if pair is not None]
    if not found:
        singles = [[each[name] for each in keyed(values) if name in each] for name in check.names]
        one = _counted([single[0] for single in singles]) if all(len(single) == 1 for single in singles) else None
        found = [one] if one is not None else []
    for number, length in found:
        yield "" if number == length else f"{number} of {length}"


def _counted(pair: list[Any]) -> tuple[int, int] | None:
    numbers = [value for value in pair if isinstance(value, int) and not isinstance(value, bool)]
    lists = [value for value in pair if isinstance(value, list)]
    return (numbers[0], len(lists[0])) if len(pair) == 2 and len(numbers) == len(lists) == 1 else None


def _texts(fault: Callable[[str, JsonForm], bool]) -> Callable[[list[Any], JsonForm], Iterator[str]]:
    def judge(values: list[Any], check: JsonForm) -> Iterator[str]:
        for value in leaves(values):
            if isinstance(value, str):
                yield value[:80] if fault(value, check) else ""

    return judge


def _outside(number: int, check: JsonForm) -> bool:
    return number < (check.least or 0) or (check.most is not None and number > check.most)


def _text_ids(values: list[Any], check: JsonForm) -> Iterator[str]:
    for each in keyed(values):
        for key, value in each.items():
            if _ID.fullmatch(key) or _IDS.fullmatch(key):
                inner = value if isinstance(value, list) else [value]
                number = any(isinstance(one, int | float) and not isinstance(one, bool) for one in inner)
                yield f"“{key[:60]}” is a number" if number else ""


def _boolean_keys(values: list[Any], check: JsonForm) -> Iterator[str]:
    """``names``: ``is_`` or ``is``, which an underscore or a capital has to follow."""
    starts = "|".join(re.escape(name) if name.endswith("_") else f"{re.escape(name)}(?=[_A-Z])" for name in check.names)
    for each in keyed(values):
        for key, value in each.items():
            if isinstance(value, bool):
                yield "" if re.match(f"(?:{starts})", key) else key[:60]


def _decimals(values: list[Any], check: JsonForm) -> Iterator[str]:
    for value in leaves(values):
        if isinstance(value, float) and "e" not in repr(value):
            places = len(repr(value).partition(".")[2].rstrip("0"))
            yield repr(value) if check.most is not None and places > check.most else ""


JUDGES: dict[str, Callable[[list[Any], JsonForm], Iterator[str]]] = {
    "first_key": _place,
    "last_key": _place,
    "counts": _counts,
    "text_characters": _texts(lambda text, check: _outside(len(text), check)),
    "text_words": _texts(lambda text, check: _outside(len(text.split()), check)),
    "text_ids": _text_ids,
    "no_html": _texts(lambda text, check: _HTML.search(text) is not None),
    "no_markdown": _texts(lambda text, check: _MARKDOWN.search(text) is not None),
    "boolean_keys": _boolean_keys,
    "decimals": _decimals,
}
