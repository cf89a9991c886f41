"""Stopping a call that runs in another thread: a flag that its steps look at, and an interrupt for its statements."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from retrieval.errors import UserError


class CancelledError(UserError):
    """Whoever called the tool wants no answer any more."""

    def __init__(self) -> None:
        super().__init__("The call was cancelled.", "Call again if the answer is wanted after all.")


class Cancellation:
    """One call's; ``cancel`` may come from any thread, at any time, and more than once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cancelled = False
        self._conn: sqlite3.Connection | None = None

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            if self._conn is not None:
                with contextlib.suppress(sqlite3.Error):
                    self._conn.interrupt()

    def check(self) -> None:
        """Called between the steps of long work.

        Raises:
            CancelledError: The call is not wanted any more.
        """
        if self._cancelled:
            raise CancelledError

    @contextmanager
    def interrupting(self, conn: sqlite3.Connection) -> Iterator[None]:
        """Within it, cancelling ends the statement that ``conn`` runs."""
        self.check()
        with self._lock:
            self._conn = conn
        try:
            yield
        except sqlite3.OperationalError:
            self.check()  # an interrupted statement is how a cancelled call ends
            raise
        finally:
            with self._lock:
                self._conn = None
