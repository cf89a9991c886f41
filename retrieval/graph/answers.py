"""Three-valued answers to questions about relations: what holds with its proof, or that nothing does, or unknown.

"Nothing" is only said when everything that could hold it was read and resolved.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from retrieval.graph.query import Relations, SymbolGraph
from retrieval.graph.traverse import ImpactItem
from retrieval.records import CONFIDENCE_RANK, Confidence, Edge, EdgeKind

_MAX_CALLERS_OF_UNTESTED = 200
_SEARCHED = 100_000  # items looked at before counting stops
_FURTHEST = 50  # steps, before nothing is said to be there


class Relation(StrEnum):
    CALLERS = "callers"
    CALLEES = "callees"
    IMPORTERS = "importers"
    IMPACT = "impact"
    PATH = "path"
    TESTS = "tests"


class Status(StrEnum):
    FOUND = "found"
    NONE = "none"  # nothing, and everything relevant was read and resolved
    UNKNOWN = "unknown"  # nothing certain or likely, but there are places that could not be resolved or read


#: Steps that a relation looks, unless asked otherwise.
DEFAULT_DEPTH = {
    Relation.CALLERS: 1,
    Relation.CALLEES: 1,
    Relation.IMPORTERS: 1,
    Relation.IMPACT: 3,
    Relation.PATH: 8,
    Relation.TESTS: 4,
}


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could hold more: not indexed, or read only in part because of syntax errors."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """The answer for one symbol.

    Attributes:
        items: What was found, nearest first, each with the chain of edges that proves it. A path is one item.
        unresolved: Calls that may belong to the answer: their target could not be told, but the name fits; of a
            definition that nothing calls also the places that name it.
        omitted: Unresolved calls left out because too many definitions share the name.
        unread: Files that could hold more.
        further: Steps to the nearest result when it lies further away than was looked; 0 for none.
    """

    relation: Relation
    symbol: str
    status: Status
    items: tuple[ImpactItem, ...]
    unresolved: tuple[Edge, ...] = ()
    omitted: int = 0
    unread: tuple[Unread, ...] = ()
    further: int = 0


def answer(
    conn: sqlite3.Connection,
    relation: Relation,
    symbol: str,
    *,
    target: str = "",
    depth: int | None = None,
    min_confidence: Confidence = Confidence.POSSIBLE,
) -> GraphAnswer:
    """The answer to one relation of ``symbol`` (``target``: the other end of a path).

    Unresolved places are listed whatever the confidence asked for, since they decide between nothing and unknown.
    """
    graph = SymbolGraph(conn)
    depth = depth or DEFAULT_DEPTH[relation]
    items, unresolved, omitted = _ask(graph, relation, symbol, target, depth, min_confidence)
    if relation is not Relation.CALLEES:  # whose unresolved calls are others than the proven ones, even on one line
        proven = {(edge.path, edge.line) for item in items for edge in item.chain[:1]}
        unresolved = tuple(edge for edge in unresolved if (edge.path, edge.line) not in proven)
    unread = _unread(conn, symbol)
    further = 0
    if not (items or unresolved or omitted):
        unresolved, further = _beyond(graph, relation, symbol, target, min_confidence)
    if items:
        status = Status.FOUND
    elif unresolved or omitted or unread or further:
        status = Status.UNKNOWN
    else:
        status = Status.NONE
    return GraphAnswer(relation, symbol, status, tuple(items), unresolved, omitted, unread, further)


def _ask(
    graph: SymbolGraph, relation: Relation, symbol: str, target: str, depth: int, floor: Confidence
) -> tuple[Sequence[ImpactItem], tuple[Edge, ...], int]:
    if relation is Relation.CALLERS:
        found = graph.callers(symbol, limit=_SEARCHED)
        if depth > 1:
            items = graph.reaching(symbol, (EdgeKind.CALL,), depth, _SEARCHED, floor)
            return _with_sites(found, items, floor), found.unresolved, found.omitted
        direct = _direct(found, floor, "src")
        # A function that nothing calls but that is handed on as a value may be called by whoever gets it.
        named = () if direct else graph.edges_into(symbol, (EdgeKind.REFERENCE,))
        return direct, (*found.unresolved, *named), found.omitted
    if relation is Relation.CALLEES:
        found = graph.callees(symbol, limit=_SEARCHED)
        found = replace(found, found=tuple(sorted(found.found, key=lambda edge: (edge.path, edge.line, edge.dst))))
        if depth > 1:
            items = graph.reached_from(symbol, (EdgeKind.CALL,), depth, _SEARCHED, floor)
            return items, found.unresolved, 0
        return _direct(found, floor, "dst"), found.unresolved, 0
    if relation is Relation.IMPORTERS:
        if depth > 1:
            return graph.reaching(symbol, (EdgeKind.IMPORT,), depth, _SEARCHED, floor), (), 0
        return _direct(graph.importers(symbol, limit=_SEARCHED), floor, "src"), (), 0
    if relation is Relation.IMPACT:
        maybe = graph.callers(symbol, limit=_SEARCHED)
        return graph.impact(symbol, depth, _SEARCHED, floor), maybe.unresolved, maybe.omitted
    if relation is Relation.TESTS:
        return _tests(graph, symbol, depth, floor)
    return _path(graph, symbol, target, depth, floor)


def _beyond(
    graph: SymbolGraph, relation: Relation, symbol: str, target: str, floor: Confidence
) -> tuple[tuple[Edge, ...], int]:
    """Of a relation over several steps that found nothing: the steps to the nearest result that lies further away; else
    the last calls that merely may happen on the ways from there. "Nothing" is not said of either."""
    if relation is Relation.TESTS:
        chains = [item.chain for item in graph.tests_for(symbol, _SEARCHED, _FURTHEST, Confidence.POSSIBLE)]
    elif relation is Relation.PATH:
        chains = [chain] if (chain := graph.path_between(symbol, target, _FURTHEST)) else []
    else:
        return (), 0
    worst = CONFIDENCE_RANK[floor]
    doubted = [[edge for edge in chain if edge.confidence is Confidence.POSSIBLE] for chain in chains]
    sure = [
        len(chain)
        for chain, unsure in zip(chains, doubted, strict=True)
        if not unsure and all(CONFIDENCE_RANK[edge.confidence] <= worst for edge in chain)
    ]
    if sure:
        return (), min(sure)
    return tuple(dict.fromkeys(unsure[-1] for unsure in doubted if unsure)), 0


def _tests(
    graph: SymbolGraph, symbol: str, depth: int, floor: Confidence
) -> tuple[Sequence[ImpactItem], tuple[Edge, ...], int]:
    unresolved, omitted = graph.possible_tests(symbol)
    worst = CONFIDENCE_RANK[floor]
    tests = [
        item
        for item in graph.tests_for(symbol, _SEARCHED, depth)
        if all(CONFIDENCE_RANK[edge.confidence] <= worst for edge in item.chain)
    ]
    if not tests and not unresolved:
        # A test may reach it through a caller; or through a caller of a caller, by a call that nobody could resolve.
        maybe = graph.callers(symbol, limit=_SEARCHED)
        unresolved, omitted = maybe.unresolved, maybe.omitted
        for item in graph.reaching(symbol, (EdgeKind.CALL,), max(1, depth - 1), _MAX_CALLERS_OF_UNTESTED):
            further, left_out = graph.possible_tests(item.qualname)
            unresolved, omitted = (*unresolved, *further), omitted + left_out
    return tests, tuple(dict.fromkeys(unresolved)), omitted


def _path(
    graph: SymbolGraph, symbol: str, target: str, depth: int, floor: Confidence
) -> tuple[Sequence[ImpactItem], tuple[Edge, ...], int]:
    chain = graph.path_between(symbol, target, depth, floor)
    if chain:
        return [ImpactItem(chain[-1].dst, len(chain), chain)], (), 0
    # Either end may reach the other through a call that nobody could resolve.
    unresolved = dict.fromkeys((*graph.gaps(symbol), *graph.gaps(target)))
    ends = [graph.callers(name, limit=_SEARCHED) for name in (symbol, target)]
    unresolved.update(dict.fromkeys(edge for end in ends for edge in end.unresolved))
    return [], tuple(unresolved), sum(end.omitted for end in ends)


def _direct(found: Relations, floor: Confidence, end: str) -> list[ImpactItem]:
    """Every site is an item of its own."""
    worst = CONFIDENCE_RANK[floor]
    kept = (edge for edge in found.found if CONFIDENCE_RANK[edge.confidence] <= worst)
    return [ImpactItem(getattr(edge, end), 1, (edge,)) for edge in kept]


def _with_sites(found: Relations, items: Sequence[ImpactItem], floor: Confidence) -> list[ImpactItem]:
    """All direct sites, then what lies further away."""
    return [*_direct(found, floor, "src"), *(item for item in items if item.distance > 1)]


def _unread(conn: sqlite3.Connection, symbol: str) -> tuple[Unread, ...]:
    """Python files that may mention ``symbol`` and were not read whole."""
    from retrieval.index.codec import unpack_text

    name = symbol.rpartition(".")[2].partition("#")[0]
    found = [
        Unread(path, "not indexed: " + reason)
        for path, reason in conn.execute("SELECT path, reason FROM skipped ORDER BY path")
        if path.endswith((".py", ".pyi", ".pyw"))
    ]
    rows = conn.execute("SELECT path, text FROM files WHERE partial = 1 AND module != '' ORDER BY path")
    found += [Unread(path, "syntax errors, read in part") for path, text in rows if name in unpack_text(text)]
    return tuple(found)
