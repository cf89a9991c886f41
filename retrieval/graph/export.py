"""The call graph, or a part of it, as plain records: names of functions, and the calls between them.

Names are dotted and relative to the root: ``main.Cls.method``, ``main.func.<lambda1>``, ``main`` for the code of a
module, ``<builtin>.len`` for a builtin and ``ext.Cls.fun`` for code outside the tree. Redefinitions of a name share it.
Instantiating a class is the call of its ``__init__`` where the tree defines one. A call that stays unresolved appears
once for each definition that it can mean by its name, as ``possible``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from retrieval.graph.definitions import Definition, definitions
from retrieval.records import CONFIDENCE_RANK, Confidence, EdgeKind

if TYPE_CHECKING:
    import sqlite3

_REDEFINITION = re.compile(r"#\d+(?=\.|$)")
#: A name shared by more definitions than this says nothing about an unresolved call.
MAX_CANDIDATES = 10
_UNRESOLVED = "?."
_CALL = EdgeKind.CALL.value
_RANKS = {confidence.value: rank for confidence, rank in CONFIDENCE_RANK.items()}


#: (source, target, kind, confidence, path, line, rule) of an edge, as the index or a resolve gives them.
Plain = tuple[str, str, str, str, str, int, str]


class ExportEdge(NamedTuple):
    """One call site, or another relation. ``caller`` and ``callee`` are names as the module describes them."""

    caller: str
    callee: str
    path: str
    line: int
    kind: str
    confidence: str
    rule: str


@dataclass(frozen=True, slots=True)
class GraphExport:
    """Names and edges, both sorted. Every end of an edge that lies in the tree is among ``functions``."""

    functions: tuple[str, ...]
    edges: tuple[ExportEdge, ...]


def plain(qualname: str) -> str:
    """The name without the numbers of redefinitions."""
    return _REDEFINITION.sub("", qualname) if "#" in qualname else qualname


def all_edges(conn: sqlite3.Connection, kinds: Collection[EdgeKind], within: str = "") -> Iterable[Plain]:
    """Edges of those kinds in no order; with ``within``, those that have an end in that package or module."""
    marks = ",".join("?" * len(kinds))
    where, values = "", [kind.value for kind in kinds]
    if within:
        inside = "({0}.name = ? OR substr({0}.name, 1, ?) = ?)"
        where = f" AND ({inside.format('s')} OR {inside.format('d')})"
        values += [within, str(len(within) + 1), f"{within}."] * 2
    rows: Iterable[Plain] = conn.execute(
        "SELECT s.name, d.name, e.kind, e.confidence, f.path, e.line, e.rule FROM edges e JOIN nodes s ON s.id = e.src "
        f"JOIN nodes d ON d.id = e.dst JOIN files f ON f.id = e.file_id WHERE e.kind IN ({marks}){where}",
        values,
    )
    return rows


def package(conn: sqlite3.Connection, name: str) -> tuple[str, ...]:
    """The definitions inside a package or module."""
    return tuple(
        each.qualname for each in definitions(conn) if each.qualname == name or each.qualname.startswith(f"{name}.")
    )


def members(conn: sqlite3.Connection, qualname: str) -> tuple[str, ...]:
    """The definition itself; of a class, what it defines too."""
    from retrieval.graph.query import SymbolGraph

    names = SymbolGraph(conn).with_members(qualname)
    marks = ",".join("?" * len(names))
    rows = conn.execute(
        f"SELECT qualname FROM symbols WHERE qualname IN ({marks}) AND kind IN ('variable', 'attribute')", names
    )
    values = {row[0] for row in rows}
    return tuple(name for name in names if name not in values)


def around(conn: sqlite3.Connection, qualname: str, depth: int, kinds: Collection[EdgeKind]) -> list[Plain]:
    """Edges within ``depth`` steps on the ways to a definition and from it; a class stands for its members too."""
    from retrieval.graph.query import SymbolGraph

    return [
        (edge.src, edge.dst, edge.kind.value, edge.confidence.value, edge.path, edge.line, edge.rule)
        for edge in SymbolGraph(conn).cones(members(conn, qualname), depth, kinds)
    ]


def export(
    conn: sqlite3.Connection,
    edges: Iterable[Plain],
    named: Iterable[str] | None = None,
    min_confidence: Confidence = Confidence.POSSIBLE,
    *,
    keep_classes: bool = False,
) -> GraphExport:
    """Records of edges of an index; see ``records_of``."""
    return records_of(definitions(conn), edges, named, min_confidence, keep_classes=keep_classes)


def records_of(
    made: Collection[Definition],
    edges: Iterable[Plain],
    named: Iterable[str] | None = None,
    min_confidence: Confidence = Confidence.POSSIBLE,
    *,
    keep_classes: bool = False,
    keep_names: bool = False,
) -> GraphExport:
    """Records of ``edges``.

    Args:
        made: Every definition of the tree.
        named: Definitions that are to be listed even without an edge; None lists every one of the tree.
        min_confidence: Edges below are left out.
        keep_classes: Classes stand among the names, and instantiating one is an edge to it.
        keep_names: Redefinitions keep their numbers.
    """
    shown = str if keep_names else plain
    nodes = _Nodes(made, keep_classes)
    classes = nodes.classes
    best: dict[tuple[str, str, str, int, str], tuple[int, str, str]] = {}
    worst = CONFIDENCE_RANK[min_confidence]
    for src, dst, kind, confidence, path, line, rule in edges:
        rank = _RANKS[confidence]
        if rank > worst or (dst in classes and kind == _CALL):
            continue
        order = (rank, rule, confidence)
        for target in nodes.meant(dst, rule) if dst[:2] == _UNRESOLVED else (dst,):
            key = (shown(src), shown(target), path, line, kind)
            old = best.get(key)
            if old is None or order < old:
                best[key] = order
    records = sorted(ExportEdge(*key, confidence, rule) for key, (_rank, rule, confidence) in best.items())
    names = {shown(name) for name in (nodes.functions if named is None else nodes.functions.intersection(named))}
    ends = {record[0] for record in records}
    ends.update(record[1] for record in records)
    names.update(end for end in ends if plain(end) in nodes.plain)
    return GraphExport(tuple(sorted(names)), tuple(records))


class _Nodes:
    """The definitions of the tree, and what an unresolved name can mean."""

    def __init__(self, made: Collection[Definition], keep_classes: bool) -> None:
        self.classes = {each.qualname for each in made if each.kind == "class" and not keep_classes}
        self.functions = {each.qualname for each in made} - self.classes
        self.plain = {plain(each.qualname) for each in made}
        self._methods: dict[str, list[str]] = defaultdict(list)
        self._free: dict[str, list[str]] = defaultdict(list)
        for each in made:
            if each.kind in ("function", "method"):
                into = self._methods if each.kind == "method" else self._free
                into[each.simple_name].append(each.qualname)

    def meant(self, name: str, rule: str) -> Sequence[str]:
        """The definitions that an unresolved call (``?.name``) can mean."""
        known = {"unknown-receiver": self._methods, "unknown-name": self._free}.get(rule, {})
        found = known.get(name[len(_UNRESOLVED) :], ())
        return found if len(found) <= MAX_CANDIDATES else ()
