"""What is looked at in the JSON of an answer: its objects, its lists, all its values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent.cca.properties import objects

MAX_VALUES = 20_000


def keyed(values: list[Any]) -> Iterator[dict[str, Any]]:
    for value in values:
        for _, each in objects(value):
            yield each


def leaves(values: list[Any]) -> Iterator[Any]:
    """Everything that is a value of a key or an item of a list, within each other, outer ones first."""
    queue = [inner for value in values for inner in inner_of(value)]
    for at, value in enumerate(queue):
        if at >= MAX_VALUES:
            return
        yield value
        queue.extend(inner_of(value))


def inner_of(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, list) else []


def lists(values: list[Any]) -> Iterator[list[Any]]:
    """Lists of objects; the lines of JSON Lines are one."""
    if len(values) > 1:
        yield values
    yield from (each for each in (*values, *leaves(values)) if isinstance(each, list))


def listed(values: list[Any]) -> Iterator[list[dict[str, Any]]]:
    for each in lists(values):
        if each and all(isinstance(item, dict) for item in each):
            yield each
