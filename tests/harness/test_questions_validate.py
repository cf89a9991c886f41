"""The validator finds what is wrong with a question file, and says nothing about a sound one."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.questions.cli import validate_command
from harness.questions.corpus import corpus_root, sdist_of
from harness.questions.gold import GoldError, GoldFinder
from harness.questions.records import Gold
from harness.questions.validate import validate
from retrieval.errors import UserError

SOURCE = '''"""Boxes."""

LIMIT = 3


class Box:
    """Holds things."""

    size = 1

    @property
    def lid(self):
        return self._lid

    @lid.setter
    def lid(self, value):
        self._lid = value

    async def open(self, key):
        def turn():
            return key

        return turn()


def shut(box):
    box.lid = None
    return LIMIT
'''
DOC = "Boxes\n=====\n\nIntro.\n\nLids\n----\n\nA lid is shut\nby shut().\n\nMore.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "box.py").write_text(SOURCE, "utf-8")
    (tmp_path / "tree" / "box.rst").write_text(DOC, "utf-8")
    return tmp_path


def row(**changes: Any) -> dict[str, Any]:
    return {
        "id": "q1",
        "corpus": "path:tree",
        "question": "What resets the lid?",
        "category": "explanation",
        "difficulty": "easy",
        "answerable": True,
        "gold": [{"path": "box.py", "symbol": "shut"}],
        "must": [{"id": "a", "text": "shut does", "check": {"any_of": ["shut"]}}],
        "must_not": [],
        "references": ["The function shut resets it.", "`shut()` does."],
        "counterexamples": ["Box.open resets it."],
    } | changes


def problems(root: Path, *rows: dict[str, Any]) -> list[str]:
    path = root / "q.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")
    return [f"{problem.line}: {problem.text}" for problem in validate(path).problems]


def test_a_sound_file_has_no_problems(root: Path) -> None:
    unanswerable = row(
        id="q2",
        question="Where are lorries loaded?",
        answerable=False,
        category="unanswerable",
        gold=[],
        must=[],
        references=[],
        absent=["lorry"],
    )
    assert problems(root, row(), unanswerable) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gold": [{"path": "gone.py"}]}, "gold: gone.py"),
        ({"gold": [{"path": "box.py", "symbol": "Box.close"}]}, "does not define Box.close"),
        ({"gold": [{"path": "box.py", "ranges": [[998, 999], [1, 2]]}]}, "999"),
        ({"gold": [{"path": "box.rst", "text": "no such words"}]}, "does not hold"),
        ({"must": [{"id": "a", "text": "t", "check": {"cites": {"path": "box.py", "symbol": "nope"}}}]}, "cites:"),
        ({"references": ["Something else does."]}, "reference answer 1 does not state 'a'"),
        ({"counterexamples": ["The wrong shut."]}, "counterexample 1 passes"),
        ({"question": "What does shut do?"}, "the question itself passes"),
        (
            {"must_not": [{"id": "n", "text": "t", "check": {"any_of": ["function shut"]}}]},
            "states 'n', which is wrong",
        ),
        ({"references": [], "must": [{"id": "a", "text": "t", "check": {"any_of": ["hinge"]}}]}, "no reference answer"),
        ({"corpus": "path:other"}, ""),
    ],
)
def test_each_fault_is_found(root: Path, changes: dict[str, Any], said: str) -> None:
    found = problems(root, row(**changes))
    if changes == {"corpus": "path:other"}:
        assert found == [] and "path:other" in validate(root / "q.jsonl").unavailable[0]
    else:
        assert len(found) == 1 and said in found[0], found


def test_a_fact_without_a_reference_answer_is_judged_by_the_gold_text(root: Path) -> None:
    assert (
        problems(root, row(references=[], must=[{"id": "a", "text": "t", "check": {"any_of": ["return LIMIT"]}}])) == []
    )


def test_what_an_unanswerable_question_asks_about_must_be_absent(root: Path) -> None:
    base = {"answerable": False, "gold": [], "must": [], "category": "unanswerable"}
    assert "absent: 'LID' is in box.py:12" in problems(root, row(**base, absent=["LID"]))[0]
    assert "names words" in problems(root, row(**base))[0]


def test_an_answer_to_another_question_that_passes_shows_that_the_checks_are_too_weak(root: Path) -> None:
    weak = row(
        must=[{"id": "a", "text": "t", "check": {"any_of": ["returns|resets"]}}],
        question="Why?",
        counterexamples=[],
        references=["It resets."],
    )
    other = row(
        id="q2",
        gold=[{"path": "box.rst"}],
        references=["The page returns nothing about lorries."],
        must=[{"id": "a", "text": "t", "check": {"any_of": ["lorries"]}}],
    )
    assert problems(root, weak, other) == ["1: the reference answer of 'q2' passes every check"]


def test_repeated_ids_and_broken_lines_carry_their_line(root: Path) -> None:
    path = root / "q.jsonl"
    path.write_text(
        json.dumps(row()) + "\n{\n" + json.dumps(row()) + "\n" + json.dumps(row(id="x", gold=3)) + "\n", "utf-8"
    )
    found = {problem.line: problem.text for problem in validate(path).problems}
    assert sorted(found) == [2, 3, 4]
    assert "line 1" in found[3] and "gold" in found[4]


def test_gold_becomes_lines(root: Path) -> None:
    finder = GoldFinder(root / "tree")
    lines = {
        name: finder.locate(Gold("box.py", name)).ranges for name in ("LIMIT", "Box.lid", "Box.open", "Box.open.turn")
    }
    assert lines == {
        "LIMIT": ((3, 3),),
        "Box.lid": ((11, 13), (15, 17)),
        "Box.open": ((19, 23),),
        "Box.open.turn": ((20, 21),),
    }
    assert finder.locate(Gold("box.py", "Box.open", text="turn()")).ranges == ((20, 20), (23, 23))
    assert finder.locate(Gold("box.py", None, ((27, 29), (1, 2)))).ranges == ((1, 2), (27, 28))
    assert finder.locate(Gold("box.rst", text="A lid is")).ranges == ((9, 10),)
    assert finder.locate(Gold("box.py")).ranges == ()
    for path in ("../q.jsonl", "tree", "box.pyc"):
        with pytest.raises(GoldError):
            finder.locate(Gold(path))


def test_a_long_class_is_its_own_lines_without_its_methods(root: Path) -> None:
    methods = "".join(f"\n    def m{n}(self):\n        return {n}\n" for n in range(30))
    (root / "tree" / "long.py").write_text(f'class Long:\n    """Docs."""\n\n    kind = 1\n{methods}', "utf-8")
    ranges = GoldFinder(root / "tree").locate(Gold("long.py", "Long")).ranges
    shown = {line for first, last in ranges for line in range(first, last + 1)}
    assert {1, 2, 4} <= shown and 7 not in shown


@pytest.mark.parametrize(
    "spec", ["nothing", "flask==9.9", "flask==3.1.3 ", "git:tree", "git:tree@abc", "x==1#sha256=12", "path:gone"]
)
def test_a_corpus_that_cannot_be_meant_is_a_message(root: Path, spec: str) -> None:
    with pytest.raises(UserError):
        corpus_root(spec, root)


def test_source_distributions_are_pinned_by_name_or_by_digest() -> None:
    assert sdist_of("flask") == sdist_of("flask==3.1.3")
    assert sdist_of("tinypkg==1.0#sha256=" + "a" * 64).sha256 == "a" * 64


def test_a_commit_is_exported_as_it_was_without_filters_links_or_hooks(root: Path, run_git: Callable[..., str]) -> None:
    tree = root / "tree"
    run_git(tree, "init", "-q")
    (tree / ".gitattributes").write_text("*.py export-ignore filter=evil\n", "utf-8")
    run_git(tree, "config", "filter.evil.smudge", f"touch {root / 'ran'} && cat")
    (tree / "link").symlink_to("/etc/passwd")
    run_git(tree, "add", ".")
    run_git(tree, "commit", "-qm", "one")
    commit = run_git(tree, "rev-parse", "HEAD").strip()
    (tree / "box.py").write_text("changed = 1\n", "utf-8")
    run_git(tree, "commit", "-qam", "two")
    exported = corpus_root(f"git:tree@{commit}", root)
    assert (exported / "box.py").read_text("utf-8") == SOURCE
    assert sorted(path.name for path in exported.iterdir()) == [".gitattributes", "box.py", "box.rst"]
    assert not (root / "ran").exists()
    assert corpus_root(f"git:tree@{commit}", root) == exported
    with pytest.raises(UserError, match="commit"):
        corpus_root(f"git:tree@{'0' * 40}", root)


def test_a_crafted_tree_cannot_write_outside_its_folder(root: Path, run_git: Callable[..., str]) -> None:
    tree = root / "tree"
    run_git(tree, "init", "-q")
    blob = run_git(tree, "hash-object", "-w", "box.py").strip()
    entries = b"".join(b"100644 " + name + b"\0" + bytes.fromhex(blob) for name in (b"..", b".GIT", b"box.py"))
    (root / "crafted").write_bytes(entries)
    made = run_git(tree, "hash-object", "-w", "-t", "tree", "--literally", str(root / "crafted")).strip()
    (root / "crafted").write_bytes(b"40000 sub\0" + bytes.fromhex(made))
    made = run_git(tree, "hash-object", "-w", "-t", "tree", "--literally", str(root / "crafted")).strip()
    commit = run_git(tree, "commit-tree", made, "-m", "evil").strip()
    exported = corpus_root(f"git:tree@{commit}", root)
    assert [path.relative_to(exported).as_posix() for path in exported.rglob("*")] == ["sub", "sub/box.py"]


@pytest.mark.parametrize("text", [SOURCE.replace("\n", "\r\n"), SOURCE.replace("LIMIT = 3", "LIMIT = '\f\u2028'")])
def test_lines_end_at_line_feeds_alone(root: Path, text: str) -> None:
    (root / "tree" / "odd.py").write_bytes(text.encode())
    assert GoldFinder(root / "tree").locate(Gold("odd.py", "Box.open")).ranges == ((19, 23),)


def test_the_command_lists_problems_and_ends_as_a_users_mistake(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = root / "q.jsonl"
    path.write_text(json.dumps(row()) + "\n", "utf-8")
    validate_command.main([str(path), "-q"], standalone_mode=False)
    assert "1 question, 0 problems" in capsys.readouterr().out
    path.write_text(json.dumps(row(gold=[{"path": "gone.py"}])) + "\n", "utf-8")
    with pytest.raises(UserError, match="1 problem"):
        validate_command.main([str(path), "-q", "--json"], standalone_mode=False)
    report = json.loads(capsys.readouterr().out)
    assert report["questions"] == 1 and report["problems"][0]["question"] == "q1"


def test_git_is_called_without_a_shell(root: Path) -> None:
    with pytest.raises(UserError):
        corpus_root("git:tree; touch ran@" + "0" * 40, root)
    assert not (root / "ran").exists()
    assert subprocess.run(["git", "--version"], capture_output=True, check=False).returncode == 0
