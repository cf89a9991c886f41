"""Checks of single properties, wherever they stand in the JSON of an answer."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from agent.cca import checks as c
from agent.cca.formats import Judgement, body_of, is_foreign, parse
from agent.cca.views import Span, View

_MAX_OBJECTS = 5_000
_ONE_BY_ONE = frozenset({"matches", "case", "charset", "absent"})
"""What is demanded of a text holds of each text in a list, too; a length does not."""


def judge_property(view: View, check: c.Property, of_text: Callable[[str], str]) -> Judgement:
    """Without JSON, or without such a property, there is no verdict.

    Args:
        of_text: What ``check.check`` finds wrong with a text; "" for nothing.
    """
    if any(map(is_foreign, (check.schema_, *check.where.values()))):
        return "no_verdict", "the schema uses references or patterns, which are not run", ()
    found = json_in(view)
    if found is None:
        return "no_verdict", "there is no JSON to look at", ()
    value, span = found
    try:
        return _judge(value, span, check, of_text)
    except Exception as broken:  # a schema that is none
        return "no_verdict", f"the schema cannot be used ({type(broken).__name__})", ()


def _judge(value: Any, span: Span, check: c.Property, of_text: Callable[[str], str]) -> Judgement:
    judged = False
    for parent, each in objects(value):
        if check.parent and parent != check.parent:
            continue
        if not all(name in each and not _fault(each[name], schema) for name, schema in check.where.items()):
            continue
        fault = ""
        if check.name in each:
            judged = True
            fault = "it must not be there" if check.absent else _value_fault(each[check.name], check, of_text)
        elif check.required or check.absent:
            judged = True
            fault = "" if check.absent else "it is not there"
        if fault:
            return "violated", f"“{check.name[:60]}”: {fault}", (span,)
    return ("holds", "", ()) if judged else ("no_verdict", f"there is no “{check.name[:60]}”", ())


def _value_fault(value: Any, check: c.Property, of_text: Callable[[str], str]) -> str:
    fault = _fault(value, check.schema_)
    if fault or check.check is None:
        return fault
    texts = value if isinstance(value, list) and check.check.op in _ONE_BY_ONE else [value]
    return next(filter(None, (of_text(text) for text in texts if isinstance(text, str))), "")


def _fault(value: Any, schema: dict[str, Any]) -> str:
    import jsonschema

    error = next(iter(jsonschema.Draft202012Validator(schema).iter_errors(value)), None) if schema else None
    return " ".join(error.message.split())[:200] if error else ""


def objects(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each object with the key under which it, or the list that it is in, stands; outer ones first."""
    queue: deque[tuple[str, Any]] = deque([("", value)])
    seen = 0
    while queue and seen < _MAX_OBJECTS:
        parent, current = queue.popleft()
        seen += 1
        if isinstance(current, dict):
            yield parent, current
            queue.extend((str(name), inner) for name, inner in current.items() if isinstance(inner, dict | list))
        elif isinstance(current, list):
            queue.extend((parent, inner) for inner in current if isinstance(inner, dict | list))


def json_in(view: View) -> tuple[Any, Span] | None:
    """The JSON that is the answer, stands in its fence, or begins within its text."""
    body = body_of(view, "json")
    text = view.of(body)
    try:
        value = parse(text, "json")
    except (ValueError, OverflowError):
        start = min((at for at in (text.find("{"), text.find("[{")) if at >= 0), default=-1)
        try:
            value, end = json.JSONDecoder().raw_decode(text, start) if 0 <= start < len(text) else (None, 0)
        except (ValueError, RecursionError):
            return None
        body = Span(body.start + start, body.start + end)
    return (value, body) if isinstance(value, dict | list) else None
