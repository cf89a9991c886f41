"""Direct neighbours in the graph by plain SQL, and the chunks that hold a symbol. No networkx here.

Targets outside the tree and unresolved calls (``?.name``) have no chunk and fall out by themselves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.records import CONFIDENCE_WEIGHT, Confidence, EdgeKind

_WEIGHTS = tuple(CONFIDENCE_WEIGHT[each] for each in (Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE))
_BATCH = 400  # names per SQL statement


@dataclass(frozen=True, slots=True)
class Link:
    """``src`` does ``kind`` to ``dst``; ``weight`` 0..1 is the edge's confidence, ``path:line`` proves it."""

    src: str
    dst: str
    kind: EdgeKind
    weight: float
    path: str
    line: int


class LinkReader:
    """Reads edges and chunk ids of one open index."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn

    def outgoing(self, names: Sequence[str], kinds: Sequence[EdgeKind], limit: int = 400) -> list[Link]:
        """Edges that leave ``names``, at most ``limit``; most confident first, then by place."""
        return self._links("src", names, kinds, limit)

    def incoming(self, names: Sequence[str], kinds: Sequence[EdgeKind], limit: int = 400) -> list[Link]:
        """Edges that arrive at ``names``, at most ``limit``; most confident first, then by place."""
        return self._links("dst", names, kinds, limit)

    def pairs(
        self, names: Sequence[str], kinds: Sequence[EdgeKind], *, leaving: bool, limit: int
    ) -> list[tuple[str, str, float]]:
        """(one of ``names``, neighbour, confidence 0..1) of each pair that an edge joins, surest first."""
        wanted = [name for name in dict.fromkeys(names) if name][:_BATCH]
        if not wanted:
            return []
        near, far = ("src", "dst") if leaving else ("dst", "src")
        rows = self._conn.execute(
            f"SELECT a.name, b.name, min(CASE e.confidence WHEN 'certain' THEN 0 WHEN 'likely' THEN 1 ELSE 2 END) AS c "
            f"FROM nodes a JOIN edges e ON e.{near} = a.id JOIN nodes b ON b.id = e.{far} "
            f"WHERE a.name IN ({_marks(wanted)}) AND e.kind IN ({_marks(kinds)}) AND e.src != e.dst "
            "GROUP BY a.id, b.id ORDER BY c, a.name, b.name LIMIT ?",
            [*wanted, *(kind.value for kind in kinds), limit],
        )
        return [(name, other, _WEIGHTS[rank]) for name, other, rank in rows]

    def chunk_ids(self, names: Iterable[str]) -> dict[str, list[int]]:
        """Qualified name -> ids of its chunks by line; names without a chunk of their own are left out."""
        wanted = list(dict.fromkeys(names))
        found: dict[str, list[int]] = {}
        for start in range(0, len(wanted), _BATCH):
            part = wanted[start : start + _BATCH]
            rows = self._conn.execute(
                f"SELECT qualname, id FROM chunks WHERE qualname IN ({_marks(part)}) AND qualname != '' "
                "ORDER BY start_line, id",
                part,
            )
            for qualname, chunk_id in rows:
                found.setdefault(qualname, []).append(chunk_id)
        return found

    def qualnames(self, chunk_ids: Sequence[int]) -> list[str]:
        """The qualified name of each chunk, "" for none, in the order of ``chunk_ids``."""
        ids = [int(i) for i in chunk_ids]
        rows = dict(self._conn.execute(f"SELECT id, qualname FROM chunks WHERE id IN ({_marks(ids)})", ids))
        return [str(rows.get(i, "")) for i in ids]

    def _links(self, end: str, names: Sequence[str], kinds: Sequence[EdgeKind], limit: int) -> list[Link]:
        wanted = [name for name in dict.fromkeys(names) if name][:_BATCH]
        if not wanted or not kinds:
            return []
        rows = self._conn.execute(
            "SELECT s.name, d.name, e.kind, e.confidence, f.path, e.line FROM edges e "
            "JOIN nodes s ON s.id = e.src JOIN nodes d ON d.id = e.dst JOIN files f ON f.id = e.file_id "
            f"WHERE e.{end} IN (SELECT id FROM nodes WHERE name IN ({_marks(wanted)})) "
            f"AND e.kind IN ({_marks(kinds)}) "
            "ORDER BY CASE e.confidence WHEN 'certain' THEN 0 WHEN 'likely' THEN 1 ELSE 2 END, f.path, e.line, e.id "
            "LIMIT ?",
            [*wanted, *(kind.value for kind in kinds), limit],
        )
        return [
            Link(src, dst, EdgeKind(kind), CONFIDENCE_WEIGHT[Confidence(confidence)], path, line)
            for src, dst, kind, confidence, path, line in rows
        ]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
