"""Analysing many files on several cores: bounded in memory, in order, and gone when the parent is gone."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.embed.base import Embedder
from retrieval.embed.load import load_embedder
from retrieval.errors import UserError
from retrieval.index.analysis import AnalyzedFile, Job, analyze_file
from retrieval.index.embed_cache import EmbeddingCache
from retrieval.index.lock import release_in_child
from retrieval.lexical.file_terms import TermCounter
from retrieval.plugins import PluginError
from retrieval.source.walk import Skipped, WalkLimits

if TYPE_CHECKING:
    from concurrent.futures import Future

_LOG = logging.getLogger(__name__)
#: Below this many bytes of source, starting processes costs more than they save.
_POOL_BYTES = 400_000
_BATCH_BYTES = 200_000
_BATCH_FILES = 24
_BATCHES_AHEAD_PER_WORKER = 3
_PARENT_POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class AnalysisContext:
    """What every worker needs: set up once in each process."""

    root: Path
    limits: WalkLimits
    embedder_spec: str
    cache_dir: Path


class Analyzer:
    """Analyses files in this process, with its own embedder and cache connection."""

    def __init__(self, context: AnalysisContext, embedder: Embedder | None) -> None:
        self._context = context
        self._embedder = embedder if embedder is not None and embedder.local else None
        self._counter = TermCounter()
        self._cache = (
            EmbeddingCache(context.cache_dir, self._embedder.model_id, self._embedder.dim) if self._embedder else None
        )

    def run(self, job: Job) -> AnalyzedFile | Skipped:
        try:
            return analyze_file(
                self._context.root, job, self._context.limits, self._counter, self._embedder, self._cache
            )
        except PluginError:  # every further file would fail alike, and an index without its vectors is none
            raise
        except Exception as error:  # one file must never cost the run; it is reported by name
            _LOG.exception("analysing %r failed", job.path)
            return Skipped(job.path, "error", f"{type(error).__name__}: {error}")


_worker: Analyzer | None = None


def _start_worker(context: AnalysisContext) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and shuts the pool down
    release_in_child()
    gc.disable()  # syntax trees and rows hold no cycles; each collection would walk them all and free nothing
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_POLL_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    _worker = Analyzer(context, load_embedder(context.embedder_spec))


def _run_batch(jobs: Sequence[Job]) -> list[AnalyzedFile | Skipped]:
    assert _worker is not None  # noqa: S101  (set by the initializer)
    return [_worker.run(job) for job in jobs]


def default_workers() -> int:
    """Processors this process may use, at most 8; one in a server's thread, since forking there is not safe."""
    if threading.current_thread() is not threading.main_thread():
        return 1
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(8, available))


def _batches(jobs: Sequence[Job]) -> Iterator[list[Job]]:
    batch: list[Job] = []
    size = 0
    for job in jobs:
        if batch and (size + job.size > _BATCH_BYTES or len(batch) >= _BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(job)
        size += job.size
    if batch:
        yield batch


def analyze_files(
    jobs: Sequence[Job], context: AnalysisContext, embedder: Embedder | None, workers: int
) -> Iterator[AnalyzedFile | Skipped]:
    """Results in the order of ``jobs``; a few batches ahead at most, so memory does not grow with the tree.

    Raises:
        UserError: A worker process died (killed for memory, most likely).
    """
    if workers <= 1 or sum(job.size for job in jobs) < _POOL_BYTES:
        analyzer = Analyzer(context, embedder)
        yield from map(analyzer.run, jobs)
        return
    # Not above: an update of a few files starts no process.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    method = "fork" if sys.platform == "linux" else "spawn"
    pool = ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context(method),
        initializer=_start_worker,
        initargs=(context,),
    )
    ahead: deque[Future[list[AnalyzedFile | Skipped]]] = deque()
    try:
        for batch in _batches(jobs):
            ahead.append(pool.submit(_run_batch, batch))
            if len(ahead) > workers * _BATCHES_AHEAD_PER_WORKER:
                yield from ahead.popleft().result()
        while ahead:
            yield from ahead.popleft().result()
    except BrokenProcessPool:
        raise UserError(
            "A worker process died while indexing (out of memory?).", "Try again with: contextc index --jobs 1"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
