"""The three legs: each finds chunks on its own and says how strongly, best first.

Imports of the lexical and vector machinery happen inside the leg that needs them, so that a leg that does not run costs
nothing on a cold start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from retrieval.embed.base import Embedder, Matrix
from retrieval.search.fusion import Ids, LegResult, Scores
from retrieval.search.ports import Reader
from retrieval.text.frames import subject_of
from retrieval.vectors.base import VectorEngine

if TYPE_CHECKING:
    from retrieval.lexical.reading import PostingsSource

_DEEPER = 10  # legs score this many times their candidates, for chunks that another leg found

Mask = npt.NDArray[np.bool_]


def best_of(scores: Scores, k: int) -> Ids:
    """Ids of the k best positive scores, best first; equal scores by id."""
    found = np.flatnonzero(scores > 0)
    if len(found) > k:
        kth = np.partition(scores[found], len(found) - k)[len(found) - k]
        above = found[scores[found] > kth]
        level = found[scores[found] == kth][: k - len(above)]
        found = np.concatenate([above, level])
        found.sort()
    return np.asarray(found[np.argsort(-scores[found], kind="stable")], np.int64)


def lexical_leg(
    reader: Reader, postings: PostingsSource, terms: Mapping[str, float], alive: Mask, depth: int
) -> tuple[LegResult, Scores]:
    """BM25F over the postings. Returns the leg's best and float32[n], the score of every chunk."""
    from retrieval.lexical.search import lexical_scores

    arrays = reader.arrays
    dense = lexical_scores(postings, terms, arrays.field_lengths, alive)
    ids = best_of(dense, depth * _DEEPER)
    return LegResult("lexical", ids, dense[ids], depth), dense


def vector_leg(vectors: VectorEngine, query: Matrix, alive: Mask, depth: int) -> LegResult:
    """Nearest chunks by cosine similarity to ``query``, float32[dim]. A question without a known word is zero."""
    if not np.any(query):
        return LegResult("vector", np.zeros(0, np.int64), np.zeros(0, np.float32), depth)
    # The exact engine has every score at hand; an approximate one pays for each hit.
    k = depth * _DEEPER if vectors.name == "exact" else depth
    ids, scores = vectors.search(query, k, alive)
    return LegResult("vector", ids.astype(np.int64, copy=False), scores.astype(np.float32, copy=False), depth)


def likeness_of(
    question: str, embedder: Embedder, vectors: VectorEngine, alive: Mask, results: Iterable[LegResult]
) -> float | None:
    """Cosine similarity of what is asked about and the nearest chunk; None where the embedder's scale is not known."""
    if not getattr(embedder, "is_calibrated", False):
        return None
    subject = subject_of(question)
    known = next((result for result in results if result.leg == "vector"), None) if subject == question else None
    if known is None:
        known = vector_leg(vectors, embedder.embed_query(subject), alive, 1)
    return float(known.scores[0]) if len(known.scores) else 0.0


def graph_leg(related: Mapping[int, float], alive: Mask, depth: int) -> LegResult:
    """Chunks that the graph relates to what the question names; ``related`` is chunk id -> 0..1."""
    ids = np.asarray([i for i in sorted(related) if alive[i]], np.int64)
    scores = np.asarray([related[int(i)] for i in ids], np.float32)
    order = np.argsort(-scores, kind="stable")[:depth]
    return LegResult("graph", ids[order], scores[order], depth)
