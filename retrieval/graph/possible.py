"""Calls that may mean a definition although nothing ties them to it: by override, by protocol, by the name alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from typing import Protocol

from retrieval.graph import quality as q
from retrieval.graph.export import MAX_CANDIDATES
from retrieval.records import Confidence, Edge, EdgeKind

_MAX_CLASSES = 200  # bases of a class, or protocols, that are looked at
_CALL, _INHERIT = (EdgeKind.CALL.value,), (EdgeKind.INHERIT.value,)
_PROTOCOLS = ("typing.Protocol", "typing_extensions.Protocol")
#: The rules of unresolved calls that can mean a definition of this kind.
_RULES = {
    "method": ("unknown-receiver",),
    "function": ("unknown-name",),
    "class": ("unknown-name", "unknown-receiver"),
}


class Batch(Protocol):
    """Edges whose source (``s``) or target (``d``) is one of the names; ``worst`` is the rank of the least sure."""

    def __call__(self, end: str, names: Sequence[str], kinds: Sequence[str], worst: int = 2) -> tuple[Edge, ...]: ...


class PossibleCalls:
    """Reads the symbol table and the edges of one index."""

    def __init__(self, conn: sqlite3.Connection, batch: Batch) -> None:
        self._conn = conn
        self._batch = batch

    def of(self, qualname: str) -> tuple[tuple[Edge, ...], int]:
        """Calls that may mean ``qualname``, and the number of those left out because their name is too common.

        First those that resolve to a method which it overrides, or which a protocol asks of it; then by name alone.
        """
        symbol = self.symbol(qualname)
        if symbol is None or symbol[1] not in _RULES:
            return (), 0
        name, kind, parent = symbol
        through: list[Edge] = []
        if kind == "method":
            bases = self._bases(parent)
            over = [(f"{base}.{name}", q.OVERRIDE) for base in bases[1:] if self.symbol(f"{base}.{name}") is not None]
            over += [(f"{each}.{name}", "protocol") for each in self._protocols(name, bases)]
            for method, rule in over:
                through += [
                    Edge(edge.src, edge.dst, edge.kind, Confidence.POSSIBLE, edge.path, edge.line, rule)
                    for edge in self._batch("d", [method], _CALL)
                    if edge.rule != q.OVERRIDE
                ]
        named = [edge for edge in self._batch("d", [f"?.{name}"], _CALL) if edge.rule in _RULES[kind]]
        if named and self._is_common(name):
            return tuple(through), len(named)
        return (*through, *(self.with_candidates(edge) for edge in named)), 0

    def with_candidates(self, edge: Edge) -> Edge:
        """The definitions of the tree that an unresolved call can mean by its name; none for very common names."""
        if not edge.dst.startswith("?.") or edge.rule == "unknown-value":
            return edge
        kinds = ("method", "class") if edge.rule == "unknown-receiver" else ("function", "class")
        rows = self._conn.execute(
            f"SELECT qualname FROM symbols WHERE name = ? AND kind IN ({_marks(kinds)}) ORDER BY qualname LIMIT ?",
            (edge.dst[2:], *kinds, MAX_CANDIDATES + 1),
        ).fetchall()
        if not rows or len(rows) > MAX_CANDIDATES:
            return edge
        candidates = tuple(row[0] for row in rows)
        return Edge(edge.src, edge.dst, edge.kind, edge.confidence, edge.path, edge.line, edge.rule, candidates)

    def symbol(self, qualname: str) -> tuple[str, str, str] | None:
        """(name, kind, parent)"""
        row = self._conn.execute("SELECT name, kind, parent FROM symbols WHERE qualname = ?", (qualname,)).fetchone()
        return (row[0], row[1], row[2]) if row else None

    def _bases(self, name: str) -> list[str]:
        """The class itself and its bases, nearest first."""
        frontier, seen = [name], {name: None}
        while frontier and len(seen) < _MAX_CLASSES:
            bases = [edge.dst for edge in self._batch("s", frontier, _INHERIT)]
            frontier = [base for base in dict.fromkeys(bases) if base not in seen]
            seen.update(dict.fromkeys(frontier))
        return list(seen)

    def _protocols(self, method: str, bases: Sequence[str]) -> list[str]:
        """Protocols with such a method whose every method a class with these bases has."""
        rows = self._conn.execute(
            "SELECT DISTINCT m.parent FROM symbols m JOIN nodes s ON s.name = m.parent JOIN edges e ON e.src = s.id "
            "JOIN nodes d ON d.id = e.dst WHERE m.name = ? AND m.kind = 'method' AND e.kind = 'inherit' "
            f"AND d.name IN ({_marks(_PROTOCOLS)}) ORDER BY m.parent LIMIT ?",
            (method, *_PROTOCOLS, _MAX_CLASSES),
        ).fetchall()
        found = [row[0] for row in rows if row[0] not in bases]
        if not found:
            return []
        own = {name for base in bases for name in self._methods(base)}
        return [protocol for protocol in found if own.issuperset(self._methods(protocol))]

    def _methods(self, parent: str) -> list[str]:
        rows = self._conn.execute(
            "SELECT name FROM symbols WHERE parent = ? AND kind IN ('method', 'property') ORDER BY name", (parent,)
        )
        return [row[0] for row in rows]

    def _is_common(self, name: str) -> bool:
        rows = self._conn.execute(
            "SELECT count(*) FROM (SELECT 1 FROM symbols WHERE name = ? AND kind IN ('function', 'method') LIMIT ?)",
            (name, MAX_CANDIDATES + 1),
        ).fetchone()
        return int(rows[0]) > MAX_CANDIDATES


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))
