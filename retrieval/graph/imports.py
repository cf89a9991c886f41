"""Imports: modules and what they export, star imports, re-exports. What a name leads to is remembered, so that a long
chain of re-exports is walked once."""

from __future__ import annotations

from retrieval.graph import quality as q
from retrieval.graph.contexts import NOWHERE
from retrieval.graph.fixtures import Fixtures
from retrieval.graph.modules import Module
from retrieval.graph.store import ModuleStore
from retrieval.graph.values import EMPTY, Values, join, stepped
from retrieval.languages.python.facts_ops import Op


class Imports(Fixtures):
    def __init__(self, store: ModuleStore) -> None:
        super().__init__(store)
        self._star_sources: dict[tuple[int, str], tuple[str, int]] = {}
        self._starring: set[int] = set()
        self._star_circles: dict[tuple[int, str], tuple[str, int]] = {}
        self._in_circle = False
        self._symbols_behind: dict[tuple[str, str], tuple[str, int]] = {}

    def star_source(self, module: Module, name: str) -> str:
        """The module of the tree that a star import of ``module`` has ``name`` from; "" where none has it."""
        if not module.stars:
            return ""
        key = (module.number, name)
        known = self._star_sources.get(key) or (self._star_circles.get(key) if not self._starring else None)
        if known is None:
            if module.number in self._starring:
                self._in_circle = True
                return ""
            before, self.deps = self.deps, 0
            self._starring.add(module.number)
            known = (self._search_stars(module, name), self.deps)
            self._starring.discard(module.number)
            self.deps = before
            if not self._in_circle:
                self._star_sources[key] = known
            elif not self._starring:  # what holds seen from here, and from nowhere else in the circle
                self._star_circles[key] = known
                self._in_circle = False
        self.deps |= known[1]
        return known[0]

    def _search_stars(self, module: Module, name: str) -> str:
        """The last star import before the others, as the last one to bind a name wins."""
        for star in reversed(module.stars):
            target = self.store.locate(module.name, star)
            other = self.store.get(target)
            if other is None:
                continue
            self.deps |= 1 << other.bit
            if name not in other.public if other.public is not None else name.startswith("_"):
                continue
            if name in other.scopes[0].names or (other.public is not None and self._is_module(f"{target}.{name}")):
                return target
            found = self.star_source(other, name)
            if found:
                return found
        return ""

    def _is_module(self, name: str) -> bool:
        return name in self.store.file_ids or self.store.is_namespace(name)

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
                source = self.star_source(module, attribute)
                found = self.module_attribute(source, attribute) if source else EMPTY
                if found:
                    return found
        child = f"{name}.{attribute}"
        if self._is_module(child):
            return {("m", child): q.IMPORT}
        if module is not None and attribute[:2] != "__" and "__getattr__" in module.scopes[0].names:
            return self._hooked_module(module, attribute)
        return EMPTY

    def _hooked_module(self, module: Module, attribute: str) -> Values:
        """What ``__getattr__`` of a module gives for a name that it does not define."""
        out: Values = {}
        for value in self.solve(("n", module.number, 0, "__getattr__")):
            if value[0] == "f":
                join(out, self._returned(value, [[Op.STR, attribute]], module, NOWHERE), q.HOOK)
        return out

    def symbol_behind(self, name: str, imported: str) -> str:
        """The definition behind ``from name import imported``, through re-exports; else the name as written."""
        known = self._symbols_behind
        passed: dict[tuple[str, str], None] = {}
        before, self.deps = self.deps, 0
        found = ""
        while not found:
            step = (name, imported)
            if step in known:
                found = known[step][0]
                self.deps |= known[step][1]
            elif step in passed:  # a circle: the same name for each of its members
                members = list(passed)
                found = ".".join(min(members[members.index(step) :]))
            elif (module := self.store.get(name)) is None:
                found = f"{name}.{imported}"
            else:
                passed[step] = None
                self.deps |= 1 << module.bit
                found, name, imported = self._behind(module, name, imported)
        known.update(dict.fromkeys(passed, (found, self.deps)))
        self.deps |= before
        return found

    def _behind(self, module: Module, name: str, imported: str) -> tuple[str, str, str]:
        """The definition, or "" and what to look at next."""
        bindings = module.scopes[0].names.get(imported)
        if bindings is None:
            source = self.star_source(module, imported)
            return ("", source, imported) if source else (f"{name}.{imported}", "", "")
        expression = bindings[-1][1]
        if isinstance(expression, list):
            if expression[0] == Op.DEF:
                return module.scopes[expression[1]].qualname, "", ""
            if expression[0] == Op.MODULE:
                return self.store.locate(module.name, expression[1]), "", ""
            if expression[0] == Op.FROM:
                return "", self.store.locate(module.name, expression[1]), expression[2]
        return f"{name}.{imported}", "", ""

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
