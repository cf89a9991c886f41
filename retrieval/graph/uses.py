"""What the calls of a file run; with it, all rows of the file."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.builtins_model import (
    CALLS_ARGUMENT,
    COPYING_CALLS,
    HOMES,
    IDENTITY_CALLS,
    RUNS_METHODS,
    has_attribute,
)
from retrieval.graph.fixtures import takes_fixtures
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module
from retrieval.graph.rows import CALL
from retrieval.graph.specials import SpecialWriter, Target
from retrieval.graph.values import EMPTY, MAX_FUNCTIONS, TOP, Place, Value, Values
from retrieval.languages.python.facts_ops import LOCAL, Op

#: What takes a callable without calling it at once.
_KEEPS_ARGUMENT = (
    ((frozenset(IDENTITY_CALLS) | frozenset(COPYING_CALLS)) - CALLS_ARGUMENT)
    | {
        f"<builtin>.{name}"
        for name in ("dict", "property", "isinstance", "issubclass", "type", "id", "print", "callable", "getattr")
    }
    | {"<builtin>.setattr", "contextlib.closing", "contextlib.nullcontext", "itertools.repeat", "itertools.chain"}
)
_CONTAINERS = ("<builtin>.list.", "<builtin>.dict.", "<builtin>.set.", "<builtin>.tuple.", "collections.")
#: A call that resolves to more definitions than this possibly calls the functions among them.
_MAX_TARGETS = 16
#: Rows of that kind in one file: further calls of many stay unresolved, so that edges grow with the text.
_MAX_MANY = 2_000


class UseWriter(SpecialWriter):
    def __init__(self, module: Module, evaluator: Evaluator, calls_only: bool = False) -> None:
        super().__init__(module, evaluator, calls_only)
        self._several: set[tuple[str, str]] = set()

    def write(self, resolved: list[Values]) -> None:
        """All rows of the file.

        Args:
            resolved: The values of the callee of each call.
        """
        self.structure()
        if not self.calls_only:
            self.imports()
        self.calls(resolved)
        self.fixtures()
        self.class_statements()
        self.contexts()
        self.operators()
        self.stores()
        self.references()

    # ---- calls -----------------------------------------------------------------------------------------------------

    def calls(self, resolved: list[Values]) -> None:
        scopes = self.module.scopes
        for (line, index, block, callee, args), values in zip(self.module.calls, resolved, strict=True):
            source = scopes[index].qualname
            place = (index, line * 2, block)
            if not isinstance(callee, str) or "." in callee:
                self.reads_of(callee, values, place, line)
            getters = [value for value in values if value[0] == "O"]
            for getter in getters:
                self.fetched(getter, args, place, line)
            if TOP in values:
                values = self._of_own_class(callee, index) or values
            is_few = len(values) <= _MAX_TARGETS or self._are_few(values)
            targets = self._targets(values) if is_few else self._many(values)
            if not targets:
                if getters:
                    continue
                if _is_decoration(args) and not isinstance(callee, str):
                    continue  # what a decorator from outside returned is applied: nothing to say
                if callee != "super":
                    self._unresolved(source, callee, line, index)
                else:
                    self.add(source, "<builtin>.super", CALL, q.BUILTIN, line)
                continue
            if self.module.role != "test":
                targets = self._without_tests(targets)
            runs = {target for value in values for target in self._functions(value)}
            several = len(runs) > 1
            for target, found, value in targets:
                is_unsure = several and found < q.DECORATED and min(len(targets), len(runs)) <= _MAX_TARGETS
                step = q.MULTI if is_unsure else found
                if step == q.MANY:
                    self._add_many(source, target, line)
                elif value is None:
                    self.add(source, target, CALL, step, line)
                else:
                    self.add_call(index, value, step, line, found)
            outside = [target for target, _step, value in targets if value is None]
            if outside and args:
                self._passed(source, outside[0], args, callee, place, line)

    def _of_own_class(self, callee: Any, index: int) -> Values:
        """What ``self.name`` is by the class alone, where too many instances reach ``self`` to follow them all."""
        scope = self.module.scopes[index]
        owner = self.evaluator.own_receiver(self.module, scope)
        if owner is None or not isinstance(callee, str):
            return EMPTY
        head, _, name = callee.partition(".")
        is_bound_anew = len(scope.names.get(head, ())) > 1
        if head != scope.params[0][0] or not name or "." in name or is_bound_anew:
            return EMPTY
        found = self.evaluator.class_attribute(owner, name, owner[0] == "o")
        return {value: max(step, q.SELF) for value, step in found.items() if value[0] == "b"}

    def _are_few(self, values: Values) -> bool:
        """Whether many values are but few functions: a method of one class, bound to each of its subclasses."""
        if len(values) > MAX_FUNCTIONS or any(value[0] not in "fb" for value in values):
            return False
        return len({self.qualname(value) for value in values}) <= _MAX_TARGETS

    def _functions(self, value: Value) -> list[str]:
        """The one function that calling ``value`` runs first; a class stands for itself."""
        return [self.qualname(value)] if value[0] in "fbco" else [str(value[1])] if value[0] == "e" else []

    def _targets(self, values: Values) -> list[Target]:
        """What calling these values runs."""
        found: list[Target] = []
        for value, step in values.items():
            kind = value[0]
            if kind in ("f", "b"):
                found.append((self.qualname(value), self._checked(value, step), value))
            elif kind == "c":
                found.append((self.qualname(value), step, value))
                found.extend(self._constructors(value, step))
            elif kind == "o":
                for made, inner in self.evaluator.class_attribute(value, "__call__", True).items():
                    if made[0] == "b":
                        found.append((self.qualname(made), max(step, inner), made))
            elif kind == "e":
                found.append((value[1], step, None))
            elif kind == "i":
                found.append((f"{value[1]}.__call__", max(step, q.MULTI), None))
            elif kind == "x":
                name = self.evaluator.type_name(value[1])
                if name and has_attribute(name, value[2]):
                    found.append((f"{HOMES.get(name, '<builtin>')}.{name}.{value[2]}", step, None))
        return found

    def _without_tests(self, targets: list[Target]) -> list[Target]:
        """What only tests hand to code is possible at most, unless nothing else can be meant."""
        tests = {name for name, _step, value in targets if value and self._is_test(value)}
        if not tests or all(name in tests for name, _step, _value in targets):
            return targets
        return [(name, q.FROM_TESTS if name in tests else step, value) for name, step, value in targets]

    def _many(self, values: Values) -> list[Target]:
        """Functions of the tree among many values: what a registry holds."""
        found: list[Target] = [(self.qualname(value), q.MANY, value) for value in values if value[0] in "fb"]
        others = {value: max(step, q.MULTI) for value, step in values.items() if value[0] not in "fb"}
        if len(others) <= _MAX_TARGETS and TOP not in others:
            found += self._targets(others)
        return found if len(found) <= min(MAX_FUNCTIONS, _MAX_MANY - len(self._several)) else []

    def _add_many(self, source: str, target: str, line: int) -> None:
        """One row for a function and each of the many that it may call, at the first place."""
        if (source, target) not in self._several:
            self._several.add((source, target))
            self.add(source, target, CALL, q.MANY, line)

    def _checked(self, value: Value, step: int) -> int:
        """An abstract method is hardly what runs."""
        scope = self.evaluator.store.modules[value[1]].scopes[value[2]]
        if step < q.DECORATED and any(name.endswith("abstractmethod") for name in scope.decorator_names()):
            return q.MULTI
        return step

    def _unresolved(self, source: str, callee: Any, line: int, index: int) -> None:
        name, rule = "<expression>", "unknown-value"
        if isinstance(callee, str):
            root, dot, _ = callee.partition(".")
            name = callee.rpartition(".")[2].partition(LOCAL)[0]
            rule = "unknown-receiver" if dot else "unknown-value"
            if not dot and not self._is_bound(root, index):
                rule = "unknown-name"
        elif isinstance(callee, list) and callee[0] == Op.ATTR:
            name, rule = callee[2], "unknown-receiver"
        self.state(source, f"?.{name}", CALL, q.WRAPPED, line, rule)

    def _is_bound(self, name: str, index: int) -> bool:
        current = index
        while current >= 0:
            scope = self.module.scopes[current]
            if name in scope.names:
                return True
            current = scope.parent
        return False

    def _passed(self, source: str, target: str, args: list[Any], callee: Any, place: Place, line: int) -> None:
        """What code outside the tree does with its arguments: it may call them, or run their special methods."""
        evaluator, module = self.evaluator, self.module
        methods = RUNS_METHODS.get(target, ())
        if methods:
            for argument in args:
                found = evaluator.eval(argument, module, *place) if isinstance(argument, (str, list)) else EMPTY
                for method in methods:
                    if self._special(method, found, EMPTY, place[0], line):
                        break
                if target in ("<builtin>.list", "<builtin>.sum") or len(methods) > 1:
                    break
        if target in _KEEPS_ARGUMENT or (target.startswith(_CONTAINERS) and target not in CALLS_ARGUMENT):
            return
        step = q.PASSED if target in CALLS_ARGUMENT else q.PASSED_POSSIBLE
        if _is_decoration(args):
            return
        for argument in args:
            if isinstance(argument, list) and argument and argument[0] == Op.KEYWORD:
                argument = argument[2]
            if not (isinstance(argument, str) or (isinstance(argument, list) and argument[0] in (Op.DEF, Op.ATTR))):
                continue
            for value, inner in evaluator.eval(argument, module, *place).items():
                if value[0] in ("f", "b"):
                    self.add(source, self.qualname(value), CALL, max(step, inner), line)

    def fixtures(self) -> None:
        """A test runs the fixtures that it asks for."""
        for scope in self.module.scopes:
            for param in scope.params if takes_fixtures(scope) else ():
                fixture = self.evaluator.fixture_of(self.module, scope, param[0])
                if fixture is not None:
                    self.add_call(scope.index, fixture, q.FIXTURE, scope.data["l"])


def _is_decoration(args: list[Any]) -> bool:
    return len(args) == 1 and isinstance(args[0], list) and args[0][0] == Op.RAW
