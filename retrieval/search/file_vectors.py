"""The meaning of a whole file: the mean of its chunks' vectors, compared with the question's.

A file about retries stays close to a question about retries by all of its chunks, and one that merely says the word
once does not. Means are computed when a file first comes into a pool, and kept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from retrieval.index.arrays import ChunkArrays
from retrieval.search.fusion import Ids, Scores

Matrix = npt.NDArray[np.float32]
_MOST_FILES_KEPT = 20_000  # of 256 dimensions: 20 MB


class FileVectors:
    """Means of files' vectors over one open index.

    Args:
        rows: Chunk ids, ascending -> float32[len(ids), dim].
    """

    def __init__(self, arrays: ChunkArrays, rows: Callable[[Ids], Matrix]) -> None:
        self._arrays = arrays
        self._rows = rows
        self._means: dict[int, Matrix] = {}

    def similarity(self, query: Matrix, file_ids: npt.NDArray[np.int32]) -> Scores:
        """float32[len(file_ids)]: cosine of ``query`` (float32[dim], unit) and the mean vector of each file."""
        unique, place = np.unique(file_ids, return_inverse=True)
        wanted = unique.tolist()
        missing = [file_id for file_id in wanted if file_id not in self._means]
        if missing:
            self._read(np.asarray(missing, np.int32))
        means = np.stack([self._means[file_id] for file_id in wanted]) if wanted else np.zeros((0, len(query)))
        # A product and a sum instead of a matrix product: the same bits whatever BLAS does.
        return np.asarray((means * query).sum(axis=1)[place], np.float32)

    def _read(self, file_ids: npt.NDArray[np.int32]) -> None:
        arrays = self._arrays
        ids = np.flatnonzero(arrays.alive & np.isin(arrays.file_id, file_ids))
        owners = arrays.file_id[ids]
        order = np.argsort(owners, kind="stable")
        rows = self._rows(ids)[order]
        owners = owners[order]
        first = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
        sums = np.add.reduceat(rows, first, axis=0)
        norms = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
        if len(self._means) + len(first) > _MOST_FILES_KEPT:
            self._means.clear()
        self._means.update(zip(owners[first].tolist(), sums / np.where(norms > 0, norms, 1.0), strict=True))
