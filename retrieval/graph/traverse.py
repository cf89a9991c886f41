"""Traversals over more than one step. The graph is read from the index frontier by frontier, never whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from retrieval.graph.possible import Batch
from retrieval.records import Confidence, Edge, EdgeKind

_BATCH = 400
_MAX_NODES = 20_000
#: A path may be longer by this much to avoid a step that is less sure.
_COST = {Confidence.CERTAIN: 1.0, Confidence.LIKELY: 1.25, Confidence.POSSIBLE: 2.0}


@dataclass(frozen=True, slots=True)
class ImpactItem:
    """A symbol that depends on the one asked about, or that it depends on.

    Attributes:
        distance: Number of steps.
        chain: The edges from ``qualname`` to the symbol asked about, in that order; of what the symbol reaches, the
            edges from it to ``qualname``.
    """

    qualname: str
    distance: int
    chain: tuple[Edge, ...]

    @property
    def symbol(self) -> str:
        return self.qualname


class Walker:
    """Expands frontiers by SQL into a ``networkx.DiGraph`` whose edges carry their best ``Edge``."""

    def __init__(self, conn: sqlite3.Connection, batch: Batch) -> None:
        self._conn = conn
        self._batch = batch

    def _edges(self, end: str, names: Sequence[str], kinds: Sequence[str], worst: int = 2) -> list[Edge]:
        found: list[Edge] = []
        for start in range(0, len(names), _BATCH):
            found.extend(self._batch(end, names[start : start + _BATCH], kinds, worst))
        return found

    def _modules(self, names: Collection[str]) -> set[str]:
        wanted = list(names)
        found: set[str] = set()
        for start in range(0, len(wanted), _BATCH):
            part = wanted[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            found.update(
                row[0] for row in self._conn.execute(f"SELECT module FROM files WHERE module IN ({marks})", part)
            )
        return found

    def sources_of(self, kind: EdgeKind, names: Sequence[str]) -> set[str]:
        """Those of ``names`` that have an edge of that kind."""
        return {edge.src for edge in self._edges("s", names, (kind.value,))}

    def test_functions(self, names: Sequence[str]) -> set[str]:
        """Those of ``names`` that are test functions by their name and file: one that calls helpers only tests, too."""
        found: set[str] = set()
        for start in range(0, len(names), _BATCH):
            part = names[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            rows = self._conn.execute(
                "SELECT s.qualname FROM symbols s JOIN files f ON f.id = s.file_id WHERE f.role = 'test' "
                f"AND s.kind IN ('function', 'method') AND s.name LIKE 'test%' AND s.qualname IN ({marks})",
                part,
            )
            found.update(row[0] for row in rows)
        return found

    def reverse_closure(
        self, seeds: Sequence[str], depth: int, kinds: Sequence[str], limit: int, worst: int
    ) -> tuple[ImpactItem, ...]:
        """Everything that reaches a seed within ``depth`` steps, nearest first, ties by confidence, path and line.

        A module that imports a symbol depends on it, but what imports that module for other things does not: such a
        module is reported and not followed, unless a module was asked about.
        """
        return self._closure("d", seeds, depth, kinds, limit, worst)

    def closure(
        self, seeds: Sequence[str], depth: int, kinds: Sequence[str], limit: int, worst: int
    ) -> tuple[ImpactItem, ...]:
        """Everything that a seed reaches, in the same order; a chain leads from the seed to its item."""
        return self._closure("s", seeds, depth, kinds, limit, worst)

    def _closure(
        self, end: str, seeds: Sequence[str], depth: int, kinds: Sequence[str], limit: int, worst: int
    ) -> tuple[ImpactItem, ...]:
        import networkx as nx

        backwards = end == "d"
        graph: Any = nx.DiGraph()
        graph.add_nodes_from(seeds)
        follow_modules = bool(self._modules(seeds[:1]))
        order: list[str] = []
        frontier = list(seeds)
        for _ in range(depth):
            fresh: list[str] = []
            for edge in self._edges(end, frontier, kinds, worst):
                near, far = (edge.dst, edge.src) if backwards else (edge.src, edge.dst)
                if far in graph or near == far or far.startswith("?."):
                    continue
                graph.add_edge(near, far, edge=edge)
                fresh.append(far)
            order.extend(fresh)
            if len(order) >= limit:
                break
            if backwards and not follow_modules:
                modules = self._modules(fresh)
                fresh = [name for name in fresh if name not in modules]
            frontier = fresh
            if not frontier or graph.number_of_nodes() > _MAX_NODES:
                break
        paths = nx.multi_source_dijkstra_path(graph, set(seeds), weight=None)
        items = []
        for name in order[:limit]:
            steps = paths[name]
            chain = [graph.edges[a, b]["edge"] for a, b in pairwise(steps)]
            items.append(ImpactItem(name, len(chain), tuple(reversed(chain) if backwards else chain)))
        return tuple(items)

    def cones(self, seeds: Sequence[str], depth: int, kinds: Sequence[str]) -> tuple[Edge, ...]:
        """Edges within ``depth`` steps on the ways to the seeds and on the ways from them, nearest first.

        What else calls a callee of a seed, or is called by a caller of it, is on no such way.
        """
        found: dict[Edge, None] = {}
        for end in ("d", "s"):
            frontier, seen = list(seeds), set(seeds)
            for _ in range(depth):
                fresh: dict[str, None] = {}
                for edge in self._edges(end, frontier, kinds):
                    found.setdefault(edge)
                    far = edge.src if end == "d" else edge.dst
                    if far not in seen and not far.startswith("?."):
                        fresh[far] = None
                seen.update(fresh)
                frontier = list(fresh)
                if not frontier:
                    break
        return tuple(found)

    def around(self, name: str, depth: int, kinds: Sequence[EdgeKind], limit: int) -> tuple[Edge, ...]:
        """Edges within ``depth`` steps in either direction, nearest first."""
        import networkx as nx

        values = tuple(kind.value for kind in kinds)
        graph: Any = nx.MultiDiGraph()
        graph.add_node(name)
        found: dict[Edge, None] = {}
        frontier = [name]
        for _ in range(depth):
            edges = [*self._edges("s", frontier, values), *self._edges("d", frontier, values)]
            fresh: dict[str, None] = {}
            for edge in edges:
                found.setdefault(edge)
                for end in (edge.src, edge.dst):
                    if end not in graph and not end.startswith("?."):
                        graph.add_node(end)
                        fresh[end] = None
            if len(found) >= limit:
                break
            frontier = list(fresh)
        return tuple(list(found)[:limit])

    def path(self, source: str, target: str, kinds: Sequence[str], max_depth: int, worst: int = 2) -> tuple[Edge, ...]:
        """The cheapest path from ``source`` to ``target``: few steps, and sure ones. Grown from both ends."""
        import networkx as nx

        if source == target:
            return ()
        graph: Any = nx.DiGraph()
        graph.add_nodes_from((source, target))
        ahead, behind = [source], [target]
        seen_ahead, seen_behind = {source}, {target}
        for _ in range(max_depth):
            forward = bool(ahead) and (not behind or len(ahead) <= len(behind))
            if not ahead and not behind:
                break
            edges = self._edges("s", ahead, kinds, worst) if forward else self._edges("d", behind, kinds, worst)
            seen, fresh = (seen_ahead if forward else seen_behind), []
            for edge in edges:
                if edge.dst.startswith("?.") or edge.src == edge.dst:
                    continue
                old = graph.get_edge_data(edge.src, edge.dst)
                if old is None or _COST[edge.confidence] < old["weight"]:
                    graph.add_edge(edge.src, edge.dst, edge=edge, weight=_COST[edge.confidence])
                end = edge.dst if forward else edge.src
                if end not in seen:
                    seen.add(end)
                    fresh.append(end)
            if forward:
                ahead = fresh
            else:
                behind = fresh
            if seen_ahead & seen_behind or graph.number_of_nodes() > _MAX_NODES:
                break
        try:
            steps = nx.dijkstra_path(graph, source, target, weight="weight")
        except nx.NetworkXNoPath:
            return ()
        return tuple(graph.edges[a, b]["edge"] for a, b in pairwise(steps))
