"""What a name, an attribute or a call may be: the evaluator behind every resolved edge.

Values are tuples: ``("c", m, s)`` class, ``("f", m, s)`` function or lambda, ``("b", m, s, cm, cs)`` method bound to an
instance or class, ``("P", m, s)`` property, ``("o", m, s)`` instance, ``("s", m, s)`` what ``super()`` gives there,
``("m", name)`` module or namespace package, ``("e", dotted)`` anything outside the tree, ``("i", dotted)`` instance of
something outside, ``("t", name)`` instance of a builtin type, ``("k", m, n)`` the container made at place ``n``,
``("h", values)`` container of annotated content, ``("g", m, s)`` generator, ``("x", container, method)`` a container's
method, ``("V", container)`` and ``("I", container)`` what ``values()`` and ``items()`` give. ``m`` numbers a module of
the store, ``s`` a scope in it.

Variables (names seen from outside their scope, returns, attributes, bases) are solved top down to the least fixpoint
(Le Charlier and Van Hentenryck 1992): a variable met again while it is being solved gives its approximation so far, the
head of such a cycle is iterated until stable, and what depended on an unfinished head is not kept. So a result does not
depend on which file is resolved first, which is what makes an incremental resolve equal to a full one.
"""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.annotations import Annotations
from retrieval.graph.builtins_model import IDENTITY_CALLS, builtin_instance
from retrieval.graph.modules import Module
from retrieval.graph.values import (
    ANYTHING,
    EMPTY,
    FAR,
    MAX_NESTING,
    TOP,
    Key,
    Value,
    Values,
    argument_of,
    dotted,
    enclosing_class,
    join,
    stepped,
)
from retrieval.languages.python.facts_ops import Op


class Evaluator(Annotations):
    """Solves variables over a ``ModuleStore``: the whole of names, classes, containers, annotations and calls."""

    def _compute(self, key: Key) -> Values:
        kind, number, index = key[0], key[1], key[2]
        module = self.store.modules[number]
        if kind == "E":
            return self._contents(("k", number, index))
        if kind == "L":
            return self._element_value(key)
        scope = module.scopes[index]
        if kind == "n":
            return self._name_from_outside(module, scope, key[3])
        if kind == "v":
            return self._binding(module, scope, scope.names[key[3]][key[4]])
        if kind == "r":
            return self._all(module, index, scope.returns, q.RETURN)
        if kind == "y":
            return self._all(module, index, scope.yields, q.RETURN)
        if kind == "A":
            return self._along_mro(("o" if key[4] else "c", number, index), key[3], key[4], False)
        if kind == "a":
            return self._instance_attribute(module, scope, key[3])
        if kind == "D":
            return self._decorated(module, scope)
        if kind == "B":
            return self._bases(module, scope)
        return self._mro(module, scope)

    def _all(self, module: Module, index: int, expressions: list[Any], step: int) -> Values:
        out: Values = {}
        for expression in expressions:
            join(out, self.eval(expression, module, index, FAR, 0), step)
        return out

    def eval(self, expression: Any, module: Module, index: int, order: int, block: int) -> Values:
        """The values of an expression used in scope ``index`` at ``order`` (``FAR``: seen from outside)."""
        if expression == 0:
            return EMPTY
        if isinstance(expression, str):
            if "." not in expression:
                return self.lookup(expression, module, index, order, block)
            root, *rest = expression.split(".")
            values = self.lookup(root, module, index, order, block)
            for name in rest:
                if not values:
                    return EMPTY
                values = self.attribute(values, name)
            return values
        if self._nesting > MAX_NESTING:
            return EMPTY
        self._nesting += 1
        try:
            return self._structured(expression, module, index, order, block)
        finally:
            self._nesting -= 1

    def _structured(self, expression: list[Any], module: Module, index: int, order: int, block: int) -> Values:
        operator = expression[0]
        if operator == Op.CALL:
            return self._call(expression[1], expression[2], module, index, order, block)
        if operator == Op.ATTR:
            return self.attribute(self.eval(expression[1], module, index, order, block), expression[2])
        if operator == Op.TYPE:
            return {("t", expression[1]): q.BUILTIN}
        if operator == Op.DEF:
            return self._definition(module, expression[1])
        if operator == Op.RAW:
            return {("c" if module.scopes[expression[1]].kind == "c" else "f", module.number, expression[1]): q.LOCAL}
        if operator in (Op.SEQ, Op.DICT):
            place = (module.number, expression[-1])
            self._containers[place] = (expression, index, order, block)
            return {("k", *place): q.LOCAL}
        if operator == Op.EITHER:
            out: Values = {}
            for part in expression[1]:
                join(out, self.eval(part, module, index, order, block), q.MULTI)
            return out
        if operator == Op.DECLARED:
            value = self.eval(expression[2], module, index, order, block)
            declared = self.instances(expression[1], module, index)
            if not declared or any(v[0] in "ofbck" for v in value):
                return value
            return stepped(declared, q.ANNOTATION)
        inner = self.eval(expression[1], module, index, order, block) if len(expression) > 1 else EMPTY
        if operator == Op.ITER:
            return self.iterate(inner)
        if operator == Op.UNPACK:
            return self.item(inner, [Op.INT, expression[2]])
        if operator == Op.ITEM:
            return self.item(inner, expression[2])
        if operator == Op.ENTER:
            return self._enter(inner)
        if operator == Op.EXCEPT:
            return self._exception(inner)
        if operator in (Op.STAR, Op.STAR0):
            return inner
        if operator == Op.GENERIC:
            return inner
        return EMPTY

    def attribute(self, values: Values, name: str) -> Values:
        if TOP in values:
            return ANYTHING
        out: Values = {}
        for value, step in values.items():
            kind = value[0]
            if kind == "o":
                join(out, self.class_attribute(value, name, True), max(step, q.INSTANCE if step < q.SELF else step))
            elif kind == "m":
                join(out, self.module_attribute(value[1], name), max(step, q.MODULE))
            elif kind == "c":
                join(out, self.class_attribute(value, name, False), max(step, q.CLASS))
            elif kind == "s":
                join(out, self.class_attribute(value, name, True, skip_first=True), q.SUPER)
            elif kind in "ei":
                out[("e", f"{value[1]}.{name}")] = min(step, out.get(("e", f"{value[1]}.{name}"), FAR))
            elif kind == "t":
                out[("e", f"<builtin>.{value[1]}.{name}")] = max(step, q.BUILTIN)
            elif kind in "khg":
                out[("x", value, name)] = max(step, q.CONTAINER)
        return out

    def _call(self, callee: Any, args: list[Any], module: Module, index: int, order: int, block: int) -> Values:
        if callee == "super":
            enclosing = enclosing_class(module, index)
            return {("s", module.number, enclosing): q.SUPER} if enclosing >= 0 else EMPTY
        out: Values = {}
        for value, step in self.eval(callee, module, index, order, block).items():
            kind = value[0]
            if kind == "c":
                join(out, {("o", value[1], value[2]): step})
            elif kind in "fb":
                join(out, self._returned(value, args, module, index, order, block), max(step, q.RETURN))
            elif kind == "e":
                join(out, self._external(value[1], args, module, index, order, block), step)
            elif kind == "o":
                for method in self.class_attribute(value, "__call__", True):
                    if method[0] == "b":
                        join(out, self._returned(method, args, module, index, order, block), max(step, q.RETURN))
            elif kind == "x":
                join(out, self._container_method(value, args), max(step, q.CONTAINER))
            elif value == TOP:
                return ANYTHING
        return out

    def _returned(self, value: Value, args: list[Any], at: Module | None, index: int, order: int, block: int) -> Values:
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
            found = self.instances(declared, module, max(scope.parent, 0))
            if found:
                return stepped(found, q.ANNOTATION)
        if scope.yields and not scope.returns:
            return {("g", module.number, scope.index): q.RETURN}
        out: Values = dict(self.solve(("r", module.number, scope.index)))
        names = [param[0] for param in scope.params]
        if names and any(isinstance(part, str) and part in names for part in scope.returns):
            first = 1 if is_method and value[0] == "b" else 0
            for part in scope.returns:
                if not isinstance(part, str) or part not in names:
                    continue
                position = names.index(part)
                if position == 0 and first and len(value) > 3:
                    own = [v for v in out if v[0] in "oc" and v[1:] == (module.number, scope.parent)]
                    for v in own:
                        step = out.pop(v)
                        out[(v[0], value[3], value[4])] = step
                elif at is not None:
                    argument = argument_of(args, position - first, part)
                    if argument != 0:
                        join(out, self.eval(argument, at, index, order, block), q.RETURN)
        return out

    def _external(self, name: str, args: list[Any], module: Module, index: int, order: int, block: int) -> Values:
        if name in IDENTITY_CALLS:
            given = argument_of(args, IDENTITY_CALLS[name], "")
            found = self.eval(given, module, index, order, block) if given != 0 else EMPTY
            instance = builtin_instance(name)
            return found if found or instance is None else {instance: q.BUILTIN}
        if name == "<builtin>.type" and len(args) == 1:
            values = self.eval(args[0], module, index, order, block)
            return {("c", v[1], v[2]): s for v, s in values.items() if v[0] == "o"}
        if name == "<builtin>.getattr" and len(args) >= 2 and isinstance(args[1], list) and args[1][0] == Op.STR:
            return stepped(self.attribute(self.eval(args[0], module, index, order, block), args[1][1]), q.ATTRIBUTE)
        if name == "<builtin>.next" and args:
            return self.iterate(self.eval(args[0], module, index, order, block))
        if name in ("<builtin>.map", "functools.reduce") and args:
            out: Values = {}
            for value, step in self.eval(args[0], module, index, order, block).items():
                if value[0] in "fb":
                    join(out, self._returned(value, [], None, 0, FAR, 0), max(step, q.RETURN))
                elif value[0] == "c":
                    join(out, {("o", value[1], value[2]): q.RETURN})
            return {("h", tuple(sorted(out, key=repr))): q.CONTAINER} if out and "map" in name else out
        instance = builtin_instance(name)
        if instance is not None:
            return {instance: q.BUILTIN}
        tail = name.rpartition(".")[2]
        if tail[:1].isupper() and not name.startswith("<builtin>"):
            return {("i", name): q.ASSIGNED}
        return EMPTY
