"""Rules of two sentences: what "it" stands for, and demands that only both sentences together make."""

from __future__ import annotations

import pytest

from agent.cca.compiled import Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.verify import verify

GUIDE = "# Contributing\n\nThese rules are for pull requests, commits and unit tests of this codebase.\n\n"


def violated(rules: str, answer: str) -> bool:
    return bool(verify(compile_deterministic([Source("rules", rules)]), answer).violations)


LONG = "word " * 40


def test_it_is_the_subject_of_the_sentence_before() -> None:
    rules = "The first line is the headline. It has at most 60 characters."
    assert not violated(rules, f"Short\n\n{LONG}")
    assert violated(rules, f"{LONG}\n\nShort")


def test_it_is_the_answer_where_the_sentence_before_says_what_to_answer_with() -> None:
    rules = "Reply in one paragraph. It has at most 20 words."
    assert violated(rules, LONG)
    assert not violated(rules, "Two words.")


@pytest.mark.parametrize(
    "rules",
    ["Add a summary. It has at most 20 words.", "Mention a colour. It must be under 10 words.",
     "Think of a name first. It has at most 12 characters."],
)  # fmt: skip
def test_what_it_stands_for_is_not_guessed(rules: str) -> None:
    assert not violated(rules, LONG)


def test_the_quote_of_such_a_rule_is_verbatim() -> None:
    rules = "The first line is the headline. It has at most 60 characters."
    (verifier,) = compile_deterministic([Source("rules", rules)]).verifiers
    assert verifier.rule.quote.text == "It has at most 60 characters."


def test_two_sentences_that_only_together_make_a_demand() -> None:
    rules = "Explain it in numbered steps. Use at least three steps."
    compiled = compile_deterministic([Source("rules", rules)])
    assert len(compiled.ir.rules.all()) == 2
    assert violated(rules, "1. Open it.\n2. Close it.")
    assert not violated(rules, "1. Open it.\n2. Wait.\n3. Close it.")


def test_a_guide_states_facts_about_code_that_are_rules() -> None:
    rules = f"{GUIDE}Files are opened in a `with` statement, so that they get closed."
    assert violated(rules, '```python\nhandle = open("a")\ntext = handle.read()\n```')
    assert not violated(rules, '```python\nwith open("a") as handle:\n    text = handle.read()\n```')
    assert compile_deterministic([Source("rules", f"{GUIDE}Answers of at most 50 words are typical.")]).verifiers == ()


@pytest.mark.parametrize(
    ("rule", "kept", "broken"),
    [
        ('Every user story follows the pattern "As a ..., I want ..., so that ...".',
         "As a guest, I want to log in, so that I see my orders.", "Guests can log in."),
        ("Output plain CSV with a header row.", "id,name\n1,Ada", "1,2\n3,4"),
        ('The top level is a JSON object with a "data" array, never a bare array.',
         '{"data": [1]}', "[1]"),
    ],
)  # fmt: skip
def test_forms_headers_and_containers_are_read_the_right_way_round(rule: str, kept: str, broken: str) -> None:
    assert not violated(rule, kept)
    assert violated(rule, broken)


def test_a_letter_that_is_explained_is_no_text_to_be_spelled() -> None:
    rule = 'Give the grade on the first line as "Grade: N/10", where N is a whole number from 0 to 10.'
    assert not violated(rule, "Grade: 7/10\nWell done.")


def test_the_serial_comma_is_not_taken_the_wrong_way_round() -> None:
    assert not violated('Use the serial comma: "red, green, and blue", not "red, green and blue".', "Ada, Bo, and Cy.")
