"""What every embedder offers, and the helpers they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Texts to vectors whose inner product is the cosine similarity.

    Attributes:
        model_id: Names the model and its content: two embedders with one id give the same vectors for the same text.
        dim: Length of a vector. Reading it may cost one request where the model is remote.
        local: True when no text leaves this machine.
        batch_size: Texts that one call of ``embed_documents`` handles well; callers that store progress use it.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def dim(self) -> int: ...

    @property
    def local(self) -> bool: ...

    @property
    def batch_size(self) -> int: ...

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32[len(texts), dim]; each row is a unit vector, or zero when the text holds nothing to embed."""
        ...

    def embed_query(self, text: str) -> Matrix:
        """float32[dim], a unit vector or zero."""
        ...


def embed_batches(embedder: Embedder, texts: Sequence[str]) -> Iterator[tuple[int, Matrix]]:
    """Yields (row of the first text, vectors) batch by batch, so that the caller can store each before the next.

    What was yielded stays valid when a later batch fails; the exception passes through.
    """
    for first in range(0, len(texts), embedder.batch_size):
        yield first, embedder.embed_documents(texts[first : first + embedder.batch_size])


def unit_rows(matrix: npt.ArrayLike) -> Matrix:
    """Rows scaled to length 1; rows of zeros, and rows with NaN or infinities, come back as zeros."""
    wide = np.asarray(matrix, dtype=np.float64)
    wide = np.where(np.isfinite(wide).all(axis=1, keepdims=True), wide, 0.0)
    # Scaling by the largest component first keeps the squares inside the range of a float.
    peak = np.abs(wide).max(axis=1, keepdims=True, initial=0.0)
    wide = wide / np.where(peak > 0, peak, 1.0)
    norms = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    return (wide / np.where(norms > 0, norms, 1.0)).astype(np.float32)
