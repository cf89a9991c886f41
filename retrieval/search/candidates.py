"""From the ranked pool to records: what each leg said, what each feature moved, and why it is there, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from retrieval.pack_records import Candidate, LegHit
from retrieval.records import ChunkRow
from retrieval.search.fusion import Ids, LegResult, Scores
from retrieval.search.ports import Reader
from retrieval.search.strength import Strength


def candidates_of(
    reader: Reader,
    order: Ids,
    ids: Ids,
    scores: Scores,
    chances: Scores,
    contributions: Mapping[str, Scores],
    results: Iterable[LegResult],
    strength: Strength,
) -> tuple[Candidate, ...]:
    """Records of the chunks at the positions ``order`` of the pool ``ids``, with all that moved them."""
    hits: dict[int, list[LegHit]] = {int(i): [] for i in ids[order]}
    for result in results:
        at_rank = np.flatnonzero(np.isin(result.candidates, ids[order]))
        for rank in at_rank.tolist():
            hits[int(result.ids[rank])].append(LegHit(result.leg, rank + 1, float(result.scores[rank])))
    rows: list[ChunkRow] = reader.chunks(ids[order])
    moved: list[list[tuple[str, float]]] = [[] for _ in rows]
    for name, values in contributions.items():
        own = values[order].astype(np.float64)
        for nth in np.flatnonzero(np.abs(own) > 1e-6).tolist():
            moved[nth].append((name, round(float(own[nth]), 4)))
    found: list[Candidate] = []
    for nth, (at, row) in enumerate(zip(order.tolist(), rows, strict=True)):
        features, legs, score = tuple(moved[nth]), tuple(hits.get(row.id, ())), float(scores[at])
        absolute, likelihood, reason = strength.per_chunk[nth], float(chances[at]), _reason(legs, features)
        found.append(Candidate(row, score, absolute, legs, features, reason=reason, likelihood=likelihood))
    return tuple(found)


def _reason(legs: tuple[LegHit, ...], features: tuple[tuple[str, float], ...]) -> str:
    lifted = [name for name, value in features if value > 0]
    for name, words in _FEATURE_REASONS:
        if name in lifted:
            return words
    return " and ".join(f"{hit.leg} rank {hit.rank}" for hit in legs) or "named by the question"


_FEATURE_REASONS = (
    ("definition", "defines a name in the question"),
    ("named", "defines a name in the question"),
    ("word_named", "defines a name in the question"),
    ("relation", "stands in the relation asked about"),
    ("related", "stands in the relation asked about"),
    ("file_hint", "in a file that the question names"),
    ("hinted", "in a file that the question names"),
    ("phrase", "holds a quoted phrase"),
)
