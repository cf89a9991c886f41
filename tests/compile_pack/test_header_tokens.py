"""What a header costs is added up from its words, and is what its text costs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.compile.render import header_text, header_tokens
from retrieval.pack_records import LegHit
from retrieval.tokens.estimate import estimate_tokens

_SYMBOLS = st.one_of(st.text(max_size=30), st.text("ab A_.#>-\t\n é1'/", max_size=20))
_PATHS = st.one_of(
    st.just(""), st.just("src/flask/app.py"), st.text(max_size=30), st.text("ab/A_.:-\t\n é1'", max_size=20)
)


@given(
    st.integers(1, 2000),
    _PATHS,
    st.integers(0, 10**7),
    st.integers(0, 10**7),
    _SYMBOLS,
    st.lists(st.sampled_from(["lexical", "vector", "graph"]), max_size=3),
    st.floats(-1, 1e6),
)
def test_the_words_of_a_header_cost_what_it_costs(
    number: int, path: str, start: int, end: int, symbol: str, legs: list[str], s: float
) -> None:
    hits = [LegHit(leg, 1, 0.5) for leg in legs]
    text = header_text(number, path, start, end, symbol, hits, s) + "\n"
    assert header_tokens(number, path, start, end, symbol, hits, s) == estimate_tokens(text)
