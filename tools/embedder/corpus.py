"""Encoded pairs in memory and the batches that training sees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.embed.bags import Bags, bags

Rows = npt.NDArray[np.int64]


class Corpus:
    """The arrays of ``encode.py`` with offsets; ``bags`` cuts a batch of one side out of them."""

    def __init__(self, folder: Path, bigrams: npt.NDArray[np.uint16], n_pieces: int) -> None:
        parts: dict[str, list[npt.NDArray[Any]]] = {}
        for number, file in enumerate(sorted(folder.glob("*.npz"))):
            with np.load(file) as stored:
                for name in stored.files:
                    parts.setdefault(name, []).append(stored[name])
                parts.setdefault("project", []).append(np.full(len(stored["kind"]), number))
        self.columns = {name: np.concatenate(arrays) for name, arrays in parts.items()}
        self.totals = {side: self.columns[f"{side}_sizes"].sum(axis=1, dtype=np.int64) for side in ("query", "text")}
        self.offsets = {side: np.concatenate([[0], np.cumsum(total)]) for side, total in self.totals.items()}
        self.n = len(self.columns["kind"])
        self.n_pieces = n_pieces
        self._bigrams = bigrams[:, 0].astype(np.int64) * n_pieces + bigrams[:, 1]

    @property
    def n_rows(self) -> int:
        """Rows of the model's table: pieces, then bigrams."""
        return self.n_pieces + len(self._bigrams)

    def bags(self, side: str, rows: Rows) -> Bags:
        totals = self.totals[side][rows]
        firsts = np.cumsum(totals) - totals
        cells = np.repeat(self.offsets[side][rows] - firsts, totals) + np.arange(totals.sum())
        ids = self.columns[f"{side}_ids"][cells].astype(np.int64)
        return bags(ids, self.columns[f"{side}_sizes"][rows].astype(np.int64), self._bigrams, self.n_pieces)

    def twins(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """bool[n, n]: pairs of one definition, or of one question, that are no negatives of each other."""
        group, asked = self.columns["group"][rows], self.columns["asked"][rows]
        same: npt.NDArray[np.bool_] = (group[:, None] == group[None, :]) | (asked[:, None] == asked[None, :])
        np.fill_diagonal(same, False)
        return same


def batches(corpus: Corpus, size: int, cap: int, by_file: float, dice: np.random.Generator) -> list[Rows]:
    """One epoch: at most ``cap`` pairs of a project, batches of one project, remainders of all projects together.

    In a share ``by_file`` of the projects whole files stand together, so that negatives come from the same file too.
    """
    out: list[Rows] = []
    rest: list[Rows] = []
    edges = np.flatnonzero(np.diff(corpus.columns["project"])) + 1
    for rows in np.split(np.arange(corpus.n), edges):
        chosen = dice.permutation(rows)[:cap]
        if dice.random() < by_file:
            salt = np.uint64(dice.integers(1 << 62) | 1)
            files = corpus.columns["source"][chosen].astype(np.uint64) * salt
            chosen = chosen[np.argsort(files, kind="stable")]
        full = len(chosen) // size * size
        out.extend(chosen[:full].reshape(-1, size))
        rest.append(chosen[full:])
    left = np.concatenate(rest)
    # Remainders keep their projects together too: half a batch of one project is better than a mixture of all.
    out.extend(left[first : first + size] for first in range(0, len(left), size) if len(left) - first >= size // 2)
    return [out[i] for i in dice.permutation(len(out))]
