"""Answers to questions about values tell the assignments behind what they name, cited, and no others."""

from __future__ import annotations

import pytest
from asked_tree import ask, opened

TREE = {
    "mill/settings.py": '''"""Settings of the mill."""

OTHER = 1
DRY_SECONDS = 90
MAX_SACKS = 12
PATHS = {
    "flour_dir": "~/.mill/flour",
    "bran_dir": "~/.mill/bran",
}
''',
    "mill/wind.py": '''def turn_into_wind(
    mill: str,
    direction: str,
    max_wait: float = 7.5,
) -> None:
    """Turn the mill into the wind."""
    print(mill, direction, max_wait)
''',
    "mill/dryer.py": '''"""The dryer."""

from mill.settings import DRY_SECONDS, PATHS


def dry_grain(sacks: list[str]) -> int:
    """Dry grain in the oven before it is ground, and write down how long it took."""
    if not sacks:
        raise ValueError("no grain to dry")
    with open(PATHS["flour_dir"], "a") as book:
        book.write(str(len(sacks)))
    return len(sacks) * DRY_SECONDS
''',
}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    yield from opened(tmp_path_factory.mktemp("dryer"), TREE)


def test_the_value_of_a_constant_that_the_answer_names_is_told(session):
    text = ask(session, "How long is grain dried in the oven before it is ground?").text
    assert "`DRY_SECONDS = 90` at `mill/settings.py:4` [" in text
    assert "OTHER = 1" not in text


def test_a_constant_that_the_question_describes_is_told_though_no_code_uses_it(session):
    text = ask(session, "How many sacks at most may the mill have by default?").text
    assert "`MAX_SACKS = 12`" in text


def test_the_table_of_a_key_that_the_answer_names_is_told_with_the_entries_beside_it(session):
    text = ask(session, "Where is kept how long it took to dry grain in the oven, by default?").text
    assert '"flour_dir": "~/.mill/flour"' in text and '"bran_dir": "~/.mill/bran"' in text


def test_the_default_of_a_parameter_that_the_question_describes_is_told(session):
    text = ask(session, "How long may the mill wait at most for the wind by default?").text
    assert "max_wait: float = 7.5" in text


def test_no_values_where_none_are_asked_for(session):
    assert "Values that bear on it" not in ask(session, "Why does dry_grain raise ValueError?").text
