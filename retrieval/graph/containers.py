"""Containers, iteration, context managers and exceptions: what comes out of a value."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.classes import Classes
from retrieval.graph.values import ANYTHING, EMPTY, FAR, MAX_NESTING, TOP, Key, Value, Values, join
from retrieval.languages.python.facts_ops import Op


class Containers(Classes):
    def _elements(self, value: Value) -> list[tuple[Any, int]]:
        """(key, number) of each element of a container made in the tree; key None where the position is unknown."""
        expression, *_ = self._containers[(value[1], value[2])]
        if expression[0] == Op.DICT:
            return [
                (tuple(key) if isinstance(key, list) else key or None, number)
                for number, (key, _item) in enumerate(expression[1])
            ]
        found: list[tuple[Any, int]] = []
        known = expression[1] in ("list", "tuple")
        for position, item in enumerate(expression[2]):
            if isinstance(item, list) and item and item[0] in (Op.STAR, Op.STAR0):
                known = False
                found.append((None, position))
            else:
                found.append(((Op.INT, position) if known else None, position))
        return found

    def _element(self, value: Value, number: int) -> Values:
        return self.solve(("L", value[1], value[2], number))

    def _element_value(self, key: Key) -> Values:
        expression, index, order, block = self._containers[(key[1], key[2])]
        module = self.store.modules[key[1]]
        item = expression[1][key[3]][1] if expression[0] == Op.DICT else expression[2][key[3]]
        if isinstance(item, list) and item and item[0] == Op.STAR:
            return self.iterate(self.eval(item[1], module, index, order, block))
        return self.eval(item, module, index, order, block)

    def item(self, values: Values, key: Any) -> Values:
        if TOP in values:
            return ANYTHING
        out: Values = {}
        wanted = tuple(key) if isinstance(key, list) else None
        for value, step in values.items():
            kind = value[0]
            if kind == "k":
                elements = self._elements(value)
                exact = [(k, e) for k, e in elements if wanted is not None and k == wanted]
                chosen = exact or [(k, e) for k, e in elements if wanted is None or k is None or isinstance(k, str)]
                if not exact and wanted is not None and wanted[0] == Op.INT and self.is_sequence(value):
                    chosen = [(k, e) for k, e in elements if k is None]
                for element_key, element in chosen:
                    if element_key == (Op.STARSTAR,):
                        for inner in self._element(value, element):
                            if inner[0] in "kh":
                                join(out, self._everything(inner), max(step, q.CONTAINER))
                    else:
                        join(out, self._element(value, element), max(step, q.CONTAINER))
            elif kind == "h":
                join(out, dict.fromkeys(value[1], q.CONTAINER), step)
            elif kind == "P2":
                if wanted == (Op.INT, 1):
                    join(out, self._everything(value[1]), max(step, q.CONTAINER))
            elif kind == "o":
                for method in self.class_attribute(value, "__getitem__", True):
                    if method[0] == "b":
                        join(out, self._returned(method, [], None, 0, FAR, 0), max(step, q.RETURN))
            elif kind == "c":
                out[value] = step
        return out

    def is_sequence(self, value: Value) -> bool:
        return bool(self._containers[(value[1], value[2])][0][0] == Op.SEQ)

    def _everything(self, value: Value) -> Values:
        """All elements; a variable of its own, since containers can hold one another."""
        if value[0] == "h":
            return dict.fromkeys(value[1], q.CONTAINER)
        return self.solve(("E", value[1], value[2])) if value[0] == "k" else EMPTY

    def _contents(self, value: Value) -> Values:
        out: Values = {}
        for key, element in self._elements(value):
            found = self._element(value, element)
            if key == (Op.STARSTAR,):
                for inner in list(found):
                    join(out, self._everything(inner), q.CONTAINER)
            else:
                join(out, found, q.CONTAINER)
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
            if kind == "h" or (kind == "k" and self.is_sequence(value)):
                join(out, self._everything(value), max(step, q.CONTAINER))
            elif kind == "g":
                self.deps |= 1 << self.store.modules[value[1]].bit
                join(out, self.solve(("y", value[1], value[2])), max(step, q.RETURN))
            elif kind == "V":
                join(out, self._everything(value[1]), max(step, q.CONTAINER))
            elif kind == "I":
                out[("P2", value[1])] = max(step, q.CONTAINER)
            elif kind == "o":
                for method in self.class_attribute(value, "__iter__", True):
                    if method[0] == "b":
                        made = self._returned(method, [], None, 0, FAR, 0)
                        join(out, self._advance(made, value), max(step, q.RETURN))
        return out

    def _advance(self, made: Values, holder: Value) -> Values:
        out: Values = {}
        for value, step in made.items():
            if value[0] == "o":
                for method in self.class_attribute(value, "__next__", True):
                    if method[0] == "b":
                        join(out, self._returned(method, [], None, 0, FAR, 0), step)
            elif value != holder:
                join(out, self.iterate({value: step}))
        return out

    def _container_method(self, value: Value, args: list[Any]) -> Values:
        container, name = value[1], value[2]
        if container[0] == "g":
            return self.iterate({container: q.CONTAINER}) if name in ("__next__", "send") else EMPTY
        if name == "values":
            return {("V", container): q.CONTAINER}
        if name == "items":
            return {("I", container): q.CONTAINER}
        if name == "copy":
            return {container: q.CONTAINER}
        if name in ("get", "pop", "setdefault", "popleft", "popitem"):
            if args and isinstance(args[0], list) and args[0][0] in (Op.STR, Op.INT):
                return self.item({container: q.CONTAINER}, args[0])
            return self._everything(container)
        return EMPTY

    def _enter(self, values: Values) -> Values:
        out: Values = {}
        for value, step in values.items():
            if value[0] == "g":
                join(out, self.iterate({value: step}))
            elif value[0] == "o":
                for method in self.class_attribute(value, "__enter__", True):
                    if method[0] == "b":
                        join(out, self._returned(method, [], None, 0, FAR, 0), max(step, q.CONTEXT))
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
            elif value[0] == "k":
                join(out, self._exception(self._everything(value)), q.CONTAINER)
            elif value[0] == "e":
                out[("i", value[1])] = step
        return out
