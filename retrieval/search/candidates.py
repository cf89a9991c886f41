"""From the ranked pool to records: what each leg said, what each feature moved, and why it is there, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from retrieval.pack_records import Candidate, LegHit
from retrieval.search.fusion import Ids, LegResult, Scores
from retrieval.search.ports import Reader
from retrieval.search.strength import Strength

_LEAST_MOVE = 1e-6
_NEAR_THE_MIDDLE = 1e-6
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


def ranked(scores: Scores, paths: Sequence[str], starts: npt.NDArray[np.int32]) -> Ids:
    """Positions, best first; ties by path, then first line."""
    keys = list(zip((-scores).tolist(), paths, starts.tolist(), strict=True))
    return np.asarray(sorted(range(len(keys)), key=keys.__getitem__), np.int64)


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
    chosen = ids[order]
    legs_of = _hits(chosen, results)
    features_of, reasons = _moved(
        [values[order] for values in contributions.values()], tuple(contributions), len(chosen)
    )
    found: list[Candidate] = []
    of_all = (
        reader.chunks(chosen.tolist()),
        legs_of,
        features_of,
        reasons,
        scores[order].tolist(),
        chances[order].tolist(),
        strength.per_chunk,
    )
    for row, legs, features, reason, score, likelihood, absolute in zip(*of_all, strict=True):
        why = reason or " and ".join([f"{leg} rank {rank}" for leg, rank, _ in legs]) or "named by the question"
        found.append(Candidate(row, score, absolute, legs, features, reason=why, likelihood=likelihood))
    return tuple(found)


def _hits(chosen: Ids, results: Iterable[LegResult]) -> list[tuple[LegHit, ...]]:
    """Of each chunk: what the legs say that have it among their candidates."""
    hits: list[tuple[LegHit, ...]] = [()] * len(chosen)
    place_of = {chunk_id: place for place, chunk_id in enumerate(chosen.tolist())}
    for result in results:
        found = zip(result.candidates.tolist(), result.scores[: result.depth].tolist(), strict=True)
        for rank, (chunk_id, score) in enumerate(found, start=1):
            place = place_of.get(chunk_id)
            if place is not None:
                hits[place] += (LegHit(result.leg, rank, score),)
    return hits


def _moved(
    contributions: Sequence[Scores], names: Sequence[str], count: int
) -> tuple[list[tuple[tuple[str, float], ...]], list[str]]:
    """(what each feature moved, to four digits, why by the features, "" where they do not say) of each of ``count``."""
    if not names:
        return [()] * count, [""] * count
    values = np.stack(contributions, axis=1).astype(np.float64)
    rounded = _to_four_digits(values)
    places, columns = np.nonzero(np.abs(values) > _LEAST_MOVE)
    pairs = list(zip([names[column] for column in columns.tolist()], rounded[places, columns].tolist(), strict=True))
    ends = np.searchsorted(places, np.arange(1, count + 1)).tolist()
    features = [tuple(pairs[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
    reasons = [""] * count
    lifted = (rounded > 0) & (np.abs(values) > _LEAST_MOVE)
    for name, words in reversed(_FEATURE_REASONS):  # the first that applies speaks
        if name in names:
            for place in np.flatnonzero(lifted[:, names.index(name)]).tolist():
                reasons[place] = words
    return features, reasons


def _to_four_digits(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """As ``round(value, 4)`` of each."""
    scaled = values * 1e4
    whole = np.rint(scaled)
    rounded = np.asarray(whole / 1e4)
    # The product is rounded itself: near the middle of two the digits of the value decide.
    for place in np.argwhere(np.abs(np.abs(scaled - whole) - 0.5) < _NEAR_THE_MIDDLE).tolist():
        rounded[tuple(place)] = round(float(values[tuple(place)]), 4)
    return rounded
