"""Words of everyday English: known in every form, and never where an identifier or a quotation stands."""

from __future__ import annotations

import pytest

from retrieval.text.common_words import common_terms_of, is_common
from retrieval.text.terms import index_terms


@pytest.mark.parametrize(
    "word", ["stage", "stages", "finished", "half-made", "decides", "running", "Carries", "oldest"]
)
def test_describing_words_are_common(word: str) -> None:
    assert is_common(word)


@pytest.mark.parametrize(
    "word", ["Kafka", "server", "handler", "cookies", "encrypted", "websocket", "requests", "parser", "_", ""]
)
def test_what_code_is_about_is_not(word: str) -> None:
    assert not is_common(word)


def test_names_and_quotations_of_a_question_stay_what_they_are() -> None:
    terms = common_terms_of("Which stages does `Page.note` run, and what does note_all() do with 'change' at the end?")
    assert set(index_terms("stages run end")) <= terms
    assert not terms & set(index_terms("note note_all change"))
