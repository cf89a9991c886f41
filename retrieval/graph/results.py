"""What calls and operators give: of definitions of the tree with their arguments put in."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.library import Library
from retrieval.graph.modules import Module, Scope
from retrieval.graph.names import CLASS_METHODS
from retrieval.graph.values import (
    ANYTHING,
    EMPTY,
    MAX_VALUES,
    TOP,
    Place,
    Value,
    Values,
    bound_arguments,
    dotted,
    enclosing_class,
    frozen,
    is_many,
    join,
    stepped,
)
from retrieval.languages.python.facts_ops import BINARY, Op

#: An argument with more alternatives than this is not told apart from other calls.
_MAX_ARGUMENT = 8

#: Results are told apart by a call's own arguments, and by those of the call around it; further in, a call gives what
#: any call gives. So each call in a function has at most as many contexts as the calls of that function have.
_MAX_CONTEXTS = 2
#: What werkzeug's proxies, declared as what they stand for, give that by.
_UNPROXIED = "._get_current_object"


class Results(Library):
    def _call(self, callee: Any, args: list[Any], module: Module, place: Place) -> Values:
        if callee == "super":
            return self._super(module, place[0])
        out: Values = {}
        called = self.eval(callee, module, *place)
        if not called and isinstance(callee, str) and callee.endswith(_UNPROXIED):
            held = self.eval(callee.removesuffix(_UNPROXIED), module, *place)
            return {value: max(step, q.ANNOTATION) for value, step in held.items() if value[0] == "o"}
        if len(called) > MAX_VALUES:
            return ANYTHING
        for value, step in called.items():
            kind = value[0]
            if kind == "c":
                join(out, {("o", value[1], value[2]): step})
            elif kind in "fb":
                join(out, self._returned(value, args, module, place), max(step, q.RETURN))
            elif kind == "e":
                join(out, self._external(value[1], args, module, place), step)
            elif kind == "o":
                for method in self.class_attribute(value, "__call__", True):
                    if method[0] == "b":
                        join(out, self._returned(method, args, module, place), max(step, q.RETURN))
            elif kind == "C":
                join(out, dict.fromkeys(value[1], q.ANNOTATION), step)
            elif kind == "x":
                join(out, self._container_method(value, args, module, place), max(step, q.CONTAINER))
            elif kind == "O" and args:
                join(out, self._fetched(value, self.eval(args[0], module, *place)), max(step, q.CONTAINER))
            elif value == TOP:
                return ANYTHING
        return out

    def _super(self, module: Module, index: int) -> Values:
        enclosing = enclosing_class(module, index)
        if enclosing < 0:
            return EMPTY
        out: Values = {("s", module.number, enclosing): q.SUPER}
        if self.home == module.number and index != enclosing:
            method = index
            while module.scopes[method].parent != enclosing:
                method = module.scopes[method].parent
            scope = module.scopes[method]
            if scope.params:
                self.deps |= self._scope_bit(method)
                key = (module.number, method, scope.params[0][0])
                flowing = self.flows.params.get(key, EMPTY) if self.local >= 0 else EMPTY
                for value, step in flowing.items():
                    if value[0] in "oc" and self.is_subclass(value, module.number, enclosing):
                        out[("S", module.number, enclosing, value[1], value[2])] = max(step, q.ARGUMENT)
        return out

    # ---- definitions of the tree -----------------------------------------------------------------------------------

    def _returned(self, value: Value, args: list[Any], at: Module | None, place: Place) -> Values:
        """What calling a function gives: its annotation, else its returns, with arguments and receiver put in."""
        module = self.store.modules[value[1]]
        self.deps |= 1 << module.bit
        scope = module.scopes[value[2]]
        holder = module.scopes[scope.parent] if scope.parent >= 0 else None
        is_method = holder is not None and holder.kind == "c"
        declared = scope.data.get("ra", 0)
        if declared != 0:
            if value[0] == "b" and is_method and dotted(declared).rpartition(".")[2] == "Self":
                return {("o", value[3], value[4]): q.ANNOTATION}
            found = self.instances(declared, module, max(scope.parent, 0), callables=True)
            if found:
                found = stepped(found, q.ANNOTATION)
            elif at is not None and isinstance(declared, str):
                found = self._of_type_variable(declared, scope, args, at, place, 1 if value[0] == "b" else 0)
            if found:
                # "-> F" of a decorator, or "-> Command | Callable[…]": the function that is really returned runs.
                is_weak = all(each[0] == "C" for each in found)
                find = self._inferred if is_weak else self._inner_functions
                inner = find(value, args, at, place, module, is_method)
                if inner:
                    found = dict(found)
                    join(found, inner)
                return found
        return self._inferred(value, args, at, place, module, is_method)

    def _inner_functions(
        self, value: Value, args: list[Any], at: Module | None, place: Place, module: Module, is_method: bool
    ) -> Values:
        """Functions defined inside the one that is called, among what it returns."""
        if value[2] not in module.functions_around:
            return EMPTY
        found = self._inferred(value, args, at, place, module, is_method)
        return {
            each: step
            for each, step in found.items()
            if each[0] == "f" and each[1] == value[1] and module.scopes[each[2]].parent == value[2]
        }

    def _inferred(
        self, value: Value, args: list[Any], at: Module | None, place: Place, module: Module, is_method: bool
    ) -> Values:
        scope = module.scopes[value[2]]
        if scope.yields:
            return {("g", module.number, scope.index): q.RETURN}
        if not scope.result_params or (self.context is not None and self.context.depth >= _MAX_CONTEXTS):
            return self.solve(("r", module.number, scope.index))
        known = self._arguments(value, module, scope, args, at, place, is_method)
        if known is None:
            return self.solve(("r", module.number, scope.index))
        context = self.in_context((module.number, scope.index), known)
        return self.solve(("R", module.number, scope.index, context.number))

    def _arguments(
        self,
        value: Value,
        module: Module,
        scope: Scope,
        args: list[Any],
        at: Module | None,
        place: Place,
        is_method: bool,
    ) -> dict[str, Values] | None:
        """The arguments that the result depends on; None where nothing is known of this call."""
        known: dict[str, Values] = {}
        shift = 0
        if is_method and value[0] == "b" and not self.is_static(scope):
            shift = 1
            name = scope.params[0][0] if scope.params else ""
            if name in scope.result_params and value[3:] != (value[1], scope.parent):
                kind = self.receiver_kind(value)
                known[name] = {(kind, value[3], value[4]): q.SELF}
        if at is None:
            return known or None
        for name, expression in bound_arguments(scope.params, args, shift):
            if name in scope.result_params and not self.declares(module, scope, name):
                found = self.eval(expression, at, *place) if expression != 0 else EMPTY
                if TOP in found or (len(found) > _MAX_ARGUMENT and not is_many(found)):
                    return None
                known[name] = found
        return known

    def is_static(self, scope: Scope) -> bool:
        names = scope.decorator_names()
        return bool(names) and any(name.endswith("staticmethod") for name in names)

    def receiver_kind(self, value: Value) -> str:
        """Whether the first parameter of the bound method ``value`` is an instance (``o``) or a class (``c``)."""
        module = self.store.modules[value[1]]
        scope = module.scopes[value[2]]
        if scope.short in CLASS_METHODS or any(name.endswith("classmethod") for name in scope.decorator_names()):
            return "c"
        holder = ("c", value[3], value[4])
        return "o" if self.is_subclass(holder, value[1], scope.parent) else "c"

    def _of_type_variable(
        self, declared: str, scope: Scope, args: list[Any], at: Module, place: Place, shift: int
    ) -> Values:
        """``def f(x: T) -> T``: what was passed for ``x``; of a class passed for ``type[T]`` an instance."""
        out: Values = {}
        annotations = {param[0]: param[1] for param in scope.params}
        for name, expression in bound_arguments(scope.params, args, shift):
            annotation = annotations[name]
            if expression == 0:
                continue
            if annotation == declared:
                join(out, self.eval(expression, at, *place), q.ANNOTATION)
            elif isinstance(annotation, list) and annotation[0] == Op.GENERIC and annotation[2] == [declared]:
                found = self.eval(expression, at, *place)
                if dotted(annotation).rpartition(".")[2] in ("type", "Type"):
                    join(out, {("o", v[1], v[2]): s for v, s in found.items() if v[0] == "c"}, q.ANNOTATION)
                else:
                    join(out, self.iterate(found), q.ANNOTATION)
        return out

    # ---- operators -------------------------------------------------------------------------------------------------

    def operator_methods(self, method: str, operand: Values, other: Values) -> Values:
        """The special methods that an operator on these operands runs, bound."""
        if len(operand) > MAX_VALUES or len(other) > MAX_VALUES:
            return EMPTY
        names = [f"__{method}__"]
        if method[:1] == "i" and method != "invert" and f"__{method[1:]}__" in _AUGMENTED:
            names.append(f"__{method[1:]}__")
        names += _FALLBACKS.get(method, ())
        found: Values = {}
        for value, step in operand.items():
            if value[0] == "o":
                join(found, self._first_method(value, names), step)
            elif value[0] == "c":
                hooks = ["__class_getitem__"] if method == "getitem" else []
                join(found, self._first_method(value, names + hooks, instance=False), step)
        if not found:
            reflected = _REFLECTED.get(method, f"__r{method}__")
            for value, step in other.items():
                if value[0] == "o":
                    join(found, self._first_method(value, [reflected]), step)
        return found

    def _first_method(self, value: Value, names: list[str], instance: bool = True) -> Values:
        for name in names:
            found = {v: s for v, s in self.class_attribute(value, name, instance).items() if v[0] == "b"}
            if found and (instance or any(self.receiver_kind(v) == "c" for v in found)):
                return found
        return EMPTY

    def _operated(self, method: str, operand: Values, other: Values) -> Values:
        out = self.result(self.operator_methods(method, operand, other), q.RETURN)
        if method in _JOINING:
            for values in (operand, other):
                for value, step in values.items():
                    if value[0] in "kaqwh":
                        join(out, {("h", frozen(self._everything(value)), self.type_name(value)): q.CONTAINER}, step)
        if out:
            return out
        kinds = {v if v[0] == "t" else ("t", "str") if v[0] == "'" else ("t", "") for v in operand}
        return {("t", "str"): q.BUILTIN} if kinds == {("t", "str")} and method in ("add", "mod", "mul") else EMPTY


#: Operators that containers are joined by.
_JOINING = frozenset({"add", "mul", "or", "and", "sub", "xor"})
_AUGMENTED = frozenset(f"__{name}__" for name in BINARY.values())
#: What runs where the class does not define the method itself.
_FALLBACKS = {"ne": ("__eq__",), "format": ("__str__", "__repr__"), "str": ("__repr__",), "bool": ("__len__",)}
_REFLECTED = {"lt": "__gt__", "gt": "__lt__", "le": "__ge__", "ge": "__le__", "eq": "__eq__", "ne": "__ne__"}
