"""A name that lines spell and no definition has: its lines are the answer, whichever way they are asked for."""

from __future__ import annotations

import pytest
from asked_tree import ask, opened

TREE = {
    "loom/weave.py": '''"""The loom."""


def weave_thread(thread: str, max_knots: int) -> str:
    """Weave a thread into the cloth, and sort the knots of the cloth after it."""
    return thread * max_knots
''',
    "loom/page.js": """// Sorts the cloth.
function sortCloth(th) {
    return th.weft;
}

document.addEventListener("click", e => sortCloth(e.target));
""",
    "CHANGES.rst": """Changes
=======

- ``max_knots`` values above a hundred are reported as errors now. Thanks to Mike
  Fiedler for closing the issue about them.
""",
    "docs/loom.md": """# Options

* `max_knots` (integer):

  How many knots are tied at most while a thread is woven.
""",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    yield from opened(tmp_path_factory.mktemp("loom"), TREE)


@pytest.mark.parametrize("asked", ["What does sortCloth do?", "explain sortCloth", "how does sortCloth work?"])
def test_what_a_name_of_an_unparsed_language_does_is_told_by_its_lines(session, asked):
    answer = ask(session, asked)
    assert "`loom/page.js:2`" in answer.text and "`loom/page.js:6`" in answer.text
    assert "weave_thread" not in answer.text
    assert any("these lines spell it" in note for note in answer.notes)


def test_what_else_is_asked_beside_the_name_is_answered(session):
    assert "weave_thread" in ask(session, "How is a thread woven into the cloth that sortCloth gets?").text


def test_a_list_item_that_is_a_sentence_does_not_document_by_its_end(session):
    text = ask(session, "where is the setting max_knots handled?").text
    assert "“Fiedler" not in text
    assert "`CHANGES.rst:4`" in text
    assert "`docs/loom.md:3` documents it: “How many knots are tied at most while a thread is woven.”" in text


def test_a_message_that_spells_a_class_does_not_raise_it(tmp_path):
    tree = {
        "net/retry.py": '''"""Retries."""


class Retry:
    """What is tried again."""


class InvalidHeader(ValueError):
    """A header is wrong."""


def parse_pause(text: str) -> int:
    """Seconds to wait."""
    if not text.isdigit():
        raise InvalidHeader(f"Invalid Retry-After header: {text}")
    return int(text)
'''
    }
    for session in opened(tmp_path, tree):
        assert "is raised at" not in ask(session, "where is Retry raised?").text
        assert "is raised at 1 place" in ask(session, "where is InvalidHeader raised?").text
        assert "parse_pause" in ask(session, "where is the Retry-After header parsed?").text
