"""How central a symbol is: PageRank over the resolved edges of the tree."""

from __future__ import annotations

import sqlite3

import numpy as np
import numpy.typing as npt

from retrieval.records import CONFIDENCE_WEIGHT

#: Kinds that say "depends on"; containment and tests say nothing about importance.
_KINDS = ("call", "inherit", "import", "reference")
_DAMPING = 0.85
_MAX_ROUNDS = 100
_TOLERANCE = 1e-8

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def centrality(conn: sqlite3.Connection) -> dict[str, float]:
    """Qualified name -> 0..1 for every symbol of the tree; the most central has 1. Empty without symbols."""
    names: list[str] = []
    numbers: dict[int, int] = {}
    for node, name in conn.execute(
        "SELECT n.id, s.qualname FROM symbols s LEFT JOIN nodes n ON n.name = s.qualname ORDER BY s.qualname"
    ):
        if node is not None:
            numbers[node] = len(names)
        names.append(name)
    if not names:
        return {}
    weight = {confidence.value: value for confidence, value in CONFIDENCE_WEIGHT.items()}
    marks = ",".join("?" * len(_KINDS))
    sources: list[int] = []
    targets: list[int] = []
    weights: list[float] = []
    for src, dst, confidence in conn.execute(f"SELECT src, dst, confidence FROM edges WHERE kind IN ({marks})", _KINDS):
        target = numbers.get(dst)
        source = numbers.get(src)
        if target is not None and source is not None and src != dst:
            sources.append(source)
            targets.append(target)
            weights.append(weight[confidence])
    ranks = pagerank(
        len(names), np.array(sources, np.int64), np.array(targets, np.int64), np.array(weights, np.float64)
    )
    top = float(ranks.max())
    return {name: float(rank) / top for name, rank in zip(names, ranks, strict=True)}


def pagerank(n: int, sources: Ints, targets: Ints, weights: Floats) -> Floats:
    """PageRank (Page et al. 1999) by power iteration; the mass of nodes without out-edges is spread evenly.

    Args:
        n: Number of nodes, at least 1.
        sources, targets, weights: One entry for each edge, shape (e,); parallel edges add up.

    Returns:
        Shape (n,), summing to 1.
    """
    out = np.bincount(sources, weights=weights, minlength=n)
    dangling = out == 0
    share = weights / out[sources] if len(sources) else weights
    rank = np.full(n, 1.0 / n)
    for _ in range(_MAX_ROUNDS):
        flow = np.bincount(targets, weights=rank[sources] * share, minlength=n)
        new = (1.0 - _DAMPING) / n + _DAMPING * (flow + rank[dangling].sum() / n)
        if np.abs(new - rank).sum() < n * _TOLERANCE:
            return np.asarray(new)
        rank = new
    return rank
