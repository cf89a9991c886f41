"""Annotations: what a value declared with one may be."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.builtins_model import (
    BUILTIN_CONTAINERS,
    CONTAINER_TYPES,
    MAPPING_TYPES,
    UNION_TYPES,
    builtin_instance,
)
from retrieval.graph.containers import Containers
from retrieval.graph.modules import Module, Scope
from retrieval.graph.values import EMPTY, FAR, MAX_NESTING, Values, dotted, frozen, join
from retrieval.languages.python.facts_ops import Op

_OPEN_TYPES = frozenset({"Any", "Callable", "object"})
_NO_TYPES = frozenset({"Any", "Callable", "TypeVar", "Self", "NoReturn", "Never", "object", "Hashable", "AnyStr"})


class Annotations(Containers):
    def declares(self, module: Module, scope: Scope, name: str) -> bool:
        """Whether an annotation says all that a parameter may be; ``Callable`` and ``Any`` leave open what comes."""
        return any(param[0] == name and param[1] != 0 for param in scope.params) and bool(
            self.solve(("d", module.number, scope.index, name))
        )

    def _declaration(self, module: Module, scope: Scope, name: str) -> Values:
        annotation = next(param[1] for param in scope.params if param[0] == name)
        return EMPTY if _is_open(annotation) else self.instances(annotation, module, max(scope.parent, 0))

    def instances(self, annotation: Any, module: Module, index: int, callables: bool = False) -> Values:
        """What a value declared with this annotation may be; with ``callables``, what ``Callable[…, X]`` gives, too."""
        if annotation == 0 or self._nesting > MAX_NESTING:
            return EMPTY
        self._nesting += 1
        try:
            if isinstance(annotation, str):
                return self._instances_of(self.eval(annotation, module, index, FAR, 0))
            operator = annotation[0]
            out: Values = {}
            if operator == Op.EITHER:
                for part in annotation[1]:
                    join(out, self.instances(part, module, index, callables), q.ANNOTATION)
                return out
            if operator != Op.GENERIC:
                return EMPTY
            base, args = annotation[1], annotation[2]
            name = dotted(base).rpartition(".")[2]
            if name in UNION_TYPES:
                for part in args[:1] if name == "Annotated" else args:
                    join(out, self.instances(part, module, index, callables), q.ANNOTATION)
                return out
            if name == "Callable":
                given = frozen(self.instances(args[-1], module, index)) if args and callables else ()
                return {("C", given): q.ANNOTATION} if given else EMPTY
            if name in ("Type", "type"):
                return self.eval(args[0], module, index, FAR, 0) if args and isinstance(args[0], str) else EMPTY
            if name in CONTAINER_TYPES or name in MAPPING_TYPES:
                position = -1 if name in MAPPING_TYPES else 0
                content = self.instances(args[position], module, index) if args else EMPTY
                kind = name.lower()
                if content:
                    return {("h", frozen(content), kind if kind in BUILTIN_CONTAINERS else ""): q.ANNOTATION}
                return {("t", kind): q.ANNOTATION} if kind in BUILTIN_CONTAINERS else EMPTY
            return self._instances_of(self.eval(base, module, index, FAR, 0))
        finally:
            self._nesting -= 1

    def _instances_of(self, values: Values) -> Values:
        out: Values = {}
        for value, step in values.items():
            if value[0] == "c":
                out[("o", value[1], value[2])] = max(step, q.ANNOTATION)
            elif value[0] == "e":
                instance = builtin_instance(value[1])
                if instance is not None:
                    out[instance] = q.ANNOTATION
                elif value[1].rpartition(".")[2] not in _NO_TYPES and not value[1].startswith("<builtin>"):
                    out[("i", value[1])] = q.ANNOTATION
        return out


def _is_open(annotation: Any) -> bool:
    """Whether one of the alternatives of an annotation says nothing of what is called."""
    if isinstance(annotation, str):
        return annotation.rpartition(".")[2] in _OPEN_TYPES
    if not isinstance(annotation, list):
        return False
    if annotation[0] == Op.EITHER:
        return any(map(_is_open, annotation[1]))
    if annotation[0] == Op.GENERIC:
        name = dotted(annotation[1]).rpartition(".")[2]
        return name in _OPEN_TYPES or (name in UNION_TYPES and any(map(_is_open, annotation[2])))
    return False
