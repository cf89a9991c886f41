"""Offline answers to questions that say more than a name: what bears on each part, with conditions, reasons, values."""

from __future__ import annotations

import pytest
from asked_tree import ask, opened

from agent.answer.offline.bearing import LEAD_LINES, OTHER_LINES

TREE = {
    "mill/__init__.py": '"""A mill for grain."""\n',
    "mill/limits.py": '"""Limits."""\n\nMAX_SACKS = 12\n',
    "mill/errors.py": '''"""What goes wrong in a mill."""


class MillError(Exception):
    """Something is wrong with the mill."""


class Jammed(MillError):
    """The stones stand still."""


class Overfull(MillError, ValueError):
    """Too many sacks."""
''',
    "mill/stones.py": '''"""The stones."""

import os

from mill.errors import Jammed, Overfull
from mill.limits import MAX_SACKS


class Stones:
    """Grind grain between two stones.

    Args:
        speed (int): Turns a minute. Defaults to 90.
        coarse (bool): Leave the bran in.
    """

    def __init__(self, speed: int = 90, coarse: bool = False, max_sacks: int = MAX_SACKS):
        self.speed = speed
        self.coarse = coarse
        self._max_sacks = max_sacks
        self._jammed = False

    def grind(self, sacks):
        """Grind the sacks one after the other."""
        if len(sacks) > self._max_sacks:
            raise Overfull(f"The hopper holds {self._max_sacks} sacks at most")
        # Wet grain would stick to the stones, so it is dried before anything turns.
        dried = [dry(sack) for sack in sacks]
        return [self.turn(sack) for sack in dried]

    def turn(self, sack):
        """Turn the stones once over a sack."""
        if self._jammed:
            raise Jammed("stones are jammed")
        elif sack.stony:
            self._jammed = True
            return None
        else:
            return sack.flour()


def dry(sack):
    """Dry a sack on the loft."""
    sack.hours = int(os.environ.get("MILL_DRYING_HOURS", "6"))
    return sack


def close(hopper):
    """Close the hopper."""
    assert hopper.shut, "the hopper must be closed"


def run(sacks):
    """Run the mill for a day."""
    return Stones().grind(sacks)
''',
    "tests/test_stones.py": "from mill.stones import run\n\n\ndef test_run():\n    assert run([]) == []\n",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory):
    yield from opened(tmp_path_factory.mktemp("mill"), TREE)


def test_a_statement_is_told_with_the_condition_that_it_stands_under(session):
    text = ask(session, "What happens in Stones.turn when a sack is stony?").text
    assert "`elif sack.stony:` → `self._jammed = True`; `return None`" in text
    assert "`if self._jammed:`, `elif sack.stony:`, `else:` → `return sack.flour()`" in text


def test_reasons_come_from_the_comment_above_the_statement(session):
    text = ask(session, "Why is wet grain dried before the stones grind it?").text
    assert "“Wet grain would stick to the stones, so it is dried before anything turns.”" in text


def test_defaults_come_from_the_signature_and_from_the_parameter_list(session):
    text = ask(session, "How fast do the Stones turn by default, at which speed?").text
    assert "speed: int = 90" in text or "Turns a minute. Defaults to 90." in text


def test_a_message_is_told_with_its_condition_and_where_the_tested_name_gets_its_value(session):
    text = ask(
        session, "Overfull: The hopper holds 12 sacks at most. Which limit is this, and what is its default?"
    ).text
    assert "under `if len(sacks) > self._max_sacks:`" in text
    assert "`self._max_sacks = max_sacks`" in text and "`MAX_SACKS = 12`" in text


def test_a_message_answers_even_where_the_rest_of_the_question_is_foreign_to_the_tree(session):
    answer = ask(session, "Jammed: stones are jammed. Our brigadier fumes quixotically; wherefrom?")
    assert not answer.abstained and "under `if self._jammed:`" in answer.text


def test_the_message_of_an_assert_statement_answers_although_nothing_spells_the_exception(session):
    answer = ask(session, "AssertionError: the hopper must be closed. Which function checks that?")
    assert not answer.abstained and "mill.stones.close" in answer.text and "AssertionError" not in answer.text


def test_a_change_that_is_only_supposed_names_what_depends_on_it(session):
    text = ask(
        session, "If Stones.grind returned nothing for wet sacks, which functions would behave differently?"
    ).text
    assert "`run` at `mill/stones.py" in text and "depends on `mill.stones.Stones.grind` directly" in text


def test_subclasses_and_bases_are_told_by_their_class_statements(session):
    down = ask(session, "Which exceptions derive from MillError, and which of them is a ValueError as well?").text
    assert "`class Jammed(MillError):`" in down and "`class Overfull(MillError, ValueError):`" in down
    up = ask(session, "From which class does Overfull derive?").text
    assert "`Overfull` derives from `MillError` and `ValueError`" in up
    assert "`MillError` derives from `Exception`" in up


def test_each_part_of_a_question_is_answered(session):
    text = ask(session, "How is a sack dried, and what raises when the stones are jammed?").text
    assert 'os.environ.get("MILL_DRYING_HOURS", "6")' in text
    assert '`raise Jammed("stones are jammed")`' in text


def test_a_name_in_capitals_that_no_line_knows_is_not_answered_with_something_else(session):
    answer = ask(session, "How do the stones send the flour over MODBUS to the bakery?")
    assert answer.abstained and "`MODBUS`" in answer.text


def test_tests_are_no_part_of_an_answer_about_the_code(session):
    assert "tests/test_stones.py" not in ask(session, "How does the mill run for a day?").text


def test_an_answer_keeps_its_limit_of_lines(session):
    lines = ask(session, "How does the mill grind, turn, dry and run, and what goes wrong?").text.split("\n")
    assert sum(line.lstrip().startswith("- ") for line in lines) <= LEAD_LINES + sum(OTHER_LINES) + len(OTHER_LINES)


def test_the_same_question_gives_the_same_bytes(session):
    question = "How are sacks ground, and which limit holds?"
    assert ask(session, question).to_dict() == ask(session, question).to_dict()
