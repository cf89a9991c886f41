"""What other files can see of a file, part by part: a change then costs the files that can notice it and no others."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from retrieval.compact_json import dumps_ascii

#: ``scope:name`` to a digest of what the scope, a module or class, binds to the name; "" to one of the file as a whole;
#: ``scope>`` and ``scope@>`` to the names that it binds, and those its methods assign, in order.
Parts = dict[str, str]
_DIGITS = 12
#: In JSON: a scope (``["d",scope]``, ``["d0",scope,n]``, ``["ys",scope]``), and the number of a display of a scope, but
#: the first.
_DEFINITION = re.compile(r'\["(d0?|ys)",([1-9]\d*)([,\]])')
_CONTAINER = re.compile(r",(\d{7,12})\]")


def interface_parts(raw: Mapping[str, Any]) -> Parts:
    """Digests of all that the edges of other files can depend on: definitions, module and class bindings, attributes
    assigned, and of each function what its result depends on.

    Lines and the rest of the bodies are left out, and so is where something stands in the file: scopes and blocks go by
    name and order, not by number.
    """
    scopes = raw["S"]
    whole = [raw["m"], raw.get("p"), [star[0] for star in raw.get("X", ())], raw.get("all")]
    parts: dict[str, list[Any]] = {"": [whole]}
    orders: dict[str, list[str]] = {}
    own = {index: _names_needed(scope) for index, scope in enumerate(scopes)}
    inherited = _needed_from_inside(scopes, own)
    keys: list[str] = []  # the part that each scope belongs to; "scope:" where its names are parts of their own
    for index, scope in enumerate(scopes):
        name, around = scope["n"], keys[scope["p"]] if index else ""
        key = f"{around}{name.rpartition('.')[2].partition('#')[0]}" if around.endswith(":") else around
        is_open = not index or (scope["k"] == "c" and around.endswith(":"))
        keys.append(f"{name}:" if is_open else key)
        written = _Blocks(raw)
        bindings, attributes = _in_order(scope.get("b", ())), _in_order(scope.get("ia", ()))
        entry = [
            scope["k"],
            name,
            scope.get("x"),
            scope.get("mc"),
            scope.get("g"),
            [entry[0] for entry in scope.get("dec", ())],
        ]
        entry += [[base[0] for base in scope.get("bases", ())], *(scope.get(part) for part in ("a", "r", "y", "ra"))]
        if is_open:
            for mark, found in (("", bindings), ("@", attributes)):
                for binding in found:
                    parts.setdefault(f"{name}:{binding[0]}", []).append([mark, *written.binding(binding)])
                if found:
                    orders[f"{name}{mark}>"] = [binding[0] for binding in found]
        else:
            needed = own[index] | inherited.get(index, set())
            seen = bindings if scope["k"] == "c" else _closure(bindings, needed) if needed else []
            entry += [[binding[0], *written.binding(binding)] for binding in (*seen, *attributes)]
        parts.setdefault(key, []).append(entry)
    qualnames = [scope["n"] for scope in scopes]
    digests = {key: _digest(_plain(part, qualnames))[:_DIGITS] for key, part in parts.items()}
    return {**digests, **{key: " ".join(names) for key, names in orders.items()}}


def interface_digest(parts: Parts) -> str:
    return _digest(json.dumps(sorted(parts.items())))


def names_changed(before: Parts, after: Parts) -> frozenset[str] | None:
    """The names that mean something else in one of a file's scopes than before; None where more than names changed."""
    keys = {key for key in before.keys() | after.keys() if key[-1:] != ">" and before.get(key) != after.get(key)}
    names = {key.rpartition(":")[2] for key in keys}
    if any(not name or name[0] == "<" or name[:2] == name[-2:] == "__" for name in names):
        return None  # special methods run without being named
    for key in before.keys() & after.keys():
        if key[-1:] == ">" and before[key] != after[key]:
            kept = [[name for name in parts[key].split(" ") if name not in names] for parts in (before, after)]
            if kept[0] != kept[1]:
                return None
    return frozenset(names)


def names_read(raw: Mapping[str, Any], names: Collection[str]) -> bool:
    """Whether what others can see of a file reads one of the names, other than to bind it."""
    found: set[str] = set()
    for scope in raw["S"]:
        for part in ("r", "y", "ra", "a", "dec", "bases", "mc"):
            _words_in(scope.get(part, 0), found)
        for binding in (*scope.get("b", ()), *scope.get("ia", ())):
            _words_in(binding[1], found)
    return not found.isdisjoint(names)


def _words_in(value: Any, into: set[str]) -> None:
    if isinstance(value, str):
        into.update(value.split("."))
    elif isinstance(value, list):
        for item in value:
            _words_in(item, into)


class _Blocks:
    """Bindings of one scope as others see them, with blocks numbered in the order in which the scope enters them."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self._scopes, self._blocks = raw["S"], raw["B"]
        self._numbers: dict[int, int] = {}

    def binding(self, binding: list[Any]) -> list[Any]:
        chain = []
        block = binding[3]
        while block > 0:  # a "global" that stands in no block names the first one, there or not
            above = self._blocks[block] if block < len(self._blocks) else 0
            chain.append([self._numbers.setdefault(block, len(self._numbers)), above & 1])
            block = above >> 1
        return [binding[1], chain, *(self._scopes[index]["n"] for index in binding[4:])]


def _plain(part: list[Any], names: list[str]) -> str:
    """JSON of a part, with the names of scopes in place of their numbers."""

    def definition(found: re.Match[str]) -> str:
        index = int(found[2])
        return f'["{found[1]}","{names[index]}"{found[3]}' if index < len(names) else found[0]

    def container(found: re.Match[str]) -> str:
        index = int(found[1]) >> 20
        return f',"{names[index]}",{int(found[1]) & 0xFFFFF}]' if index < len(names) else found[0]

    text = dumps_ascii(part)
    return _CONTAINER.sub(container, _DEFINITION.sub(definition, text)) if len(names) > 1 else text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _in_order(bindings: Iterable[list[Any]]) -> list[list[Any]]:
    return sorted(bindings, key=lambda binding: binding[2])


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
