"""An index that is as new as the call that asks: one look at the tree serves every call that came before it began."""

from __future__ import annotations

import logging
import sqlite3
import time
from threading import Condition, Thread

from agent.mcp.aside import index_aside
from agent.tools.cancel import Cancellation
from agent.tools.pool import SessionPool
from retrieval.errors import IndexUnavailableError, UserError
from retrieval.index.build import update_index
from retrieval.index.location import Location, for_writing
from retrieval.index.lock import IndexBusyError

_LOG = logging.getLogger(__name__)

_TURN_S = 0.1
_BUSY_S = 0.3  # between two tries while somebody else writes the index
_MAX_BUSY_S = 600.0
_FEW = 200  # files; more are indexed in a process aside


class Freshness:
    """Brings the index of a location up to date on demand, from any thread.

    A look at the tree, and the update that it may ask for, run in a thread of their own, so that a caller whose
    patience ends leaves them running for the next one.
    """

    def __init__(self, location: Location, sessions: SessionPool) -> None:
        self._location = location
        self._sessions = sessions
        self._turn = Condition()
        self._begun = self._ended = 0
        self._fault: UserError | None = None
        self.progress = ""

    def ticket(self) -> int:
        """Of a request that arrives now: the number of the first look that cannot have come before it."""
        with self._turn:
            return self._begun + 1  # what has begun already may have looked before our change was made

    def ensure(self, ticket: int, cancellation: Cancellation, patience_s: float) -> bool:
        """Return when the index holds the tree as it was when ``ticket`` was drawn, or later. False: not in time.

        Raises:
            UserError: There is no index and none can be made; or the present one may not be used.
        """
        deadline = time.monotonic() + patience_s
        with self._turn:
            while self._ended < ticket:
                cancellation.check()
                if time.monotonic() > deadline:
                    return False
                if self._begun == self._ended:
                    self._begun += 1
                    Thread(target=self._look, name="contextc-freshness", daemon=True).start()
                self._turn.wait(_TURN_S)
            if self._fault is not None:
                raise self._fault
            return True

    def _look(self) -> None:
        fault: UserError | None = None
        try:
            self._bring_up_to_date()
        except UserError as error:
            fault = error
        except OSError as error:
            fault = UserError(f"The system refused: {error.strerror or error}.", "Look: contextc doctor")
        except Exception as error:
            _LOG.exception("the index cannot be brought up to date")
            fault = UserError(f"The index cannot be brought up to date ({error}).", "Look: contextc doctor")
        with self._turn:
            self._ended, self._fault = self._begun, fault
            self._turn.notify_all()

    def _bring_up_to_date(self) -> None:
        deadline = time.monotonic() + _MAX_BUSY_S
        while (changed := self._changed()) > 0:
            location = for_writing(self._location)
            try:
                if changed > _FEW:
                    done = index_aside(location, self._told)
                else:
                    report = update_index(location, progress=self._told)
                    done = f"{report.mode}: {report.counts['files']:,} files in {report.seconds:.2f} s"
                _LOG.info("index %s", done)
                return
            except IndexBusyError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(_BUSY_S)
            finally:
                self.progress = ""

    def _changed(self) -> int:
        """How many files the index does not hold as they are; where there is no index, all of them.

        Raises:
            IndexUnavailableError: The index may not be used.
        """
        from retrieval.index.freshness import drift
        from retrieval.source.walk import walk

        try:
            with self._sessions.session() as session:
                if session.reader.manifest.outdated:
                    return len(session.reader.paths)
                found = drift(session.reader)
                return len(found.changed) + len(found.removed)
        except IndexUnavailableError as error:
            if not error.rebuildable:
                raise
        except sqlite3.DatabaseError as error:
            _LOG.warning("the index is damaged (%s)", error)
        return max(1, len(walk(self._location.root).files))

    def _told(self, phase: str, done: int, total: int) -> None:
        self.progress = f"{phase} {done:,} of {total:,}"
