"""What a call of a function of the tree puts into its parameters, its receiver included."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.flow_sinks import FlowSink
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module, Scope
from retrieval.graph.values import Place, Value, Values, bound_arguments
from retrieval.languages.python.facts_ops import Op

_SENT_FORMS = frozenset({Op.CALL, Op.ATTR, Op.DEF, Op.RAW, Op.EITHER, Op.ITEM, Op.OPERATOR})


class ArgumentReader(FlowSink):
    def __init__(self, module: Module, evaluator: Evaluator) -> None:
        super().__init__(module, evaluator)
        self._run: dict[Value, tuple[list[tuple[Value, int]], int]] = {}

    def _forget(self, changed: int) -> None:
        """Drops what rests on flows that changed."""
        self._run = {value: known for value, known in self._run.items() if not known[1] & changed}

    def _functions(self, value: Value) -> list[tuple[Value, int]]:
        evaluator = self.evaluator
        known = self._run.get(value)
        if known is None:
            before, evaluator.deps = evaluator.deps, 0
            known = self._run[value] = (list(self._functions_of(value)), evaluator.deps)
            evaluator.deps |= before
        else:
            evaluator.deps |= known[1]
        return known[0]

    def _functions_of(self, value: Value) -> Iterable[tuple[Value, int]]:
        """(function, 1 where its first parameter is bound already) of what calling ``value`` runs in the tree."""
        evaluator, kind = self.evaluator, value[0]
        if kind == "f":
            yield value, 0
        elif kind == "b":
            scope = evaluator.store.modules[value[1]].scopes[value[2]]
            yield value, 0 if evaluator.is_static(scope) or scope.short == "__new__" else 1
        elif kind == "c":
            for name in ("__init__", "__new__"):
                for made in evaluator.class_attribute(value, name, True):
                    if made[0] == "b":
                        yield made, 1
        elif kind == "o":
            for made in evaluator.class_attribute(value, "__call__", True):
                if made[0] == "b":
                    yield made, 1

    def _receiver(self, module: Module, scope: Scope, target: Value, step: int, callee: Any, index: int) -> None:
        """Methods called on an instance of a subclass run with it as ``self``."""
        if target[0] != "b" or not scope.params or scope.params[0][0].startswith("*"):
            return
        name = scope.params[0][0]
        if target[3:] != (module.number, scope.parent):
            kind = self.evaluator.receiver_kind(target)
            self._into(module, scope, name, {(kind, target[3], target[4]): max(step, q.ARGUMENT)})
        if module is not self.module and isinstance(callee, str) and callee.count(".") == 1:
            self._forward((module.name, scope.qualname, name), callee.partition(".")[0], index)

    def _arguments(
        self, module: Module, scope: Scope, args: list[Any], shift: int, place: Place, evaluated: dict[int, Values]
    ) -> None:
        params, own = scope.params, module is self.module
        plain = 0
        taken = {param[0] for param in params}
        hidden: list[Any] = []
        position = shift
        for argument in args:
            operator = argument[0] if isinstance(argument, list) and argument else ""
            if operator in (Op.STAR, Op.STARSTAR):
                hidden.append(argument)
                position = len(params) + 1 if operator == Op.STAR else position
                continue
            if operator == Op.KEYWORD:
                if argument[1] not in taken and own:
                    self._rest(scope, "**", ("'", argument[1]), argument[2], place)
                continue
            if own and (position >= len(params) or params[position][0].startswith("*")) and not hidden:
                first = next((n for n, param in enumerate(params) if param[0][:1] == "*"), len(params))
                self._rest(scope, "*", ("#", position - first), argument, place)
            position += 1
            plain += 1
        for name, expression in bound_arguments(params, args, shift):
            if expression == 0 or not (own or _can_be_sent(expression)) or self.evaluator.declares(module, scope, name):
                continue
            number = id(expression)
            found = evaluated.get(number)
            if found is None:
                found = evaluated[number] = self.evaluator.eval(expression, self.module, *place)
            self._into(module, scope, name, found)
            if (not own or scope.is_abstract) and isinstance(expression, str) and "." not in expression:
                self._forward((module.name, scope.qualname, name), expression, place[0])
        for argument in hidden:
            self._unpacked(module, scope, argument, plain + shift, place)

    def _rest(self, scope: Scope, stars: str, key: Value, expression: Any, place: Place) -> None:
        """An argument that lands in ``*args`` or ``**kwargs``."""
        kind = "tuple" if stars == "*" else "dict"
        if expression == 0 or not any(
            param[0].startswith(stars) and len(param[0]) > len(stars) and (stars == "**" or param[0][1] != "*")
            for param in scope.params
        ):
            return
        found = self.evaluator.eval(expression, self.module, *place)
        self._store(("a", self.module.number, scope.index, kind), key, found)

    def _unpacked(self, module: Module, scope: Scope, argument: list[Any], position: int, place: Place) -> None:
        """``*args`` and ``**kwargs`` at a call: the elements with known keys go where they belong."""
        evaluator = self.evaluator
        for value in evaluator.eval(argument[1], self.module, *place):
            if value[0] in "gohV" and argument[0] == Op.STAR:
                found = evaluator.iterate({value: q.CONTAINER})
                for param in scope.params[position:] if found else ():
                    if param[0].startswith("*"):
                        break
                    self._into(module, scope, param[0], found)
            if value[0] not in "kaqw":
                continue
            for key, source in evaluator.elements(value):
                if key is None:
                    continue
                name = key[1] if argument[0] == Op.STARSTAR and key[0] == "'" else None
                if argument[0] == Op.STAR and key[0] == "#":
                    offset = position + int(key[1])
                    name = scope.params[offset][0] if offset < len(scope.params) else None
                    if module is self.module and (name is None or name.startswith("*")):
                        first = next((n for n, param in enumerate(scope.params) if param[0][:1] == "*"), -1)
                        if first >= 0 and len(scope.params[first][0]) > 1 and scope.params[first][0][1] != "*":
                            self._store(("a", module.number, scope.index, "tuple"), ("#", offset - first), source())
                        continue
                if name is None or name.startswith("*"):
                    continue
                if any(param[0] == name for param in scope.params):
                    self._into(module, scope, name, source())
                elif module is self.module and any(param[0].startswith("**") for param in scope.params):
                    self._store(("a", module.number, scope.index, "dict"), key, source())


def _can_be_sent(expression: Any) -> bool:
    """Whether an argument can be a definition or an instance: the only values that leave their file."""
    return isinstance(expression, str) or expression[0] in _SENT_FORMS
