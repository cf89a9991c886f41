"""Classes: bases, method resolution order, attributes of classes and instances, what reading an attribute runs."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.modules import Module, Scope
from retrieval.graph.names import Names
from retrieval.graph.values import EMPTY, FAR, Value, Values, adds, is_definition, join, linearise
from retrieval.languages.python.facts_ops import Op

_PLAIN_BASES = frozenset(
    {
        "typing.NamedTuple",
        "typing_extensions.NamedTuple",
        "<builtin>.object",
        "abc.ABC",
        "typing.Generic",
        "typing.Protocol",
        "typing_extensions.Protocol",
    }
)
_ENUMERATIONS = frozenset(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))
_TYPE = "<builtin>.type"
_OBJECT_NAMES = frozenset(dir(object))


def _function_of(value: Value, holder: tuple[Any, ...] | None) -> Value:
    """A function stored on a class from outside (``F``), as its instances or the class itself give it."""
    if value[0] != "F":
        return value
    return ("f", *value[1:]) if holder is None else ("b", *value[1:], *holder)


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

    def is_subclass(self, holder: Value, number: int, index: int) -> bool:
        """Whether the class of ``holder`` (an instance or class) is or derives from the class given."""
        return (holder[1], holder[2]) == (number, index) or ("c", number, index) in self.mro(holder[1], holder[2])

    def class_attribute(self, value: Value, name: str, instance: bool) -> Values:
        """``name`` looked up along the MRO of the class of ``value``; functions come bound to it.

        In the file being resolved this includes what is assigned to the attribute from outside of the class.
        """
        found = self.solve(("A", value[1], value[2], name, instance))
        self.deps |= self._name_bit(name)
        if self.local >= 0 and f"@{name}" in self.stored:
            stored = self._stored_attribute(value, name, instance)
            if stored:
                found = dict(found)
                join(found, stored, q.ATTRIBUTE)
        return found

    def _stored_attribute(self, value: Value, name: str, instance: bool) -> Values:
        out: Values = {}
        for entry in self.mro(value[1], value[2]):
            if entry is not None and entry[0] == "c":
                join(out, self.flows.params.get((entry[1], entry[2], f"@{name}"), EMPTY))
        own = value[1:3]
        return {_function_of(v, own if instance else None): step for v, step in out.items()}

    def super_attribute(self, value: Value, name: str) -> Values:
        """``super().name`` in a method of a class (``s``), or seen from an instance of a subclass (``S``)."""
        holder: Value = ("o", value[3], value[4]) if value[0] == "S" else ("o", value[1], value[2])
        return self._along_mro(holder, name, True, ("c", value[1], value[2]))

    def _along_mro(self, value: Value, name: str, instance: bool, after: Value | None = None) -> Values:
        number, index = value[1], value[2]
        skipping = after is not None
        for entry in self.mro(number, index):
            if skipping:
                skipping = entry != after
                continue
            if entry is None:
                return EMPTY
            if entry[0] == "e":
                if entry[1] in _PLAIN_BASES or (entry[1] == _TYPE and not hasattr(type, name)):
                    continue
                return {("e", f"{entry[1]}.{name}"): q.BUILTIN if entry[1] == _TYPE else q.INHERITED_EXTERNAL}
            module = self.store.modules[entry[1]]
            self.deps |= 1 << module.bit
            found = self._own_attribute(module, module.scopes[entry[2]], name, value, instance)
            if found:
                return found
            if name in module.scopes[entry[2]].names and is_definition(module.scopes[entry[2]].names[name]):
                return EMPTY
        if not instance:
            meta = self.metaclass_attribute(number, index, name)
            if meta:
                return meta
        if name in _OBJECT_NAMES and (name != "__init__" or after is not None):
            return {("e", f"<builtin>.object.{name}"): q.BUILTIN}
        if instance and after is None and not name.startswith("__"):
            return self._hooked(value)
        return EMPTY

    def _own_attribute(self, module: Module, scope: Scope, name: str, value: Value, instance: bool) -> Values:
        found: Values = {}
        if name in scope.names:
            for inner, step in self._defined(module, scope, name).items():
                if inner[0] == "f":
                    bound = instance or self._takes_class(inner)
                    found[("b", *inner[1:], value[1], value[2]) if bound else inner] = step
                elif inner[0] == "P" and instance:
                    join(found, self._property(inner, value), q.PROPERTY)
                elif inner[0] == "o" and instance and self._getter(inner):
                    join(found, self.result(self._getter(inner), q.PROPERTY))
                else:
                    found[inner] = step
        if (instance or not found) and name in scope.attributes:
            join(found, self.solve(("a", module.number, scope.index, name)))
        return found

    def _defined(self, module: Module, scope: Scope, name: str) -> Values:
        """What a class binds to a name; a member of an enumeration is an instance of it."""
        own: Value = ("c", module.number, scope.index)
        if name[:1] != "_" and not is_definition(scope.names[name]) and self.is_enumeration(own):
            return {("o", *own[1:]): q.CLASS}
        return self.solve(("n", module.number, scope.index, name))

    def is_enumeration(self, value: Value) -> bool:
        return any(entry is not None and entry[1] in _ENUMERATIONS for entry in self.mro(value[1], value[2])[1:])

    def _takes_class(self, value: Value) -> bool:
        scope = self.store.modules[value[1]].scopes[value[2]]
        if scope.short in ("__init_subclass__", "__class_getitem__"):
            return True
        return any(name.rpartition(".")[2] == "classmethod" for name in scope.decorator_names())

    def _getter(self, value: Value) -> Values:
        """``__get__`` of an instance that is a class attribute."""
        return {v: s for v, s in self.solve(("A", value[1], value[2], "__get__", True)).items() if v[0] == "b"}

    def _hooked(self, value: Value) -> Values:
        """What ``__getattr__`` of the class gives for a name that nothing else has."""
        out: Values = {}
        for method, step in self.solve(("A", value[1], value[2], "__getattr__", True)).items():
            if method[0] == "b":
                join(out, self.result({method: step}, q.HOOK))
        return out

    def metaclass_attribute(self, number: int, index: int, name: str) -> Values:
        for entry in self.mro(number, index):
            if entry is None or entry[0] != "c":
                continue
            module = self.store.modules[entry[1]]
            expression = module.scopes[entry[2]].data.get("mc", 0)
            if expression == 0:
                continue
            self.deps |= 1 << module.bit
            for meta, _step in self.eval(expression, module, module.scopes[entry[2]].parent, FAR, 0).items():
                if meta[0] != "c":
                    continue
                out: Values = {}
                for inner, step in self.solve(("A", meta[1], meta[2], name, True)).items():
                    out[("b", inner[1], inner[2], number, index) if inner[0] == "b" else inner] = step
                if out and not all(inner[0] == "e" for inner in out):
                    return out
            return EMPTY
        return EMPTY

    def _property(self, value: Value, holder: Value) -> Values:
        return self.result({("b", value[1], value[2], holder[1], holder[2]): q.LOCAL}, q.LOCAL)

    def readers(self, values: Values, name: str) -> list[Value]:
        """The functions that reading ``name`` of these values runs: properties, ``__get__``, ``__getattr__``."""
        found: list[Value] = []
        for value in values:
            if value[0] == "o":
                found.extend(self._readers(value, name))
        return found

    def _readers(self, value: Value, name: str) -> list[Value]:
        for entry in self.mro(value[1], value[2]):
            if entry is None or entry[0] == "e":
                if entry is not None and entry[1] in (*_PLAIN_BASES, _TYPE):
                    continue
                return []
            scope = self.store.modules[entry[1]].scopes[entry[2]]
            if name in scope.names:
                inner = self.solve(("n", entry[1], entry[2], name))
                getters = [method for v in inner if v[0] == "o" for method in self._getter(v)]
                return [v for v in inner if v[0] == "P"] + getters
            if name in scope.attributes:
                return []
        if name in _OBJECT_NAMES or (name[:2] == name[-2:] == "__"):
            return []
        self.deps |= self._name_bit(name)
        if self.local >= 0 and f"@{name}" in self.stored and self._stored_attribute(value, name, True):
            return []
        hook = self.solve(("A", value[1], value[2], "__getattr__", True))
        return [method for method in hook if method[0] == "b"]

    def setters(self, values: Values, name: str) -> list[Value]:
        """The functions that assigning ``name`` of these values runs: setters and ``__set__``."""
        found: list[Value] = []
        for value in values:
            if value[0] != "o":
                continue
            for entry in self.mro(value[1], value[2]):
                if entry is None or entry[0] == "e":
                    break
                module = self.store.modules[entry[1]]
                scope = module.scopes[entry[2]]
                if name in scope.names:
                    self.deps |= 1 << module.bit
                    found.extend(self._setters_of(module, scope, name))
                    break
        return found

    def _setters_of(self, module: Module, scope: Scope, name: str) -> list[Value]:
        found: list[Value] = []
        for binding in scope.names[name]:
            expression = binding[1]
            if isinstance(expression, list) and expression[0] == Op.DEF:
                inner = module.scopes[expression[1]]
                if any(decorator.endswith(".setter") for decorator in inner.decorator_names()):
                    found.append(("f", module.number, inner.index))
        if not found:
            for value in self.solve(("n", module.number, scope.index, name)):
                if value[0] == "o":
                    set_ = self.solve(("A", value[1], value[2], "__set__", True))
                    found.extend(method for method in set_ if method[0] == "b")
        return found
