"""What is the difference between A and B: both are told, and what only one of them has."""

from __future__ import annotations

import pytest
from asked_tree import ask, opened

from agent.answer.roles import without_roles

TREE = {
    "press/signals.py": '''"""Signals of the press."""


class Signal:
    """A bell that rings for everybody, see :class:`~press.signals.Receiver`."""

    def ring(self) -> str:
        return "ding"

    def mute(self) -> None:
        self.muted = True


class NamedSignal(Signal):
    """A bell with a name on it, made by :py:meth:`Foundry.cast`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def label(self) -> str:
        return self.name


def run_press(script: str) -> int:
    """Run a script as it is."""
    if not script:
        raise ValueError("nothing to run")
    return len(script)


def run_press_with_ink(script: str, ink: str, *, dry: bool = True) -> None:
    """Run a script after the ink has been mixed."""
    mixed = ink * 2
    print(script, mixed, dry)
''',
}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    yield from opened(tmp_path_factory.mktemp("signals"), TREE)


def test_two_functions_are_told_and_what_only_one_takes(session):
    text = ask(session, "What is the difference between run_press and run_press_with_ink?").text
    assert "“Run a script as it is.”" in text and "“Run a script after the ink has been mixed.”" in text
    assert "`run_press` raises at 1 place" in text
    assert "Only `run_press_with_ink` takes `ink`, `dry` [" in text
    assert "Only `run_press` takes" not in text


def test_two_classes_are_told_also_where_one_is_a_plain_word(session):
    text = ask(session, "How does a NamedSignal differ from a Signal?").text
    assert "`NamedSignal` derives from `Signal` [" in text
    assert "defines `ring` [" in text and "defines `__init__` [" in text
    assert "“A bell that rings for everybody, see Receiver.”" in text


def test_roles_in_quotations_are_read_as_what_they_show(session):
    answer = ask(session, "What does NamedSignal do?")
    assert "made by Foundry.cast." in answer.text
    assert ":py:meth:" not in answer.text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see :class:`~flask.app.Flask` and :func:`flask.url_for`", "see Flask and flask.url_for"),
        (":ref:`the guide <guide-start>` tells", "the guide tells"),
        (":py:class:`Response`s", "Responses"),
        ("a ``:class:`` literal: `x`", "a ``:class:`` literal: `x`"),
        ("times: 10:30:`", "times: 10:30:`"),
    ],
)
def test_without_roles(text: str, shown: str) -> None:
    assert without_roles(text) == shown


@pytest.mark.parametrize("asked", ["compare Signal and NamedSignal", "A comparison of NamedSignal and Signal, please"])
def test_to_compare_is_to_ask_for_the_difference(session, asked):
    text = ask(session, asked).text
    assert "`NamedSignal` derives from `Signal` [" in text
    assert "defines `ring` [" in text and "defines `__init__` [" in text


def test_what_compares_is_asked_for_and_no_difference(session):
    assert "Only `" not in ask(session, "Which function compares Signal and NamedSignal?").text
