"""Work on many files on several cores: forked processes share what is loaded, and send results back through files.

A fork instead of a pool: the facts of the whole tree are in memory already, and copying them to other processes would
cost more than it saves. Where there is no fork, or a child fails, this process does all the work.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

from retrieval.compact_json import dump_bytes, loads
from retrieval.graph.flow_sinks import Sent
from retrieval.graph.rows import Row

#: (module name, its edges, what it sends to others, mask of the modules they rest on). Edges that another process made
#: are bytes until they are written (``rows_of``): those of a file that is resolved again never are.
Resolved = tuple[str, list[Row] | bytes, Sent, int]
Work = Callable[[str], "tuple[list[Row], Sent, int] | None"]

#: Modules from which an index run resolves on several cores.
MIN_MODULES = 300
_MAX_PROCESSES = 4

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Child:
    pid: int
    file: BinaryIO


def resolve_all(
    names: Sequence[str],
    work: Work,
    weight: Callable[[str], int],
    least: int,
    own: float = 1.0,
) -> Iterator[Resolved]:
    """Apply ``work`` to every name, in the order of ``names``, on as many cores as this process may use.

    Args:
        work: The rows and dependency mask of one module, None when there is none; reads shared memory only.
        weight: Cost of a name, to cut the names into runs of equal cost.
        least: Names from which several cores are worth it.
        own: How much this process resolves, beside what another one does.
    """
    return spread(names, lambda run: resolve_here(run, work), weight, least, _packed, _unpacked, own)


def spread(
    items: Sequence[T],
    work: Callable[[Sequence[T]], Iterator[Any]],
    weight: Callable[[T], int],
    least: int,
    pack: Callable[[Any], tuple[bytes, ...]],
    unpack: Callable[[bytes, bytes], Any],
    own: float = 1.0,
) -> Iterator[Any]:
    """The results of ``work`` on all items in their order; on several cores from ``least`` items on.

    Args:
        work: Its results on a run of neighbours; reads shared memory only.
        weight: Cost of an item, to cut the items into runs of equal cost.
        pack: What another process sends in place of a result: two lines.
        unpack: The result from these.
        own: The weight of this process's run, beside another one's.
    """
    runs = _runs(items, weight, processes(len(items), least), own)
    children = [_start(run, work, pack) for run in runs[1:]]
    try:
        yield from work(runs[0])
        for child, run in zip(children, runs[1:], strict=True):
            _, status = os.waitpid(child.pid, 0)
            yield from _read(child.file, unpack) if status == 0 else work(run)
    except BaseException:
        for child in children:
            _kill(child.pid)
        raise
    finally:
        for child in children:
            child.file.close()


def processes(count: int, least: int) -> int:
    """How many this one may be for so many items."""
    if sys.platform != "linux" or count < least:
        return 1
    if threading.current_thread() is not threading.main_thread():
        return 1  # a server's thread: the child of a fork would inherit locks that nobody releases
    return max(1, min(_MAX_PROCESSES, len(os.sched_getaffinity(0))))


def _runs(items: Sequence[T], weight: Callable[[T], int], count: int, own: float) -> list[Sequence[T]]:
    """``items`` cut into ``count`` runs, of equal weight but the first one, this process's; neighbours stay together,
    since they read each other."""
    if count == 1:
        return [items]
    total = (sum(map(weight, items)) or 1) / (own + count - 1)  # the weight of a run
    runs: list[list[T]] = [[] for _ in range(count)]
    before = 0
    for item in items:
        runs[min(count - 1, int(before / total + 1 - own))].append(item)
        before += weight(item)
    return list(runs)


def resolve_here(names: Sequence[str], work: Work) -> Iterator[Resolved]:
    """``resolve_all`` in this process."""
    for name in names:
        result = work(name)
        if result is not None:
            yield name, *result


def _start(
    run: Sequence[T], work: Callable[[Sequence[T]], Iterator[Any]], pack: Callable[[Any], tuple[bytes, ...]]
) -> _Child:
    import tempfile

    from retrieval.index.lock import release_in_child

    file = tempfile.TemporaryFile()  # noqa: SIM115  (closed by the caller)
    pid = os.fork()
    if pid:
        return _Child(pid, file)
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        release_in_child()
        for result in work(run):
            file.writelines(pack(result))
        file.flush()
        code = 0
    finally:
        os._exit(code)  # neither the parent's clean-up handlers nor its buffers are ours to run


def _read(file: BinaryIO, unpack: Callable[[bytes, bytes], Any]) -> Iterator[Any]:
    file.seek(0)
    while first := file.readline():
        yield unpack(first, file.readline())


def _packed(resolved: Resolved) -> tuple[bytes, ...]:
    name, rows, sent, deps = resolved
    listed = [[key, list(values.items())] for key, values in sent.items()]
    return line_of([name, listed, f"{deps:x}"]), line_of(rows)


def _unpacked(first: bytes, rows: bytes) -> Resolved:
    name, listed, deps = loads(first)
    sent: Sent = {tuple(key): {tuple(named): step for named, step in values} for key, values in listed}
    return name, rows, sent, int(deps, 16)


def line_of(value: object) -> bytes:
    """One line of JSON."""
    return dump_bytes(value) + b"\n"


def rows_of(resolved: Resolved) -> list[Row]:
    rows = resolved[1]
    return loads(rows) if isinstance(rows, bytes) else rows


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
