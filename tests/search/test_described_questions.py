"""Questions that describe things instead of naming them, and the lines that they are about."""

from __future__ import annotations

from pathlib import Path

from harness.mine_described import described_questions
from harness.mine_tree import read_tree

CODE = '''class Store:
    """Keeps documents."""

    def __init__(self):
        self.open_files = []


class IndexStore(Store):
    def add_document(self, text):
        """Adds a document to the index and returns its number."""
        self.open_files.append(text)
        tokens = split_words(text)
        self.last_added = tokens
        return len(self.open_files)

    def remove_document(self, number):
        if number < len(self.open_files):
            del self.open_files[number]
        return self.open_files


def split_words(text):
    words = []
    for word in text.split():
        words.append(word.lower())
    return words
'''


def mined(tmp_path: Path) -> list[tuple[str, dict[str, set[int]]]]:
    tree = tmp_path / "store-1.0"
    tree.mkdir(exist_ok=True)
    (tree / "store.py").write_text(CODE)
    return [(question.text, question.gold) for question in described_questions(read_tree(tree))]


def test_no_identifier_of_several_words_is_named(tmp_path: Path) -> None:
    texts = " ".join(text for text, _ in mined(tmp_path))
    assert texts
    for name in ("add_document", "remove_document", "split_words", "IndexStore", "open_files"):
        assert name not in texts


def test_a_call_brings_both_ends(tmp_path: Path) -> None:
    calls = [gold for text, gold in mined(tmp_path) if "words function" in text or "split function" in text]
    assert {"store.py": {*range(9, 10), *range(11, 15), *range(22, 27)}} in calls


def test_what_two_methods_share_brings_the_lines_that_set_it(tmp_path: Path) -> None:
    shared = [gold["store.py"] for text, gold in mined(tmp_path) if "open files attribute" in text]
    assert shared and shared[0] >= {9, 11, 16, 17, 18, 19}


def test_a_class_and_its_base(tmp_path: Path) -> None:
    bases = [gold["store.py"] for text, gold in mined(tmp_path) if "class in the store module" in text]
    assert bases and bases[0] >= {1, 2, 4, 5, 8}


def test_the_same_tree_gives_the_same_questions(tmp_path: Path) -> None:
    assert mined(tmp_path) == mined(tmp_path)
