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
    hits: dict[int, list[LegHit]] = {chunk_id: [] for chunk_id in ids[order].tolist()}
    for result in results:
        at_rank = np.flatnonzero(np.isin(result.candidates, ids[order]))
        found_by = zip(at_rank.tolist(), result.ids[at_rank].tolist(), result.scores[at_rank].tolist(), strict=True)
        for rank, chunk_id, score in found_by:
            hits[chunk_id].append(LegHit(result.leg, rank + 1, score))
    rows: list[ChunkRow] = reader.chunks(ids[order])
    moved: list[list[tuple[str, float]]] = [[] for _ in rows]
    for name, values in contributions.items():
        own = values[order].astype(np.float64)
        places = np.flatnonzero(np.abs(own) > 1e-6)
        for nth, value in zip(places.tolist(), own[places].tolist(), strict=True):
            moved[nth].append((name, round(value, 4)))
    found: list[Candidate] = []
    of_all = (rows, moved, scores[order].tolist(), chances[order].tolist(), strength.per_chunk)
    for row, own_moved, score, likelihood, absolute in zip(*of_all, strict=True):
        features, legs = tuple(own_moved), tuple(hits.get(row.id, ()))
        reason = _reason(legs, own_moved)
        found.append(Candidate(row, score, absolute, legs, features, reason=reason, likelihood=likelihood))
    return tuple(found)


def _reason(legs: tuple[LegHit, ...], features: Iterable[tuple[str, float]]) -> str:
    lifted = {name for name, value in features if value > 0}
    if not lifted.isdisjoint(_FEATURES_WITH_REASONS):
        return next(words for name, words in _FEATURE_REASONS if name in lifted)
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
_FEATURES_WITH_REASONS = frozenset(name for name, _ in _FEATURE_REASONS)
