"""What offline answers say of a command line's options and of methods that work by what they change."""

from __future__ import annotations

import pytest
from asked_tree import ask, opened

MAIN = '''"""The command line."""

import argparse


def parse(line):
    """Read the command line; --limit is spelled out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", default=7)
    return parser.parse_args(line)


class Page:
    """A page."""

    limit: int = 3

    def note(self, text):
        """Keep a note."""
        self.notes.append(text)
        self.dirty = True
'''


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory):
    yield from opened(tmp_path_factory.mktemp("program"), {"main.py": MAIN})


@pytest.mark.parametrize("question", ["what is the default of --limit", "where is --limit"])
def test_a_flag_is_an_option_and_not_the_attribute_of_its_name(session, question):
    answer = ask(session, question)
    assert '`parser.add_argument("--limit", default=7)`' in answer.text
    assert "Page.limit" not in answer.text
    assert "1 more line of comments and docstrings with --limit is not listed" in answer.notes


def test_a_method_that_neither_returns_nor_raises_is_told_by_its_statements(session):
    text = ask(session, "what does Page.note do").text
    assert "- `self.notes.append(text)` [" in text
    assert "- `self.dirty = True` [" in text


def test_a_word_among_many_that_is_a_symbol_by_chance_does_not_take_over_a_where_question(session):
    text = ask(session, "where is the command line read and spelled out before the note").text
    assert text.startswith("`main.parse` is a function")
