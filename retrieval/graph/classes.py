"""Classes: bases, method resolution order, attributes of classes and instances, properties."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.modules import Module, Scope
from retrieval.graph.names import Names
from retrieval.graph.values import EMPTY, FAR, Value, Values, adds, is_definition, join, linearise
from retrieval.languages.python.facts_ops import Op

_PLAIN_BASES = frozenset(
    {"<builtin>.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"}
)
_OBJECT_NAMES = frozenset(dir(object))


class Classes(Names):
    def _instance_attribute(self, module: Module, scope: Scope, name: str) -> Values:
        bindings = scope.attributes[name]
        out: Values = {}
        count = sum(1 for binding in bindings if not adds(binding) and binding[1] != 0)
        step = q.ATTRIBUTE if count <= 1 else q.MULTI
        for binding in bindings:
            join(out, self._binding(module, scope, binding), step)
        return out

    def _bases(self, module: Module, scope: Scope) -> Values:
        """One entry for each base expression: ``(position, value)``; the value is None where it is unknown."""
        out: Values = {}
        for position, (expression, _line) in enumerate(scope.data.get("bases", ())):
            if isinstance(expression, list) and expression[0] in (Op.GENERIC, Op.ITEM):
                expression = expression[1]
            values = self.eval(expression, module, scope.parent, FAR, 0) if expression != 0 else EMPTY
            usable = sorted((v for v in values if v[0] in "ce"), key=lambda v: (values[v], repr(v)))
            if usable:
                for value in usable[:2]:
                    out[(position, value)] = values[value]
            else:
                out[(position, None)] = q.MULTI
        return out

    def bases(self, value: Value) -> list[tuple[int, Value | None, int]]:
        """Bases of a class: (position of the expression, class or external or None, quality)."""
        return [(key[0], key[1], step) for key, step in self.solve(("B", value[1], value[2])).items()]

    def mro(self, number: int, index: int) -> list[Value | None]:
        """The class itself, then its bases in the order of lookup; None stands for an unknown base."""
        return [key[0] for key in self.solve(("M", number, index))]

    def _mro(self, module: Module, scope: Scope) -> Values:
        own: Value = ("c", module.number, scope.index)
        chains: list[list[Value | None]] = []
        direct: list[Value | None] = []
        for _position, base, _step in self.bases(own):
            if base is None or base[0] == "e":
                chains.append([base])
            elif base != own:
                chains.append(self.mro(base[1], base[2]) or [base])
            else:
                continue
            direct.append(base)
        merged = linearise(chains, direct)
        order: dict[Any, int] = {(own,): 0}
        for position, entry in enumerate(merged):
            order.setdefault((entry,), position + 1)
        return order

    def class_attribute(self, value: Value, name: str, instance: bool, skip_first: bool = False) -> Values:
        """``name`` looked up along the MRO of the class ``value``; functions come bound to it."""
        if skip_first:
            return self._along_mro(value, name, instance, True)
        return self.solve(("A", value[1], value[2], name, instance))

    def _along_mro(self, value: Value, name: str, instance: bool, skip_first: bool) -> Values:
        number, index = value[1], value[2]
        for position, entry in enumerate(self.mro(number, index)):
            if position == 0 and skip_first:
                continue
            if entry is None:
                return EMPTY
            if entry[0] == "e":
                if entry[1] in _PLAIN_BASES:
                    continue
                return {("e", f"{entry[1]}.{name}"): q.INHERITED_EXTERNAL}
            module = self.store.modules[entry[1]]
            self.deps |= 1 << module.bit
            scope = module.scopes[entry[2]]
            found: Values = {}
            if name in scope.names:
                for inner, step in self.solve(("n", entry[1], entry[2], name)).items():
                    if inner[0] == "f":
                        found[("b", inner[1], inner[2], number, index)] = step
                    elif inner[0] == "P" and instance:
                        join(found, self._property(inner, value), q.PROPERTY)
                    else:
                        found[inner] = step
            if (instance or not found) and name in scope.attributes:
                join(found, self.solve(("a", entry[1], entry[2], name)))
            if found:
                return found
            if name in scope.names and is_definition(scope.names[name]):
                return EMPTY
        if name in _OBJECT_NAMES and not (name == "__init__" and not skip_first):
            return {("e", f"<builtin>.object.{name}"): q.BUILTIN}
        return EMPTY

    def _property(self, value: Value, holder: Value) -> Values:
        return self._returned(("b", value[1], value[2], holder[1], holder[2]), [], None, 0, FAR, 0)

    def find_property(self, values: Values, name: str) -> list[Value]:
        """The property functions that reading ``name`` of these values runs."""
        found: list[Value] = []
        for value in values:
            if value[0] != "o":
                continue
            for entry in self.mro(value[1], value[2]):
                if entry is None or entry[0] == "e":
                    break
                if name in self.store.modules[entry[1]].scopes[entry[2]].names:
                    inner = self.solve(("n", entry[1], entry[2], name))
                    found.extend(v for v in inner if v[0] == "P")
                    break
        return found
