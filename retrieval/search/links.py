"""Direct neighbours in the graph by plain SQL, and the chunks that hold a symbol. No networkx here.

Targets outside the tree and unresolved calls (``?.name``) have no chunk and fall out by themselves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.records import CONFIDENCE_WEIGHT, Confidence, EdgeKind

_WEIGHTS = tuple(CONFIDENCE_WEIGHT[each] for each in (Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE))
_WEIGHT_OF = {each.value: weight for each, weight in CONFIDENCE_WEIGHT.items()}
_BATCH = 400  # names per SQL statement
_USES = tuple(kind.value for kind in (EdgeKind.CALL, EdgeKind.INHERIT, EdgeKind.REFERENCE))
_MOST_USERS_KEPT = 4_096
_MOST_NAMES_KEPT = 20_000


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
        self._uses: dict[str, dict[str, float]] = {}
        self._chunks: dict[str, list[int]] = {}

    def outgoing(self, names: Sequence[str], kinds: Sequence[EdgeKind], limit: int = 400) -> list[Link]:
        """Edges that leave ``names``, at most ``limit``; most confident first, then by place."""
        return self._links("src", names, kinds, limit)

    def incoming(self, names: Sequence[str], kinds: Sequence[EdgeKind], limit: int = 400) -> list[Link]:
        """Edges that arrive at ``names``, at most ``limit``; most confident first, then by place."""
        return self._links("dst", names, kinds, limit)

    def users(self, names: Sequence[str], kinds: Sequence[EdgeKind], limit: int) -> list[tuple[str, str, float]]:
        """(one of ``names``, who uses it, confidence 0..1) of each pair that an edge joins, surest first."""
        wanted = [name for name in dict.fromkeys(names) if name][:_BATCH]
        if not wanted:
            return []
        rows = self._conn.execute(
            "SELECT b.name, a.name, min(CASE e.confidence WHEN 'certain' THEN 0 WHEN 'likely' THEN 1 ELSE 2 END) AS c "
            "FROM nodes b JOIN edges e ON e.dst = b.id JOIN nodes a ON a.id = e.src "
            f"WHERE b.name IN ({_marks(wanted)}) AND e.kind IN ({_marks(kinds)}) AND e.src != e.dst "
            "GROUP BY b.id, a.id ORDER BY c, b.name, a.name LIMIT ?",
            [*wanted, *(kind.value for kind in kinds), limit],
        )
        return [(name, user, _WEIGHTS[rank]) for name, user, rank in rows]

    def uses(self, names: Iterable[str], limit: int) -> dict[str, dict[str, float]]:
        """What each name calls, inherits from or refers to, with the confidence (0..1) of the surest edge to it.

        Of more than ``limit`` pairs the surest, then by name.
        """
        found = self._all_uses([name for name in dict.fromkeys(names) if name][:_BATCH])
        if sum(map(len, found.values())) <= limit:
            return found
        surest = sorted((-weight, name, used) for name, own in found.items() for used, weight in own.items())[:limit]
        cut: dict[str, dict[str, float]] = {name: {} for name in found}
        for weight, name, used in surest:
            cut[name][used] = -weight
        return cut

    def _all_uses(self, names: Sequence[str]) -> dict[str, dict[str, float]]:
        """Remembered by name: ranking and packing ask for the same ones, and so do later questions."""
        known = self._uses
        missing = [name for name in names if name not in known]
        if missing:
            found: dict[str, dict[str, float]] = {name: {} for name in missing}
            rows = self._conn.execute(
                "SELECT a.name, b.name, e.confidence FROM nodes a JOIN edges e ON e.src = a.id "
                f"JOIN nodes b ON b.id = e.dst WHERE a.name IN ({_marks(missing)}) AND e.kind IN ({_marks(_USES)}) "
                "AND e.src != e.dst",
                [*missing, *_USES],
            )
            for name, used, confidence in rows:
                weight, own = _WEIGHT_OF[confidence], found[name]
                if own.get(used, 0.0) < weight:
                    own[used] = weight
            found.update((name, known[name]) for name in names if name in known)
            if len(known) > _MOST_USERS_KEPT:
                known.clear()
            known.update(found)
        return {name: known[name] for name in names}

    def chunk_ids(self, names: Iterable[str]) -> dict[str, list[int]]:
        """Qualified name -> ids of its chunks by line; names without a chunk of their own are left out."""
        wanted = list(dict.fromkeys(names))
        known = self._chunks
        if len(known) > _MOST_NAMES_KEPT:
            known.clear()
        missing = [name for name in wanted if name and name not in known]
        found: dict[str, list[int]] = {name: [] for name in missing}
        for start in range(0, len(missing), _BATCH):
            part = missing[start : start + _BATCH]
            rows = self._conn.execute(
                f"SELECT qualname, id FROM chunks WHERE qualname IN ({_marks(part)}) AND qualname != '' "
                "ORDER BY start_line, id",
                part,
            )
            for qualname, chunk_id in rows:
                found[qualname].append(chunk_id)
        known.update(found)
        return {name: ids for name in wanted if (ids := known.get(name))}

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
