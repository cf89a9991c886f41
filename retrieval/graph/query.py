"""Questions to the graph: who calls, imports, tests, derives; what a change reaches; how two symbols connect.

Direct relations are plain SQL, since a cold search cannot wait for networkx; traversals import it when they run.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from retrieval.graph import quality as q
from retrieval.graph.gaps import gaps
from retrieval.graph.possible import PossibleCalls
from retrieval.graph.traverse import ImpactItem, Walker
from retrieval.records import CONFIDENCE_RANK, Confidence, Edge, EdgeKind

#: A relation is an edge as stored, with the path of its proving line.
Relation = Edge

#: Kinds by which one symbol depends on another.
DEPENDENCE = (EdgeKind.CALL, EdgeKind.INHERIT, EdgeKind.IMPORT, EdgeKind.REFERENCE)
DEFAULT_LIMIT = 500
#: What a class or module defines beyond this many is not looked at.
MAX_MEMBERS = 2_000
_IN_FILE = "file_id = (SELECT file_id FROM symbols WHERE qualname = ?)"
#: Names in one SQL statement.
MAX_NAMES = 400

_ORDER = "CASE e.confidence WHEN 'certain' THEN 0 WHEN 'likely' THEN 1 ELSE 2 END, f.path, e.line, e.kind, "
_SELECT = (
    "SELECT s.name, d.name, e.kind, e.confidence, f.path, e.line, e.rule FROM edges e "
    "JOIN nodes s ON s.id = e.src JOIN nodes d ON d.id = e.dst JOIN files f ON f.id = e.file_id "
)


@dataclass(frozen=True, slots=True)
class Relations:
    """A three-valued answer.

    Attributes:
        found: The relations that hold, by confidence, path and line; at most the limit asked for.
        unresolved: Places that may hold one more: calls whose receiver is unknown but whose name matches, and calls
            that resolve to a method which the one asked about overrides.
        total: How many were found before the limit.
        omitted: Unresolved places left out because too many definitions share the name.
    """

    found: tuple[Relation, ...]
    unresolved: tuple[Relation, ...] = ()
    total: int = 0
    omitted: int = 0


class SymbolGraph:
    """The edges of one index, read through its connection."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self._possible = PossibleCalls(conn, self._batch)

    # ---- direct ----------------------------------------------------------------------------------------------------

    def edges_into(
        self, qualname: str, kinds: Collection[EdgeKind], min_confidence: Confidence = Confidence.POSSIBLE
    ) -> tuple[Relation, ...]:
        """Edges that end at ``qualname``, then unresolved calls that may mean it, if calls are asked for."""
        found = self._edges("d", qualname, kinds, min_confidence)
        if EdgeKind.CALL in kinds and min_confidence is Confidence.POSSIBLE:
            found = (*_proven(found), *self._possible.of(qualname)[0])
        return found

    def edges_from(
        self, qualname: str, kinds: Collection[EdgeKind], min_confidence: Confidence = Confidence.POSSIBLE
    ) -> tuple[Relation, ...]:
        """Edges that start at ``qualname``; unresolved calls (``?.name``) come with their candidates."""
        found = self._edges("s", qualname, kinds, min_confidence)
        return tuple(self._possible.with_candidates(edge) for edge in found)

    def callers(
        self, qualname: str, min_confidence: Confidence = Confidence.POSSIBLE, limit: int = DEFAULT_LIMIT
    ) -> Relations:
        """Calls of a function or method; of a class, its instantiations."""
        found = _proven(self._edges("d", qualname, (EdgeKind.CALL,), min_confidence))
        unresolved, omitted = self._possible.of(qualname) if min_confidence is Confidence.POSSIBLE else ((), 0)
        return Relations(found[:limit], unresolved[:limit], len(found), omitted)

    def callees(
        self, qualname: str, min_confidence: Confidence = Confidence.POSSIBLE, limit: int = DEFAULT_LIMIT
    ) -> Relations:
        """What ``qualname`` calls; ``unresolved`` holds the calls whose target is not known, with candidates."""
        edges = self._edges("s", qualname, (EdgeKind.CALL,), min_confidence)
        found = tuple(edge for edge in edges if not edge.dst.startswith("?."))
        unresolved = tuple(self._possible.with_candidates(edge) for edge in edges if edge.dst.startswith("?."))
        return Relations(found[:limit], unresolved[:limit], len(found))

    def importers(
        self, qualname: str, min_confidence: Confidence = Confidence.POSSIBLE, limit: int = DEFAULT_LIMIT
    ) -> Relations:
        found = self._edges("d", qualname, (EdgeKind.IMPORT,), min_confidence)
        return Relations(found[:limit], (), len(found))

    def neighbours(
        self, qualname: str, depth: int = 1, kinds: Collection[EdgeKind] = DEPENDENCE, limit: int = DEFAULT_LIMIT
    ) -> tuple[Relation, ...]:
        """Edges within ``depth`` steps of ``qualname`` in either direction, nearest first."""
        if depth <= 1:
            both = (*self._edges("s", qualname, kinds), *self._edges("d", qualname, kinds))
            return both[:limit]
        return Walker(self._conn, self._batch).around(qualname, depth, tuple(kinds), limit)

    def cones(self, qualnames: Sequence[str], depth: int, kinds: Collection[EdgeKind]) -> tuple[Relation, ...]:
        """Edges within ``depth`` steps on the ways to and from these symbols."""
        return Walker(self._conn, self._batch).cones(qualnames, depth, tuple(kind.value for kind in kinds))

    # ---- traversals ------------------------------------------------------------------------------------------------

    def impact(
        self,
        qualname: str,
        max_distance: int = 3,
        limit: int = DEFAULT_LIMIT,
        min_confidence: Confidence = Confidence.POSSIBLE,
    ) -> tuple[ImpactItem, ...]:
        """What depends on ``qualname`` within ``max_distance`` steps, nearest first, each with its proving chain.

        What uses a member of a class depends on the class.
        """
        symbol = self._possible.symbol(qualname)
        seeds = self._with_constructor(qualname)
        if symbol is not None and symbol[1] == "class":
            seeds += self._members(qualname)
        kinds = tuple(kind.value for kind in DEPENDENCE)
        walker = Walker(self._conn, self._batch)
        return walker.reverse_closure(seeds, max_distance, kinds, limit, CONFIDENCE_RANK[min_confidence])

    def tests_for(
        self,
        qualname: str,
        limit: int = DEFAULT_LIMIT,
        max_distance: int = 4,
        min_confidence: Confidence = Confidence.LIKELY,
    ) -> tuple[ImpactItem, ...]:
        """Test functions that exercise ``qualname``: directly first, then over calls between, helpers included.

        For a class or a module, tests of its members count.
        """
        seeds = [*self._with_constructor(qualname), *self._members(qualname)]
        items: dict[str, ImpactItem] = {}
        for start in range(0, len(seeds), MAX_NAMES):
            for edge in self._batch("d", seeds[start : start + MAX_NAMES], (EdgeKind.TEST.value,)):
                items.setdefault(edge.src, ImpactItem(edge.src, 1, (edge,)))
        if max_distance > 1 and len(items) < limit:
            walker = Walker(self._conn, self._batch)
            kinds = (EdgeKind.CALL.value, EdgeKind.TEST.value)
            reached = walker.reverse_closure(seeds, max_distance, kinds, limit * 4, CONFIDENCE_RANK[min_confidence])
            names = [item.qualname for item in reached]
            tests = walker.sources_of(EdgeKind.TEST, names) | walker.test_functions(names)
            for item in reached:
                if item.qualname in tests:
                    items.setdefault(item.qualname, item)
        return tuple(list(items.values())[:limit])

    def possible_tests(self, qualname: str) -> tuple[tuple[Relation, ...], int]:
        """Unresolved calls in test files that may mean ``qualname`` or, of a class or module, a member of it.

        The number is of those left out because too many definitions share their name.
        """
        found: dict[Relation, None] = {}
        omitted = 0
        for name in (qualname, *self._members(qualname)):
            maybe, left_out = self._possible.of(name)
            found.update(dict.fromkeys(maybe))
            omitted += left_out
        paths = sorted({edge.path for edge in found})
        tests: set[str] = set()
        for start in range(0, len(paths), MAX_NAMES):
            part = paths[start : start + MAX_NAMES]
            rows = self._conn.execute(
                f"SELECT path FROM files WHERE role = 'test' AND path IN ({_marks(part)})", part
            ).fetchall()
            tests.update(row[0] for row in rows)
        return tuple(edge for edge in found if edge.path in tests), omitted

    def reached_from(
        self,
        qualname: str,
        kinds: Collection[EdgeKind],
        max_distance: int,
        limit: int = DEFAULT_LIMIT,
        min_confidence: Confidence = Confidence.POSSIBLE,
    ) -> tuple[ImpactItem, ...]:
        """What ``qualname`` reaches over edges of these kinds, nearest first, each with the chain that leads there."""
        walk = Walker(self._conn, self._batch).closure
        return self._walked(walk, qualname, kinds, max_distance, limit, min_confidence)

    def reaching(
        self,
        qualname: str,
        kinds: Collection[EdgeKind],
        max_distance: int,
        limit: int = DEFAULT_LIMIT,
        min_confidence: Confidence = Confidence.POSSIBLE,
    ) -> tuple[ImpactItem, ...]:
        """What reaches ``qualname`` over edges of these kinds, nearest first, each with the chain that leads to it."""
        walk = Walker(self._conn, self._batch).reverse_closure
        return self._walked(walk, qualname, kinds, max_distance, limit, min_confidence)

    def _walked(
        self,
        walk: Callable[..., tuple[ImpactItem, ...]],
        qualname: str,
        kinds: Collection[EdgeKind],
        max_distance: int,
        limit: int,
        min_confidence: Confidence,
    ) -> tuple[ImpactItem, ...]:
        values = tuple(kind.value for kind in kinds)
        return walk(self._with_constructor(qualname), max_distance, values, limit, CONFIDENCE_RANK[min_confidence])

    def path_between(
        self, source: str, target: str, max_depth: int = 8, min_confidence: Confidence = Confidence.POSSIBLE
    ) -> tuple[Relation, ...]:
        """The shortest, most certain path of dependences from one symbol to the other, else the other way; or ()."""
        walker = Walker(self._conn, self._batch)
        kinds = tuple(kind.value for kind in DEPENDENCE)
        worst = CONFIDENCE_RANK[min_confidence]
        return walker.path(source, target, kinds, max_depth, worst) or walker.path(
            target, source, kinds, max_depth, worst
        )

    def gaps(self, qualname: str) -> tuple[Relation, ...]:
        """Unresolved calls within a few steps from ``qualname``, nearest first: a path may lead on through them."""
        return gaps(self._conn, self._batch, qualname)

    # ---- SQL -------------------------------------------------------------------------------------------------------

    def _edges(
        self,
        end: str,
        qualname: str,
        kinds: Collection[EdgeKind],
        min_confidence: Confidence = Confidence.POSSIBLE,
    ) -> tuple[Relation, ...]:
        return self._batch(end, [qualname], tuple(kind.value for kind in kinds), CONFIDENCE_RANK[min_confidence])

    def _batch(self, end: str, names: Sequence[str], kinds: Sequence[str], worst: int = 2) -> tuple[Relation, ...]:
        """Edges whose source (``s``) or target (``d``) is one of ``names``."""
        if not names or not kinds:
            return ()
        column = "src" if end == "s" else "dst"
        allowed = [confidence.value for confidence, rank in CONFIDENCE_RANK.items() if rank <= worst]
        rows = self._conn.execute(
            f"{_SELECT} WHERE e.{column} IN (SELECT id FROM nodes WHERE name IN ({_marks(names)})) "
            f"AND e.kind IN ({_marks(kinds)}) AND e.confidence IN ({_marks(allowed)}) "
            f"ORDER BY {_ORDER} s.name, d.name",
            [*names, *kinds, *allowed],
        )
        return tuple(_relation(row) for row in rows)

    def with_members(self, qualname: str) -> tuple[str, ...]:
        """The symbol; of a class or module, its members too."""
        members = [name for name in self._with_constructor(qualname)[1:] if self._possible.symbol(name) is not None]
        return (qualname, *members, *self._members(qualname))

    def _with_constructor(self, qualname: str) -> list[str]:
        """A class stands for its own ``__init__`` too."""
        symbol = self._possible.symbol(qualname)
        return [qualname, f"{qualname}.__init__"] if symbol and symbol[1] == "class" else [qualname]

    def _members(self, qualname: str) -> list[str]:
        """What a class defines; of a module everything in it, to any depth."""
        symbol = self._possible.symbol(qualname)
        if symbol is None or symbol[1] not in ("class", "module"):
            return []
        where, value = ("parent = ?", qualname) if symbol[1] == "class" else (_IN_FILE, qualname)
        rows = self._conn.execute(f"SELECT qualname FROM symbols WHERE {where} ORDER BY start_line, qualname", (value,))
        own = (qualname, f"{qualname}.__init__")
        return [row[0] for row in rows if row[0] not in own][:MAX_MEMBERS]


def _proven(edges: Sequence[Relation]) -> tuple[Relation, ...]:
    """Without what an override possibly gets from calls of the method that it overrides: ``PossibleCalls`` tells all
    of those, place by place."""
    return tuple(edge for edge in edges if edge.rule != q.OVERRIDE)


def _relation(row: tuple[str, str, str, str, str, int, str]) -> Relation:
    return Edge(row[0], row[1], EdgeKind(row[2]), Confidence(row[3]), row[4], row[5], row[6])


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))
