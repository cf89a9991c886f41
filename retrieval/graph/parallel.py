"""Edges of many files on several cores: forked processes share the loaded facts, and send rows back as JSON.

A fork instead of a pool: the facts of the whole tree are in memory already, and copying them to other processes would
cost more than it saves. Where there is no fork, or a child fails, this process does all the work.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from retrieval.graph.flow_sinks import Sent
from retrieval.graph.rows import Row

#: (module name, its edges, what it sends to others, mask of the modules they rest on). Edges that another process made
#: are text until they are written (``rows_of``): those of a file that is resolved again never are.
Resolved = tuple[str, list[Row] | bytes, Sent, int]
Work = Callable[[str], "tuple[list[Row], Sent, int] | None"]

_MIN_MODULES = 300
_MAX_PROCESSES = 4


@dataclass(frozen=True, slots=True)
class _Child:
    pid: int
    file: BinaryIO
    names: Sequence[str]


def resolve_all(names: Sequence[str], work: Work, weight: Callable[[str], int]) -> Iterator[Resolved]:
    """Apply ``work`` to every name, in the order of ``names``, on as many cores as this process may use.

    Args:
        work: The rows and dependency mask of one module, None when there is none; reads shared memory only.
        weight: Cost of a name, to cut the names into runs of equal cost.
    """
    runs = _runs(names, weight, _processes(len(names)))
    children = [_start(run, work) for run in runs[1:]]
    try:
        yield from resolve_here(runs[0], work)
        for child in children:
            _, status = os.waitpid(child.pid, 0)
            yield from _read(child.file) if status == 0 else resolve_here(child.names, work)
    except BaseException:
        for child in children:
            _kill(child.pid)
        raise
    finally:
        for child in children:
            child.file.close()


def _processes(n_modules: int) -> int:
    if sys.platform != "linux" or n_modules < _MIN_MODULES:
        return 1
    if threading.current_thread() is not threading.main_thread():
        return 1  # a server's thread: the child of a fork would inherit locks that nobody releases
    return max(1, min(_MAX_PROCESSES, len(os.sched_getaffinity(0))))


def _runs(names: Sequence[str], weight: Callable[[str], int], count: int) -> list[Sequence[str]]:
    """``names`` cut into ``count`` runs; neighbours stay together, since they read each other."""
    total = sum(map(weight, names)) or 1
    runs: list[list[str]] = [[] for _ in range(count)]
    before = 0
    for name in names:
        runs[min(count - 1, before * count // total)].append(name)
        before += weight(name)
    return list(runs)


def resolve_here(names: Sequence[str], work: Work) -> Iterator[Resolved]:
    """``resolve_all`` in this process."""
    for name in names:
        result = work(name)
        if result is not None:
            yield name, *result


def _start(names: Sequence[str], work: Work) -> _Child:
    file = tempfile.TemporaryFile()  # noqa: SIM115  (closed by the caller)
    pid = os.fork()
    if pid:
        return _Child(pid, file, names)
    code = 1
    try:
        from retrieval.index.lock import release_in_child

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        release_in_child()
        for resolved in resolve_here(names, work):
            _send(file, resolved)
        file.flush()
        code = 0
    finally:
        os._exit(code)  # neither the parent's clean-up handlers nor its buffers are ours to run


def _send(file: BinaryIO, resolved: Resolved) -> None:
    name, rows, sent, deps = resolved
    listed = [[key, list(values.items())] for key, values in sent.items()]
    file.write(json.dumps([name, listed, f"{deps:x}"]).encode("ascii") + b"\n")
    file.write(json.dumps(rows, separators=(",", ":")).encode("ascii") + b"\n")


def _read(file: BinaryIO) -> Iterator[Resolved]:
    file.seek(0)
    for line in file:
        name, listed, deps = json.loads(line)
        sent: Sent = {tuple(key): {tuple(named): step for named, step in values} for key, values in listed}
        yield name, file.readline(), sent, int(deps, 16)


def rows_of(resolved: Resolved) -> list[Row]:
    rows = resolved[1]
    return json.loads(rows) if isinstance(rows, bytes) else rows


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
