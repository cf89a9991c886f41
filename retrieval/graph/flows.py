"""What the calls and assignments of one file put into parameters, attributes and containers.

What they put into other files is handed on by name, see ``Sent``: those files are resolved with it afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module, Scope
from retrieval.graph.solver import NO_FLOWS, Flows
from retrieval.graph.values import TOP, Place, Value, Values, bound_arguments, constants, join
from retrieval.languages.python.facts_ops import Op, Put

#: A value by names: (kind, module or dotted name, qualified name…).
Named = tuple[str, ...]
#: (module, scope's qualified name, parameter) to what is sent there.
Sent = dict[tuple[str, str, str], dict[Named, int]]

#: Kinds of values worth following into a parameter of this file, and of another.
_FOLLOWED = frozenset("fbcokeighaqwmF'#")
_SENT = frozenset("fbcoei")
_SENT_FORMS = frozenset({Op.CALL, Op.ATTR, Op.DEF, Op.RAW, Op.EITHER, Op.ITEM, Op.OPERATOR})
#: Calls that hand their first argument the elements of the others, and those that hand it the others themselves.
_FEEDS_ELEMENTS = frozenset({"<builtin>.map", "<builtin>.filter", "functools.reduce", "itertools.starmap"})
_FEEDS_ARGUMENTS = frozenset({"functools.partial"})
_KEYED = frozenset({"<builtin>.sorted", "<builtin>.min", "<builtin>.max"})
_FEEDING = _FEEDS_ELEMENTS | _FEEDS_ARGUMENTS | _KEYED
_PARAMS, _ITEMS, _SENT_TO = range(3)
#: Into which table, under which key, what.
_Put = tuple[int, Any, Any]


class FlowReader:
    """Reads the flows of one file; ``sent`` is what goes to others.

    Read again with other flows in force, it evaluates only the places that rest on those that changed.
    """

    def __init__(self, module: Module, evaluator: Evaluator, given: Flows) -> None:
        self.module = module
        self.evaluator = evaluator
        self.given = given
        self.flows = NO_FLOWS
        self.sent: Sent = {}
        self._run: dict[Value, tuple[list[tuple[Value, int]], int]] = {}
        self._annotated: dict[tuple[int, int, str], tuple[bool, int]] = {}
        self._puts: list[list[Any]] = module.raw.get("T", [])
        n_places = len(module.calls) + len(self._puts)
        #: What each place puts where, the mask of what that rests on, and what was called there.
        self._found: list[list[_Put]] = [[]] * n_places
        self._rests_on: list[int] = [-1] * n_places
        self._called: list[Values | None] = [None] * n_places
        self._log: list[_Put] = []

    def read(self, resolved: list[Values], changed: int) -> Flows:
        """The flows of the file.

        Args:
            resolved: The values of the callee of each call.
            changed: Mask of the flows that are not what they were at the last reading; -1 at the first.
        """
        evaluator, found, rests_on = self.evaluator, self._found, self._rests_on
        if changed != -1:
            self._run = {value: known for value, known in self._run.items() if not known[1] & changed}
            self._annotated = {key: known for key, known in self._annotated.items() if not known[1] & changed}
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
        self._collect()
        return self.flows

    def _collect(self) -> None:
        given = self.given
        params = {key: dict(values) for key, values in given.params.items()}
        items = {key: {name: dict(values) for name, values in inner.items()} for key, inner in given.items.items()}
        sent: Sent = {}
        for puts in self._found:
            for into, key, values in puts:
                if into == _PARAMS:
                    join(params.setdefault(key, {}), values)
                elif into == _ITEMS:
                    join(items.setdefault(key[0], {}).setdefault(key[1], {}), values)
                else:
                    join(sent.setdefault(key, {}), values)
        self.flows, self.sent = Flows(params, items), sent

    # ---- calls -----------------------------------------------------------------------------------------------------

    def _call(self, call: list[Any], values: Values) -> None:
        line, index, block, callee, args = call
        place = (index, line * 2, block)
        evaluated: dict[int, Values] = {}
        for value, step in values.items():
            if value[0] == "e":
                if args and value[1] in _FEEDING:
                    self._external(value[1], args, place)
                continue
            for target, shift in self._functions(value):
                module = self.evaluator.store.modules[target[1]]
                scope = module.scopes[target[2]]
                if shift:
                    self._receiver(module, scope, target, step, callee, index)
                if args and scope.params:
                    self._arguments(module, scope, args, shift, place, evaluated)

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
            self._forward(module, scope, name, callee.partition(".")[0], index)

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
            if expression == 0 or not (own or _can_be_sent(expression)) or self._declared(module, scope, name):
                continue
            number = id(expression)
            found = evaluated.get(number)
            if found is None:
                found = evaluated[number] = self.evaluator.eval(expression, self.module, *place)
            self._into(module, scope, name, found)
            if not own and isinstance(expression, str) and "." not in expression:
                self._forward(module, scope, name, expression, place[0])
        for argument in hidden:
            self._unpacked(module, scope, argument, plain + shift, place)

    def _declared(self, module: Module, scope: Scope, name: str) -> bool:
        """Whether an annotation says what the parameter is."""
        key = (module.number, scope.index, name)
        evaluator = self.evaluator
        known = self._annotated.get(key)
        if known is None:
            annotation = next((param[1] for param in scope.params if param[0] == name), 0)
            before, evaluator.deps = evaluator.deps, 0
            found = annotation != 0 and bool(evaluator.instances(annotation, module, max(scope.parent, 0)))
            known = self._annotated[key] = (found, evaluator.deps)
            evaluator.deps |= before
        else:
            evaluator.deps |= known[1]
        return known[0]

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
        if not owners or TOP in owners:
            return
        values = evaluator.eval(expression, self.module, *place)
        if not values or TOP in values:
            return
        for holder in owners:
            if how == Put.ATTRIBUTE:
                self._put_attribute(holder, key, values)
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

    def _store(self, holder: Value, key: Value | None, values: Values) -> None:
        kept = {v: max(step, q.CONTAINER) for v, step in values.items() if v[0] in _FOLLOWED and v != holder}
        if kept:
            self._log.append((_ITEMS, (holder, key), kept))

    # ---- parameters ------------------------------------------------------------------------------------------------

    def _into(self, module: Module, scope: Scope, name: str, values: Values) -> None:
        step = q.ATTRIBUTE if name[0] == "@" else q.ARGUMENT
        kept = {v: max(s, step) for v, s in values.items() if v[0] in _FOLLOWED}
        if not kept:
            return
        self._log.append((_PARAMS, (module.number, scope.index, name), kept))
        if module is self.module:
            return
        named = {self._named(v): s for v, s in kept.items() if v[0] in _SENT}
        if named:
            self._log.append((_SENT_TO, (module.name, scope.qualname, name), named))

    def _forward(self, module: Module, scope: Scope, name: str, root: str, index: int) -> None:
        """A parameter handed on as it is: whatever reaches it from other files goes on, too."""
        current = index
        while current >= 0:
            source = self.module.scopes[current]
            if root in source.names:
                if len(source.names[root]) == 1 and any(param[0] == root for param in source.params):
                    handed: dict[Named, int] = {("p", self.module.name, source.qualname, root): q.ARGUMENT}
                    self._log.append((_SENT_TO, (module.name, scope.qualname, name), handed))
                return
            current = source.parent

    def _named(self, value: Value) -> Named:
        """A value by names, which stay the same when files are read anew."""
        kind = value[0]
        if kind in "ei":
            return (kind, value[1])
        modules = self.evaluator.store.modules
        out: Named = (kind, modules[value[1]].name, modules[value[1]].scopes[value[2]].qualname)
        if kind == "b":
            out = (*out, modules[value[3]].name, modules[value[3]].scopes[value[4]].qualname)
        return out


def _can_be_sent(expression: Any) -> bool:
    """Whether an argument can be a definition or an instance: the only values that leave their file."""
    return isinstance(expression, str) or expression[0] in _SENT_FORMS
