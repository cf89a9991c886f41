"""One writer per index directory, under an operating-system lock that dies with its process."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from retrieval.errors import UserError

_held: list[int] = []


class IndexBusyError(UserError):
    """Another process is writing this index."""


def try_lock(fd: int) -> bool:
    """Take the kernel's lock on an open file, which ends with its process, however that ends; False: it is held."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def writer_lock(index_dir: Path) -> Iterator[None]:
    """Hold the writer's lock for the body.

    The kernel releases the lock when the process ends, however it ends, so there are no stale locks to break. The
    file holds the owner's pid only to name it in the message.

    Raises:
        IndexBusyError: Another process holds it; the message names its pid.
        UserError: Something else stands where the lock file belongs.
    """
    path = index_dir / "lock"
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise UserError(f"{path} is not a lock file of contextc's.", f"Remove it: {path}")
    # A link planted between the check and here is refused by the kernel: the pid is written over what a lock holds.
    fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if not try_lock(fd):
            owner = os.read(fd, 32).decode("ascii", "replace").strip() or "unknown"
            raise IndexBusyError(
                f"Another contextc process (pid {owner}) is indexing this tree.",
                "Wait until it ends and try again.",
            )
        os.ftruncate(fd, 0)
        os.write(fd, f"{os.getpid()}\n".encode("ascii"))
        _held.append(fd)
        yield
    finally:
        if fd in _held:
            _held.remove(fd)
        os.close(fd)


def release_in_child() -> None:
    """Close a forked worker's copies of held locks, so that a worker which outlives its parent blocks nobody."""
    while _held:
        os.close(_held.pop())
