"""Classes whose fields the text declares: dataclasses, named tuples, enumerations."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.graph import quality as q
from retrieval.graph.classes import Classes
from retrieval.graph.modules import Scope
from retrieval.graph.values import EMPTY, Value, Values, constants, join
from retrieval.languages.python.facts_ops import Op

_NAMED_TUPLES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_DATACLASSES = frozenset({"dataclass", "define", "attrs"})


class Fields(Classes):
    def is_dataclass(self, value: Value) -> bool:
        return any(
            name.rpartition(".")[2] in _DATACLASSES for scope in self._scopes(value) for name in scope.decorator_names()
        )

    def is_named_tuple(self, value: Value) -> bool:
        return any(entry is not None and entry[0] == "e" and entry[1] in _NAMED_TUPLES for entry in self._above(value))

    def fields(self, value: Value) -> list[str]:
        """The names that positional arguments of a class without an ``__init__`` of its own go to."""
        if not (self.is_dataclass(value) or self.is_named_tuple(value)):
            return []
        found: dict[str, None] = {}
        for scope in reversed(list(self._scopes(value))):
            for binding in scope.data.get("b", ()):
                if isinstance(binding[1], list) and binding[1][0] == Op.DECLARED:
                    found[binding[0]] = None
        return list(found)

    def _above(self, value: Value) -> list[Value | None]:
        return self.mro(value[1], value[2])

    def _scopes(self, value: Value) -> Iterator[Scope]:
        for entry in self._above(value):
            if entry is not None and entry[0] == "c":
                module = self.store.modules[entry[1]]
                self.deps |= 1 << module.bit
                yield module.scopes[entry[2]]

    def _field(self, value: Value, position: int) -> Values:
        """A named tuple's element."""
        names = self.fields(value) if self.is_named_tuple(value) else []
        return self.class_attribute(value, names[position], True) if -len(names) <= position < len(names) else EMPTY

    def _all_fields(self, value: Value) -> Values:
        out: Values = {}
        for name in self.fields(value) if self.is_named_tuple(value) else ():
            join(out, self.class_attribute(value, name, True), q.CONTAINER)
        return out

    def _matched(self, classes: Values, position: int) -> Values:
        """What a positional part of a class pattern is matched with."""
        out: Values = {}
        for value, step in classes.items():
            if value[0] != "c":
                continue
            instance: Value = ("o", value[1], value[2])
            listed = self.item(self.class_attribute(value, "__match_args__", False), [("#", position)])
            names = [str(key[1]) for key in constants(listed) if key[0] == "'"] or self.fields(value)[position:][:1]
            for name in names:
                join(out, self.class_attribute(instance, name, True), max(step, q.ATTRIBUTE))
        return out

    def item(self, values: Values, keys: list[Value]) -> Values:
        raise NotImplementedError
