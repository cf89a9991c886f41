"""The SQLite schema of an index, and how its files are opened.

One build is one SQLite file named after its build id; ``manifest.json`` names the live build and is replaced
atomically, last. Nothing is ever cleared before its successor stands.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

SCHEMA_VERSION = 3
#: Bumped whenever chunk boundaries, terms or embedded text change, so that older indexes are rebuilt, not mixed.
CHUNKER_VERSION = 10
"""Of what is read out of a file: chunks, symbols, facts. An index made with another is built anew."""

DDL = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files(
    id INTEGER PRIMARY KEY,
    root_id INTEGER NOT NULL DEFAULT 0,
    path TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    language TEXT NOT NULL,
    role TEXT NOT NULL,
    module TEXT NOT NULL,
    encoding TEXT NOT NULL,
    partial INTEGER NOT NULL,
    exact_tokens INTEGER NOT NULL,
    clean INTEGER NOT NULL,
    n_lines INTEGER NOT NULL,
    text BLOB NOT NULL,
    line_tokens BLOB NOT NULL,
    facts TEXT NOT NULL,
    UNIQUE(root_id, path)
);
CREATE TABLE skipped(
    path TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE chunks(
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    symbol TEXT NOT NULL,
    qualname TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    part INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    context TEXT NOT NULL,
    blocks BLOB NOT NULL
);
CREATE TABLE symbols(
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    qualname TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    def_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    parent TEXT NOT NULL,
    decorators TEXT NOT NULL,
    bases TEXT NOT NULL
);
CREATE TABLE nodes(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE edges(
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    src INTEGER NOT NULL,
    dst INTEGER NOT NULL,
    kind TEXT NOT NULL,
    confidence TEXT NOT NULL,
    line INTEGER NOT NULL,
    rule TEXT NOT NULL,
    candidates TEXT NOT NULL
);
CREATE INDEX edges_src ON edges(src, kind);
CREATE INDEX edges_dst ON edges(dst, kind);
CREATE INDEX edges_file ON edges(file_id);
CREATE INDEX edges_open ON edges(candidates) WHERE candidates != '';
CREATE INDEX edges_inherit ON edges(dst, src) WHERE kind = 'inherit';
CREATE TABLE postings(
    term TEXT NOT NULL,
    segment INTEGER NOT NULL,
    docs BLOB NOT NULL,
    tfs BLOB NOT NULL,
    PRIMARY KEY(term, segment)
) WITHOUT ROWID;
CREATE TABLE columns(name TEXT PRIMARY KEY, dtype TEXT NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
"""


#: Secondary indexes; a build from nothing creates them after its rows, which is faster than keeping them current.
INDEXES = (
    "CREATE INDEX files_module ON files(module) WHERE module != ''",
    "CREATE INDEX chunks_file ON chunks(file_id, start_line)",
    "CREATE INDEX chunks_qualname ON chunks(qualname) WHERE qualname != ''",
    "CREATE INDEX symbols_name ON symbols(name)",
    "CREATE INDEX symbols_file ON symbols(file_id, start_line)",
    "CREATE INDEX symbols_parent ON symbols(parent)",
)


def create(path: Path) -> sqlite3.Connection:
    """A new database without ``INDEXES`` for a build aside, inside a transaction.

    It keeps no journal: the file is thrown away when the build fails.
    """
    conn = sqlite3.connect(path, isolation_level=None)
    try:
        conn.execute("PRAGMA page_size=8192")
        conn.execute("PRAGMA journal_mode=OFF")
        conn.execute("PRAGMA synchronous=OFF")
        conn.execute("PRAGMA cache_size=-65536")
        conn.executescript(DDL)
        conn.execute("BEGIN")
    except BaseException:
        conn.close()
        raise
    return conn


def connect_write(path: Path) -> sqlite3.Connection:
    """The live build, for an incremental update inside one transaction."""
    conn = sqlite3.connect(path, isolation_level=None, timeout=30)
    conn.execute("PRAGMA journal_mode=WAL")
    conn.execute("PRAGMA synchronous=NORMAL")
    conn.execute("PRAGMA cache_size=-65536")
    return conn


def is_disk_error(error: sqlite3.Error) -> bool:
    return isinstance(error, sqlite3.OperationalError) and ("full" in str(error) or "disk I/O" in str(error))


def has_log(path: Path) -> bool:
    """Whether a write-ahead log holds what the database does not."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def connect_read(path: Path, immutable: bool = False) -> sqlite3.Connection:
    """Read-only. ``immutable`` is for directories that cannot be written, where WAL's shared memory cannot exist."""
    from urllib.parse import quote

    suffix = "?mode=ro&immutable=1" if immutable else "?mode=ro"
    conn = sqlite3.connect(
        f"file:{quote(str(path))}{suffix}", uri=True, isolation_level=None, timeout=30, check_same_thread=False
    )
    conn.execute("PRAGMA query_only=ON")
    # Read, not mapped, which is as fast: a mapped file that somebody shortens ends the process.
    conn.execute("PRAGMA mmap_size=0")
    conn.execute("PRAGMA cache_size=-16384")
    return conn
