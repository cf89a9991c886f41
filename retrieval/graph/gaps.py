"""Where a path may go on unseen: calls within a few steps whose target nobody could tell."""

from __future__ import annotations

import io
import re
import sqlite3
from collections.abc import Sequence

from retrieval.graph.possible import Batch
from retrieval.records import Confidence, Edge, EdgeKind

_STEPS = 4
_WIDTH = 200  # definitions looked at in each step
_CALL = (EdgeKind.CALL.value,)
#: Methods of values that hold no callable of the tree: an unknown receiver with such a method is most likely one.
_PLAIN = frozenset(
    name
    for kind in (str, bytes, dict, list, set, tuple, int, float, io.TextIOWrapper, re.Pattern, re.Match)
    for name in dir(kind)
)


def gaps(conn: sqlite3.Connection, batch: Batch, qualname: str, steps: int = _STEPS) -> tuple[Edge, ...]:
    """Unresolved calls made by ``qualname`` and by what it surely calls, nearest first.

    Methods of plain values (``text.strip()``) are left out unless the tree defines a method of the name.
    """
    frontier, seen = [qualname], {qualname}
    found: dict[tuple[str, int, str], Edge] = {}
    for _ in range(steps):
        edges = sorted(batch("s", frontier, _CALL), key=lambda edge: (edge.path, edge.line, edge.dst))
        for edge in edges:
            if edge.dst.startswith("?."):
                found.setdefault((edge.path, edge.line, edge.dst), edge)
        ahead = (edge.dst for edge in edges if edge.confidence is not Confidence.POSSIBLE)
        frontier = [name for name in dict.fromkeys(ahead) if name not in seen][:_WIDTH]
        seen.update(frontier)
        if not frontier:
            break
    own = _methods(conn, sorted({edge.dst[2:] for edge in found.values()} & _PLAIN))
    return tuple(edge for edge in found.values() if edge.dst[2:] not in _PLAIN or edge.dst[2:] in own)


def _methods(conn: sqlite3.Connection, names: Sequence[str]) -> set[str]:
    """Those of ``names`` that some class of the tree defines."""
    marks = ",".join("?" * len(names))
    rows = conn.execute(f"SELECT DISTINCT name FROM symbols WHERE kind = 'method' AND name IN ({marks})", list(names))
    return {row[0] for row in rows}
