"""What a name, an attribute or a call may be: the evaluator behind every resolved edge.

Values are tuples; ``m`` numbers a module of the store, ``s`` a scope in it.

* Definitions: ``("c", m, s)`` class, ``("f", m, s)`` function or lambda, ``("b", m, s, cm, cs)`` method bound to an
  instance or class, ``("P", m, s)`` property, ``("F", m, s)`` function stored on a class from outside, ``("m", name)``
  module or namespace package, ``("e", dotted)`` anything outside the tree.
* ``("C", values)`` is something callable of which only the declared results are known.
* Instances: ``("o", m, s)`` of a class, ``("i", dotted)`` of something outside, ``("t", name)`` of a builtin type,
  ``("'", text)`` and ``("#", number)`` constants, ``("s", m, s)`` what ``super()`` gives in that class,
  ``("S", m, s, cm, cs)`` the same for an instance of a subclass.
* Containers: ``("k", m, n)`` the display at place ``n``, ``("a", m, s, type)`` the ``*args`` or ``**kwargs`` of a
  function, ``("w", container, start, stop, type)`` part of one, ``("q", parts)`` a tuple of known parts,
  ``("h", values, type)`` anything that holds these, ``("g", m, s)`` generator, ``("V", container)`` and
  ``("I", container)`` what ``values()`` and ``items()`` give, ``("G", module)`` what ``globals()`` gives,
  ``("l", m, s)`` what ``locals()`` gives,
  ``("x", container, name)`` a container's method.
* ``("O", kind, keys)`` what ``operator``'s ``attrgetter``, ``itemgetter`` and ``methodcaller`` make.

Variables (names seen from outside their scope, returns, attributes, bases) are solved top down to the least fixpoint
(Le Charlier and Van Hentenryck 1992): a variable met again while it is being solved gives its approximation so far, the
head of such a cycle is iterated until stable, and what depended on an unfinished head is not kept. So a result does not
depend on which file is resolved first, which is what makes an incremental resolve equal to a full one.
"""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.builtins_model import has_attribute
from retrieval.graph.contexts import SENT
from retrieval.graph.modules import Module
from retrieval.graph.results import Results
from retrieval.graph.store import ModuleStore
from retrieval.graph.values import (
    ANYTHING,
    EMPTY,
    FAR,
    MAX_NESTING,
    MAX_VALUES,
    TOP,
    Key,
    Values,
    constants,
    join,
    stepped,
    without_functions,
)
from retrieval.languages.python.facts_ops import Op


class Evaluator(Results):
    """Solves variables over a ``ModuleStore``: the whole of names, classes, containers, annotations and calls."""

    def __init__(self, store: ModuleStore) -> None:
        super().__init__(store)
        self._parts: dict[str, list[str]] = {}

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
        if kind == "R":
            self.context = self._contexts[key[3]]
            return self._all(module, index, scope.returns, q.RETURN)
        if kind == "V":
            self.context = self._contexts[key[5]]
            return self._binding(module, scope, scope.names[key[3]][key[4]])
        if kind == "y":
            return self._all(module, index, scope.yields, q.RETURN)
        if kind == "A":
            return self._along_mro(("o" if key[4] else "c", number, index), key[3], key[4])
        if kind == "a":
            return self._instance_attribute(module, scope, key[3])
        if kind == "D":
            return self._decorated(module, scope, key[3])
        if kind == "d":
            return self._declaration(module, scope, key[3])
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
            parts = self._parts.get(expression)
            if parts is None:
                parts = self._parts[expression] = expression.split(".")
            values = self.lookup(parts[0], module, index, order, block)
            for name in parts[1:]:
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
            return self._call(expression[1], expression[2], module, (index, order, block))
        if operator == Op.ATTR:
            return self.attribute(self.eval(expression[1], module, index, order, block), expression[2])
        if operator in (Op.STR, Op.INT):
            return {(operator, expression[1]): q.BUILTIN}
        if operator == Op.TYPE:
            return {("t", expression[1]): q.BUILTIN}
        if operator == Op.DEF:
            return self._definition(module, expression[1])
        if operator == Op.RAW:
            return self.solve(("D", module.number, expression[1], expression[2]))
        if operator in (Op.SEQ, Op.DICT):
            if self.context is not None and operator == Op.SEQ and expression[1] in ("list", "tuple"):
                made = self._tuple_of(expression, module, index, order, block)
                if made:
                    return made
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
            if not declared or any(v[0] in "ofbckq" for v in value):
                return value
            return stepped(declared, q.ANNOTATION)
        if operator == Op.SENT:
            return self._sent(module, expression[1])
        inner = self.eval(expression[1], module, index, order, block) if len(expression) > 1 else EMPTY
        if operator == Op.ITER:
            return self.iterate(inner)
        if operator == Op.UNPACK:
            return self.unpacked(inner, expression[2])
        if operator == Op.REST:
            return self.window(inner, expression[2], -expression[3] or None)
        if operator == Op.ITEM:
            key = expression[2]
            return self.item(inner, constants(self.eval(key, module, index, order, block)) if key != 0 else [])
        if operator == Op.SLICE:
            return self.window(inner, expression[2], expression[3])
        if operator == Op.OPERATOR:
            operand = self.eval(expression[2], module, index, order, block)
            other = self.eval(expression[3], module, index, order, block)
            return self._operated(expression[1], operand, other)
        if operator == Op.ENTER:
            return self._enter(inner)
        if operator == Op.EXCEPT:
            return self._exception(inner)
        if operator in (Op.STAR, Op.STAR0, Op.GENERIC):
            return inner
        if operator == Op.DELEGATED:
            return self._delegated(inner)
        if operator == Op.FIELD:
            return self._matched(inner, expression[2])
        return EMPTY

    def _sent(self, module: Module, index: int) -> Values:
        if self.home != module.number:
            return EMPTY
        self.deps |= self._scope_bit(index)
        return self.flows.params.get((module.number, index, SENT), EMPTY) if self.local >= 0 else EMPTY

    def attribute(self, values: Values, name: str) -> Values:
        if len(values) > MAX_VALUES:
            values = without_functions(values)
        if TOP in values:
            return ANYTHING
        out: Values = {}
        for value, step in values.items():
            kind = value[0]
            if kind == "o":
                join(out, self.class_attribute(value, name, True), max(step, q.INSTANCE if step <= q.MODULE else step))
            elif kind == "m":
                join(out, self.module_attribute(value[1], name), max(step, q.MODULE))
                self.deps |= self._name_bit(name)
                if self.local >= 0:
                    self._stored_on_module(value[1], name, out)
            elif kind == "c":
                join(out, self.class_attribute(value, name, False), max(step, q.CLASS))
            elif kind in "sS":
                join(out, self.super_attribute(value, name), max(q.SUPER, step) if kind == "S" else q.SUPER)
            elif kind in "ei":
                out[("e", f"{value[1]}.{name}")] = min(step, out.get(("e", f"{value[1]}.{name}"), FAR))
            elif kind in "t'#":
                held = value[1] if kind == "t" else "str" if kind == "'" else "int"
                if has_attribute(held, name):
                    out[("e", f"<builtin>.{held}.{name}")] = max(step, q.BUILTIN)
            elif kind in "khgaqw":
                out[("x", value, name)] = max(step, q.BUILTIN if kind in "ka" else q.CONTAINER)
            elif kind == "f":
                self.deps |= self._name_bit(name)
                if self.local >= 0:
                    join(out, self.flows.params.get((value[1], value[2], f"@{name}"), EMPTY), max(step, q.ATTRIBUTE))
        return out

    def _stored_on_module(self, name: str, attribute: str, out: Values) -> None:
        module = self.store.get(name) if name in self.store.file_ids else None
        if module is not None:
            join(out, self.flows.params.get((module.number, 0, f"@{attribute}"), EMPTY), q.ATTRIBUTE)
