"""What the calls and assignments of one file put into parameters, attributes and containers.

What they put into other files is handed on by name, see ``Sent``: those files are resolved with it afterwards.
"""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.contexts import NO_FLOWS, SENT, Flows
from retrieval.graph.flow_arguments import ArgumentReader
from retrieval.graph.flow_sinks import Logged, Sent, collected
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module
from retrieval.graph.values import MAX_VALUES, TOP, Place, Value, Values, bound_arguments, constants
from retrieval.languages.python.facts_ops import Op, Put

#: Calls that hand their first argument the elements of the others, and those that hand it the others themselves.
_FEEDS_ELEMENTS = frozenset(
    {
        "<builtin>.map",
        "<builtin>.filter",
        "functools.reduce",
        "itertools.starmap",
        "itertools.filterfalse",
        "itertools.takewhile",
        "itertools.dropwhile",
    }
)
_FEEDS_ARGUMENTS = frozenset({"functools.partial"})
_KEYED = frozenset({"<builtin>.sorted", "<builtin>.min", "<builtin>.max"})
_FEEDING = _FEEDS_ELEMENTS | _FEEDS_ARGUMENTS | _KEYED


class FlowReader(ArgumentReader):
    """Reads the flows of one file; ``sent`` is what goes to others.

    Read again with other flows in force, it evaluates only the places that rest on those that changed.
    """

    def __init__(self, module: Module, evaluator: Evaluator, given: Flows) -> None:
        super().__init__(module, evaluator)
        self.given = given
        self.flows = NO_FLOWS
        self.sent: Sent = {}
        self._puts: list[list[Any]] = module.raw.get("T", [])
        n_places = len(module.calls) + len(self._puts)
        #: What each place puts where, the mask of what that rests on, and what was called there.
        self._found: list[list[Logged]] = [[]] * n_places
        self._rests_on: list[int] = [-1] * n_places
        self._called: list[Values | None] = [None] * n_places

    def read(self, resolved: list[Values], changed: int) -> Flows:
        """The flows of the file.

        Args:
            resolved: The values of the callee of each call.
            changed: Mask of the flows that are not what they were at the last reading; -1 at the first.
        """
        evaluator, found, rests_on = self.evaluator, self._found, self._rests_on
        if changed != -1:
            self._forget(changed)
        total = evaluator.deps
        for position, place in enumerate((*self.module.calls, *self._puts)):
            called = resolved[position] if position < len(resolved) else None
            if not rests_on[position] & changed and called is self._called[position]:
                continue
            evaluator.deps = 0
            self._log = found[position] = []
            self._called[position] = called
            if called is None:
                self._put(place)
            elif called:
                self._call(place, called)
            rests_on[position] = evaluator.deps
            total |= evaluator.deps
        evaluator.deps = total
        self.flows, self.sent = collected(found, self.given)
        return self.flows

    # ---- calls -----------------------------------------------------------------------------------------------------

    def _call(self, call: list[Any], values: Values) -> None:
        line, index, block, callee, args = call
        place = (index, line * 2, block)
        evaluated: dict[int, Values] = {}
        if len(values) > MAX_VALUES:
            return
        for value, step in values.items():
            if value[0] == "e":
                if args and value[1] in _FEEDING:
                    self._external(value[1], args, place)
                continue
            if value[0] == "c" and args:
                self._fields(value, args, place)
            for target, shift in self._functions(value):
                module = self.evaluator.store.modules[target[1]]
                scope = module.scopes[target[2]]
                if shift:
                    self._receiver(module, scope, target, step, callee, index)
                if args and scope.params:
                    self._arguments(module, scope, args, shift, place, evaluated)

    def _fields(self, value: Value, args: list[Any], place: Place) -> None:
        """Arguments that go straight into the fields of a dataclass or named tuple."""
        params = [[name, 0, 0] for name in self.evaluator.fields(value)]
        if params and not any(made[0] == "b" for made in self.evaluator.class_attribute(value, "__init__", True)):
            module = self.evaluator.store.modules[value[1]]
            for name, expression in bound_arguments(params, args, 0):
                if expression != 0:
                    found = self.evaluator.eval(expression, self.module, *place)
                    self._into(module, module.scopes[value[2]], f"@{name}", found)

    # ---- code outside the tree -------------------------------------------------------------------------------------

    def _external(self, name: str, args: list[Any], place: Place) -> None:
        """What calls of the standard library hand to the callable that they are given."""
        evaluator, module = self.evaluator, self.module
        if name in _FEEDS_ELEMENTS and len(args) > 1:
            given = [evaluator.iterate(evaluator.eval(argument, module, *place)) for argument in args[1:]]
            callable_, values = args[0], given
        elif name in _FEEDS_ARGUMENTS:
            for value in evaluator.eval(args[0], module, *place):
                for target, shift in self._functions(value):
                    other = evaluator.store.modules[target[1]]
                    self._arguments(other, other.scopes[target[2]], args[1:], shift, place, {})
            return
        elif name in _KEYED:
            keys = [a[2] for a in args if isinstance(a, list) and a and a[0] == Op.KEYWORD and a[1] == "key"]
            if not keys:
                return
            callable_, values = keys[0], [evaluator.iterate(evaluator.eval(args[0], module, *place))]
        else:
            return
        for value in evaluator.eval(callable_, module, *place):
            for target, shift in self._functions(value):
                other = evaluator.store.modules[target[1]]
                scope = other.scopes[target[2]]
                for offset, found in enumerate(values):
                    if offset + shift < len(scope.params) and not scope.params[offset + shift][0].startswith("*"):
                        self._into(other, scope, scope.params[offset + shift][0], found)

    # ---- stores ----------------------------------------------------------------------------------------------------

    def _put(self, put: list[Any]) -> None:
        line, index, block, how, owner, key, expression = put
        if expression == 0:
            return
        evaluator, place = self.evaluator, (index, line * 2 + 1, block)
        owners = evaluator.eval(owner, self.module, *place)
        if not owners or TOP in owners or len(owners) > MAX_VALUES:
            return
        if how == Put.ITEM and isinstance(expression, str) and "." not in expression:
            for holder in owners:
                if holder[0] == "k":
                    self._forward(evaluator.container_slot(holder), expression, index)
        values = evaluator.eval(expression, self.module, *place)
        if not values or TOP in values:
            return
        for holder in owners:
            if how == Put.ATTRIBUTE:
                self._put_attribute(holder, key, values)
            elif how == Put.SEND:
                if holder[0] == "g":
                    module = evaluator.store.modules[holder[1]]
                    self._into(module, module.scopes[holder[2]], SENT, values)
            elif holder[0] not in "ka":
                continue
            elif how == Put.ITEM:
                for one in self._keys(key, place):
                    self._store(holder, one, values)
            else:
                for value in values:
                    for one, source in evaluator.elements(value) if value[0] in "kaqw" else ():
                        self._store(holder, one if value[0] != "q" and one and one[0] == "'" else None, source())
                    if value[0] in "hg":
                        self._store(holder, None, evaluator.iterate({value: q.CONTAINER}))

    def _keys(self, key: Any, place: Place) -> list[Value | None]:
        known = constants(self.evaluator.eval(key, self.module, *place)) if key != 0 else []
        return [*known] if known else [None]

    def _put_attribute(self, holder: Value, name: str, values: Values) -> None:
        evaluator, kind = self.evaluator, holder[0]
        if kind in "oc":
            if kind == "c":
                values = {("F", *v[1:]) if v[0] == "f" else v: step for v, step in values.items()}
            module = evaluator.store.modules[holder[1]]
            self._into(module, module.scopes[holder[2]], f"@{name}", values)
        elif kind == "f":
            module = evaluator.store.modules[holder[1]]
            self._into(module, module.scopes[holder[2]], f"@{name}", values)
        elif kind == "m" and holder[1] in evaluator.store.file_ids:
            other = evaluator.store.get(holder[1])
            if other is not None:
                self._into(other, other.scopes[0], f"@{name}", values)
