"""A thorough check of an index: what ``doctor`` runs, too slow for every question."""

from __future__ import annotations

import sqlite3

from retrieval.index.reader import IndexReader
from retrieval.index.vector_store import describe_vectors
from retrieval.lexical.search import read_postings


def check_index(reader: IndexReader) -> list[str]:
    """Problems found, one line each; empty when the index is sound."""
    problems: list[str] = []
    try:
        verdict = reader.conn.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            problems.append(f"the database is corrupt: {verdict}")
        arrays = reader.arrays
        live = {row[0] for row in reader.conn.execute("SELECT id FROM chunks")}
        masked = {int(i) for i in arrays.alive.nonzero()[0]}
        if live != masked:
            problems.append(f"chunk rows and arrays disagree ({len(live)} rows, {len(masked)} alive)")
        orphans = reader.conn.execute(
            "SELECT count(*) FROM chunks WHERE file_id NOT IN (SELECT id FROM files)"
        ).fetchone()[0]
        if orphans:
            problems.append(f"{orphans} chunks belong to no file")
        stray = reader.conn.execute(
            "SELECT count(*) FROM edges WHERE file_id NOT IN (SELECT id FROM files)"
        ).fetchone()[0]
        if stray:
            problems.append(f"{stray} edges belong to no file")
        terms = [row[0] for row in reader.conn.execute("SELECT DISTINCT term FROM postings")]
        if any(len(docs) and int(docs[-1]) >= arrays.n for _, docs, _ in read_postings(reader.conn, sorted(terms))):
            problems.append("the postings name chunks that do not exist")
        for path, n_lines in reader.conn.execute("SELECT path, n_lines FROM files ORDER BY path").fetchall():
            if len(reader.file_text(path).lines) != n_lines:
                problems.append(f"the stored text of {path} is incomplete")
                break
    except (sqlite3.DatabaseError, ValueError, OSError) as error:
        problems.append(f"the database is corrupt: {error}")
    else:
        vectors = describe_vectors(reader)
        if vectors["problem"]:
            problems.append(f"vectors: {vectors['problem']}")
    return problems
