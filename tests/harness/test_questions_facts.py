"""Fact checks: right answers pass in other words, wrong ones do not, and nothing takes more than linear time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.answer.records import Citation
from harness.questions.facts import check_facts
from harness.questions.patterns import PatternError, compile_bounded
from harness.questions.phrases import MAX_GAP, PhraseError, compile_phrase, occurs, words_of
from harness.questions.records import Check, Cite, Fact, Gold, Question


def question(*must: Check, must_not: tuple[Check, ...] = ()) -> Question:
    facts = [Fact(f"f{at}", "a fact", check) for at, check in enumerate((*must, *must_not))]
    return Question(
        "q",
        "self",
        "why?",
        "explanation",
        "easy",
        (Gold("a.py"),),
        tuple(facts[: len(must)]),
        tuple(facts[len(must) :]),
    )


def says(phrase: str, text: str) -> bool:
    return occurs(phrase, words_of(text))


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("Flask.run", "It is **`Flask.run()`**, see below."),
        ("rais* ... KeyError", "The lookup raises, when nothing is found, a `KeyError`."),
        ("raises|throws KeyError", "It throws KeyError."),
        ("_private_name", "private_name is used"),
        ("__call__", "`__call__` is used"),
        ("src/flask/app.py", "see src/flask/app.py:12"),
        ("straße", "STRASSE"),
        ("double underscore*", "Double\nunderscores separate"),
    ],
)
def test_a_phrase_is_found_whatever_the_markup_case_and_line_breaks(phrase: str, text: str) -> None:
    assert says(phrase, text)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("set", "settings and reset"),
        ("call", "`__call__`"),
        ("raises ... KeyError", "It raises. Nobody sees a KeyError."),
        ("raises ... KeyError", "- it raises\n- KeyError"),
        ("a ... b", "a " + "x " * (MAX_GAP + 1) + "b"),
        ("Flask.run", "run Flask"),
    ],
)
def test_parts_of_words_and_other_sentences_do_not_count(phrase: str, text: str) -> None:
    assert not says(phrase, text)


def test_a_dot_inside_a_sentence_does_not_end_it() -> None:
    assert says("raises ... KeyError", "It raises (e.g. in app.py) a KeyError.")


@pytest.mark.parametrize("phrase", ["", "...", "a ...", "... a", "***", "a ... ... b"])
def test_a_phrase_without_words_around_its_gaps_is_refused(phrase: str) -> None:
    with pytest.raises(PhraseError):
        compile_phrase(phrase)


WORDS = st.lists(st.sampled_from(["a", "b", "c", "ab", "."]), max_size=30)
PHRASE = st.lists(st.sampled_from(["a", "b", "c", "a*", "b|c", "..."]), min_size=1, max_size=5)


@given(WORDS, PHRASE)
def test_matching_agrees_with_a_regular_expression(words: list[str], phrase: list[str]) -> None:
    text = " ".join("X." if word == "." else word for word in words).replace("X.", ". X")
    try:
        compile_phrase(" ".join(phrase))
    except PhraseError:
        return
    pattern = r"(?:^| )"
    gap = False
    for at, item in enumerate(phrase):
        if item == "...":
            gap = True
            continue
        joint = "" if at == 0 else rf" (?:[a-z]+ ){{0,{MAX_GAP}}}" if gap else " "
        pattern += joint + {"a*": "a[a-z]*", "b|c": "(?:b|c)"}.get(item, item)
        gap = False
    flat = " ".join(word or "|" for word in words_of(text))
    assert says(" ".join(phrase), text) == (re.search(pattern + r"(?= |$)", flat) is not None)


def test_every_part_of_a_check_has_to_hold() -> None:
    check = Check(any_of=("one", "two"), all_of=(("three", "four"), ("five",)), regex=r"\b6\b")
    asked = question(check)
    assert check_facts("two, four and five make 6", (), asked).passed
    for text in ("four and five make 6", "two and five make 6", "two, four make 6", "two, four and five make 66"):
        assert not check_facts(text, (), asked).passed


def test_a_citation_mark_states_nothing() -> None:
    assert not check_facts("It is so [1:400].", (), question(Check(regex=r"\b400\b"))).passed


def test_what_must_not_be_said_fails_an_answer_that_says_everything_else() -> None:
    asked = question(Check(any_of=("flock",)), must_not=(Check(any_of=("pid ... compared",)),))
    right = check_facts("It uses flock.", (), asked)
    hedged = check_facts("It uses flock, and the pid is compared.", (), asked)
    assert right.passed and right.share == 1.0 and not right.wrong
    assert not hedged.passed and [fact.id for fact in hedged.wrong] == ["f1"]


def test_citing_a_symbol_is_judged_by_lines_where_they_are_known_and_by_names_elsewhere() -> None:
    asked = question(Check(cites=Cite("a.py", "Box.open")))
    inside = Citation(1, "a.py", 12, 14, "")
    named = Citation(1, "a.py", 90, 90, "Box.open.inner")
    other = Citation(1, "a.py", 90, 90, "Box.opener")
    elsewhere = Citation(1, "b.py", 12, 14, "Box.open")
    lines = {("a.py", "Box.open"): ((10, 20),)}
    assert check_facts("", [inside], asked, lines).passed
    assert not check_facts("", [inside], asked).passed
    assert check_facts("", [named], asked).passed
    assert not check_facts("", [other, elsewhere], asked, lines).passed


@pytest.mark.parametrize(
    "pattern",
    [r"a*", r"(ab)+", r"(a|b){2}", r"(?=a)b", r"(a)\1", r"[a-z]{0,60}[a-z]{0,60}[a-z]{0,60}", "(", "[a", r"a{3,}"],
)
def test_patterns_that_could_backtrack_without_bound_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_bounded(pattern)


def test_the_worst_pattern_that_is_accepted_ends() -> None:
    """Quadratic time would be minutes here."""
    pattern = compile_bounded(r"(a|aa)?(a|aa)?[a ]{0,30}!")
    assert pattern.search("a" * 200_000) is None


def test_phrases_end_on_hostile_answers() -> None:
    words = words_of("a " * 40_000)
    assert not occurs("a ... a ... a ... a ... b", words)
