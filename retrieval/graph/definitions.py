"""Every function, lambda, class and module of an index: the nodes of its graph, those without an edge included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.compact_json import loads

if TYPE_CHECKING:
    import sqlite3

_KINDS = "('module', 'class', 'function', 'method', 'property')"
_SCOPE_KINDS = {"l": "lambda", "f": "function", "c": "class"}


@dataclass(frozen=True, slots=True)
class Definition:
    """A node of the tree.

    Attributes:
        kind: ``module``, ``class``, ``function``, ``method``, ``property`` or ``lambda``.
        line: First line, decorators included.
    """

    qualname: str
    kind: str
    path: str
    line: int

    @property
    def simple_name(self) -> str:
        return self.qualname.rpartition(".")[2].partition("#")[0]


def definitions(conn: sqlite3.Connection) -> tuple[Definition, ...]:
    """Sorted by path, line, qualified name. Lambdas, which the symbol table leaves out, come from the facts."""
    found = {
        row[0]: Definition(*row)
        for row in conn.execute(
            "SELECT s.qualname, s.kind, f.path, s.start_line FROM symbols s JOIN files f ON f.id = s.file_id "
            f"WHERE s.kind IN {_KINDS}"
        )
    }
    for path, facts in conn.execute("SELECT path, facts FROM files WHERE facts != ''"):
        for scope in loads(facts)["S"]:
            kind = _SCOPE_KINDS.get(scope["k"])
            if kind and scope["n"] not in found:
                found[scope["n"]] = Definition(scope["n"], kind, path, scope["l"])
    return tuple(sorted(found.values(), key=lambda each: (each.path, each.line, each.qualname)))
