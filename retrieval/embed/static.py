"""The embedder that ships with the package: a weighted sum of word-piece vectors, trained on code (docs/embedder.md).

    v(text) = normalise( sum over distinct pieces p of  damp(count of p) * weight(p) * vector(p) )

Vectors are int8 and the weights integers, so the sum is exact in float64 whatever the order of addition: a text has the
same vector alone and in a batch, with one thread and with many, on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from retrieval.embed.base import Matrix
from retrieval.embed.words import WordPieces
from retrieval.errors import UserError

MODEL_FILE = "model.json"
VOCABULARY_FILE = "vocab.txt"
VECTORS_FILE = "vectors.npy"
WEIGHTS_FILE = "weights.npy"

# 64 * (1 + ln count): the second mention of a word says less than the first. Integers keep the sum exact:
# |int8 * uint16 * damp| < 2**32, which leaves room for 2**21 distinct pieces in the 53 bits of a float64.
DAMP_UNIT = 64
_COUNTS = np.arange(1, 256)
DAMP: npt.NDArray[np.float64] = np.concatenate([[0.0], np.rint(DAMP_UNIT * (1.0 + np.log(_COUNTS)))])

_BATCH = 64  # texts per matrix product; more texts share fewer pieces each


class StaticEmbedder:
    """See the module. Loading maps the vectors and reads the vocabulary; nothing else happens until a text comes.

    Args:
        folder: Holds model.json, vocab.txt, vectors.npy (int8[V, dim]) and weights.npy (uint16[2, V]: for documents and
            for questions); None for the one in the package.

    Raises:
        UserError: The files are missing or do not fit together.
    """

    local = True
    batch_size = 1024

    def __init__(self, folder: Path | None = None) -> None:
        home = Path(str(resources.files("retrieval.embed"))) / "data" if folder is None else folder
        try:
            about = json.loads((home / MODEL_FILE).read_text(encoding="utf-8"))
            tokens = (home / VOCABULARY_FILE).read_text(encoding="utf-8").rstrip("\n").split("\n")
            self._vectors: npt.NDArray[np.int8] = np.load(home / VECTORS_FILE, mmap_mode="r", allow_pickle=False)
            self._weights: npt.NDArray[np.uint16] = np.load(home / WEIGHTS_FILE, allow_pickle=False)
            self.model_id = f"{about['name']}-{about['digest'][:12]}"
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise UserError(
                f"The embedder's data in {home} cannot be read ({fault}).",
                "Install contextc again, or pass --embedder none to work without vectors.",
            ) from fault
        if self._vectors.shape[:1] != (len(tokens),) or self._weights.shape != (2, len(tokens)):
            raise UserError(
                f"The embedder's data in {home} do not fit together.",
                "Install contextc again, or pass --embedder none to work without vectors.",
            )
        self._pieces = WordPieces(tokens)

    @property
    def dim(self) -> int:
        return int(self._vectors.shape[1])

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32[len(texts), dim]; see ``Embedder``."""
        out = np.zeros((len(texts), self.dim), dtype=np.float32)
        for first in range(0, len(texts), _BATCH):
            batch = texts[first : first + _BATCH]
            out[first : first + len(batch)] = self._embed(batch, self._weights[0])
        return out

    def embed_query(self, text: str) -> Matrix:
        """float32[dim]; see ``Embedder``."""
        row: Matrix = self._embed([text], self._weights[1])[0]
        return row

    def _embed(self, texts: Sequence[str], weights: npt.NDArray[np.uint16]) -> Matrix:
        flat: list[int] = []
        lengths: list[int] = []
        for text in texts:
            ids = self._pieces.ids_of(text)
            flat += ids
            lengths.append(len(ids))
        if not flat:
            return np.zeros((len(texts), self.dim), dtype=np.float32)
        ids_of_batch = np.array(flat, dtype=np.int64)
        column = np.zeros(len(self._vectors), dtype=np.int64)  # vocabulary id to column of this batch
        used = np.flatnonzero(np.bincount(ids_of_batch, minlength=len(column)))
        column[used] = np.arange(len(used))
        cells = np.repeat(np.arange(len(texts)) * len(used), lengths) + column[ids_of_batch]
        counts = np.bincount(cells, minlength=len(texts) * len(used)).reshape(len(texts), len(used))
        damped = DAMP[np.minimum(counts, len(DAMP) - 1)]
        table = self._vectors[used].astype(np.float64) * weights[used, np.newaxis]
        sums = damped @ table
        norms = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
        return (sums / np.where(norms > 0, norms, 1.0)).astype(np.float32)
