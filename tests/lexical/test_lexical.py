"""The lexical leg against oracles: rank-bm25 for the scores, a fresh build for every way of updating."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25L, BM25Okapi

from retrieval.lexical.fields import FIELDS, MAX_TF, TermCounts, count_terms, pack_fields
from retrieval.lexical.postings import BASE_SEGMENT, DELTA_SEGMENT, PostingsWriter, compact, segments
from retrieval.lexical.search import BM25Params, lexical_scores, read_postings, term_idf
from retrieval.records import Chunk, ChunkKind
from retrieval.text.terms import query_terms

TABLE = (
    "CREATE TABLE postings(term TEXT, segment INTEGER, docs BLOB, tfs BLOB, PRIMARY KEY(term, segment)) WITHOUT ROWID"
)
WORDS = [f"w{i}" for i in range(12)]
BODY_ONLY = BM25Params(k1=1.5, weights=(0.0, 0.0, 0.0, 1.0), b=(0.0, 0.0, 0.0, 0.75))

document = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30)
corpora = st.lists(document, min_size=2, max_size=25)
query = st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=6, unique=True)


class Oracle(BM25Okapi):
    """BM25Okapi's saturation and length normalisation with the idf of BM25L, ln((N + 1) / (n + 0.5)): our formula."""

    _calc_idf = BM25L._calc_idf


def open_table() -> sqlite3.Connection:
    conn = sqlite3.connect(":memory:")
    conn.execute(TABLE)
    return conn


def body(words: list[str]) -> TermCounts:
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return pack_fields({}, {}, {}, counts)


def write(conn: sqlite3.Connection, docs: dict[int, TermCounts], segment: int, max_postings: int = 10**6) -> None:
    writer = PostingsWriter(conn, segment, max_postings)
    for chunk_id, counts in docs.items():
        writer.add(chunk_id, counts)
    writer.close()


def lengths_of(counts: list[TermCounts]) -> np.ndarray:
    return np.array([item.lengths for item in counts], dtype=np.uint16).reshape(-1, 4)


def stored(conn: sqlite3.Connection) -> list[tuple[str, bytes, bytes]]:
    return conn.execute("SELECT term, docs, tfs FROM postings ORDER BY term, segment").fetchall()


@given(corpora, query)
@settings(max_examples=150, deadline=None)
def test_scores_equal_rank_bm25(corpus: list[list[str]], words: list[str]) -> None:
    counts = [body(doc) for doc in corpus]
    conn = open_table()
    write(conn, dict(enumerate(counts)), BASE_SEGMENT)
    alive = np.ones(len(corpus), dtype=bool)
    ours = lexical_scores(conn, dict.fromkeys(words, 1.0), lengths_of(counts), alive, BODY_ONLY)
    np.testing.assert_allclose(ours, Oracle(corpus, k1=1.5, b=0.75).get_scores(words), rtol=1e-4, atol=1e-6)


@given(corpora, query, st.data())
@settings(max_examples=100, deadline=None)
def test_scores_equal_rank_bm25_after_deletions_and_updates(
    corpus: list[list[str]], words: list[str], data: st.DataObject
) -> None:
    """Deleting, adding in two delta updates and compacting: always the scores of the live chunks alone."""
    cuts = sorted(data.draw(st.tuples(st.integers(1, len(corpus)), st.integers(1, len(corpus)))))
    dead = data.draw(st.sets(st.integers(0, len(corpus) - 1), max_size=len(corpus) - 1))
    counts = [body(doc) for doc in corpus]
    conn = open_table()
    write(conn, dict(list(enumerate(counts))[: cuts[0]]), BASE_SEGMENT, data.draw(st.sampled_from([20, 10**6])))
    write(conn, dict(list(enumerate(counts))[cuts[0] : cuts[1]]), DELTA_SEGMENT)
    write(conn, dict(list(enumerate(counts))[cuts[1] :]), DELTA_SEGMENT)
    alive = np.ones(len(corpus), dtype=bool)
    alive[list(dead)] = False
    expected = np.zeros(len(corpus))
    expected[alive] = Oracle([doc for i, doc in enumerate(corpus) if i not in dead], k1=1.5, b=0.75).get_scores(words)
    terms = dict.fromkeys(words, 1.0)
    before = lexical_scores(conn, terms, lengths_of(counts), alive, BODY_ONLY)
    np.testing.assert_allclose(before, expected, rtol=1e-4, atol=1e-6)
    compact(conn, alive)
    after = lexical_scores(conn, terms, lengths_of(counts), alive, BODY_ONLY)
    assert before.tobytes() == after.tobytes()


@given(corpora, st.data())
@settings(max_examples=60, deadline=None)
def test_compacting_leaves_what_a_rebuild_would_write(corpus: list[list[str]], data: st.DataObject) -> None:
    dead = data.draw(st.sets(st.integers(0, len(corpus) - 1)))
    split = data.draw(st.integers(0, len(corpus)))
    counts = dict(enumerate(body(doc) for doc in corpus))
    conn, fresh = open_table(), open_table()
    write(conn, {i: c for i, c in counts.items() if i < split}, BASE_SEGMENT, 25)
    write(conn, {i: c for i, c in counts.items() if i >= split}, DELTA_SEGMENT)
    alive = np.ones(len(corpus), dtype=bool)
    alive[list(dead)] = False
    compact(conn, alive)
    write(fresh, {i: c for i, c in counts.items() if i not in dead}, BASE_SEGMENT)
    assert stored(conn) == stored(fresh)
    assert segments(conn) <= 1


def test_a_full_buffer_spills_and_changes_no_score() -> None:
    rng = np.random.default_rng(0)
    counts = [body([f"w{i}" for i in rng.integers(0, 40, 30)]) for _ in range(200)]
    whole, spilled = open_table(), open_table()
    write(whole, dict(enumerate(counts)), BASE_SEGMENT)
    write(spilled, dict(enumerate(counts)), BASE_SEGMENT, max_postings=500)
    assert segments(whole) == 1 < segments(spilled)
    alive = np.ones(200, dtype=bool)
    terms = {"w1": 1.0, "w7": 0.5, "w39": 2.0}
    scores = [lexical_scores(conn, terms, lengths_of(counts), alive).tobytes() for conn in (whole, spilled)]
    assert scores[0] == scores[1]


def test_many_updates_keep_two_segments() -> None:
    conn = open_table()
    write(conn, {0: body(["a", "b"])}, BASE_SEGMENT)
    for chunk_id in range(1, 20):
        write(conn, {chunk_id: body(["a", "c"])}, DELTA_SEGMENT)
    assert segments(conn) == 2
    ((_, docs, _),) = read_postings(conn, ["a"])
    assert docs.tolist() == list(range(20))


def test_ids_may_come_in_any_order() -> None:
    forward, backward = open_table(), open_table()
    docs = {i: body(["a", f"w{i % 3}"]) for i in range(10)}
    write(forward, docs, BASE_SEGMENT)
    write(backward, dict(reversed(docs.items())), BASE_SEGMENT)
    assert stored(forward) == stored(backward)


def test_the_order_of_the_terms_does_not_change_a_bit() -> None:
    rng = np.random.default_rng(1)
    counts = [body([f"w{i}" for i in rng.integers(0, 30, 40)]) for _ in range(100)]
    conn = open_table()
    write(conn, dict(enumerate(counts)), BASE_SEGMENT)
    terms = {f"w{i}": 1.0 / (i + 1) for i in range(30)}
    alive = np.ones(100, dtype=bool)
    one = lexical_scores(conn, terms, lengths_of(counts), alive)
    other = lexical_scores(conn, dict(reversed(terms.items())), lengths_of(counts), alive)
    assert one.tobytes() == other.tobytes()


def test_rows_newer_than_the_snapshot_are_ignored() -> None:
    conn = open_table()
    counts = [body(["a", "b"]), body(["a"]), body(["a", "a"])]
    write(conn, dict(enumerate(counts)), BASE_SEGMENT)
    alone = open_table()
    write(alone, {0: counts[0]}, BASE_SEGMENT)
    alive = np.ones(1, dtype=bool)
    scores = [lexical_scores(c, {"a": 1.0}, lengths_of(counts[:1]), alive).tolist() for c in (conn, alone)]
    assert scores[0] == scores[1]


def test_frequencies_saturate_instead_of_spilling_into_the_next_field() -> None:
    counts = pack_fields({"a": 1}, {"a": 2}, {"a": 3}, {"a": 100_000})
    assert counts.packed["a"] == 1 | 2 << 8 | 3 << 16 | MAX_TF << 24
    assert counts.lengths == (1, 2, 3, 65_535)


@pytest.mark.parametrize("field", range(4), ids=FIELDS)
def test_each_field_counts_with_its_weight(field: int) -> None:
    counts = pack_fields(*[{"a": 1, "b": 1} if i == field else {} for i in range(4)])
    other = pack_fields({"c": 1}, {"c": 1}, {"c": 1}, {"c": 1})
    conn = open_table()
    write(conn, {0: counts, 1: other}, BASE_SEGMENT)
    alive = np.ones(2, dtype=bool)
    heavy, light = (
        lexical_scores(conn, {"a": 1.0}, lengths_of([counts, other]), alive, BM25Params(weights=weights))
        for weights in ((9.0,) * 4, (1.0,) * 4)
    )
    assert heavy[0] > light[0] > 0
    assert heavy[1] == 0


def test_nothing_alive_and_nothing_stored_score_nothing() -> None:
    conn = open_table()
    assert lexical_scores(conn, {"a": 1.0}, np.zeros((0, 4), np.uint16), np.zeros(0, bool)).shape == (0,)
    write(conn, {0: body(["a"])}, BASE_SEGMENT)
    scores = lexical_scores(conn, {"a": 1.0}, lengths_of([body(["a"])]), np.zeros(1, bool))
    assert scores.tolist() == [0.0]
    compact(conn, np.zeros(1, bool))
    assert stored(conn) == []


def test_idf_counts_the_living() -> None:
    conn = open_table()
    write(conn, {i: body(["a"] if i < 3 else ["b"]) for i in range(4)}, BASE_SEGMENT)
    alive = np.array([True, False, True, True])
    found = term_idf(conn, ["a", "b", "absent"], alive)
    assert found == {"a": pytest.approx(np.log(4 / 2.5)), "b": pytest.approx(np.log(4 / 1.5))}
    alive[3] = False
    assert "b" not in term_idf(conn, ["a", "b"], alive)


def test_nothing_is_committed_by_the_writer() -> None:
    conn = open_table()
    conn.commit()
    write(conn, {0: body(["a"])}, BASE_SEGMENT)
    conn.rollback()
    assert stored(conn) == []


def test_a_cached_norm_never_outlives_its_arrays() -> None:
    """Read-only arrays are remembered between calls; other arrays, or other parameters, must not see their norms."""
    conn = open_table()
    counts = [body(["a"] * 3), body(["a", "b", "c", "d", "b"])]
    write(conn, dict(enumerate(counts)), BASE_SEGMENT)
    for _ in range(2):
        for dead in (None, 0, 1):
            lengths, alive = lengths_of(counts), np.ones(2, dtype=bool)
            if dead is not None:
                alive[dead] = False
            fresh = lexical_scores(conn, {"a": 1.0}, lengths, alive)
            lengths.flags.writeable = alive.flags.writeable = False
            for _ in range(2):
                assert lexical_scores(conn, {"a": 1.0}, lengths, alive).tobytes() == fresh.tobytes()
            assert lexical_scores(conn, {"a": 1.0}, lengths, alive, BODY_ONLY).tobytes() != fresh.tobytes()


def chunk(qualname: str, symbol: str, doc: str = "", context: str = "") -> Chunk:
    return Chunk(1, 3, ChunkKind.FUNCTION, symbol, qualname, context, doc, ())


def test_a_definition_outranks_those_who_mention_it() -> None:
    texts = [
        (
            "app/helpers.py",
            chunk("app.helpers.url_for", "url_for"),
            "def url_for(endpoint):\n    return build(endpoint)",
        ),
        ("app/views.py", chunk("app.views.index", "index"), "def index():\n    return redirect(url_for('home'))"),
        ("app/other.py", chunk("app.other.noop", "noop"), "def noop():\n    pass"),
    ]
    counts = [count_terms(*item) for item in texts]
    conn = open_table()
    write(conn, dict(enumerate(counts)), BASE_SEGMENT)
    for question in ("Where is url_for defined?", "where is urlFor", "how does url for work"):
        scores = lexical_scores(conn, query_terms(question), lengths_of(counts), np.ones(3, bool))
        assert scores[0] > scores[1] > scores[2] == 0.0


def test_context_and_docstring_are_indexed() -> None:
    counts = count_terms("a.py", chunk("a.f", "f", "Wobbles.", "class Gadget(Base):"), "return 1")
    assert {"wobbl", "gadget"} <= set(counts.packed)
    assert counts.packed["gadget"] >> 24 == 1
    assert counts.packed["wobbl"] >> 16 & 0xFF == 1
