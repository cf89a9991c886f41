"""Tiers 1 and 2: nearest vectors only, over fixed windows of lines or over chunks cut by structure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from harness.tiers.base import ConcatenatingTier
from harness.tiers.concatenate import Ranked
from harness.tiers.windows import Windows, load_windows
from retrieval.embed.base import Embedder
from retrieval.errors import UserError
from retrieval.pack_records import LegHit, Plan

_DEPTH = 400  # nearest pieces that are tried; 400 of the smallest fill 16,000 tokens


class NaiveVectorTier(ConcatenatingTier):
    """Windows of ``window_lines`` lines, embedded as they are: no path, no symbol, no respect for definitions."""

    @cached_property
    def _windows(self) -> Windows:
        options = self.options
        return load_windows(self.session.reader, _embedder(self), options.window_lines, options.overlap_lines)

    def ranked(self, plan: Plan) -> Iterator[Ranked]:
        scores = self._windows.vectors @ _embedder(self).embed_query(plan.question)
        order = np.argsort(-scores, kind="stable")[:_DEPTH]  # rows are in order of path and line
        for rank, at in enumerate(order.tolist(), start=1):
            path, start, end = self._windows.places[at]
            score = float(scores[at])
            yield Ranked(path, start, end, score, (LegHit("vector", rank, score),))


class AstVectorTier(ConcatenatingTier):
    """The index's own chunks (functions, methods, class headers, sections) by the vector leg alone."""

    def ranked(self, plan: Plan) -> Iterator[Ranked]:
        from retrieval.index.vector_store import open_vectors

        reader = self.session.reader
        embedder = _embedder(self)
        engine = open_vectors(reader, embedder, self.session.warnings.append)
        if engine is None:
            raise _no_vectors(self)
        ids, scores = engine.search(embedder.embed_query(plan.question), _DEPTH, reader.arrays.alive)
        for rank, (row, score) in enumerate(zip(reader.chunks(ids.tolist()), scores.tolist(), strict=True), start=1):
            yield Ranked(
                row.path, row.start_line, row.end_line, score, (LegHit("vector", rank, score),),
                row.symbol, row.qualname, row.kind.value,
            )  # fmt: skip


def _embedder(tier: ConcatenatingTier) -> Embedder:
    if tier.session.embedder is None:
        raise _no_vectors(tier)
    return tier.session.embedder


def _no_vectors(tier: ConcatenatingTier) -> UserError:
    root = tier.session.location.root
    return UserError(f"The index of {root} has no vectors.", f"Build it with them: contextc index --rebuild {root}")
