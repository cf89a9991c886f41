"""Posting lists as they are read: decoded, segments joined, and remembered for as long as a reader is open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

MOST_REMEMBERED = 500_000  # postings, 8 bytes each; a server holds several readers
_MAX_VARIABLES = 500  # terms per SQL statement; SQLite builds allow at least 999 variables

Postings: TypeAlias = tuple[str, NDArray[np.int32], NDArray[np.uint32]]
"""(term, docs, tfs), see ``lexical.postings``."""
PostingsSource: TypeAlias = "sqlite3.Connection | RememberedPostings"


def read_postings(source: PostingsSource, terms: Sequence[str]) -> Iterable[Postings]:
    """(term, docs, tfs) of each stored term, in the order of the sorted ``terms``; segments joined, dead included.

    ``docs`` are distinct; they ascend within a segment, and the last one is the highest.
    """
    if isinstance(source, RememberedPostings):
        return source.read(terms)
    return _stored(source, terms)


class RememberedPostings:
    """The postings of one open index, with the last ones kept decoded: one question reads its terms several
    times, and the next question shares some of them."""

    def __init__(self, conn: sqlite3.Connection, most: int = MOST_REMEMBERED) -> None:
        self._conn = conn
        self._most = most
        self._known: dict[str, Postings | None] = {}
        self._size = 0

    def read(self, terms: Sequence[str]) -> list[Postings]:
        """As ``read_postings``."""
        known = self._known
        missing = [term for term in terms if term not in known]
        if missing:
            found: dict[str, Postings | None] = dict.fromkeys(missing)
            found.update((entry[0], entry) for entry in _stored(self._conn, missing))
            if self._size + _size(found) > self._most:  # let go of all that this question does not read
                known = self._known = {term: known[term] for term in terms if term in known}
                self._size = _size(known)
            known.update(found)
            self._size += _size(found)
        return [entry for term in terms if (entry := known[term]) is not None]


def _size(known: Mapping[str, Postings | None]) -> int:
    return sum(1 if entry is None else 1 + len(entry[1]) for entry in known.values())


def _stored(conn: sqlite3.Connection, terms: Sequence[str]) -> Iterator[Postings]:
    for start in range(0, len(terms), _MAX_VARIABLES):
        batch = terms[start : start + _MAX_VARIABLES]
        rows = conn.execute(
            f"SELECT term, docs, tfs FROM postings WHERE term IN ({','.join('?' * len(batch))}) ORDER BY term, segment",
            list(batch),
        )
        for term, parts in groupby(rows, key=itemgetter(0)):
            lists = [_decoded(docs, tfs) for _, docs, tfs in parts]
            if len(lists) == 1:
                yield term, *lists[0]
            else:
                lists.sort(key=lambda part: int(part[0][-1]))
                yield term, np.concatenate([part[0] for part in lists]), np.concatenate([part[1] for part in lists])


def _decoded(docs: bytes, tfs: bytes) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    """Raises sqlite3.DatabaseError when the bytes cannot be a posting list: SQLite keeps no checksum of them."""
    if len(docs) != len(tfs) or not docs or len(docs) % 4:
        raise sqlite3.DatabaseError("a posting list is damaged")
    ids = np.frombuffer(docs, dtype="<i4")
    if int(ids.min()) < 0 or int(ids.max()) != int(ids[-1]):
        raise sqlite3.DatabaseError("a posting list is damaged")
    return ids, np.frombuffer(tfs, dtype="<u4")
