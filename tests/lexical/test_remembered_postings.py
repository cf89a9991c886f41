"""Postings that are remembered are those that are stored, however little may be kept."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.index.schema import DDL
from retrieval.lexical.fields import TermCounts
from retrieval.lexical.postings import BASE_SEGMENT, DELTA_SEGMENT, PostingsWriter
from retrieval.lexical.reading import RememberedPostings, read_postings

_TERMS = [f"t{n}" for n in range(12)]


@pytest.fixture(scope="module")
def stored() -> sqlite3.Connection:
    conn = sqlite3.connect(":memory:")
    conn.executescript(DDL)
    for segment, ids in ((BASE_SEGMENT, range(40)), (DELTA_SEGMENT, range(40, 55))):
        writer = PostingsWriter(conn, segment)
        for i in ids:
            held = {term: (i + n) % 200 << 24 for n, term in enumerate(_TERMS[:10], start=1) if i % n == 0}
            writer.add(i, TermCounts(held, (0, 0, 0, len(held))))
        writer.close()
    return conn


@given(st.lists(st.sets(st.sampled_from(_TERMS)), max_size=8), st.integers(0, 200))
def test_as_they_are_stored(stored: sqlite3.Connection, questions: list[set[str]], most: int) -> None:
    remembered = RememberedPostings(stored, most)
    for terms in map(sorted, questions):
        found = list(read_postings(remembered, terms))
        expected = list(read_postings(stored, terms))
        assert [term for term, _, _ in found] == [term for term, _, _ in expected]
        for (_, docs, tfs), (_, own_docs, own_tfs) in zip(found, expected, strict=True):
            assert np.array_equal(docs, own_docs) and np.array_equal(tfs, own_tfs)
