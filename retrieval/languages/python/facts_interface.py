"""A digest of what other files can see of a file, so that a change inside a body costs only its own file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from typing import Any


def interface_digest(raw: dict[str, Any]) -> str:
    """A digest of all that the edges of other files can depend on: definitions, module and class bindings, attributes
    assigned, and of each function what its result depends on. Lines and the rest of the bodies are left out.
    """
    parts: list[Any] = [raw["m"], raw.get("p"), raw.get("X") and [star[0] for star in raw["X"]], raw.get("all")]
    own = {index: _names_needed(scope) for index, scope in enumerate(raw["S"])}
    inherited = _needed_from_inside(raw["S"], own)
    blocks = raw["B"]
    for index, scope in enumerate(raw["S"]):
        bindings = scope.get("b", ())
        if scope["k"] in "fl":
            needed = own[index] | inherited.get(index, set())
            bindings = _closure(bindings, needed) if needed else ()
        parts.append(
            [
                scope["k"],
                scope["n"],
                scope["p"],
                _ordered(bindings, blocks),
                scope.get("a"),
                scope.get("r"),
                scope.get("y"),
                scope.get("ra"),
                [entry[0] for entry in scope.get("dec", ())],
                [entry[0] for entry in scope.get("bases", ())],
                _ordered(scope.get("ia", ()), blocks),
                scope.get("g"),
            ]
        )
    return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()


def _ordered(bindings: Iterable[list[Any]], blocks: list[int]) -> list[list[Any]]:
    """Bindings with their rank in place of their line: moving code down changes nothing for others."""
    entries = list(bindings)
    ranks = {order: rank for rank, order in enumerate(sorted({entry[2] for entry in entries}))}
    return [[entry[0], entry[1], ranks[entry[2]], *entry[3:]] for entry in entries]


def _names_in(value: Any, into: set[str]) -> None:
    if isinstance(value, str):
        into.add(value.split(".", 1)[0])
    elif isinstance(value, list):
        for item in value:
            _names_in(item, into)


def _names_needed(scope: dict[str, Any]) -> set[str]:
    needed: set[str] = set()
    for key in ("r", "y"):
        for value in scope.get(key, ()):
            _names_in(value, needed)
    return needed


def _needed_from_inside(scopes: list[dict[str, Any]], own: dict[int, set[str]]) -> dict[int, set[str]]:
    """Names that scopes further in, and attributes assigned by methods, read from a function."""
    found: dict[int, set[str]] = {}
    for index in range(len(scopes) - 1, 0, -1):
        scope = scopes[index]
        names = set(own[index]) | found.get(index, set())
        if scope["k"] == "c":
            for binding in scope.get("b", ()):
                _names_in(binding[1], names)
            for binding in scope.get("ia", ()):
                inner: set[str] = set()
                _names_in(binding[1], inner)
                if len(binding) > 4:
                    found.setdefault(binding[4], set()).update(inner)
                    own[binding[4]] |= inner
        for entry in (*scope.get("dec", ()), *scope.get("bases", ())):
            _names_in(entry[0], names)
        for param in scope.get("a", ()):
            _names_in(param[1:], names)
        found.setdefault(scope["p"], set()).update(names)
    return found


def _closure(bindings: Collection[list[Any]], needed: set[str]) -> list[list[Any]]:
    """The bindings that the needed names depend on, through other local names."""
    wanted = set(needed)
    size = -1
    while size != len(wanted):
        size = len(wanted)
        for binding in bindings:
            if binding[0] in wanted:
                _names_in(binding[1], wanted)
    return [binding for binding in bindings if binding[0] in wanted]
