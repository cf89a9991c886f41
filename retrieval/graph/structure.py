"""Containment, inheritance and imports of one file."""

from __future__ import annotations

from retrieval.graph import quality as q
from retrieval.graph.rows import Writer
from retrieval.records import EdgeKind


class StructureWriter(Writer):
    def structure(self) -> None:
        scopes = self.module.scopes
        for scope in scopes[1:]:
            parent = scopes[scope.parent].qualname
            line = scope.data["l"]
            if scope.kind != "l" and not self.calls_only:
                self.state(parent, scope.qualname, EdgeKind.CONTAIN.value, q.LOCAL, line, "definition")
            if scope.kind != "c":
                continue
            lines = [entry[1] for entry in scope.data.get("bases", ())]
            for position, base, step in self.evaluator.bases(("c", self.module.number, scope.index)):
                if base is None:
                    written = scope.data["bases"][position][0]
                    name = written.rpartition(".")[2] if isinstance(written, str) else "<expression>"
                    unknown = f"?.{name}"
                    self.state(
                        scope.qualname, unknown, EdgeKind.INHERIT.value, q.WRAPPED, lines[position], "unknown-base"
                    )
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
                symbol = self.evaluator.symbol_behind(target, imported)
                if inside:
                    self.state(source, target, kind, q.LOCAL, line, "import")
                self.state(source, symbol, kind, q.LOCAL, line, "import")
            else:
                self.state(source, target, kind, q.LOCAL, line, "star-import" if imported else "import")
