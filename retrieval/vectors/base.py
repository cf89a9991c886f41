"""The interface of a vector engine. Ids are chunk ids, scores are cosine similarities of unit vectors."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import IndexUnavailableError

REBUILD = "Run `contextc index --rebuild`."

Hits = tuple[NDArray[np.int64], NDArray[np.float32]]


class VectorEngine(Protocol):
    """Where the vectors of one build live.

    The order that keeps a killed writer harmless: ``add`` the new rows, ``sync``, commit the index, then ``delete`` the
    dead. Readers pass the ``alive`` mask of their own snapshot, so they never see rows that it does not know.

    Attributes:
        name: ``exact``, ``chroma`` or ``chroma-server``.
        reason: Why this engine is in use, one clause for ``contextc status``.
    """

    name: str
    reason: str

    def search(self, query: NDArray[np.float32], k: int, alive: NDArray[np.bool_]) -> Hits:
        """The ``k`` live chunks nearest to ``query`` (float32[dim], unit): ids and scores, best first, ties by id.

        Raises:
            IndexUnavailableError: The dimension differs from the index's, or vectors are missing.
        """
        ...

    def add(self, ids: NDArray[np.int64], matrix: NDArray[np.float32]) -> None:
        """Store ``matrix`` (float32[len(ids), dim], unit rows); an id that is there already is overwritten."""
        ...

    def delete(self, ids: NDArray[np.int64]) -> None:
        """Forget these ids; unknown ones are ignored."""
        ...

    def sync(self) -> None:
        """Make what was added durable."""
        ...

    def count(self) -> int:
        """Vectors held, those that no committed snapshot knows included."""
        ...

    def problem(self, alive: NDArray[np.bool_]) -> str:
        """What is wrong between this store and the index ("" for nothing): one clause for status and doctor."""
        ...

    def close(self) -> None: ...


def top_k(scores: NDArray[np.float32], k: int) -> Hits:
    """The ``k`` best of ``scores`` above minus infinity: (positions, scores), best first, ties by position."""
    k = min(k, int(np.count_nonzero(scores > -np.inf)))
    if k <= 0:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    kth = np.partition(scores, len(scores) - k)[len(scores) - k]
    above = np.flatnonzero(scores > kth)
    ids = np.concatenate([above, np.flatnonzero(scores == kth)[: k - len(above)]]).astype(np.int64)
    ids = ids[np.lexsort((ids, -scores[ids]))]
    return ids, scores[ids]


def check_matrix(ids: NDArray[np.int64], matrix: NDArray[np.float32], dim: int) -> None:
    """Refuse rows of another dimension than the index's."""
    if matrix.ndim != 2 or matrix.shape[1] != dim or len(ids) != len(matrix):
        raise IndexUnavailableError(
            f"The index holds vectors of {dim} dimensions; {len(ids)} chunks came with {matrix.shape}.",
            REBUILD,
            "embedder",
        )


def check_query(query: NDArray[np.float32], dim: int) -> None:
    """Refuse a question embedded in another dimension than the index's."""
    if query.shape != (dim,):
        raise IndexUnavailableError(
            f"The index holds vectors of {dim} dimensions, the question's has {query.shape[-1] if query.ndim else 0}: "
            "it was built with another embedder.",
            REBUILD,
            "embedder",
        )
