"""How much of a question a file's documentation says: docstrings and comments, all of the file's chunks together.

A file that is about the matter says so, word by word, in what was written for readers; code that merely uses the same
words does not. What matters is how much of the question is said anywhere in the file, not how often.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from retrieval.index.arrays import ChunkArrays
from retrieval.search.fusion import Scores
from retrieval.search.legs import Mask

if TYPE_CHECKING:
    from retrieval.lexical.reading import PostingsSource

_DOC_BITS = np.uint32(0xFF << 16)  # of a packed term frequency, see ``lexical.fields``


def documented_share(
    source: PostingsSource,
    terms: Mapping[str, float],
    arrays: ChunkArrays,
    alive: Mask,
    file_ids: npt.NDArray[np.int32],
) -> Scores:
    """float32[len(file_ids)], 0..1: the square root of the share of the question's weight that each file documents.

    A term weighs its weight in the question times its idf over the live chunks; one that no live chunk holds is left
    out. The root, because the first words said tell more than the last.
    """
    from retrieval.lexical.postings import is_alive
    from retrieval.lexical.search import inverse_frequency, read_postings

    n = len(alive)
    n_alive = int(np.count_nonzero(alive))
    said = np.zeros(int(arrays.file_id.max(initial=0)) + 1, bool)
    shares = np.zeros(len(file_ids), np.float64)
    total = 0.0
    for term, docs, tfs in read_postings(source, sorted(terms)):
        if n_alive < n or int(docs[-1]) >= n:
            live = is_alive(docs, alive)
            docs, tfs = docs[live], tfs[live]
        if not len(docs):
            continue
        weight = terms[term] * inverse_frequency(n_alive, len(docs))
        total += weight
        files = arrays.file_id[docs[(tfs & _DOC_BITS) > 0]]
        if len(files):
            said[files] = True
            shares += weight * said[file_ids]
            said[files] = False
    return np.asarray(np.sqrt(shares / total) if total > 0 else shares, np.float32)
