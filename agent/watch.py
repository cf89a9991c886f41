"""Keeping an index current while its tree changes: a loop for ``contextc index --watch``, a thread for servers.

The order of steps carries the guarantee: folders are watched first and the index is brought up to date afterwards, so
that a change is either seen by that update or raises an event; whenever the set of folders changed, both happen again.
What an update finds is decided by the walk and the content hashes, as always; events only say when to look.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

from retrieval.errors import UserError
from retrieval.index.location import INDEX_DIR_NAME, Location
from retrieval.index.report import IndexReport
from retrieval.index.settings import Overrides
from retrieval.source.folders import TreeFolders, tree_folders

OnUpdate = Callable[[IndexReport], None]
OnProblem = Callable[[str], None]

QUIET_MS = 200  # a burst of changes ends when nothing happened for this long …
LONGEST_BURST_MS = 3_000  # … or after this long, when it does not end
_TICK_MS = 500  # how often a retry, a replaced root and a stop are looked for while nothing happens
_POLL_S = 5.0  # between two updates where the system cannot watch
_FIRST_RETRY_S = 1.0
_MAX_RETRY_S = 60.0
_GIT_STATE = frozenset({"index", "HEAD"})


@dataclass(frozen=True, slots=True)
class _State:
    """What identifies the content of the live index, whoever wrote it."""

    build: str
    generation: str


def watch_index(
    location: Location,
    on_update: OnUpdate,
    on_problem: OnProblem,
    *,
    stop: threading.Event,
    overrides: Overrides | None = None,
    workers: int | None = 1,
) -> None:
    """Keep the index of ``location`` current until ``stop`` is set. Blocks; never raises for a fault of the tree.

    Args:
        on_update: Called after the first update and after each one that changed the index; also when another process
            changed it (the report's mode is ``unchanged`` then). Readers that are open keep their state; reopen them.
        on_problem: Called with one line when an update fails, once per fault; the next try follows by itself.
        workers: Processes for analysis. More than one forks, which a process with threads should not do.

    Raises:
        UserError: The package that watches is not installed.
        Exception: Whatever ``on_update`` raises, which ends the watch.
        KeyboardInterrupt: Ctrl-C, in the main thread.
    """
    if find_spec("watchfiles") is None:
        raise UserError("The package watchfiles is not installed.", "Install it: pip install watchfiles")
    try:
        _Loop(location, on_update, on_problem, stop, overrides, workers).run()
    except _CallbackError as failed:
        assert failed.__cause__ is not None  # noqa: S101
        raise failed.__cause__ from None


class IndexWatcher:
    """``watch_index`` in a daemon thread; a context manager. The callbacks run in that thread.

    >>> with IndexWatcher(location, on_update=lambda report: reopen()):
    ...     serve()
    """

    def __init__(
        self,
        location: Location,
        on_update: OnUpdate,
        on_problem: OnProblem = lambda _line: None,
        *,
        overrides: Overrides | None = None,
    ) -> None:
        def guarded(report: IndexReport) -> None:
            try:
                on_update(report)
            except Exception as error:  # the caller's fault must not end the watch in silence
                on_problem(f"After an update: {type(error).__name__}: {error}")

        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=watch_index,
            args=(location, guarded, on_problem),
            kwargs={"stop": self._stop, "overrides": overrides},
            name="contextc-watch",
            daemon=True,
        )

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout_s: float = 30.0) -> bool:
        """End the thread; an update that has begun is finished first. False: it took longer than ``timeout_s``."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def __enter__(self) -> IndexWatcher:
        self.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.stop()


class _CallbackError(Exception):
    """Around what a callback raised, so that it is not taken for a fault of the watch."""


class _Loop:
    def __init__(
        self,
        location: Location,
        on_update: OnUpdate,
        on_problem: OnProblem,
        stop: threading.Event,
        overrides: Overrides | None,
        workers: int | None,
    ) -> None:
        self._location = location
        self._root = str(location.root)
        self._on_update = on_update
        self._on_problem = on_problem
        self._stop = stop
        self._overrides = overrides
        self._workers = workers
        self._tree = TreeFolders((), frozenset(), ())
        self._state: _State | None = None
        self._told = ""
        self._retry_at: float | None = 0.0  # monotonic seconds; None: nothing is to be done
        self._retry_s = _FIRST_RETRY_S

    def run(self) -> None:
        self._update()
        while not self._stop.is_set():
            if not self._wait_for_root():
                return
            try:
                self._tree = tree_folders(self._location.root)
                for _ in self._turns(self._tree):
                    if self._is_due():
                        self._update()
                        if self._other_folders():
                            break
            except FileNotFoundError:
                self._stop.wait(_TICK_MS / 1000)  # a folder vanished between being listed and being watched
            except (OSError, RuntimeError) as error:
                if self._location.root.is_dir():
                    self._poll(error)

    def _other_folders(self) -> bool:
        before, self._tree = self._tree, tree_folders(self._location.root)
        return (before.folders, before.repositories) != (self._tree.folders, self._tree.repositories)

    def _turns(self, tree: TreeFolders) -> Iterator[None]:
        """One turn per burst of changes and per tick; ends when the folders themselves have changed."""
        from watchfiles import watch

        watched = set(tree.folders)
        identity = _identity(self._root)
        turns = watch(
            *tree.folders,
            *(folder for folder in tree.repositories if Path(folder).is_dir()),
            watch_filter=lambda _change, path: _matters(path, self._tree),
            debounce=LONGEST_BURST_MS,
            step=QUIET_MS,
            rust_timeout=_TICK_MS,
            yield_on_timeout=True,
            stop_event=self._stop,
            recursive=False,
            ignore_permission_denied=True,
        )
        with closing(turns):
            self._due_now()  # what changed before the folders were watched
            for changes in turns:
                if identity is None or _identity(self._root) != identity:
                    return
                if changes:
                    self._due_now()
                yield
                if any(path in watched or Path(path).is_dir() for _, path in changes):
                    return  # a folder came, went or was replaced: its watch is another's, or nobody's

    def _wait_for_root(self) -> bool:
        while not self._location.root.is_dir():
            self._problem(f"{self._root} is gone; waiting for it to come back.")
            if self._stop.wait(_FIRST_RETRY_S):
                return False
        return True

    def _poll(self, error: Exception) -> None:
        """Where the system cannot watch (a limit of inotify, a file system without events): look now and then."""
        self._problem(f"The system cannot watch {self._root} ({error}); looking every {_POLL_S:.0f} s instead.")
        while not self._stop.wait(_POLL_S) and self._location.root.is_dir():
            self._update()

    def _due_now(self) -> None:
        self._retry_at = 0.0

    def _is_due(self) -> bool:
        return self._retry_at is not None and time.monotonic() >= self._retry_at

    def _update(self) -> None:
        from retrieval.index.build import update_index
        from retrieval.index.lock import IndexBusyError

        if not self._location.root.is_dir():
            return  # the index directory must not bring the folder back
        try:
            report = update_index(self._location, self._overrides, workers=self._workers)
        except IndexBusyError as error:
            self._again(f"{error.cause} Waiting for it.", _FIRST_RETRY_S)
        except UserError as error:
            self._again(f"{error.cause} {error.mend}", self._retry_s)
        except (sqlite3.DatabaseError, OSError) as error:
            self._again(f"The update failed: {error}", self._retry_s)
        except Exception as error:  # a fault of ours must not end the watch
            self._again(f"The update failed: {type(error).__name__}: {error}", self._retry_s)
        else:
            self._retry_at, self._retry_s, self._told = None, _FIRST_RETRY_S, ""
            self._tell(report)

    def _tell(self, report: IndexReport) -> None:
        state = _state_of(self._location)
        if state != self._state or report.mode != "unchanged":
            self._state = state
            try:
                self._on_update(report)
            except Exception as error:
                raise _CallbackError from error

    def _again(self, line: str, after_s: float) -> None:
        self._problem(line)
        self._retry_at = time.monotonic() + after_s
        self._retry_s = min(2 * after_s, _MAX_RETRY_S)

    def _problem(self, line: str) -> None:
        if line != self._told:
            self._told = line
            self._on_problem(" ".join(line.split()))


def _matters(path: str, tree: TreeFolders) -> bool:
    folder, name = os.path.split(path)
    if folder in tree.repositories:
        return name in _GIT_STATE
    return name != INDEX_DIR_NAME and path not in tree.ignored


def _identity(path: str) -> tuple[int, int] | None:
    try:
        info = os.stat(path)  # noqa: PTH116  (asked twice a second)
    except OSError:
        return None
    return info.st_dev, info.st_ino


def _state_of(location: Location) -> _State | None:
    from retrieval.index.reader import IndexReader

    try:
        with IndexReader.open(location) as reader:
            return _State(reader.manifest.build, reader.meta.get("generation", ""))
    except (UserError, OSError, sqlite3.Error):
        return None
