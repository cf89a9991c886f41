"""Small trees as the index holds them: parsed by the real language module, resolved by the real resolver."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from textwrap import dedent

from retrieval.graph.resolve import resolve_tree
from retrieval.index.schema import DDL
from retrieval.languages.python.modules import module_names
from retrieval.languages.registry import analyze

EdgeTuple = tuple[str, str, str, str, str, int, str]


class Tree:
    """An index of Python files that a test edits; ``edges()`` is what stands in the tables."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.conn = sqlite3.connect(":memory:", isolation_level=None)
        self.conn.executescript(DDL)
        self.files: dict[str, str] = {}
        self._next = 1
        self.write(files)

    def write(self, files: Mapping[str, str | None]) -> set[int]:
        """Puts files in (None deletes) as the indexer does: one that is there already keeps its id; returns the ids."""
        touched = set(files)
        old_modules = module_names(sorted(self.files))
        for path, text in files.items():
            if text is None:
                self.files.pop(path, None)
            else:
                self.files[path] = dedent(text)
        modules = module_names(sorted(self.files))
        touched |= {path for path in self.files if old_modules.get(path) != modules[path]}
        ids: set[int] = set()
        for path in sorted(touched):
            row = self.conn.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
            if row:
                self.conn.execute("DELETE FROM files WHERE id = ?", row)
                self.conn.execute("DELETE FROM symbols WHERE file_id = ?", row)
            if path in self.files:
                ids.add(self._add(path, modules[path], row[0] if row else None))
        return ids

    def _add(self, path: str, module: str, known: int | None) -> int:
        analysis = analyze(path, self.files[path], "python", module)
        file_id = self._next if known is None else known
        self._next = max(self._next, file_id + 1)
        role = "test" if path.rsplit("/", 1)[-1].startswith("test_") else "code"
        self.conn.execute(
            "INSERT INTO files(id, path, sha256, size, mtime_ns, language, role, module, encoding, partial, exact_tokens,"
            " clean, n_lines, text, line_tokens, facts) VALUES(?,?,'',0,0,'python',?,?,'utf-8',0,0,1,0,'','',?)",
            (file_id, path, role, module, analysis.facts),
        )
        for s in analysis.symbols:
            self.conn.execute(
                "INSERT INTO symbols(file_id, qualname, name, kind, start_line, def_line, end_line, signature, doc, parent,"
                " decorators, bases) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
                (file_id, s.qualname, s.name, s.kind, s.start_line, s.def_line, s.end_line, s.signature, s.doc, s.parent,
                 json.dumps(s.decorators), json.dumps(s.bases)),
            )  # fmt: skip
        return file_id

    def resolve(self, changed: set[int] | None = None) -> int:
        return resolve_tree(self.conn, changed)

    def edges(self) -> set[EdgeTuple]:
        return set(
            self.conn.execute(
                "SELECT s.name, d.name, e.kind, e.confidence, f.path, e.line, e.rule FROM edges e JOIN nodes s ON s.id = e.src"
                " JOIN nodes d ON d.id = e.dst LEFT JOIN files f ON f.id = e.file_id"
            )
        )

    def of(self, kind: str) -> set[tuple[str, str, str]]:
        """(source, target, confidence) of one kind."""
        return {(e[0], e[1], e[3]) for e in self.edges() if e[2] == kind}


def resolved(files: Mapping[str, str] | str) -> Tree:
    tree = Tree({"main.py": files} if isinstance(files, str) else files)
    tree.resolve()
    return tree
