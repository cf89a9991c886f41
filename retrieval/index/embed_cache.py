"""Embeddings by content and model, shared by every index of this user, so that switching branches costs none."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

_LOG = logging.getLogger(__name__)
_MAX_ROWS = 2_000_000
_SQL_VARIABLES = 500
_GROUP_ROWS = 4000


def embedding_key(model_id: str, text: str) -> bytes:
    """16 bytes that name a text under a model."""
    return hashlib.sha256(f"{model_id}\0{text}".encode("utf-8", "surrogatepass")).digest()[:16]


class EmbeddingCache:
    """float16 rows in one SQLite file per model. Losing it costs time, never results: every failure is a miss."""

    def __init__(self, directory: Path, model_id: str, dim: int) -> None:
        name = hashlib.sha256(f"{model_id}\0{dim}".encode()).hexdigest()[:16]
        self._path = directory / f"embeddings-{name}.sqlite"
        self._dim = dim
        self._conn: sqlite3.Connection | None = None
        self._tried = False
        self._is_empty = False
        self._pending: list[tuple[bytes, bytes]] = []

    def _open(self) -> sqlite3.Connection | None:
        if self._conn is None and not self._tried:
            self._tried = True
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                conn = sqlite3.connect(self._path, timeout=5, isolation_level=None)
                conn.execute("PRAGMA journal_mode=WAL")
                conn.execute("PRAGMA synchronous=OFF")
                conn.execute("CREATE TABLE IF NOT EXISTS vectors(key BLOB PRIMARY KEY, vector BLOB NOT NULL)")
                self._is_empty = conn.execute("SELECT 1 FROM vectors LIMIT 1").fetchone() is None
                self._conn = conn
            except (OSError, sqlite3.Error) as error:
                _LOG.info("embedding cache %s is not usable: %s", self._path, error)
                with contextlib.suppress(OSError):
                    self._path.unlink(missing_ok=True)
        return self._conn

    def get(self, keys: Sequence[bytes]) -> dict[bytes, npt.NDArray[np.float16]]:
        conn = self._open()
        found: dict[bytes, npt.NDArray[np.float16]] = {}
        if conn is None or self._is_empty:  # what another process puts there meanwhile is a miss
            return found
        try:
            for start in range(0, len(keys), _SQL_VARIABLES):
                part = keys[start : start + _SQL_VARIABLES]
                marks = ",".join("?" * len(part))
                for key, data in conn.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part):
                    if len(data) == 2 * self._dim:
                        found[key] = np.frombuffer(data, np.float16)
        except sqlite3.Error as error:
            _LOG.info("embedding cache could not be read: %s", error)
        return found

    def put(self, rows: Iterable[tuple[bytes, npt.NDArray[np.float16]]]) -> None:
        """Remember rows; they are written in groups, at ``flush`` and at ``close``."""
        self._pending.extend((key, vector.tobytes()) for key, vector in rows)
        if len(self._pending) >= _GROUP_ROWS:
            self.flush()

    def flush(self) -> None:
        rows, self._pending = self._pending, []
        conn = self._open() if rows else None
        if conn is None:
            return
        self._is_empty = False
        try:
            conn.execute("BEGIN IMMEDIATE")
            conn.executemany("INSERT OR IGNORE INTO vectors(key, vector) VALUES (?, ?)", rows)
            conn.execute("DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?", (_MAX_ROWS,))
            conn.execute("COMMIT")
        except sqlite3.Error as error:
            _LOG.info("embedding cache could not be written: %s", error)
            with contextlib.suppress(sqlite3.Error):
                conn.execute("ROLLBACK")

    def close(self) -> None:
        self.flush()
        if self._conn is not None:
            self._conn.close()
            self._conn = None
        self._tried = False
