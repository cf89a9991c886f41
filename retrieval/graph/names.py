"""Names: scopes, decorated definitions, parameters."""

from __future__ import annotations

from retrieval.graph import quality as q
from retrieval.graph.builtins_model import TRANSPARENT_DECORATORS
from retrieval.graph.imports import Imports
from retrieval.graph.modules import Binding, Module, Scope
from retrieval.graph.values import EMPTY, FAR, Value, Values, adds, dotted, is_accessor, join, stepped, visible
from retrieval.languages.python.facts_ops import BUILTIN_NAMES, Op

_PROPERTIES = frozenset({("e", "<builtin>.property"), ("e", "functools.cached_property")})
#: Methods whose first parameter is the class without a decorator saying so.
CLASS_METHODS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})

#: Bindings of one name in one scope from which every use sees all of them, found once: a table that is filled item by
#: item has a binding for each item, and each of these reads the name.
_MANY_BINDINGS = 256


class Names(Imports):
    def _name_from_outside(self, module: Module, scope: Scope, name: str) -> Values:
        bindings = scope.names[name]
        kept: list[int] = []
        for position, binding in enumerate(bindings):
            if position and is_accessor(module, binding):
                continue
            if binding[3] == 0 and not adds(binding):
                kept = [position]
            else:
                kept.append(position)
        return self._union(module, scope, name, kept)

    def _union(self, module: Module, scope: Scope, name: str, positions: list[int]) -> Values:
        bindings = scope.names[name]
        if len(positions) > 1:
            positions = self._without_overloads(module, bindings, positions)
        if len(positions) == 1:
            return self._bound(module, scope, name, positions[0])
        out: Values = {}
        count = sum(1 for position in positions if not adds(bindings[position]) and bindings[position][1] != 0)
        step = q.MULTI if count > 1 else 0
        for position in positions:
            join(out, self._bound(module, scope, name, position), step)
        return out

    def _bound(self, module: Module, scope: Scope, name: str, position: int) -> Values:
        """What one binding gives; anew where the arguments of a call are known to the function it stands in."""
        context = self.context
        if context is None or context.place != (module.number, scope.index) or name not in scope.varying:
            return self.solve(("v", module.number, scope.index, name, position))
        return self.solve(("V", module.number, scope.index, name, position, context.number))

    def _without_overloads(self, module: Module, bindings: list[Binding], positions: list[int]) -> list[int]:
        """Overload stubs and property setters do not count beside the definition they belong to."""
        kept = []
        for position in positions:
            expression = bindings[position][1]
            if isinstance(expression, list) and expression[0] == Op.DEF:
                names = list(module.scopes[expression[1]].decorator_names())
                if any(name.rpartition(".")[2] == "overload" for name in names):
                    continue
            kept.append(position)
        return kept or positions

    def lookup(self, name: str, module: Module, index: int, order: int, block: int) -> Values:
        """The value of a name at a use: its own scope in order, the enclosing ones as seen from outside."""
        scopes = module.scopes
        current = index
        while current >= 0:
            scope = scopes[current]
            if current == index or scope.kind != "c":
                bindings = scope.names.get(name)
                if bindings is not None and not (current and name in scope.data.get("g", ())):
                    many = len(bindings) > _MANY_BINDINGS
                    if current == index and len(bindings) > 1 and order != FAR and not many:
                        return self._union(module, scope, name, visible(module, bindings, order, block))
                    if len(bindings) == 1:
                        return self._bound(module, scope, name, 0)
                    context = None if many else self.context
                    if context is not None and context.place == (module.number, current) and name in scope.varying:
                        return self._name_from_outside(module, scope, name)
                    return self.solve(("n", module.number, current, name))
            current = scope.parent
        return self._from_stars(module, name)

    def _from_stars(self, module: Module, name: str) -> Values:
        source = self.star_source(module, name)
        if source:
            found = self.module_attribute(source, name)
            if found:
                return stepped(found, q.IMPORT)
        if name in BUILTIN_NAMES:
            return {("e", f"<builtin>.{name}"): q.BUILTIN}
        if len(module.stars) == 1 and self.store.get(self.store.locate(module.name, module.stars[0])) is None:
            return {("e", f"{module.stars[0]}.{name}"): q.STAR_EXTERNAL}
        return EMPTY

    def _binding(self, module: Module, scope: Scope, binding: Binding) -> Values:
        expression = binding[1]
        if expression == 0:
            return EMPTY
        index = binding[4] if len(binding) > 4 else scope.index
        if isinstance(expression, list):
            operator = expression[0]
            if operator == Op.DEF:
                return self._definition(module, expression[1])
            if operator == "p":
                return self._parameter(module, scope, expression[1])
            if operator == Op.MODULE:
                return self._module_value(module, expression[1])
            if operator == Op.FROM:
                return self._imported(module, expression[1], expression[2])
            if operator == Op.ALSO:
                expression = expression[1]
        return stepped(self.eval(expression, module, index, binding[2], binding[3]), q.ASSIGNED)

    def _definition(self, module: Module, index: int) -> Values:
        scope = module.scopes[index]
        if scope.data.get("dec"):
            return self.solve(("D", module.number, index, len(scope.data["dec"])))
        kind = "c" if scope.kind == "c" else "f"
        return {(kind, module.number, index): q.LAMBDA if scope.kind == "l" else q.LOCAL}

    def _decorated(self, module: Module, scope: Scope, limit: int) -> Values:
        """What a decorated definition is once its ``limit`` innermost decorators are applied."""
        number, index = module.number, scope.index
        plain: Value = ("c" if scope.kind == "c" else "f", number, index)
        if not limit:
            return {plain: q.LOCAL}
        values = dict(self.solve(("D", number, index, limit - 1)))
        expression = scope.data["dec"][-limit][0]
        decorator = self.eval(expression, module, scope.parent, FAR, 0) if expression != 0 else EMPTY
        tail = dotted(expression).rpartition(".")[2]
        if (
            tail in ("setter", "deleter", "getter", "cached_property", "classproperty")
            or any(value in _PROPERTIES for value in decorator)
            or (tail.endswith("property") and not any(value[0] in "fb" for value in decorator))
        ):
            return {("P", number, index): q.LOCAL}
        if not decorator or tail in TRANSPARENT_DECORATORS:
            return values
        applied: Values = {}
        outside = False
        for value, step in decorator.items():
            if value[0] in "fb":
                result = self._returned(value, [[Op.RAW, index, limit - 1]], module, (scope.parent, FAR, 0))
                join(applied, {v: s for v, s in result.items() if v[0] in "fbco"}, max(step, q.RETURN))
            elif value[0] == "c":
                join(applied, {("o", value[1], value[2]): q.RETURN}, step)
            elif value[0] == "o":
                for method in self.class_attribute(value, "__call__", True):
                    if method[0] == "b":
                        result = self._returned(method, [[Op.RAW, index, limit - 1]], module, (scope.parent, FAR, 0))
                        join(applied, {v: s for v, s in result.items() if v[0] in "fbco"}, max(step, q.RETURN))
            elif value[0] == "C":
                join(applied, {v: q.ANNOTATION for v in value[1] if v[0] in "fbco"}, step)
            elif value[0] in "ei":
                outside = True
        if not applied:
            return stepped(values, q.DECORATED) if outside else values
        if any(value in applied for value in values):
            return {**applied, **values}
        join(applied, values, q.WRAPPED)
        return applied

    def own_receiver(self, module: Module, scope: Scope) -> Value | None:
        """What the first parameter of a method is by its class alone; None of other functions."""
        parent = module.scopes[scope.parent] if scope.parent >= 0 else None
        if parent is None or parent.kind != "c" or not scope.params or scope.params[0][0][0] == "*":
            return None
        names = scope.decorator_names()
        decorators = {decorator.rpartition(".")[2] for decorator in names} if names else names
        if "staticmethod" in decorators:
            return None
        is_class = "classmethod" in decorators or scope.short in CLASS_METHODS
        return ("c" if is_class else "o", module.number, parent.index)

    def _parameter(self, module: Module, scope: Scope, position: int) -> Values:
        name, annotation, default = scope.params[position]
        bare = name.lstrip("*")
        context = self.context
        env = context.arguments if context is not None and context.place == (module.number, scope.index) else None
        flowing: Values = EMPTY
        if env is not None:
            if bare in env:
                return env[bare]
        elif self.home == module.number:
            self.deps |= self._scope_bit(scope.index)
            if self.local >= 0:
                flowing = self.flows.params.get((module.number, scope.index, bare), EMPTY)
        own = self.own_receiver(module, scope) if position == 0 else None
        if own is not None:
            out: Values = {own: q.SELF}
            join(out, flowing, q.ARGUMENT)
            return out
        out = {}
        if name.startswith("*"):
            out[("a", module.number, scope.index, "dict" if name.startswith("**") else "tuple")] = q.BUILTIN
            return out
        if annotation != 0:
            join(out, self.instances(annotation, module, max(scope.parent, 0)), q.ANNOTATION)
        if default != 0:
            join(out, self.eval(default, module, max(scope.parent, 0), FAR, 0), q.DEFAULT)
        join(out, flowing, q.ARGUMENT)
        if not out and env is None and scope.kind == "f":
            return self._fixture(module, scope, bare)
        return out
