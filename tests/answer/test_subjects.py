"""Is what the question is about in the evidence? If not, the answer says so and what was looked for."""

from __future__ import annotations

import pytest
from asked_tree import ask, opened

TREE = {
    "mill/__init__.py": '"""A mill for grain."""\n',
    "mill/stones.py": '''"""The stones."""


class Stones:
    """Grind grain between two stones, and write what was ground to a ledger."""

    def grind(self, sacks: list[str]) -> list[str]:
        """Grind the sacks one after the other and write each to the ledger."""
        ground = []
        for sack in sacks:
            ground.append(self.turn(sack))
            self.write(sack)
        return ground

    def turn(self, sack: str) -> str:
        """Turn the stones once over a sack of grain."""
        return sack.upper()

    def write(self, sack: str) -> None:
        """Write a ground sack to the ledger of the mill."""
        with open("ledger.txt", "a") as ledger:
            ledger.write(sack)
''',
    "docs/index.md": "# The mill\n\nSacks of grain are ground, and the ledger tells of each.\n",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    yield from opened(tmp_path_factory.mktemp("stones"), TREE)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which method writes a ground sack to a Kafka ledger?", "Kafka"),
        ("How does the mill write its sacks of grain to Postgres after grinding?", "Postgres"),
    ],
)
def test_a_name_that_nothing_knows_is_declined_and_told(session, question, name):
    answer = ask(session, question)
    assert answer.abstained
    assert f"does not show `{name}`" in answer.text
    assert any(name in item for item in answer.missing)


def test_a_subject_that_no_line_knows_is_declined(session):
    answer = ask(session, "How is the ledger encrypted by the mill?")
    assert answer.abstained
    assert any("encrypted" in item for item in answer.missing)


@pytest.mark.parametrize(
    "question",
    [
        "Through which stages does a sack go until it is finally written to the ledger?",
        "Which parts of the mill take care of grinding the grain?",
        "What happens to a sack that was ground?",
    ],
)
def test_words_that_only_describe_are_no_reason_to_decline(session, question):
    answer = ask(session, question)
    assert not answer.abstained
    assert "Stones" in answer.text


def test_a_capital_at_the_start_or_of_a_known_word_is_no_unknown_name(session):
    assert not ask(session, "Grinding is done where, and who writes to the Ledger of the Mill?").abstained
    assert not ask(session, "Who calls Stones.turn on Mondays?").abstained  # a symbol is asked about
