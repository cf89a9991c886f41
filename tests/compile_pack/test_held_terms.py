"""The question's terms in statements: what the quick way finds is what tokenizing every line finds."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from retrieval.compile.slicer_atoms import Atom
from retrieval.compile.slicer_match import held_terms
from retrieval.records import BlockKind
from retrieval.text.terms import index_terms, query_terms

_WORDS = st.sampled_from(
    ["request", "requests", "getRequest", "url_for", "urlFor", "url", "for", "flask.app", "Flask", "_run", "run", "x1",
     "HTTPError", "caching", "cached", "İstanbul", "straße", "ΣΑΣ", "ſet", "(", ").", "=", "日本語", "self.url", "é", "\t"]
)  # fmt: skip
_LINES = st.lists(st.lists(_WORDS, max_size=6).map(" ".join), min_size=1, max_size=12)


@given(st.lists(_WORDS, min_size=1, max_size=6).map(" ".join), _LINES, st.data())
def test_as_if_every_line_were_tokenized(question: str, lines: list[str], data: st.DataObject) -> None:
    cuts = sorted({0, *data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=4)), len(lines)})
    first = data.draw(st.integers(1, 500))
    atoms = [Atom(first + start, first + end - 1, BlockKind.STATEMENT, False, ()) for start, end in pairwise(cuts)]
    terms = query_terms(question)
    more = data.draw(_LINES)
    found = held_terms([(lines, atoms), (more, [Atom(7, 6 + len(more), BlockKind.STATEMENT, False, ())])], terms)
    runs = [*(lines[start:end] for start, end in pairwise(cuts)), more]
    assert [sorted(document) for document in found] == [
        sorted(term for line in run for term in index_terms(line) if term in terms) for run in runs
    ]
