"""Readers of one index for several threads, each at the generation that is live when it is taken."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

from agent.session import Session
from retrieval.embed.base import Embedder
from retrieval.embed.load import load_embedder
from retrieval.errors import IndexUnavailableError
from retrieval.index.location import Location
from retrieval.index.manifest import read_manifest
from retrieval.index.reader import IndexReader
from retrieval.index.schema import connect_read
from retrieval.index.settings import from_meta

MAX_READERS = 4  # each holds the arrays of the index; Python runs one at a time for most of a call
_ATTEMPTS = 5  # openings in a row that a rebuild may overtake

_Stamp = tuple[int, int, int]


class SessionPool:
    """Hands out sessions, each to one thread at a time. One that the index has moved on from is replaced."""

    def __init__(self, location: Location, embedder: Embedder | None = None, size: int = MAX_READERS) -> None:
        self._location = location
        self._embedder = embedder
        self._permits = BoundedSemaphore(size)
        self._lock = Lock()
        self._free: list[tuple[str, Session]] = []
        self._probe: tuple[_Stamp, str, sqlite3.Connection] | None = None

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session of the live generation; waits while all are in use.

        Raises:
            IndexUnavailableError: The index is gone or cannot be used.
        """
        with self._permits:
            live = self._live()
            session = self._take(live)
            if session is None:
                session = self._open()
                live = _key(session.reader.manifest.build, session.reader.meta["generation"])
            try:
                yield session
            except sqlite3.Error:
                session.close()  # it may be what is broken
                raise
            except BaseException:
                self._put_back(live, session)
                raise
            else:
                self._put_back(live, session)

    def close(self) -> None:
        """Close what is not in use."""
        with self._lock:
            for _, session in self._free:
                session.close()
            self._free.clear()
            self._forget_probe()

    def _open(self) -> Session:
        """A build that somebody has made with another embedder is asked with that one."""
        reader = IndexReader.open(self._location)
        try:
            if _model(self._embedder) != reader.manifest.embedder:
                self._embedder = load_embedder(from_meta(reader.meta).embedder)
            have = _model(self._embedder)
            if have != reader.manifest.embedder:
                raise IndexUnavailableError(
                    f"The index was made with the embedder {reader.manifest.embedder}, not {have}.",
                    f"Rebuild it: contextc index --rebuild {self._location.root}",
                    "embedder",
                )
        except BaseException:
            reader.close()
            raise
        return Session(self._location, reader, self._embedder)

    def _take(self, live: str) -> Session | None:
        with self._lock:
            while self._free:
                key, session = self._free.pop()
                if key == live:
                    return session
                session.close()
        return None

    def _put_back(self, key: str, session: Session) -> None:
        with self._lock:
            self._free.append((key, session))

    def _live(self) -> str:
        """Which generation of which build is live, from one small query."""
        with self._lock:
            for attempt in range(_ATTEMPTS):
                try:
                    return self._asked()
                except sqlite3.Error as error:
                    # A build that was replaced between reading its name and opening it is no damage.
                    self._forget_probe()
                    if attempt == _ATTEMPTS - 1:
                        raise IndexUnavailableError(
                            f"The index in {self._location.index_dir} is damaged ({error}).",
                            f"Rebuild it: contextc index --rebuild {self._location.root}",
                        ) from error
            raise AssertionError("unreachable")

    def _asked(self) -> str:
        status = self._location.manifest.stat() if self._location.manifest.exists() else None
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size) if status else (0, 0, 0)
        if self._probe is None or self._probe[0] != stamp:
            self._forget_probe()
            index_dir = self._location.index_dir
            manifest = read_manifest(index_dir)
            path = index_dir / manifest.database
            conn = connect_read(path, immutable=not os.access(index_dir, os.W_OK))
            self._probe = (stamp, manifest.build, conn)
        _, build, conn = self._probe
        row = conn.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
        return _key(build, str(row[0]) if row else "")

    def _forget_probe(self) -> None:
        if self._probe is not None:
            self._probe[2].close()
            self._probe = None


def _model(embedder: Embedder | None) -> str:
    return embedder.model_id if embedder else "none"


def _key(build: str, generation: str) -> str:
    return f"{build}.{generation}"
