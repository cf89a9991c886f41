"""Tokens are only passed over where none of their terms is asked for."""

from __future__ import annotations

import keyword
import tokenize
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.probes import TokenProbes
from retrieval.text.stem import IRREGULAR
from retrieval.text.terms import query_terms, terms_of, tokens_of

_WORDS = ["using", "flies", "wrote", "axes", "queries", "url_for", "urlFor", "__call__", "flask.app", "URLs", "x1", "é"]
_TOKENS = st.one_of(
    st.sampled_from([*_WORDS, *IRREGULAR]), st.from_regex(r"\A[A-Za-z_]{1,6}(ies|ied|ing|bly|s|er|ation)?\Z")
)


@given(st.lists(_TOKENS, min_size=1, max_size=5).map(" ".join), _TOKENS)
def test_no_token_that_holds_a_term_is_passed_over(question: str, token: str) -> None:
    asked = query_terms(question)
    for each in tokens_of(token):
        assert TokenProbes(asked).may_hold(each) or asked.keys().isdisjoint(terms_of(each))
        own = terms_of(each)  # none of "_"
        assert not own or TokenProbes(dict.fromkeys(own, 1.0)).may_hold(each)


@given(st.lists(_TOKENS, min_size=1, max_size=5).map(" ".join), st.lists(_TOKENS, max_size=8))
def test_many_tokens_are_told_apart_as_each_by_itself(question: str, tokens: list[str]) -> None:
    probes = TokenProbes(query_terms(question))
    assert sorted(probes.that_may_hold(tokens)) == sorted(filter(probes.may_hold, tokens))


def test_each_token_of_a_real_module_is_found_by_its_own_terms() -> None:
    tokens = set(tokens_of(Path(tokenize.__file__).read_text(encoding="utf-8") + " ".join(keyword.kwlist)))
    missed = [
        (token, term) for token in tokens for term in terms_of(token) if not TokenProbes({term: 1.0}).may_hold(token)
    ]
    assert not missed
    asked = TokenProbes(query_terms("how are generators of tokens closed"))
    assert sum(map(asked.may_hold, tokens)) < len(tokens) / 4
