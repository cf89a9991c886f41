"""The graph as one pack shows it: edges whose proving line is shown and whose source the pack names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from agent.answer.offline.ports import Graph
from harness.tiers.evidence_reader import EvidenceReader
from retrieval.records import Confidence, Edge, EdgeKind

_DEPENDENCE = (EdgeKind.CALL, EdgeKind.INHERIT, EdgeKind.IMPORT, EdgeKind.REFERENCE)
_TEST_DISTANCE = 4  # steps
_PATH_DEPTH = 8  # steps
_RANK = {Confidence.CERTAIN: 0, Confidence.LIKELY: 1, Confidence.POSSIBLE: 2}


@dataclass(frozen=True, slots=True)
class ShownReach:
    """A symbol that depends on another over edges that are shown."""

    qualname: str
    distance: int
    chain: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class ShownCallers:
    """Calls that are shown; nothing is left out of what is not known."""

    found: tuple[Edge, ...]
    unresolved: tuple[Edge, ...] = ()
    total: int = 0
    omitted: int = 0


class EvidenceGraph:
    """The answerer's ``Graph`` over ``graph``, restricted to what ``reader`` shows."""

    def __init__(self, graph: Graph, reader: EvidenceReader) -> None:
        self._inner = graph
        self._reader = reader

    def edges_into(self, qualname: str, kinds: Collection[EdgeKind]) -> tuple[Edge, ...]:
        return self._shown(self._inner.edges_into(qualname, kinds))

    def edges_from(self, qualname: str, kinds: Collection[EdgeKind]) -> tuple[Edge, ...]:
        return self._shown(self._inner.edges_from(qualname, kinds))

    def callers(self, qualname: str) -> ShownCallers:
        edges = self.edges_into(qualname, (EdgeKind.CALL,))
        sure = tuple(edge for edge in edges if edge.confidence is not Confidence.POSSIBLE)
        return ShownCallers(sure, tuple(edge for edge in edges if edge not in sure), len(sure))

    def impact(
        self, qualname: str, depth: int = 3, limit: int = 500, floor: Confidence = Confidence.POSSIBLE
    ) -> tuple[ShownReach, ...]:
        return self._closure(self._seeds(qualname), depth, limit, _DEPENDENCE, floor)

    def tests_for(self, qualname: str, limit: int = 500, max_distance: int = _TEST_DISTANCE) -> tuple[ShownReach, ...]:
        kinds = (EdgeKind.CALL, EdgeKind.TEST)
        reached = self._closure(self._seeds(qualname), max_distance, limit * 4, kinds, Confidence.LIKELY)
        return tuple(item for item in reached if _is_test(item))[:limit]

    def possible_tests(self, qualname: str) -> tuple[tuple[Edge, ...], int]:
        return self._shown(self._inner.possible_tests(qualname)[0]), 0

    def gaps(self, qualname: str) -> tuple[Edge, ...]:
        return self._shown(self._inner.gaps(qualname))

    def path_between(self, source: str, target: str) -> tuple[Edge, ...]:
        return self._path(source, target) or self._path(target, source)

    # --------------------------------------------------------------------------------------------------------- the walk

    def _shown(self, edges: Iterable[Edge]) -> tuple[Edge, ...]:
        reader = self._reader
        return tuple(edge for edge in edges if reader.shows(edge.path, edge.line) and reader.names(edge.src))

    def _seeds(self, qualname: str) -> tuple[str, ...]:
        row = self._reader.symbol(qualname)
        return (qualname, f"{qualname}.__init__") if row is not None and row.symbol.kind == "class" else (qualname,)

    def _closure(
        self,
        seeds: Sequence[str],
        depth: int,
        limit: int,
        kinds: tuple[EdgeKind, ...],
        worst: Confidence = Confidence.POSSIBLE,
    ) -> tuple[ShownReach, ...]:
        """Breadth first against the direction of the edges, nearest first; each symbol once, with its first chain."""
        found: dict[str, ShownReach] = {}
        frontier: list[tuple[str, tuple[Edge, ...]]] = [(seed, ()) for seed in seeds]
        for distance in range(1, depth + 1):
            following: list[tuple[str, tuple[Edge, ...]]] = []
            for name, chain in frontier:
                for edge in self.edges_into(name, kinds):
                    if edge.src in found or edge.src in seeds or _RANK[edge.confidence] > _RANK[worst]:
                        continue
                    found[edge.src] = ShownReach(edge.src, distance, (edge, *chain))
                    following.append((edge.src, (edge, *chain)))
                    if len(found) >= limit:
                        return tuple(found.values())
            frontier = following
        return tuple(found.values())

    def _path(self, source: str, target: str) -> tuple[Edge, ...]:
        return _breadth_first(source, target, lambda name: self.edges_from(name, _DEPENDENCE))


def _breadth_first(source: str, target: str, edges_from: Callable[[str], Iterable[Edge]]) -> tuple[Edge, ...]:
    seen = {source}
    frontier: list[tuple[str, tuple[Edge, ...]]] = [(source, ())]
    for _ in range(_PATH_DEPTH):
        following: list[tuple[str, tuple[Edge, ...]]] = []
        for name, chain in frontier:
            for edge in sorted(edges_from(name), key=lambda each: (_RANK[each.confidence], each.path, each.line)):
                if edge.dst in seen or edge.confidence is Confidence.POSSIBLE:
                    continue
                seen.add(edge.dst)
                if edge.dst == target:
                    return (*chain, edge)
                following.append((edge.dst, (*chain, edge)))
        frontier = following
    return ()


def _is_test(item: ShownReach) -> bool:
    first = item.chain[0]
    name = item.qualname.rsplit(".", 1)[-1]
    return first.kind is EdgeKind.TEST or name.startswith("test")
