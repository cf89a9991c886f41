"""The embedder that ships with the package: a weighted sum of word-piece vectors, trained on code (docs/embedder.md).

    v(text) = normalise( sum over distinct pieces p of  damp(count of p) * weight(p) * vector(p) )

Vectors are int8 and the weights integers, so the sum is exact in float64 whatever the order of addition: a text has the
same vector alone and in a batch, with one thread and with many, on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from retrieval.embed.base import Matrix
from retrieval.embed.words import WordPieces
from retrieval.errors import UserError

# Wheels are installed unpacked; importlib.resources would cost more to import than the model to load.
DATA_FOLDER = Path(__file__).parent / "data"
MODEL_FILE = "model.json"
VOCABULARY_FILE = "vocab.txt"
VECTORS_FILE = "vectors.npy"
WEIGHTS_FILE = "weights.npy"

# 64 * (1 + ln count): the second mention of a word says less than the first. Integers keep the sum exact:
# |int8 * uint16 * damp| < 2**32, which leaves room for 2**21 distinct pieces in the 53 bits of a float64.
DAMP_UNIT = 64
_COUNTS = np.arange(1, 256)
DAMP: npt.NDArray[np.float64] = np.concatenate([[0.0], np.rint(DAMP_UNIT * (1.0 + np.log(_COUNTS)))])

_BATCH_IDS = 2048  # pieces summed at once: their float64 rows take 4 MB at most, unless one text has more


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
        home = DATA_FOLDER if folder is None else folder
        try:
            about = json.loads((home / MODEL_FILE).read_text(encoding="utf-8"))
            tokens = (home / VOCABULARY_FILE).read_text(encoding="utf-8").rstrip("\n").split("\n")
            # Mapped, then seen as a plain array: indexing a memmap costs more than the rows it returns.
            mapped = np.load(home / VECTORS_FILE, mmap_mode="r", allow_pickle=False)
            self._vectors: npt.NDArray[np.int8] = np.asarray(mapped)
            self._weights: npt.NDArray[np.float64] = np.load(home / WEIGHTS_FILE, allow_pickle=False).astype(np.float64)
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
        return self._embed(texts, self._weights[0])

    def embed_query(self, text: str) -> Matrix:
        """float32[dim]; see ``Embedder``."""
        row: Matrix = self._embed([text], self._weights[1])[0]
        return row

    def _embed(self, texts: Sequence[str], weights: npt.NDArray[np.float64]) -> Matrix:
        out = np.zeros((len(texts), self.dim), dtype=np.float32)
        ids: list[int] = []
        rows: list[int] = []
        lengths: list[int] = []
        for row, text in enumerate(texts):
            before = len(ids)
            ids.extend(self._pieces.ids_of(text))
            if len(ids) > before:  # a text without a known piece stays zero
                rows.append(row)
                lengths.append(len(ids) - before)
            if len(ids) >= _BATCH_IDS or (ids and row == len(texts) - 1):
                out[rows] = self._sums(np.array(ids, dtype=np.int64), lengths, weights)
                ids, rows, lengths = [], [], []
        return out

    def _sums(self, ids: npt.NDArray[np.int64], lengths: Sequence[int], weights: npt.NDArray[np.float64]) -> Matrix:
        """Unit vectors float32[len(lengths), dim] of texts whose ids stand one after the other, none of them empty.

        Sorted runs and ``reduceat`` instead of a matrix product: BLAS would start threads for a few microseconds' work.
        """
        size = len(self._vectors)
        keys = np.repeat(np.arange(len(lengths)) * size, lengths) + ids
        keys.sort()
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        counts = np.minimum(np.diff(firsts, append=len(keys)), len(DAMP) - 1)
        owner, piece = np.divmod(keys[firsts], size)
        terms = self._vectors[piece].astype(np.float64)
        terms *= (DAMP[counts] * weights[piece])[:, np.newaxis]
        sums = np.add.reduceat(terms, np.flatnonzero(np.diff(owner, prepend=-1)), axis=0)
        norms = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
        return (sums / np.where(norms > 0, norms, 1.0)).astype(np.float32)
