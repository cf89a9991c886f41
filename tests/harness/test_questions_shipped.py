"""The questions that ship: sound against their corpora, as many and as varied as promised."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from harness.corpora import CORPORA
from harness.questions.corpus import BENCHMARK_FILE, fetch_needed, self_root
from harness.questions.load import load_questions
from harness.questions.records import CATEGORIES, LOCALISATION, SELF, UNANSWERABLE
from harness.questions.validate import validate
from retrieval.errors import UserError

FILE = Path(__file__).resolve().parents[2] / BENCHMARK_FILE


def test_there_are_enough_questions_of_every_kind_over_enough_corpora() -> None:
    questions = load_questions(FILE)
    corpora = Counter(question.corpus for question in questions)
    categories = Counter(question.category for question in questions)
    assert len(questions) >= 120
    assert len(corpora) >= 6 and SELF in corpora and set(corpora) - {SELF} <= set(CORPORA)
    assert set(categories) == set(CATEGORIES) - {LOCALISATION} and min(categories.values()) >= 8
    assert categories[UNANSWERABLE] >= 12
    assert len({question.question for question in questions}) == len(questions)


def test_the_page_tells_the_numbers_of_the_file() -> None:
    questions = load_questions(FILE)
    page = (FILE.parent / "docs/questions.md").read_text("utf-8")
    assert f"{len(questions)} questions about" in page
    for category, count in Counter(question.category for question in questions).items():
        assert re.search(rf"\| `{category}` \| .* \| {count} \|\n", page), category


def test_every_answerable_question_brings_right_and_wrong_answers() -> None:
    for question in load_questions(FILE):
        assert question.answerable == (question.category != UNANSWERABLE), question.id
        if question.answerable:
            assert question.must and len(question.references) >= 2 and question.counterexamples, question.id
        else:
            assert question.absent, question.id


def test_the_questions_about_this_repository_are_sound() -> None:
    assert self_root() == FILE.parent
    assert [problem.to_dict() for problem in validate(FILE, corpora=[SELF]).problems] == []


def test_the_questions_about_pinned_distributions_are_sound() -> None:
    try:
        fetch_needed({question.corpus for question in load_questions(FILE)})
    except UserError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no package index: {error.cause}")
    found = validate(FILE)
    assert ([problem.to_dict() for problem in found.problems], found.unavailable) == ([], ())
