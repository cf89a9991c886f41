"""Names: scopes, imports, star imports, decorated definitions, parameters."""

from __future__ import annotations

from retrieval.graph import quality as q
from retrieval.graph.builtins_model import TRANSPARENT_DECORATORS
from retrieval.graph.modules import Binding, Module, Scope
from retrieval.graph.solver import Solver
from retrieval.graph.values import EMPTY, FAR, Value, Values, adds, dotted, is_accessor, join, stepped, visible
from retrieval.languages.python.facts_ops import BUILTIN_NAMES, Op


class Names(Solver):
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
            return self.solve(("v", module.number, scope.index, name, positions[0]))
        out: Values = {}
        count = sum(1 for position in positions if not adds(bindings[position]) and bindings[position][1] != 0)
        step = q.MULTI if count > 1 else 0
        for position in positions:
            join(out, self.solve(("v", module.number, scope.index, name, position)), step)
        return out

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
                names = scope.bound
                bindings = (scope.names if names is None else names).get(name)
                if bindings is not None and not (current and name in scope.data.get("g", ())):
                    if current == index and len(bindings) > 1 and order != FAR:
                        return self._union(module, scope, name, visible(module, bindings, order, block))
                    if len(bindings) == 1:
                        return self.solve(("v", module.number, current, name, 0))
                    return self.solve(("n", module.number, current, name))
            current = scope.parent
        return self._from_stars(module, name)

    def _from_stars(self, module: Module, name: str) -> Values:
        external = False
        for star in reversed(module.stars):
            target = self.store.locate(module.name, star)
            other = self.store.get(target)
            if other is None:
                external = True
                continue
            self.deps |= 1 << other.bit
            if self._exports(other, name):
                found = self.module_attribute(target, name)
                if found:
                    return stepped(found, q.IMPORT)
        if name in BUILTIN_NAMES:
            return {("e", f"<builtin>.{name}"): q.BUILTIN}
        if external and len(module.stars) == 1:
            return {("e", f"{module.stars[0]}.{name}"): q.STAR_EXTERNAL}
        return EMPTY

    def _exports(self, module: Module, name: str) -> bool:
        return name in module.public if module.public is not None else not name.startswith("_")

    def module_attribute(self, name: str, attribute: str) -> Values:
        """``attribute`` of a module of the tree: a binding, what a star import brought, or a submodule."""
        module = self.store.get(name)
        if module is not None:
            self.deps |= 1 << module.bit
            bindings = module.scopes[0].names.get(attribute)
            if bindings is not None:
                own = bindings[0][1] if len(bindings) == 1 else None
                if not (isinstance(own, list) and own[0] == Op.FROM and own[1] == name and own[2] == attribute):
                    found = self.solve(("n", module.number, 0, attribute))
                    if found:
                        return found
            elif module.stars:
                seen: set[str] = set()
                found = self._through_stars(module, attribute, seen)
                if found:
                    return found
        child = f"{name}.{attribute}"
        if child in self.store.file_ids or self.store.is_namespace(child):
            return {("m", child): q.IMPORT}
        return EMPTY

    def _through_stars(self, module: Module, attribute: str, seen: set[str]) -> Values:
        for star in reversed(module.stars):
            target = self.store.locate(module.name, star)
            other = self.store.get(target)
            if other is None or target in seen or len(seen) > 50:
                continue
            seen.add(target)
            self.deps |= 1 << other.bit
            if not self._exports(other, attribute):
                continue
            if attribute in other.scopes[0].names:
                return self.module_attribute(target, attribute)
            found = self._through_stars(other, attribute, seen)
            if found:
                return found
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
            return self.solve(("D", module.number, index))
        kind = "c" if scope.kind == "c" else "f"
        return {(kind, module.number, index): q.LAMBDA if scope.kind == "l" else q.LOCAL}

    def _module_value(self, module: Module, name: str) -> Values:
        target = self.store.locate(module.name, name)
        if target in self.store.file_ids or self.store.is_namespace(target):
            return {("m", target): q.IMPORT}
        return {("e", name): q.IMPORT}

    def _imported(self, module: Module, name: str, attribute: str) -> Values:
        target = self.store.locate(module.name, name)
        if target in self.store.file_ids or self.store.is_namespace(target):
            found = self.module_attribute(target, attribute)
            return stepped(found, q.IMPORT)
        return {("e", f"{name}.{attribute}"): q.IMPORT}

    def _decorated(self, module: Module, scope: Scope) -> Values:
        """What the name of a decorated definition holds, decorators applied from the inside out."""
        number, index = module.number, scope.index
        plain: Value = ("c" if scope.kind == "c" else "f", number, index)
        values: Values = {plain: q.LOCAL}
        for expression, _line in reversed(scope.data["dec"]):
            decorator = self.eval(expression, module, scope.parent, FAR, 0) if expression != 0 else EMPTY
            name = dotted(expression)
            tail = name.rpartition(".")[2]
            if (
                tail in ("setter", "deleter", "getter")
                or any(
                    value[0] == "e" and value[1] in ("<builtin>.property", "functools.cached_property")
                    for value in decorator
                )
                or tail in ("cached_property", "classproperty")
            ):
                values = {("P", number, index): q.LOCAL}
                continue
            if not decorator or tail in TRANSPARENT_DECORATORS:
                continue
            applied: Values = {}
            for value, step in decorator.items():
                if value[0] in "fb":
                    result = self._returned(value, [[Op.RAW, index]], module, scope.parent, FAR, 0)
                    join(applied, {v: s for v, s in result.items() if v[0] in "fbco"}, max(step, q.RETURN))
                elif value[0] == "c":
                    join(applied, {("o", value[1], value[2]): q.RETURN}, step)
            if plain in applied:
                continue
            if applied:
                join(applied, {plain: q.DECORATED})
                values = applied
        return values

    def _parameter(self, module: Module, scope: Scope, position: int) -> Values:
        name, annotation, default = scope.params[position]
        parent = module.scopes[scope.parent] if scope.parent >= 0 else None
        if position == 0 and parent is not None and parent.kind == "c" and scope.kind == "f" and name[0] != "*":
            decorators = {name.rpartition(".")[2] for name in scope.decorator_names()}
            if "staticmethod" not in decorators:
                short = scope.qualname.rpartition(".")[2]
                is_class = "classmethod" in decorators or short in (
                    "__new__",
                    "__init_subclass__",
                    "__class_getitem__",
                )
                return {("c" if is_class else "o", module.number, parent.index): q.SELF}
        out: Values = {}
        bare = name.lstrip("*")
        if name.startswith("**"):
            out[("t", "dict")] = q.BUILTIN
        elif name.startswith("*"):
            out[("t", "tuple")] = q.BUILTIN
        else:
            if annotation != 0:
                join(out, self.instances(annotation, module, max(scope.parent, 0)), q.ANNOTATION)
            if default != 0:
                join(out, self.eval(default, module, max(scope.parent, 0), FAR, 0), q.DEFAULT)
        if self.local == module.number:
            join(out, self.flows.get((scope.index, bare), EMPTY), q.ARGUMENT)
        return out
