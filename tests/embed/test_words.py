"""Identifier splitting and word pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.embed.words import WordPieces, runs_of, split_run, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("getHTTPResponse", ["get", "http", "response"]),
        ("snake_case_name", ["snake", "case", "name"]),
        ("__init__", ["init"]),
        ("SCREAMING_CASE", ["screaming", "case"]),
        ("utf8Decoder2x", ["utf", "8", "decoder", "2", "x"]),
        ("os.path.join(a, b)", ["os", "path", "join", "a", "b"]),
        ("naïve Größe", ["naïve", "größe"]),
        ("", []),
    ],
)
def test_identifiers_split_into_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126)))
def test_splitting_loses_no_ascii_letter_or_digit(text: str) -> None:
    kept = "".join(ch for ch in text if ch.isalnum()).lower()
    assert "".join(words_of(text)) == kept


@given(st.text())
def test_ascii_and_other_text_split_alike(text: str) -> None:
    """The fast way for ASCII text agrees with the general one, which a letter outside ASCII brings into play."""
    for part in text.split("é"):
        assert runs_of(f"{part} é") == [*runs_of(part), "é"]


def test_longest_piece_wins_and_unknown_characters_are_left_out() -> None:
    tokens = ["a", "b", "token", "to", "##ken", "##izer", "##i", "##z", "##er", "##a"]
    pieces = WordPieces(tokens)
    named = [[tokens[i] for i in pieces.pieces(word)] for word in ("tokenizer", "toaer", "b#", "語a")]
    assert named == [["token", "##izer"], ["to", "##a", "##er"], ["b"], ["##a"]]


def test_remembered_runs_equal_fresh_ones() -> None:
    tokens = ["get", "name", "##s", "x"]
    pieces = WordPieces(tokens)
    first = list(pieces.ids_of("getNames get_names x"))
    assert first == list(pieces.ids_of("getNames get_names x")) == [0, 1, 2, 0, 1, 2, 3]
    assert first == [i for run in ("getNames", "get", "names", "x") for w in split_run(run) for i in pieces.pieces(w)]
