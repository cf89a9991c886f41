"""The inverted index on disk: table ``postings(term, segment, docs, tfs)``.

``docs`` holds the chunk ids of a term, ascending int32; ``tfs`` one packed uint32 for each (see ``fields``); both
little-endian. A full build writes ``BASE_SEGMENT`` and, each time its buffer is full, the next one. Updates go into
``DELTA_SEGMENT``, whose rows are merged and rewritten, so that the number of segments stays what it was. Postings of
dead chunks stay until ``compact`` and are masked when scoring. Nothing here commits: the caller owns the transaction.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby, repeat
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from retrieval.lexical.fields import TermCounts
from retrieval.lexical.file_terms import FileTerms

BASE_SEGMENT = 0
DELTA_SEGMENT = 1 << 20

MAX_BUFFERED_POSTINGS = 4_000_000  # 48 MB of arrays, and as much again while they are sorted

_COMPACT_BATCH_TERMS = 4_096
_MERGED_TERMS = 500  # in one SQL statement; SQLite builds allow at least 999 variables

_Row = tuple[str, int, bytes, bytes]  # term, segment, docs, tfs


class PostingsWriter:
    """Buffers postings and writes them term by term into one segment.

    Args:
        conn: Connection with the ``postings`` table; it is not committed.
        segment: ``BASE_SEGMENT`` for a full build, ``DELTA_SEGMENT`` for an update. Rows that the segment already
            has are merged with the new ones.
        max_postings: Buffer size; a full buffer is written out and a new segment begun.
    """

    def __init__(self, conn: sqlite3.Connection, segment: int, max_postings: int = MAX_BUFFERED_POSTINGS) -> None:
        self._conn = conn
        self._segment = segment
        self._max_postings = max_postings
        self._fresh = conn.execute("SELECT 1 FROM postings LIMIT 1").fetchone() is None
        self._reset()

    def _reset(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__  # a new term gets the next number
        self._terms = array("I")
        self._docs = array("i")
        self._tfs = array("I")

    def add(self, chunk_id: int, counts: TermCounts) -> None:
        """Add the postings of one chunk. Each chunk id is added once; ascending ids are cheapest."""
        packed = counts.packed
        self._terms.extend(map(self._numbers.__getitem__, packed))
        self._docs.extend(repeat(chunk_id, len(packed)))
        self._tfs.extend(packed.values())
        if len(self._docs) >= self._max_postings:
            self._next_segment()

    def add_file(self, first_id: int, terms: FileTerms) -> None:
        """Add the postings of the chunks of a file, whose ids follow one another from ``first_id`` on."""
        numbers = np.fromiter(map(self._numbers.__getitem__, terms.names), np.uint32, len(terms.names))
        ids = np.arange(first_id, first_id + len(terms.sizes), dtype=np.int32)
        self._terms.frombytes(numbers.take(terms.terms).tobytes())
        self._docs.frombytes(ids.repeat(terms.sizes).tobytes())
        self._tfs.frombytes(terms.packed.tobytes())
        if len(self._docs) >= self._max_postings:
            self._next_segment()

    def _next_segment(self) -> None:
        """Write a full buffer; the next goes beside it, since merging big rows again and again would be quadratic."""
        self._flush()
        highest = self._conn.execute("SELECT max(segment) FROM postings").fetchone()[0]
        self._segment = max(highest, self._segment) + 1
        self._fresh = True

    def close(self) -> None:
        """Write what is buffered. The writer can be used again afterwards."""
        self._flush()
        self._fresh = False

    def _flush(self) -> None:
        if not self._docs:
            return
        rows = self._rows() if self._fresh else _merged_with_stored(self._conn, self._rows())
        self._conn.executemany("INSERT OR REPLACE INTO postings(term, segment, docs, tfs) VALUES (?, ?, ?, ?)", rows)
        self._reset()

    def _rows(self) -> Iterator[_Row]:
        """The buffered postings as rows, by term (the order of the table, so that SQLite appends)."""
        terms = np.frombuffer(self._terms, dtype=np.uint32)
        docs = np.frombuffer(self._docs, dtype=np.int32)
        tfs = np.frombuffer(self._tfs, dtype=np.uint32)
        ascending = bool(np.all(docs[1:] >= docs[:-1]))
        order = np.argsort(terms, kind="stable") if ascending else np.lexsort((docs, terms))
        sorted_docs = docs[order].astype("<i4", copy=False).tobytes()
        sorted_tfs = tfs[order].astype("<u4", copy=False).tobytes()
        ends = (np.cumsum(np.bincount(terms, minlength=len(self._numbers))) * 4).tolist()
        segment = self._segment
        for term in sorted(self._numbers):
            number = self._numbers[term]
            start, end = (ends[number - 1] if number else 0), ends[number]
            yield term, segment, sorted_docs[start:end], sorted_tfs[start:end]


def _merged_with_stored(conn: sqlite3.Connection, rows: Iterable[_Row]) -> list[_Row]:
    """``rows``, all of one segment, with what it holds of their terms already."""
    added = list(rows)
    stored: dict[str, tuple[bytes, bytes]] = {}
    for start in range(0, len(added), _MERGED_TERMS):
        part = added[start : start + _MERGED_TERMS]
        found = conn.execute(
            f"SELECT term, docs, tfs FROM postings WHERE segment = ? AND term IN ({','.join('?' * len(part))})",
            [part[0][1], *(row[0] for row in part)],
        )
        stored.update((term, (docs, tfs)) for term, docs, tfs in found)
    return [
        (term, segment, *(_joined(stored[term], (docs, tfs)) if term in stored else (docs, tfs)))
        for term, segment, docs, tfs in added
    ]


def _joined(first: tuple[bytes, bytes], second: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Two posting lists as one, ascending by chunk id; new chunks mostly come after all that there are."""
    if int.from_bytes(first[0][-4:], "little", signed=True) <= int.from_bytes(second[0][:4], "little", signed=True):
        return first[0] + second[0], first[1] + second[1]
    return _merge([first, second])


def _merge(parts: list[tuple[bytes, bytes]], alive: NDArray[np.bool_] | None = None) -> tuple[bytes, bytes]:
    """Join posting lists, ascending by chunk id; with ``alive``, without the dead."""
    docs = np.frombuffer(b"".join(part[0] for part in parts), dtype="<i4")
    tfs = np.frombuffer(b"".join(part[1] for part in parts), dtype="<u4")
    if alive is not None:
        live = is_alive(docs, alive)
        docs, tfs = docs[live], tfs[live]
    if np.any(docs[1:] < docs[:-1]):
        order = np.argsort(docs, kind="stable")
        docs, tfs = docs[order], tfs[order]
    return docs.tobytes(), tfs.tobytes()


def is_alive(docs: NDArray[np.int32], alive: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of ``docs`` are alive; ids beyond the end of ``alive`` are not."""
    if len(docs) and int(docs.max()) >= len(alive):
        inside = docs < len(alive)
        return inside & alive[np.where(inside, docs, 0)] if len(alive) else inside
    live: NDArray[np.bool_] = alive[docs]
    return live


def compact(conn: sqlite3.Connection, alive: NDArray[np.bool_]) -> None:
    """Merge all segments into ``BASE_SEGMENT`` and drop the postings of dead chunks (``alive``: bool[n], row = id)."""
    last = ""
    while True:
        terms = [
            row[0]
            for row in conn.execute(
                "SELECT DISTINCT term FROM postings WHERE term > ? ORDER BY term LIMIT ?", (last, _COMPACT_BATCH_TERMS)
            )
        ]
        if not terms:
            return
        stored = conn.execute(
            "SELECT term, segment, docs, tfs FROM postings WHERE term > ? AND term <= ? ORDER BY term, segment",
            (last, terms[-1]),
        )
        gone: list[tuple[str, int]] = []
        rows: list[_Row] = []
        for term, parts in groupby(stored, key=itemgetter(0)):
            old = list(parts)
            docs, tfs = _merge([(part[2], part[3]) for part in old], alive)
            gone += [(term, part[1]) for part in old if part[1] != BASE_SEGMENT or not docs]
            if docs and not (old[0][1] == BASE_SEGMENT and old[0][2] == docs):
                rows.append((term, BASE_SEGMENT, docs, tfs))
        conn.executemany("DELETE FROM postings WHERE term = ? AND segment = ?", gone)
        conn.executemany("INSERT OR REPLACE INTO postings(term, segment, docs, tfs) VALUES (?, ?, ?, ?)", rows)
        last = terms[-1]


def segments(conn: sqlite3.Connection) -> int:
    """The number of segments. Reads the whole table: for status and tests, not for queries."""
    return int(conn.execute("SELECT count(DISTINCT segment) FROM postings").fetchone()[0])
