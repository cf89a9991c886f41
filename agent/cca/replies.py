"""Reads JSON out of a model's reply: whole, in a fence, or with prose around it. Never raises."""

from __future__ import annotations

import json
from typing import Any

_MAX_CHARS = 1_000_000
_MAX_STARTS = 50


def first_json_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in the reply that parses; None when there is none."""
    text = text[:_MAX_CHARS]
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(_MAX_STARTS):
        if at < 0:
            return None
        try:
            value, _end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
        at = text.find("{", at + 1)
    return None


def complete_objects(text: str) -> list[dict[str, Any]]:
    """The objects of the first array in the reply, as far as they are whole: a reply may end in the middle of one."""
    text = text[:_MAX_CHARS]
    decoder = json.JSONDecoder()
    found: list[dict[str, Any]] = []
    at = text.find("{", text.find("[") + 1)
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        if isinstance(value, dict):
            found.append(value)
        at = text.find("{", end)
    return found
