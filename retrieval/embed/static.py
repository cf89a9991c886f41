"""The embedder that ships with the package: a weighted sum of word-piece vectors, trained on code (docs/embedder.md).

    part(g) = sum over distinct pieces and bigrams p first seen in group g of
              damp(count of p) * zone(first place of p) * weight(p) * vector(p)
    v(text) = normalise( sum over groups g of  share(g) * normalise(part(g)) )

A question is one group.
Vectors are int8 and all factors integers, so a part is exact in float64 whatever the order of addition: a text has the
same vector alone and in a batch, with one thread and with many.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from retrieval.embed.bags import GROUP_OF_ZONE, GROUPS, SEGMENTS, SHARES, ZONES, bags, segments_of
from retrieval.embed.base import Matrix
from retrieval.embed.words import WordPieces
from retrieval.errors import UserError
from retrieval.runs import run_starts

# Wheels are installed unpacked; importlib.resources would cost more to import than the model to load.
DATA_FOLDER = Path(__file__).parent / "data"
MODEL_FILE = "model.json"
VOCABULARY_FILE = "vocab.txt"
VECTORS_FILE = "vectors.npy"
WEIGHTS_FILE = "weights.npy"
BIGRAMS_FILE = "bigrams.npy"
ZONES_FILE = "zones.npy"
DATA_FILES = (VOCABULARY_FILE, VECTORS_FILE, WEIGHTS_FILE, BIGRAMS_FILE, ZONES_FILE)

# 64 * (1 + ln count): the second mention of a word says less than the first. Integers keep the sum exact:
# |int8 * uint16 * damp * zone| < 2**38, which leaves room for 2**15 distinct terms in the 53 bits of a float64.
DAMP_UNIT = 64
ZONE_MAX = 63
_COUNTS = np.arange(1, 256)
DAMP: npt.NDArray[np.float64] = np.concatenate([[0.0], np.rint(DAMP_UNIT * (1.0 + np.log(_COUNTS)))])

_CALIBRATED = "contextc-static-2"  # evidence strength was fitted to this model's cosines

_BATCH_IDS = 2048  # pieces summed at once: their float64 rows take 4 MB at most, unless one text has more


class StaticEmbedder:
    """See the module. Loading maps the vectors and reads the vocabulary; nothing else happens until a text comes.

    Args:
        folder: Holds model.json, vocab.txt (V pieces), bigrams.npy (uint16[B, 2], ascending), vectors.npy
            (int8[V + B, dim]), weights.npy (uint16[2, V + B]) and zones.npy (uint8[2, ZONES]). The first row of weights
            and zones is for documents, the second for questions. None for the one in the package.

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
            self._zones: npt.NDArray[np.float64] = np.load(home / ZONES_FILE, allow_pickle=False).astype(np.float64)
            couples = np.load(home / BIGRAMS_FILE, allow_pickle=False).astype(np.int64)
            self._bigrams: npt.NDArray[np.int64] = couples[:, 0] * len(tokens) + couples[:, 1]
            self.model_id = f"{about['name']}-{about['digest'][:12]}"
            self.is_calibrated = about["name"] == _CALIBRATED
        except (OSError, ValueError, KeyError, TypeError, IndexError) as fault:
            raise UserError(
                f"The embedder's data in {home} cannot be read ({fault}).",
                "Install contextc again, or pass --embedder none to work without vectors.",
            ) from fault
        rows = len(tokens) + len(self._bigrams)
        shapes = self._vectors.shape[:1], self._weights.shape, self._zones.shape
        if shapes != ((rows,), (2, rows), (2, ZONES)):
            raise UserError(
                f"The embedder's data in {home} do not fit together.",
                "Install contextc again, or pass --embedder none to work without vectors.",
            )
        self._n_pieces = len(tokens)
        self._pieces = WordPieces(tokens)

    @property
    def dim(self) -> int:
        return int(self._vectors.shape[1])

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32[len(texts), dim]; see ``Embedder``. The first three lines of a text are path, symbol and context."""
        return self._embed(texts, 0)

    def embed_query(self, text: str) -> Matrix:
        """float32[dim]; see ``Embedder``."""
        row: Matrix = self._embed([text], 1)[0]
        return row

    def _embed(self, texts: Sequence[str], side: int) -> Matrix:
        out = np.zeros((len(texts), self.dim), dtype=np.float32)
        ids: list[int] = []
        rows: list[int] = []
        sizes: list[int] = []
        for row, text in enumerate(texts):
            before = start = len(ids)
            for segment in segments_of(text) if side == 0 else ("", "", "", text):
                ids.extend(self._pieces.ids_of(segment))
                sizes.append(len(ids) - start)
                start = len(ids)
            if start > before:
                rows.append(row)
            else:  # a text without a known piece stays zero
                del sizes[-SEGMENTS:]
            if start >= _BATCH_IDS or (ids and row == len(texts) - 1):
                out[rows] = self._sums(np.array(ids, dtype=np.int64), np.array(sizes, dtype=np.int64), side)
                ids, rows, sizes = [], [], []
        return out

    def _sums(self, ids: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], side: int) -> Matrix:
        """Unit vectors of texts whose ids stand one after the other, none of them empty; sizes of all segments, flat.

        One ``einsum`` for each part instead of a matrix product: BLAS would start threads for a few microseconds' work.
        """
        bag = bags(ids, sizes.reshape(-1, SEGMENTS), self._bigrams, self._n_pieces)
        factors = DAMP[np.minimum(bag.counts, len(DAMP) - 1)] * self._zones[side][bag.zones]
        factors *= self._weights[side][bag.rows]
        cells = bag.owners * GROUPS + (GROUP_OF_ZONE[bag.zones] if side == 0 else 0)
        order = np.argsort(cells, kind="stable")
        cells = cells[order]
        firsts = run_starts(cells)
        terms = self._vectors.take(bag.rows[order], axis=0).astype(np.float64)
        factors = factors[order]
        sums = np.empty((len(firsts), self.dim))
        starts = firsts.tolist()
        for part, (start, end) in enumerate(zip(starts, [*starts[1:], len(cells)], strict=True)):
            np.einsum("i,ij->j", factors[start:end], terms[start:end], out=sums[part])
        parts = _unit(sums)
        owners, groups = np.divmod(cells[firsts], GROUPS)
        parts *= SHARES[groups, np.newaxis]
        return _unit(_added(parts, owners)).astype(np.float32)


def _added(parts: npt.NDArray[np.float64], owners: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The sum of the parts of each owner (ascending), from the first to the last; at most ``GROUPS`` of each."""
    firsts = run_starts(owners)
    counts = np.diff(firsts, append=len(owners))
    added = parts[firsts]
    for further in range(1, GROUPS):
        more = np.flatnonzero(counts > further)
        added[more] += parts[firsts[more] + further]
    return added


def _unit(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    norms = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    unit: npt.NDArray[np.float64] = rows / np.where(norms > 0, norms, 1.0)
    return unit
