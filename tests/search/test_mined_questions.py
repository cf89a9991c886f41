"""Mined questions: their own words are gone from the tree, their gold is where it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.mine import mine, write
from harness.mine_lookups import caller_questions, file_questions, message_questions
from harness.mine_tree import read_tree

SOURCE = '''"""Boxes."""


class Box:
    """Holds things until somebody with the right key opens it again."""

    def open_lid(self, key):
        """Open the lid when the key that was handed over fits the lock of this box."""
        # The lock is asked twice because the first answer of a cold lock cannot be trusted at all.
        self.lock.wake()
        if not self.lock.fits_exactly(key):
            raise KeyError(key)
        return turn_handle(self.handle, times=2)


def turn_handle(handle, times):
    turned = 0
    for _ in range(times):
        handle.turn()
        turned += 1
    return turned
'''
TESTS = """from box import turn_handle


def test_a_handle_is_turned_as_often_as_asked():
    assert turn_handle(Handle(), 3) == 3
"""


@pytest.fixture()
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "box-1.0"
    (root / "tests").mkdir(parents=True)
    (root / "box.py").write_text(SOURCE, "utf-8")
    (root / "tests" / "test_box.py").write_text(TESTS, "utf-8")
    return root


def test_mined_questions_lose_their_words_from_the_tree_and_keep_their_gold(tree: Path, tmp_path: Path) -> None:
    parsed, questions = mine(tree, each=5, seed=0)
    assert {question.kind for question in questions} >= {"docstring", "comment", "test"}
    rows = write(parsed, questions, tmp_path / "out")
    copy = (tmp_path / "out" / "box-1.0" / "box.py").read_text("utf-8")
    assert "handed over" not in copy and "cold lock" not in copy
    assert "test_a_handle" not in (tmp_path / "out" / "box-1.0" / "tests" / "test_box.py").read_text("utf-8")
    lines = copy.split("\n")
    for row in rows:
        gold = row["gold"]
        assert isinstance(gold, list)
        shown = "\n".join(lines[n - 1] for part in gold for a, b in part["ranges"] for n in range(a, b + 1))
        assert "turn_handle" in shown, row["kind"]
    asked = next(row for row in rows if row["kind"] == "comment")
    assert "KeyError" in str([lines[n - 1] for p in asked["gold"] for a, b in p["ranges"] for n in range(a, b + 1)])  # type: ignore[attr-defined]


def test_mining_is_repeatable(tree: Path) -> None:
    first = [(q.kind, q.text, q.gold) for q in mine(tree, 5, 1)[1]]
    assert first == [(q.kind, q.text, q.gold) for q in mine(tree, 5, 1)[1]]


def test_lookups_name_what_they_ask_for(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "box.py").write_text(
        SOURCE + '\n\ndef close(self):\n    raise OSError("the lid is stuck fast")\n'
    )
    (tmp_path / "shop" / "use.py").write_text("def work():\n    turn_handle(Handle(), 2)\n" + "\n".join(["x = 1"] * 50))
    tree = read_tree(tmp_path)
    (message,) = message_questions(tree)
    assert message.text == 'Where is the error "the lid is stuck fast" raised?'
    assert set(message.gold) == {"shop/box.py"}
    callers = {question.text: question.gold for question in caller_questions(tree)}
    assert callers["Who calls turn_handle?"]["shop/use.py"] == {2}
    assert [question.text for question in file_questions(tree)] == ["What does shop/use.py do?"]
