"""Terms counted for a file at once are those counted chunk by chunk, and so are the postings written from them."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.lexical import file_terms
from retrieval.lexical.fields import MAX_LENGTH, TermCounts, count_terms
from retrieval.lexical.file_terms import FileTerms, TermCounter
from retrieval.lexical.postings import BASE_SEGMENT, DELTA_SEGMENT, PostingsWriter
from retrieval.records import Chunk, ChunkKind

_TABLE = (
    "CREATE TABLE postings(term TEXT, segment INTEGER, docs BLOB, tfs BLOB, PRIMARY KEY(term, segment)) WITHOUT ROWID"
)
# Words, dotted names and what surrounds them: points in odd places, dunders, other scripts, signs that fold to ASCII.
_WORDS = [
    "url_for", "getHTTPResponse", "flask.app.Flask", "self.run", "..", ".", "a..b", ".x", "end.", "__call__", "1.5",
    "x1", "\x1c", "\x85", "é", "ﬁx", "数据库", "ſet", "K", "a" * 70, "_", "__", "Ⅷ.b", "İ", "e\u0301", "-", "{}", "\t",
]  # fmt: skip
_text = st.lists(st.sampled_from(_WORDS) | st.text(max_size=6), max_size=25).flatmap(
    lambda words: st.sampled_from([" ", "", "\n", "."]).map(lambda sign: sign.join(words))
)
_chunk = st.tuples(_text, _text, _text, _text, _text)
_file = st.tuples(_text, st.lists(_chunk, max_size=4))


def _chunks(parts: list[tuple[str, str, str, str, str]]) -> tuple[list[Chunk], list[str]]:
    chunks = [
        Chunk(1, 1, ChunkKind.FUNCTION, symbol, qualname, context, doc, (), 1, 1)
        for symbol, qualname, context, doc, _text in parts
    ]
    return chunks, [text for *_, text in parts]


def _by_chunk(found: FileTerms) -> list[TermCounts]:
    ends = np.cumsum(found.sizes)
    return [
        TermCounts(
            {
                found.names[term]: packed
                for term, packed in zip(
                    found.terms[end - size : end].tolist(), found.packed[end - size : end].tolist(), strict=True
                )
            },
            tuple(lengths),
        )
        for end, size, lengths in zip(ends.tolist(), found.sizes.tolist(), found.lengths.tolist(), strict=True)
    ]


@given(st.lists(_file, max_size=3))
@settings(max_examples=150, deadline=None)
def test_a_file_at_once_counts_what_chunk_by_chunk_does(files: list[tuple[str, list[tuple[str, ...]]]]) -> None:
    counter = TermCounter()
    for path, parts in files:
        chunks, texts = _chunks(parts)  # type: ignore[arg-type]
        found = counter.count(path, chunks, texts)
        assert _by_chunk(found) == [count_terms(path, *pair) for pair in zip(chunks, texts, strict=True)]
        assert len(set(found.names)) == len(found.names)


def test_many_of_one_term_and_long_fields_saturate() -> None:
    chunks, texts = _chunks([("f", "m.f", "", "doc " * 300, "alpha " * 70_000 + "beta")])
    found = TermCounter().count("m.py", chunks, texts)
    assert _by_chunk(found) == [count_terms("m.py", chunks[0], texts[0])]
    assert found.lengths[0, 3] == MAX_LENGTH


def test_a_counter_that_forgets_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_terms, "_MAX_PIECES", 3)
    counter = TermCounter()
    for number in range(4):
        chunks, texts = _chunks([("f", f"m{number}.f", "", "", f"one two.three x{number} one")])
        assert _by_chunk(counter.count("m.py", chunks, texts)) == [count_terms("m.py", chunks[0], texts[0])]


@given(st.lists(_file, min_size=1, max_size=4), st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_postings_of_files_are_those_of_their_chunks(
    files: list[tuple[str, list[tuple[str, ...]]]], max_postings: int
) -> None:
    def stored(at_once: bool) -> dict[str, list[tuple[int, int]]]:
        conn = sqlite3.connect(":memory:")
        conn.execute(_TABLE)
        next_id = 0
        for segment, half in ((BASE_SEGMENT, files[::2]), (DELTA_SEGMENT, files[1::2])):
            writer = PostingsWriter(conn, segment, max_postings)
            for path, parts in half:
                chunks, texts = _chunks(parts)  # type: ignore[arg-type]
                if at_once:
                    writer.add_file(next_id, TermCounter().count(path, chunks, texts))
                for number, pair in enumerate(zip(chunks, texts, strict=True)):
                    if not at_once:
                        writer.add(next_id + number, count_terms(path, *pair))
                next_id += len(chunks)
            writer.close()
        merged: dict[str, list[tuple[int, int]]] = {}
        for term, docs, tfs in conn.execute("SELECT term, docs, tfs FROM postings ORDER BY term, segment"):
            pairs = zip(np.frombuffer(docs, "<i4").tolist(), np.frombuffer(tfs, "<u4").tolist(), strict=True)
            merged.setdefault(term, []).extend(pairs)
        return {term: sorted(pairs) for term, pairs in merged.items()}

    assert stored(True) == stored(False)
