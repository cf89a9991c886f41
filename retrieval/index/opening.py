"""What is checked of a build each time it is opened: its own record of itself, and that its vectors are all there."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from retrieval.errors import IndexUnavailableError
from retrieval.index.manifest import Manifest
from retrieval.vectors.exact import ExactEngine, vectors_path

_NUMBERS = ("generation", "started_ns", "dim", "chunk_rows", "dead_chunks", "set.max_file_bytes")


def checked_meta(conn: sqlite3.Connection, index_dir: Path, manifest: Manifest) -> dict[str, str]:
    """The build's key/value record.

    Raises:
        sqlite3.DatabaseError: The database is damaged or another build's, or the vectors file lacks rows of it.
    """
    meta = {str(key): str(value) for key, value in conn.execute("SELECT key, value FROM meta")}
    if meta.get("build") != manifest.build:
        raise sqlite3.DatabaseError("the database belongs to another build")
    for name in _NUMBERS:
        if not (meta.get(name, "").isascii() and meta.get(name, "").isdigit()):
            raise sqlite3.DatabaseError(f"its record of {name} is not a number")
    if manifest.embedder != "none":
        _check_vectors(vectors_path(index_dir, manifest.build), int(meta["dim"]), int(meta["chunk_rows"]))
    return meta


def _check_vectors(path: Path, dim: int, rows: int) -> None:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise sqlite3.DatabaseError(f"{path.name} is not a file")
    try:
        engine = ExactEngine(path, dim)
    except IndexUnavailableError as error:
        raise sqlite3.DatabaseError(error.cause.rstrip(".")) from None
    if engine.count() < rows:
        raise sqlite3.DatabaseError(f"{path.name} holds {engine.count()} vectors of {rows}")
