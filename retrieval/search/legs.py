"""The three legs: each finds chunks on its own and says how strongly, best first.

Imports of the lexical and vector machinery happen inside the leg that needs them, so that a leg that does not run costs
nothing on a cold start.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from retrieval.embed.base import Embedder
from retrieval.search.fusion import Ids, LegResult, Scores
from retrieval.search.ports import Reader
from retrieval.vectors.base import VectorEngine

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


def lexical_leg(reader: Reader, terms: Mapping[str, float], alive: Mask, k: int) -> tuple[LegResult, Scores]:
    """BM25F over the postings. Returns the leg's best k and float32[n], the score of every chunk."""
    from retrieval.lexical.search import lexical_scores

    arrays = reader.arrays
    dense = lexical_scores(reader.conn, terms, arrays.field_lengths, alive)
    ids = best_of(dense, k)
    return LegResult("lexical", ids, dense[ids]), dense


def vector_leg(embedder: Embedder, vectors: VectorEngine, question: str, alive: Mask, k: int) -> LegResult:
    """Nearest chunks by cosine similarity. A question without a known word embeds to zero and finds nothing."""
    query = embedder.embed_query(question)
    if not np.any(query):
        return LegResult("vector", np.zeros(0, np.int64), np.zeros(0, np.float32))
    ids, scores = vectors.search(query, k, alive)
    order = np.lexsort((ids, -scores))
    return LegResult("vector", ids[order].astype(np.int64), scores[order].astype(np.float32))


def graph_leg(related: Mapping[int, float], alive: Mask, k: int) -> LegResult:
    """Chunks that the graph relates to what the question names; ``related`` is chunk id -> 0..1."""
    ids = np.fromiter((i for i in sorted(related) if alive[i]), np.int64)
    scores = np.fromiter((related[int(i)] for i in ids), np.float32, len(ids))
    order = np.argsort(-scores, kind="stable")[:k]
    return LegResult("graph", ids[order], scores[order])
