"""Questions mined from real repositories: what is asked, what is gold, what is passed over."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from harness.questions.cli import mine_command
from harness.questions.commit_text import is_bot, is_routine, question_text, quoted
from harness.questions.corpus import corpus_root
from harness.questions.git_history import read_commits
from harness.questions.gold import GoldFinder
from harness.questions.load import load_questions
from harness.questions.mine import Mined, mine_history
from harness.questions.patch import parse_patch
from harness.questions.records import Gold, Question
from retrieval.errors import UserError

BOX = '''"""Boxes."""


class Box:
    """Holds things."""

    def open(self, key):
        if key is None:
            return None
        return self.lid

    def close(self):
        self.lid = None


def weigh(box):
    total = 0
    return total
'''

Run = Callable[..., str]


class Repository:
    """A git repository that a test fills commit by commit."""

    def __init__(self, root: Path, run_git: Run) -> None:
        self.root = root
        self.git = lambda *args: run_git(root, *args)
        root.mkdir()
        self.git("init", "-q", "-b", "main")

    def commit(self, message: str, files: Mapping[str, str | None], author: str = "Ann <ann@example.invalid>") -> str:
        for name, content in files.items():
            path = self.root / name
            if content is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, "utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "--author", author, "-m", message)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def repo(tmp_path: Path, run_git: Run) -> Repository:
    made = Repository(tmp_path / "shop", run_git)
    made.commit("Initial import of the shop", {"src/box.py": BOX, "tests/test_box.py": "x = 1\n", "README.md": "hi\n"})
    return made


def mine(repo: Repository, **options: object) -> Mined:
    return mine_history(repo.root, **({"limit": 50} | options))  # type: ignore[arg-type]


def only(repo: Repository, **options: object) -> Question:
    (question,) = mine(repo, **options).questions
    return question


def test_a_commit_asks_and_what_it_changed_in_its_parent_is_gold(repo: Repository) -> None:
    parent = repo.git("rev-parse", "HEAD").strip()
    changed = BOX.replace("return None\n        return", "raise KeyError(key)\n        return")
    commit = repo.commit(
        "Fixed #12 -- Refuse a missing key when the lid is lifted (#40)\n\nA box without a key must say so.\n\n"
        "Signed-off-by: Ann <a@b>\nhttps://example.org/x",
        {"src/box.py": changed, "tests/test_box.py": "x = 2\n", "README.md": "ho\n"},
    )
    question = only(repo)
    assert question.question == (
        "Which code has to change for this? Refuse a missing key when the lid is lifted. A box without a key must say so."
    )
    assert question.gold == (Gold("src/box.py", "Box.open"),)
    assert question.corpus == f"git:{repo.root}@{parent}" and question.source == f"commit {commit}"
    assert question.id == f"shop-{commit[:12]}" and question.leaks == () and question.category == "localisation"
    root = corpus_root(question.corpus, repo.root)
    assert GoldFinder(root).locate(question.gold[0]).ranges == ((7, 10),)
    assert "raise KeyError" not in (root / "src/box.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("before", "after", "gold"),
    [
        ("        self.lid = None\n", "        self.lid = None\n        self.key = None\n", "Box.close"),
        ("def weigh(box):\n", "def lift(box):\n    return box\n\n\ndef weigh(box):\n", None),
        ('"""Holds things."""\n', '"""Holds things."""\n\n    size = 3\n', "Box"),
        ("    total = 0\n", "", "weigh"),
        ("return total\n", "return total\n\n\ndef lift(box):\n    return box\n", None),
    ],
)
def test_insertions_and_removals_belong_to_the_definition_around_them(
    repo: Repository, before: str, after: str, gold: str | None
) -> None:
    repo.commit("Make the boxes behave as the customers expect", {"src/box.py": BOX.replace(before, after)})
    assert only(repo).gold == (Gold("src/box.py", gold),)


def test_new_files_are_no_gold_and_removed_ones_are(repo: Repository) -> None:
    repo.commit("Add a lorry that carries many boxes", {"src/lorry.py": "def load():\n    return 1\n"})
    repo.commit("Take the lorry out of service again now", {"src/lorry.py": None, "src/new.py": "a = 1\n"})
    assert [gold.path for gold in only(repo).gold] == ["src/lorry.py"]


@pytest.mark.parametrize(
    ("message", "author"),
    [
        ("Bump the version of everything to 2.0", "Ann <a@b>"),
        ("Reformat all the files with black", "Ann <a@b>"),
        ("Fix typos in the names of boxes", "Ann <a@b>"),
        ('Revert "Open the box with a key"', "Ann <a@b>"),
        ("fix: ruff complaints about the boxes", "Ann <a@b>"),
        ("Handle the case of boxes without lids", "dependabot[bot] <support@github.com>"),
        ("Fix box", "Ann <a@b>"),
    ],
)
def test_routine_commits_and_bots_ask_nothing(repo: Repository, message: str, author: str) -> None:
    repo.commit(message, {"src/box.py": BOX.replace("total = 0", "total = 1")}, author)
    with pytest.raises(UserError, match="Nothing to mine"):
        mine(repo)


def test_white_space_sweeps_and_merges_ask_nothing(repo: Repository) -> None:
    repo.commit(
        "Put the return values where they are seen",
        {"src/box.py": BOX.replace("    return total", "    return  total")},
    )
    many = {f"src/m{n}.py": "a = 1\nb = 2\n" for n in range(9)}
    repo.commit("Give the shop a module for each of its boxes", many)
    repo.commit("Count from two in each module of the shop", dict.fromkeys(many, "a = 2\nb = 2\n"))
    repo.git("switch", "-q", "-c", "side", "HEAD~1")
    repo.commit("Weigh the boxes in grams and not in pounds", {"src/box.py": BOX.replace("total = 0", "total = 454")})
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "side")
    mined = mine(repo)
    assert [question.question for question in mined.questions] == [
        "Which code has to change for this? Weigh the boxes in grams and not in pounds."
    ]
    assert mined.passed_over["changes too many files"] == 1


@pytest.mark.parametrize(
    ("message", "leaks"),
    [
        ("Let src/box.py return what is in the box", ("src/box.py",)),
        ("Look into box.py when the total is wrong", ("src/box.py",)),
        ("Make `weigh` return what the scales say", ("weigh",)),
        ("Make weigh() return what the scales say", ("weigh",)),
        ("Let people weigh what is in the box", ()),
        ("Let people see what toolbox.py weighs in total", ()),
    ],
)
def test_quoted_paths_and_symbols_are_marked_or_left_out(
    repo: Repository, message: str, leaks: tuple[str, ...]
) -> None:
    repo.commit(message, {"src/box.py": BOX.replace("total = 0", "total = 1")})
    question = only(repo)
    assert question.leaks == leaks and (question.difficulty == "easy") == bool(leaks)
    if leaks:
        with pytest.raises(UserError, match="names its gold"):
            mine(repo, leaks=False)


def test_at_base_one_tree_serves_all_and_gold_that_it_lacks_is_dropped(repo: Repository) -> None:
    base = repo.git("rev-parse", "HEAD").strip()
    repo.commit("Weigh every box in grams from now on", {"src/box.py": BOX.replace("total = 0", "total = 1")})
    grown = BOX.replace("total = 0", "total = 1") + "\n\ndef lift(box):\n    return box\n"
    repo.commit("Add lifting of boxes to what the shop does", {"src/box.py": grown})
    repo.commit(
        "Lift the boxes higher than the shelf is", {"src/box.py": grown.replace("return box\n", "return box, 1\n")}
    )
    assert len(mine(repo).questions) == 3
    mined = mine(repo, at="base")
    assert {question.corpus for question in mined.questions} == {f"git:{repo.root}@{base}"}
    assert mined.passed_over["gold is not in the base"] == 1 and len(mined.questions) == 2
    finder = GoldFinder(corpus_root(mined.questions[0].corpus, repo.root))
    for question in mined.questions:
        for gold in question.gold:
            finder.locate(gold)


def test_mining_twice_gives_the_same_bytes_and_a_limit_takes_the_newest(
    repo: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(6):
        text = BOX.replace("total = 0", f"total = {number + 1}")
        repo.commit(f"Start to count the boxes at a better number {number}", {"src/box.py": text})
    outs = []
    for name in ("a.jsonl", "b.jsonl"):
        args = ["--from-git", str(repo.root), "--limit", "3", "--out", str(repo.root / name)]
        mine_command.main(args, standalone_mode=False)
        outs.append((repo.root / name).read_bytes())
    assert outs[0] == outs[1]
    questions = load_questions(repo.root / "a.jsonl")
    assert [question.question[-2] for question in questions] == ["5", "4", "3"]
    assert all(question.corpus.startswith("git:.@") for question in questions)
    assert corpus_root(questions[0].corpus, repo.root).is_dir()
    captured = capsys.readouterr()
    assert captured.out == "" and "3 questions about 3 trees" in captured.err
    mine_command.main(["--from-git", str(repo.root), "--limit", "1", "-q"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["corpus"].startswith(f"git:{repo.root}@")


def test_renames_and_odd_names_do_no_harm(repo: Repository) -> None:
    repo.commit("Add a module whose name is not plain at all", {"src/bö x.py": BOX, 'src/q"t.py': BOX})
    changed = BOX.replace("total = 0", "total = 5")
    repo.commit("Start the weighing of the boxes at five", {"src/bö x.py": changed, 'src/q"t.py': changed})
    assert [gold.path for gold in only(repo).gold] == ["src/bö x.py"]


def test_data_templates_and_generated_files_are_no_gold(repo: Repository) -> None:
    plain = {
        "rows.jsonl": '{"a": 1}\n',
        "page.html": "<p>a</p>\n",
        "notes.txt": "a\n",
        "src/made_pb2.py": "# Generated by protoc. DO NOT EDIT.\na = 1\n",
    }
    repo.commit("Bring in the rows and the page of the shop", plain)
    changed = {name: text.replace("a", "b") for name, text in plain.items()}
    repo.commit(
        "Let the rows and the page speak of the letter b",
        {**changed, "src/box.py": BOX.replace("total = 0", "total = 2")},
    )
    assert only(repo).gold == (Gold("src/box.py", "weigh"),)


def test_messages_and_names_that_are_no_utf8_and_linked_worktrees_are_read(repo: Repository, tmp_path: Path) -> None:
    (repo.root / "src" / "box.py").write_text(BOX.replace("total = 0", "total = 3"), "utf-8")
    (tmp_path / "message").write_bytes(b"W\xe4ge die Kisten ab drei und nicht ab null\n")
    repo.git("-c", "i18n.commitEncoding=latin-1", "commit", "-qaF", str(tmp_path / "message"))
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    (question,) = mine_history(tmp_path / "linked" / "src", limit=5).questions
    assert question.question.startswith("Which code has to change for this? W") and question.gold[0].symbol == "weigh"
    assert corpus_root(question.corpus, tmp_path).is_dir()


def test_commit_messages_cannot_forge_records(repo: Repository) -> None:
    repo.commit(
        "Open the boxes that nobody opened before\n\n" + "0" * 40 + "\n--- a/etc/passwd\n@@ -1 +1 @@\n",
        {"src/box.py": BOX.replace("total = 0", "total = 1")},
    )
    assert only(repo).gold == (Gold("src/box.py", "weigh"),)
    assert len(read_commits(repo.root, "HEAD", "")) == 1


def test_content_cannot_pose_as_a_head() -> None:
    patch = (
        b"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@\n context\n--- a/evil.py\n"
        b"-@@ -9,9 +9,9 @@\n+++ b/evil.py\n+new\n\\ No newline at end of file\n"
    )
    ((commit, change),) = parse_patch(patch)
    assert (commit, change.path, change.lines, change.added, change.removed) == ("", "x.py", ((2, 3),), 2, 2)


def test_what_is_not_a_repository_or_revision_is_a_message(repo: Repository, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not inside a git repository"):
        mine_history(tmp_path / "nowhere", limit=1)
    for rev in ("no-such-branch", "--output=evil", "-h"):
        with pytest.raises(UserError):
            mine(repo, rev=rev)
    assert not (repo.root / "evil").exists()


def test_bots_are_known_by_their_names() -> None:
    assert is_bot("renovate[bot] <x@y>") and is_bot("pre-commit-ci <x>") and not is_bot("Abbott <abbott@x.org>")


@pytest.mark.parametrize(
    "subject",
    [
        "[3.1.x] Bumped version for 3.1.4 release",
        "Release version 2.1",
        "2.0.1",
        "docs: explain the cache",
        "Update dependencies",
        "Upgrade werkzeug to 3.1",
        "Merge pull request #12 from x/y",
        "Add type hints to the loader",
        "Remove trailing whitespace",
    ],
)
def test_routine_subjects(subject: str) -> None:
    assert is_routine(subject)


@pytest.mark.parametrize(
    "subject",
    [
        "Release the lock before the reader waits",
        "Merge overlapping ranges of one file",
        "Strip whitespace from header values",
        "Build the index aside and swap it in",
        "Test client keeps cookies between requests",
        "Prepare statements once for each connection",
        "Update the cache when a file was renamed",
        "fix: formatting of dates in the log is wrong",
    ],
)
def test_subjects_that_only_sound_like_routine(subject: str) -> None:
    assert not is_routine(subject)


def test_references_and_prefixes_are_no_part_of_the_question() -> None:
    assert question_text("feat(cli): show which lines are stale", "") == "Show which lines are stale."
    assert question_text("[5.0.x] Fixed #123, #124 -- Made the admin log out.", "") == "Made the admin log out."
    assert question_text("Keep the cookie until the end (#77)", "Closes #76.\n\nBackport of abc from main.") == (
        "Keep the cookie until the end."
    )
    assert question_text("Fixed #1 -- crash", "") == ""


def test_symbols_inside_dotted_code_are_quoted() -> None:
    assert quoted("see `a.b.Box.open`", "a/b.py", ("Box.open", "Box")) == ("Box.open", "Box")
