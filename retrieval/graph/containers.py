"""Containers: their elements by key, what loops over them give, what their methods give."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.classes import Classes
from retrieval.graph.modules import Module
from retrieval.graph.values import (
    ANYTHING,
    EMPTY,
    MAX_NESTING,
    TOP,
    Key,
    Place,
    Value,
    Values,
    constants,
    frozen,
    join,
)
from retrieval.graph.values import (
    depth as depth_of,
)
from retrieval.languages.python.facts_ops import Op

#: (key, where the element is); the key is a constant, or None where it is not known.
_Slot = tuple[Value | None, tuple[Any, ...]]

#: Containers unpacked into containers, key by key; further ones give their elements without keys.
_MAX_SPLICES = 2


class Containers(Classes):
    _splices = 0  # unpacked containers whose elements are being looked up, one inside the other

    # ---- slots -----------------------------------------------------------------------------------------------------

    def _slots(self, value: Value, depth: int = 0) -> list[_Slot]:
        """The elements of a container that the tree shows, with their keys."""
        kind = value[0]
        if depth > _MAX_SPLICES and kind in "kaw":
            return [(None, ("all", value))]
        if kind == "k":
            expression = self._containers[(value[1], value[2])][0]
            slots = (
                self._dict_slots(value, expression, depth)
                if expression[0] == Op.DICT
                else self._sequence_slots(value, expression, depth)
            )
        elif kind == "q":
            return [(("#", position), ("values", part)) for position, part in enumerate(value[1])]
        elif kind == "w":
            return self._window(value, depth)
        else:
            slots = []
        stored = None
        self.deps |= self._container_bit(value)
        if self.local >= 0:
            stored = self.flows.items.get(value)
        for key in sorted(stored, key=repr) if stored else ():
            slots.append((key, ("stored", value, key)))
        return slots

    def _sequence_slots(self, value: Value, expression: list[Any], depth: int) -> list[_Slot]:
        slots: list[_Slot] = []
        known = expression[1] in ("list", "tuple")
        for position, item in enumerate(expression[2]):
            operator = item[0] if isinstance(item, list) and item else ""
            if operator == Op.STAR and known:
                spliced = self._spliced(value, item[1], depth)
                if spliced is not None:
                    slots.extend((("#", len(slots) + offset), source) for offset, source in enumerate(spliced))
                    continue
            if operator in (Op.STAR, Op.STAR0):
                known = False
            slots.append((("#", len(slots)) if known else None, ("element", value, position)))
        return slots

    def _spliced(self, value: Value, expression: Any, depth: int) -> list[tuple[Any, ...]] | None:
        """The elements of an unpacked sequence, where it is one sequence of known length."""
        if (
            self._splices >= _MAX_SPLICES
        ):  # evaluating starts at depth 0 again: without a count of its own, it multiplies
            return None
        _, index, order, block = self._containers[(value[1], value[2])]
        self._splices += 1
        try:
            inner = list(self.eval(expression, self.store.modules[value[1]], index, order, block))
            if len(inner) != 1 or inner[0] == value or not self.is_sequence(inner[0]):
                return None
            slots = self._slots(inner[0], depth + 1)
        finally:
            self._splices -= 1
        return [source for _key, source in slots] if all(key is not None for key, _source in slots) else None

    def _dict_slots(self, value: Value, expression: list[Any], depth: int) -> list[_Slot]:
        _, index, order, block = self._containers[(value[1], value[2])]
        module = self.store.modules[value[1]]
        slots: list[_Slot] = []
        for position, (key, item) in enumerate(expression[1]):
            if isinstance(key, list) and key[0] == Op.STARSTAR:
                slots.extend(self._unpacked_dict(value, item, module, (index, order, block), depth))
                continue
            source = ("element", value, position)
            if isinstance(key, list) and key[0] in (Op.STR, Op.INT):
                slots = [slot for slot in slots if slot[0] != tuple(key)]
                slots.append((tuple(key), source))
                continue
            found = constants(self.eval(key, module, index, order, block)) if key != 0 else []
            slots.extend((known, source) for known in found)
            if not found:
                slots.append((None, source))
        return slots

    def _unpacked_dict(
        self, value: Value, expression: Any, module: Module, place: tuple[int, int, int], depth: int
    ) -> list[_Slot]:
        if self._splices >= _MAX_SPLICES:
            return []
        self._splices += 1
        try:
            found = self.eval(expression, module, *place)
            return [slot for inner in found if inner != value for slot in self._slots(inner, depth + 1)]
        finally:
            self._splices -= 1

    def _window(self, value: Value, depth: int) -> list[_Slot]:
        slots = self._slots(value[1], depth + 1)
        if not self.is_sequence(value[1]) or any(key is None for key, _source in slots):
            return [(None, source) for _key, source in slots]
        chosen = slots[value[2] : value[3]]
        return [(("#", position), source) for position, (_key, source) in enumerate(chosen)]

    def _slot(self, source: tuple[Any, ...]) -> Values:
        kind = source[0]
        if kind == "element":
            return self.solve(("L", source[1][1], source[1][2], source[2]))
        if kind == "values":
            return dict.fromkeys(source[1], q.CONTAINER)
        if kind == "all":
            return self._everything(source[1])
        if kind == "stored":
            return self.flows.items[source[1]][source[2]]
        return EMPTY

    def _element_value(self, key: Key) -> Values:
        expression, index, order, block = self._containers[(key[1], key[2])]
        module = self.store.modules[key[1]]
        item = expression[1][key[3]][1] if expression[0] == Op.DICT else expression[2][key[3]]
        if isinstance(item, list) and item and item[0] == Op.STAR:
            return self.iterate(self.eval(item[1], module, index, order, block))
        return self.eval(item, module, index, order, block)

    def _tuple_of(self, expression: list[Any], module: Module, index: int, order: int, block: int) -> Values:
        """A display inside a call whose arguments are known: its elements are evaluated there and then."""
        parts: list[tuple[Value, ...]] = []
        for item in expression[2]:
            if isinstance(item, list) and item and item[0] in (Op.STAR, Op.STAR0):
                return EMPTY
            parts.append(frozen(self.eval(item, module, index, order, block)))
        return {("q", tuple(parts)): q.LOCAL}

    def elements(self, value: Value) -> list[tuple[Value | None, Callable[[], Values]]]:
        """(key, what gives the element) of a container."""
        return [(key, partial(self._slot, source)) for key, source in self._slots(value)]

    # ---- reading ---------------------------------------------------------------------------------------------------

    def item(self, values: Values, keys: list[Value]) -> Values:
        """``values[key]``; without ``keys`` the key is not known."""
        if TOP in values:
            return ANYTHING
        out: Values = {}
        for value, step in values.items():
            kind = value[0]
            if kind in "kaqw":
                join(out, self._chosen(value, keys), max(step, q.CONTAINER))
            elif kind == "h":
                join(out, dict.fromkeys(value[1], q.CONTAINER), step)
            elif kind == "P2":
                if ("#", 1) in keys or not keys:
                    join(out, self._everything(value[1]), max(step, q.CONTAINER))
            elif kind == "G":
                for key in keys:
                    if key[0] == "'":
                        join(out, self.module_attribute(value[1], key[1]), max(step, q.CONTAINER))
            elif kind == "o":
                found = self.class_attribute(value, "__getitem__", True)
                join(out, self.result(found, q.RETURN), step)
            elif kind == "c":
                out[value] = step
        return out

    def _chosen(self, value: Value, keys: list[Value]) -> Values:
        slots = self._slots(value)
        out: Values = {}
        if keys:
            wanted = set(keys)
            if self.is_sequence(value) and all(key is not None for key, _source in slots):
                wanted = {("#", key[1] % len(slots)) if _is_behind(key, len(slots)) else key for key in wanted}
            exact = [source for key, source in slots if key in wanted]
            if not exact or any(key is None for key, _source in slots):
                exact += [source for key, source in slots if key is None]
            for source in exact:
                join(out, self._slot(source))
            return out
        for _key, source in slots:
            join(out, self._slot(source))
        return out

    def is_sequence(self, value: Value) -> bool:
        kind = value[0]
        if kind == "k":
            return bool(self._containers[(value[1], value[2])][0][0] == Op.SEQ)
        return kind in "qw" or (kind == "a" and value[3] == "tuple")

    def type_name(self, value: Value) -> str:
        """The builtin type of a container, "" where it is not certain."""
        kind = value[0]
        if kind == "k":
            expression = self._containers[(value[1], value[2])][0]
            return "dict" if expression[0] == Op.DICT else str(expression[1])
        if kind == "a":
            return str(value[3])
        if kind == "w":
            return str(value[4])
        return {"q": "tuple", "g": "generator", "h": value[2] if kind == "h" else ""}.get(kind, "")

    def _everything(self, value: Value) -> Values:
        """All elements; a variable of its own for displays, since they can hold one another."""
        kind = value[0]
        if kind == "h":
            return dict.fromkeys(value[1], q.CONTAINER)
        if kind == "k":
            out = dict(self.solve(("E", value[1], value[2])))
            if value[1] != self.home:
                self.deps |= self._container_bit(value)
                for stored in self.flows.items.get(value, {}).values() if self.local >= 0 else ():
                    join(out, stored, q.CONTAINER)
            return out
        return self._contents(value) if kind in "aqw" else EMPTY

    def _contents(self, value: Value) -> Values:
        out: Values = {}
        for _key, source in self._slots(value):
            join(out, self._slot(source), q.CONTAINER)
        return out

    def _keys(self, value: Value) -> Values:
        """What a loop over a dict gives: its keys, names of definitions among them."""
        out: Values = {}
        for key, source in self._slots(value):
            if key is not None:
                out[key] = q.CONTAINER
            elif source[0] == "element":
                expression, index, order, block = self._containers[(source[1][1], source[1][2])]
                if expression[0] == Op.DICT:
                    module = self.store.modules[source[1][1]]
                    join(out, self.eval(expression[1][source[2]][0], module, index, order, block), q.CONTAINER)
        return out

    def iterate(self, values: Values) -> Values:
        """What a loop over these values gives its target."""
        if TOP in values:
            return ANYTHING
        if self._nesting > MAX_NESTING:
            return EMPTY
        self._nesting += 1
        try:
            return self._iterate(values)
        finally:
            self._nesting -= 1

    def _iterate(self, values: Values) -> Values:
        out: Values = {}
        for value, step in values.items():
            kind = value[0]
            if kind in "hkaqw":
                found = self._everything(value) if kind == "h" or self.is_sequence(value) else self._keys(value)
                join(out, found, max(step, q.CONTAINER))
            elif kind == "g":
                self.deps |= 1 << self.store.modules[value[1]].bit
                join(out, self.solve(("y", value[1], value[2])), max(step, q.RETURN))
            elif kind == "V":
                join(out, self._everything(value[1]), max(step, q.CONTAINER))
            elif kind == "I":
                out[("P2", value[1])] = max(step, q.CONTAINER)
            elif kind == "o":
                made = self.result(self.class_attribute(value, "__iter__", True), q.RETURN)
                made = made or self.result(self.class_attribute(value, "__aiter__", True), q.RETURN)
                join(out, self._advance(made, value), max(step, q.RETURN))
        return out

    def _advance(self, made: Values, holder: Value) -> Values:
        out: Values = {}
        for value, step in made.items():
            if value[0] == "o":
                for name in ("__next__", "__anext__"):
                    join(out, self.result(self.class_attribute(value, name, True), step))
            elif value != holder:
                join(out, self.iterate({value: step}))
        return out

    def unpacked(self, values: Values, position: int) -> Values:
        """The target at ``position`` of an unpacking assignment; of what has no keys, any element."""
        out = self.item({v: s for v, s in values.items() if v[0] != "o"}, [("#", position)])
        others = {v: s for v, s in values.items() if v[0] in "gVIo"}
        if others:
            out = dict(out)
            join(out, self.iterate(others))
        return out

    def window(self, values: Values, start: int | None, stop: int | None) -> Values:
        """``values[start:stop]``"""
        out: Values = {}
        for value, step in values.items():
            if value[0] in "kaqw" and self.is_sequence(value) and depth_of(value) <= 1:
                out[("w", value, start or 0, stop, self.type_name(value))] = step
            elif value[0] in "hkaqw":
                out[value] = step
            elif value[0] == "o":
                join(out, self.item({value: step}, []))
            elif value[0] in ("t", "'"):
                out[value if value[0] == "t" else ("t", "str")] = step
        return out

    def copied(self, values: Values, kind: str) -> Values:
        """``list(values)`` and its like."""
        out: Values = {}
        for value, step in values.items():
            if value[0] in "kaqw" and self.is_sequence(value) and depth_of(value) <= 1:
                out[("w", value, 0, None, kind)] = step
            elif value[0] != "t":
                content = self.iterate({value: step})
                if content:
                    out[("h", frozen(content), kind)] = max(step, q.CONTAINER)
        return out

    # ---- methods ---------------------------------------------------------------------------------------------------

    def _container_method(self, value: Value, args: list[Any], module: Module, place: Place) -> Values:
        container, name = value[1], value[2]
        if container[0] == "g":
            return self.iterate({container: q.CONTAINER}) if name in ("__next__", "send") else EMPTY
        if name == "values":
            return {("V", container): q.CONTAINER}
        if name == "items":
            return {("I", container): q.CONTAINER}
        if name == "keys":
            return {("h", frozen(self._keys(container)), "keys"): q.CONTAINER}
        if name == "copy":
            return {container: q.CONTAINER}
        if name in ("get", "pop", "setdefault", "popleft", "popitem"):
            keys = constants(self.eval(args[0], module, *place)) if args else []
            out = dict(self.item({container: q.CONTAINER}, keys))
            if len(args) > 1 and name != "popitem":
                join(out, self.eval(args[1], module, *place), q.CONTAINER)
            return out
        return EMPTY

    def _enter(self, values: Values) -> Values:
        out: Values = {}
        for value, step in values.items():
            if value[0] == "g":
                join(out, self.iterate({value: step}))
            elif value[0] == "o":
                for name in ("__enter__", "__aenter__"):
                    found = self.class_attribute(value, name, True)
                    join(out, self.result(found, q.CONTEXT), step)
            elif value[0] == "h":
                join(out, dict.fromkeys(value[1], q.CONTEXT), step)
            elif value[0] == "i":
                out[value] = step
        return out

    def _exception(self, values: Values) -> Values:
        out: Values = {}
        for value, step in values.items():
            if value[0] == "c":
                out[("o", value[1], value[2])] = step
            elif value[0] in "kw":
                join(out, self._exception(self._everything(value)), q.CONTAINER)
            elif value[0] == "e":
                out[("i", value[1])] = step
        return out


def _is_behind(key: Value, length: int) -> bool:
    return key[0] == "#" and -length <= int(key[1]) < 0
