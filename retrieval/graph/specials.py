"""Special methods that places of a file run: operators, loops, ``with``, ``raise``, assignments to attributes."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.graph import quality as q
from retrieval.graph.hooks import HookWriter
from retrieval.graph.values import EMPTY, Value, Values
from retrieval.languages.python.facts_ops import Op, Put, Use

#: (qualified name, quality, the definition itself where it is in the tree)
Target = tuple[str, int, Value | None]

_ENTERS = (("__enter__", "__exit__"), ("__aenter__", "__aexit__"))


class SpecialWriter(HookWriter):
    def _constructors(self, value: Value, step: int) -> list[Target]:
        evaluator = self.evaluator
        found: list[Target] = []
        for name in ("__new__", "__init__", "__post_init__"):
            for made, inner in evaluator.class_attribute(value, name, True).items():
                if made[0] == "b" and (name != "__post_init__" or evaluator.is_dataclass(value)):
                    found.append((self.qualname(made), max(step, inner), made))
        for made, inner in evaluator.class_attribute(value, "__call__", False).items():
            if made[0] == "b" and evaluator.receiver_kind(made) == "c":
                found.append((self.qualname(made), max(step, inner), made))
        return found

    # ---- special methods -------------------------------------------------------------------------------------------

    def _special(self, method: str, operand: Values, other: Values, index: int, line: int) -> bool:
        found = self.evaluator.operator_methods(method, operand, other)
        for value, step in found.items():
            self.add_call(index, value, self._step(value, max(step, q.OPERATOR), (*operand, *other)), line)
        return bool(found)

    def _step(self, method: Value, step: int, operands: Sequence[Value]) -> int:
        """How sure a special method is, see ``_without_tests``."""
        if self.module.role == "test" or not self._is_test(method):
            return step
        return step if all(value[0] == "o" and self._is_test(value) for value in operands) else q.FROM_TESTS

    def contexts(self) -> None:
        evaluator = self.evaluator
        for line, index, block, expression in self.module.raw.get("W", ()):
            values = evaluator.eval(expression, self.module, index, line * 2, block)
            for value, step in values.items():
                if value[0] != "o":
                    continue
                for names in _ENTERS:
                    for name in names:
                        for made, inner in evaluator.class_attribute(value, name, True).items():
                            if made[0] == "b":
                                found = self._step(made, max(step, inner, q.CONTEXT), tuple(values))
                                self.add_call(index, made, found, line)

    def operators(self) -> None:
        evaluator = self.evaluator
        for use in self.module.raw.get("O", ()):
            line, index, block, method, operand = use[:5]
            place = (index, line * 2, block)
            values = evaluator.eval(operand, self.module, *place)
            if method == Use.RAISE:
                for value, step in values.items():
                    if value[0] == "c":
                        for _name, inner, made in self._constructors(value, step):
                            if made is not None:
                                self.add_call(index, made, max(inner, q.RAISED), line)
            elif method == Use.ITERATE:
                self._iterated(values, index, line)
            elif method == Use.READ:
                self.read_attribute(values, use[5][1], index, line)
            else:
                other = evaluator.eval(use[5], self.module, *place) if len(use) > 5 else EMPTY
                if values or other:
                    self._special(method, values, other, index, line)

    def _iterated(self, values: Values, index: int, line: int) -> None:
        evaluator = self.evaluator
        own = {value: step for value, step in values.items() if value[0] == "o"}
        if not own:
            return
        for first, then in (("iter", "next"), ("aiter", "anext")):
            if self._special(first, own, EMPTY, index, line):
                made = evaluator.result(evaluator.operator_methods(first, own, EMPTY), q.OPERATOR)
                self._special(then, {v: max(s, q.OPERATOR) for v, s in made.items() if v[0] == "o"}, EMPTY, index, line)
                return
        self._special("getitem", own, EMPTY, index, line)

    # ---- attributes ------------------------------------------------------------------------------------------------

    def stores(self) -> None:
        """Assignments to attributes: setters, ``__set__``."""
        evaluator = self.evaluator
        for line, index, block, how, owner, name, _value in self.module.raw.get("T", ()):
            if how == Put.ATTRIBUTE:
                values = evaluator.eval(owner, self.module, index, line * 2, block)
                self._set_attribute(values, name, index, line)
        for scope in self.module.scopes:
            if scope.kind == "c":
                own: Values = {("o", self.module.number, scope.index): q.SELF}
                for binding in scope.data.get("ia", ()):
                    if not (isinstance(binding[1], list) and binding[1][0] == Op.ALSO):
                        self._set_attribute(own, binding[0], binding[4], (binding[2] - 1) // 2)

    def _set_attribute(self, values: Values, name: str, index: int, line: int) -> None:
        for value in self.evaluator.setters(values, name):
            self.add_call(index, value, max(max(values.values()), q.PROPERTY), line)
