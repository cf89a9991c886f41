"""What runs without being called: hooks of class statements, properties that a callee is read through, the methods that
``operator``'s getters reach."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.references import ReferenceWriter
from retrieval.graph.values import Place, Value, Values
from retrieval.languages.python.facts_ops import Op


class HookWriter(ReferenceWriter):
    def class_statements(self) -> None:
        """What a metaclass makes a class by, ``__init_subclass__`` of its bases, ``__set_name__`` of what it holds."""
        evaluator, number = self.evaluator, self.module.number
        for scope in self.module.scopes:
            if scope.kind != "c":
                continue
            line = scope.data["l"]
            if "bases" in scope.data or "mc" in scope.data:
                for name in ("__new__", "__init__"):
                    self._hook(evaluator.metaclass_attribute(number, scope.index, name), scope.parent, line)
            if "bases" in scope.data:
                found = evaluator.super_attribute(("s", number, scope.index), "__init_subclass__")
                self._hook(found, scope.parent, line)
            for name in dict.fromkeys(binding[0] for binding in scope.data.get("b", ()) if _is_call(binding[1])):
                for value in evaluator.solve(("n", number, scope.index, name)):
                    if value[0] == "o":
                        self._hook(evaluator.class_attribute(value, "__set_name__", True), scope.parent, line)

    def _hook(self, methods: Values, index: int, line: int) -> None:
        for method, step in methods.items():
            if method[0] == "b":
                self.add_call(index, method, max(step, q.OPERATOR), line)

    def reads_of(self, callee: Any, called: Values, place: Place, line: int) -> None:
        """Attributes that are read on the way to a callee, and the callee where it is no method."""
        evaluator = self.evaluator
        name = callee.rpartition(".")[2] if isinstance(callee, str) else callee[-1] if isinstance(callee, list) else ""
        is_read = not called or not all(self._is_direct(value, name) for value in called)
        while isinstance(callee, list) and callee and callee[0] in (Op.ATTR, Op.CALL, Op.ITEM):
            inner = callee[1]
            if callee[0] == Op.ATTR and (is_read or not isinstance(inner, str)):
                values = evaluator.eval(inner, self.module, *place)
                if values:
                    self.read_attribute(values, callee[2], place[0], line)
            callee = inner
            is_read = True
        if not isinstance(callee, str):
            return
        root, *names = callee.split(".")
        if not is_read:
            names = names[:-1]
        if not names:
            return
        values = evaluator.lookup(root, self.module, *place)
        for name in names:
            if not values:
                return
            self.read_attribute(values, name, place[0], line)
            values = evaluator.attribute(values, name)

    def _is_direct(self, value: Value, name: Any) -> bool:
        """Whether a callee found under a name is what the name stands for, so that no property gave it."""
        if value[0] in "fbc":
            return bool(self.evaluator.store.modules[value[1]].scopes[value[2]].short == name)
        return value[0] in "ex" and str(value[-1]).rpartition(".")[2] == name

    def fetched(self, value: Value, args: list[Any], place: Place, line: int) -> None:
        """What calling one of ``operator``'s getters runs."""
        values = self.evaluator.eval(args[0], self.module, *place) if args else {}
        for key in value[2]:
            if value[1] == "attrgetter":
                self.read_attribute(values, key[1], place[0], line)
            elif value[1] == "methodcaller":
                for method, step in self.evaluator.attribute(values, key[1]).items():
                    if method[0] in "fb":
                        self.add_call(place[0], method, max(step, q.CONTAINER), line)
            elif value[1] == "itemgetter":
                for method, step in self.evaluator.operator_methods("getitem", values, {}).items():
                    self.add_call(place[0], method, max(step, q.OPERATOR), line)


def _is_call(expression: Any) -> bool:
    if isinstance(expression, list) and expression and expression[0] == Op.DECLARED:
        expression = expression[2]
    return isinstance(expression, list) and bool(expression) and expression[0] == Op.CALL
