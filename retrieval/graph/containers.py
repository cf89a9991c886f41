"""Containers: what loops over them give, elements by key, what their methods give."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.modules import Module
from retrieval.graph.slots import Display, Slots, Source
from retrieval.graph.values import (
    ANYTHING,
    EMPTY,
    FAR,
    MAX_NESTING,
    MAX_VALUES,
    TOP,
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


class Containers(Slots):
    def item(self, values: Values, keys: list[Value]) -> Values:
        """``values[key]``; without ``keys`` the key is not known."""
        if TOP in values or len(values) > MAX_VALUES:
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
            elif kind == "l":
                for key in keys:
                    if key[0] == "'":
                        module = self.store.modules[value[1]]
                        join(out, self.lookup(key[1], module, value[2], FAR, 0), max(step, q.CONTAINER))
            elif kind == "o":
                found = self.class_attribute(value, "__getitem__", True)
                join(out, self.result(found, q.RETURN), step)
                for key in keys:
                    if key[0] == "#":
                        join(out, self._field(value, key[1]), max(step, q.CONTAINER))
            elif kind == "c":
                out[("o", *value[1:]) if self.is_enumeration(value) else value] = step
        return out

    def _chosen(self, value: Value, keys: list[Value]) -> Values:
        if not keys:
            return self._everything(value)
        out: Values = {}
        for source in self._sources(value, keys):
            join(out, self._slot(source))
        return out

    def _sources(self, value: Value, keys: list[Value]) -> list[Source]:
        """Where the elements under these keys are; those whose key is not known come where they may be meant."""
        stored = self.flows.items.get(value) if self.local >= 0 else None
        display = self.display(value) if value[0] == "k" and not stored else None
        if display is not None:
            self._looked_into(value)
        else:
            display = Display.of(self._slots(value))
        wanted = set(keys)
        if self.is_sequence(value) and not display.keyless:
            length = len(display.slots)
            wanted = {("#", key[1] % length) if _is_behind(key, length) else key for key in wanted}
        exact = [source for key in sorted(wanted, key=repr) for source in display.by_key.get(key, ())]
        return exact if exact and not display.keyless else exact + display.keyless

    def _everything(self, value: Value) -> Values:
        """All elements; a variable of its own for displays, since they can hold one another."""
        kind = value[0]
        if kind == "h":
            return dict.fromkeys(value[1], q.CONTAINER)
        if kind == "k":
            out = dict(self.solve(("E", value[1], value[2])))
            if value[1] != self.home:
                self._looked_into(value)
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
        if TOP in values or len(values) > MAX_VALUES:
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
                if not made:
                    join(out, self._all_fields(value), step)
            elif kind == "c" and self.is_enumeration(value):
                out[("o", *value[1:])] = max(step, q.CONTAINER)
        return out

    def _delegated(self, values: Values) -> Values:
        """What ``yield from`` of generators gives: what they return."""
        out: Values = {}
        for value, step in values.items():
            if value[0] == "g":
                self.deps |= 1 << self.store.modules[value[1]].bit
                join(out, self.solve(("r", value[1], value[2])), max(step, q.RETURN))
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
        out = self.item({v: s for v, s in values.items() if v[0] not in "oc"}, [("#", position)])
        for value in values:
            if value[0] == "o":
                found = self._field(value, position)
                if found:
                    out = dict(out)
                    join(out, found, q.CONTAINER)
        others = {v: s for v, s in values.items() if v[0] in "gVIoc"}
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
            if self.type_name(container) == "Counter":
                # its elements are its keys
                pair = ("q", (frozen(self.iterate({container: q.CONTAINER})), ()))
                return {("h", (pair,), ""): q.CONTAINER}
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
