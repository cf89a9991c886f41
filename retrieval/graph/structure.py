"""Containment, inheritance and imports of one file."""

from __future__ import annotations

from retrieval.graph.modules import Module
from retrieval.graph.rows import Writer
from retrieval.languages.python.facts_ops import Op
from retrieval.records import Confidence, EdgeKind

_CERTAIN, _POSSIBLE = Confidence.CERTAIN.value, Confidence.POSSIBLE.value


class StructureWriter(Writer):
    def structure(self) -> None:
        scopes = self.module.scopes
        for scope in scopes[1:]:
            parent = scopes[scope.parent].qualname
            line = scope.data["l"]
            if scope.kind != "l":
                self.rows[(parent, scope.qualname, EdgeKind.CONTAIN.value, _CERTAIN, line, "definition")] = None
            if scope.kind != "c":
                continue
            lines = [entry[1] for entry in scope.data.get("bases", ())]
            for position, base, step in self.evaluator.bases(("c", self.module.number, scope.index)):
                if base is None:
                    written = scope.data["bases"][position][0]
                    name = written.rpartition(".")[2] if isinstance(written, str) else "<expression>"
                    row = (
                        scope.qualname,
                        f"?.{name}",
                        EdgeKind.INHERIT.value,
                        _POSSIBLE,
                        lines[position],
                        "unknown-base",
                    )
                    self.rows[row] = None
                    continue
                target = base[1] if base[0] == "e" else self.qualname(base)
                self.add(scope.qualname, target, EdgeKind.INHERIT.value, step, lines[position])

    def imports(self) -> None:
        source = self.module.scopes[0].qualname
        kind = EdgeKind.IMPORT.value
        store = self.evaluator.store
        for line, _scope, name, imported in self.module.imports:
            target = store.locate(self.module.name, name)
            inside = target in store.file_ids
            if imported and imported != "*":
                symbol = self.imported_symbol(target, imported)
                if inside:
                    self.rows[(source, target, kind, _CERTAIN, line, "import")] = None
                self.rows[(source, symbol, kind, _CERTAIN, line, "import")] = None
            else:
                self.rows[(source, target, kind, _CERTAIN, line, "star-import" if imported else "import")] = None

    def imported_symbol(self, name: str, imported: str) -> str:
        """The definition behind ``from name import imported``, through re-exports; else the name as written."""
        store, evaluator = self.evaluator.store, self.evaluator
        seen: set[tuple[str, str]] = set()
        while (name, imported) not in seen:
            seen.add((name, imported))
            module = store.get(name)
            if module is None:
                break
            evaluator.deps |= 1 << module.bit
            bindings = module.scopes[0].names.get(imported)
            if bindings is None:
                through = self._star_source(module, imported)
                if through is None:
                    break
                name = through
                continue
            expression = bindings[-1][1]
            if not isinstance(expression, list):
                break
            if expression[0] == Op.DEF:
                return module.scopes[expression[1]].qualname
            if expression[0] == Op.MODULE:
                return store.locate(module.name, expression[1])
            if expression[0] != Op.FROM:
                break
            name, imported = store.locate(module.name, expression[1]), expression[2]
        return f"{name}.{imported}"

    def _star_source(self, module: Module, name: str) -> str | None:
        store = self.evaluator.store
        for star in reversed(module.stars):
            target = store.locate(module.name, star)
            other = store.get(target)
            if other is None:
                continue
            self.evaluator.deps |= 1 << other.bit
            exported = name in other.public if other.public is not None else not name.startswith("_")
            if exported and (name in other.scopes[0].names or other.stars):
                return target
        return None
