"""One tokenizer for both sides: what the index stores is what a question looks up."""

from __future__ import annotations

import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.stem import stem
from retrieval.text.terms import (
    MAX_QUERY_CHARS,
    MAX_QUERY_TERMS,
    index_terms,
    query_terms,
    split_identifier,
    term_frequencies,
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getHTTPResponse", ("get", "http", "response")),
        ("snake_case", ("snake", "case")),
        ("HTTPServer", ("http", "server")),
        ("flask.app.Flask", ("flask", "app", "flask")),
        ("__init__", ("init",)),
        ("sha256", ("sha", "256")),
        ("URLs", ("urls",)),
        ("XMLHttpRequest2", ("xml", "http", "request", "2")),
        ("größeÄndern", ("größe".casefold(), "ändern")),
        ("", ()),
        ("_", ()),
    ],
)
def test_identifiers_split_at_case_underscores_dots_and_digits(name: str, parts: tuple[str, ...]) -> None:
    assert split_identifier(name) == parts


def test_an_identifier_gives_its_whole_form_and_its_parts() -> None:
    assert {"gethttpresponse", "get", "http", stem("response")} <= set(index_terms("getHTTPResponse"))
    assert {"urlfor", "url", "for"} == set(index_terms("url_for"))


@pytest.mark.parametrize("spelling", ["url_for", "urlFor", "UrlFor", "URL_FOR", "urlfor"])
def test_every_spelling_of_a_compound_shares_its_whole_form(spelling: str) -> None:
    assert "urlfor" in index_terms(spelling)
    assert "urlfor" in query_terms(spelling)


@pytest.mark.parametrize("question", ["How does url for work?", "the url-for helper", "is url/for a thing"])
def test_adjacent_words_of_a_question_find_the_compound(question: str) -> None:
    weights = query_terms(question)
    assert 0 < weights["urlfor"] < weights["url"]


def test_words_apart_are_not_joined() -> None:
    assert "urlfor" not in query_terms("url. For example")


@pytest.mark.parametrize("question", ["Flask.run", "flask.app.Flask.run()", "where is `Flask.run`?"])
def test_a_dotted_name_meets_any_longer_qualified_name(question: str) -> None:
    assert "flask.run" in index_terms("flask.app.Flask.run")
    assert "flask.run" in query_terms(question)


def test_self_attributes_make_no_pairs() -> None:
    assert index_terms("self.url_map") == index_terms("self") + index_terms("url_map")


def test_a_dunder_keeps_its_underscores_besides() -> None:
    assert "__call__" in index_terms("def __call__(self)")
    assert query_terms("`__call__`")["__call__"] == 1.0


@pytest.mark.parametrize(
    "family",
    [
        "route routes routing routed router",
        "validate validates validating validation validator",
        "cache caches cached caching",
        "query queries querying",
        "log logs logging logger logged",
        "parse parser parsed parsing parses",
        "compile compiled compiler compilation",
        "generate generating generator generation",
        "create creates creating creation creator",
        "execute executor execution executing",
        "map maps mapped mapping",
        "apply applies applied applying",
        "index indexes indices indexing",
        "embed embeds embedding embedded",
        "configure configured configuring configuration",
    ],
)
def test_inflections_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("settings", "set"),
        ("statement", "state"),
        ("number", "numb"),
        ("header", "head"),
        ("string", "str"),
        ("exception", "except"),
        ("status", "state"),
        ("class", "clas"),
        ("process", "proces"),
    ],
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_question_words_are_dropped_and_boilerplate_is_light() -> None:
    weights = query_terms("How does the class Router dispatch a request?")
    assert {"how", "does", "the", "a"}.isdisjoint(weights)
    assert 0 < weights["class"] < weights["request"]


def test_quoted_words_keep_their_weight() -> None:
    assert query_terms("what does `with` do")["with"] == 1.0
    assert query_terms("what does `class` do")["class"] == 1.0


def test_a_question_of_question_words_alone_still_asks_something() -> None:
    assert query_terms("what is it")
    assert query_terms("") == {}
    assert query_terms("?!") == {}


def test_whole_forms_weigh_more_than_parts() -> None:
    weights = query_terms("getHTTPResponse")
    assert weights["gethttpresponse"] > weights["http"]


def test_unicode_is_normalised_and_case_folded_on_both_sides() -> None:
    assert index_terms("ﬁle") == index_terms("file")
    assert index_terms("STRASSE") == index_terms("straße")
    assert index_terms("cafe\u0301") == index_terms("caf\u00e9")
    assert set(index_terms("ПРИВЕТ_мир")) == {"приветмир", "привет", "мир"}


def test_text_without_spaces_is_found_by_its_pairs() -> None:
    assert set(query_terms("设置文件")) <= set(index_terms("读取设置文件的函数"))


def test_data_makes_no_terms() -> None:
    assert index_terms("A1b2" * 100) == []
    assert index_terms("d41d8cd98f00b204e9800998ecf8427e") == ["d41d8cd98f00b204e9800998ecf8427e"]


@given(st.text(max_size=300))
def test_frequencies_count_the_terms(text: str) -> None:
    assert term_frequencies(text) == Counter(index_terms(text))


@given(st.text(alphabet=string.ascii_letters + string.digits + "_.` ", max_size=200))
def test_terms_are_never_empty_and_case_does_not_matter_for_words(text: str) -> None:
    terms = index_terms(text)
    assert all(terms)
    assert all(term == term.lower() for term in terms)


@pytest.mark.parametrize(("question", "code"), [("BigQuery", "dialect_bigquery"), ("bigquery", "class BigQuery")])
def test_a_compound_meets_the_same_word_written_as_one(question: str, code: str) -> None:
    assert set(query_terms(question)) & set(index_terms(code)) - {"big", "queri"}


@given(st.from_regex(r"[a-z]{1,8}(_[a-z]{1,8}){0,3}", fullmatch=True))
def test_a_quoted_identifier_finds_itself(name: str) -> None:
    assert set(index_terms(name)) <= set(query_terms(f"`{name}`"))


@given(st.text(max_size=2_000))
def test_questions_are_bounded_and_repeatable(text: str) -> None:
    weights = query_terms(text)
    assert len(weights) <= MAX_QUERY_TERMS
    assert list(weights.items()) == list(query_terms(text).items())
    assert all(0 < weight <= 1.5 for weight in weights.values())
    assert list(weights.values()) == sorted(weights.values(), reverse=True)


@pytest.mark.parametrize(
    "hostile",
    ["a" * 10**6, "A" * 10**6, "_" * 10**6, "a." * 500_000, "aB" * 500_000, "1a" * 500_000, "`" * 10**6, "漢" * 10**6],
    ids=lambda text: text[:4],
)
def test_a_megabyte_of_anything_passes(hostile: str) -> None:
    assert len(query_terms(hostile)) <= MAX_QUERY_TERMS
    index_terms(hostile)
    split_identifier(hostile)


def test_both_ends_of_a_long_question_are_read() -> None:
    filler = "lorem " * MAX_QUERY_CHARS
    weights = query_terms(f"frobnicate the widget {filler} ValueError gadget")
    assert {stem("frobnicate"), "gadget", "valueerror"} <= set(weights)
