"""Questions through worker processes: in order, a few ahead at most, and gone when the parent is gone."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from harness.questions.records import Question
from harness.runner.config import RunConfig
from harness.runner.jsonl import release_in_child
from harness.runner.worker import Worker
from retrieval.errors import UserError

_AHEAD_PER_WORKER = 3
_PARENT_POLL_S = 0.5

Task = tuple[Question, int]
_worker: Worker | None = None


def answer_all(
    tasks: Iterable[Task], run_id: str, config: RunConfig, roots: Mapping[str, Path], jobs: int
) -> Iterator[dict[str, Any]]:
    """The row of each task, in the order of the tasks; memory does not grow with their number.

    Raises:
        UserError: A worker process died.
    """
    if jobs <= 1:
        worker = Worker(run_id, config, roots)
        try:
            for question, repeat in tasks:
                yield worker.answer(question, repeat)
        finally:
            worker.close()
        return
    method = "fork" if sys.platform == "linux" else "spawn"
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context(method), initializer=_start, initargs=(run_id, config, dict(roots))
    )
    ahead: deque[Future[dict[str, Any]]] = deque()
    try:
        for task in tasks:
            ahead.append(pool.submit(_run, task))
            if len(ahead) > jobs * _AHEAD_PER_WORKER:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    except BrokenProcessPool:
        raise UserError(
            "A worker process died (out of memory?). Answered questions are kept.",
            "Give the same command again with --jobs 1: it goes on where it stopped.",
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _start(run_id: str, config: RunConfig, roots: Mapping[str, Path]) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C and shuts the pool down
    release_in_child()
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_POLL_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    _worker = Worker(run_id, config, roots)


def _run(task: Task) -> dict[str, Any]:
    assert _worker is not None  # noqa: S101  (set by the initializer)
    return _worker.answer(*task)
