"""Baseline: BM25 (the package rank-bm25) over the index's chunks, words split at everything that is no letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from harness.tiers.base import ConcatenatingTier
from harness.tiers.concatenate import Ranked
from retrieval.pack_records import LegHit, Plan

_WORD = re.compile(r"[a-z]{2,40}|[0-9]{1,20}")
_DEPTH = 400


def words(text: str) -> list[str]:
    """Lower-cased runs of letters and of digits."""
    return _WORD.findall(text.lower())


class Bm25Tier(ConcatenatingTier):
    """The usual first thing to try. Its tables are made anew in each process: some seconds on a large tree."""

    @cached_property
    def _ids(self) -> list[int]:
        return [int(i) for i in np.flatnonzero(self.session.reader.arrays.alive)]

    @cached_property
    def _bm25(self) -> Any:
        from rank_bm25 import BM25Okapi

        reader = self.session.reader
        return BM25Okapi(
            [words(f"{row.path} {row.symbol}\n{reader.chunk_text(row)}") for row in reader.chunks(self._ids)]
        )

    def ranked(self, plan: Plan) -> Iterator[Ranked]:
        if not self._ids:
            return
        scores = np.asarray(self._bm25.get_scores(words(plan.question)))
        best = np.argsort(-scores, kind="stable")[:_DEPTH]
        rows = self.session.reader.chunks([self._ids[at] for at in best])
        for rank, (row, score) in enumerate(zip(rows, scores[best].tolist(), strict=True), start=1):
            yield Ranked(
                row.path, row.start_line, row.end_line, score, (LegHit("lexical", rank, score),),
                row.symbol, row.qualname, row.kind.value,
            )  # fmt: skip
