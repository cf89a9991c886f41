"""Peers on the same questions: the adapters' output, what is charged for it, and what happens when a peer is missing."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from harness.peer_runs import ADAPTERS, BUDGETS, PEERS, Outcome, Peer, Tree, graded, python_for, run, tokens_of
from harness.peers import inside_package, main, table
from retrieval.errors import UserError

FILES = {
    "pkg/session.py": '"""Sessions."""\n\n\ndef sign_cookie(secret, value):\n    """Sign a session cookie."""\n    return mac(secret, value)\n',
    "pkg/router.py": "def match_route(path):\n    for rule in RULES:\n        if rule.matches(path):\n            return rule\n    raise NotFound(path)\n",
    "pkg/mailer.py": "def send_mail(address, body):\n    with smtp() as server:\n        server.send(address, body)\n",
    "docs/index.md": "# Guide\n\nHow to write a route.\n",
}
QUESTIONS = [
    {"id": 1, "question": "How is the session cookie signed with the secret?", "gold": [{"path": "pkg/session.py", "ranges": [[4, 6]]}]},
    {"id": 2, "question": "Where does the router match a path to a rule?", "gold": [{"path": "pkg/router.py", "ranges": [[1, 5]]}]},
]  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "demo-1.0"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def adapter(name: str) -> ModuleType:
    """An adapter script as a module; it imports what lies beside it."""
    spec = importlib.util.spec_from_file_location(f"peer_{name}", ADAPTERS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(ADAPTERS))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ADAPTERS))
    return module


@pytest.mark.parametrize("peer", ["ripgrep and read", "rank-bm25", "contextc search", "contextc pack"])
def test_a_peer_finds_the_plain_answer_and_leaves_the_tree_alone(peer: str, tree: Path) -> None:
    before = sorted(tree.rglob("*"))
    outcome = run(peer, tree, QUESTIONS, [])
    assert outcome is not None
    assert outcome.ndcg == [1.0, 1.0]
    assert len(outcome.index_s) == 1
    for budget in BUDGETS:
        assert [one.files for one in outcome.scores[budget]] == [1.0, 1.0]
        assert all(0 < one.tokens <= budget for one in outcome.scores[budget])
        assert all(one.lines is not None and one.lines > 0.5 for one in outcome.scores[budget])
    assert sorted(tree.rglob("*")) == before


@pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep is not installed")
def test_search_in_python_hits_what_ripgrep_hits(tree: Path) -> None:
    grep = adapter("grep_read")
    (tree / "pkg/odd name.py").write_text("Route = route_of(ROUTE)  # route, re-route\nroutes = 1\n")
    (tree / "pkg/.hidden.py").write_text("route\n")
    words = ["route", "session", "absent"]
    assert grep.search_with_ripgrep(tree, words) == grep.search_in_python(grep.read_files(tree), words)


def test_windows_do_not_overlap_and_hold_every_match() -> None:
    grep = adapter("grep_read")
    lines = {n: frozenset({f"w{n % 3}"}) for n in (1, 2, 30, 55, 56, 400)}
    found = grep.windows(lines)
    spans = sorted(found)
    assert all(first > last for (_, last), (first, _) in pairwise(spans))
    assert len(found) == 3
    few = grep.windows({n: frozenset({"w"}) for n in (5, 300)})
    assert all(any(first <= n <= last for first, last in few) for n in (5, 300))


def test_what_is_shown_is_charged_with_its_header(tree: Path) -> None:
    shown = Tree(tree).shown({"path": "pkg/router.py", "start_line": 1, "end_line": 2})
    text = "pkg/router.py:1-2\n" + "\n".join(FILES["pkg/router.py"].split("\n")[:2])
    assert shown.tokens == tokens_of(text)
    assert shown.ranges == ((1, 2),)


def test_a_path_out_of_the_tree_is_not_read(tree: Path) -> None:
    (tree.parent / "secret.py").write_text("word " * 500)
    shown = Tree(tree).shown({"path": "../secret.py", "start_line": 1, "end_line": 1})
    assert shown.tokens < 20


def test_special_tokens_are_counted_as_text() -> None:
    assert tokens_of("<|endoftext|>") > 1


def test_a_map_is_charged_whole_and_in_full() -> None:
    text = "a.py:\ndef f\n\nb.py:\ndef g\ndef h\n"
    shown = {str(b): {"text": text, "regions": [["a.py", [[1, 1]]], ["b.py", [[1, 2]]]]} for b in BUDGETS}
    line = {"id": 1, "ms": 1.0, "results": [{"path": "b.py", "start_line": 1, "end_line": 1}], "shown": shown}
    question = {"id": 1, "gold": [{"path": "b.py", "ranges": [[1, 4]]}]}
    outcome = graded([{"meta": {"index_s": 1.0}}, line], [question], Tree(Path()), 0.5)
    assert outcome.index_s == [1.5]
    assert outcome.scores[500][0].files == 1.0
    assert outcome.scores[500][0].lines == 0.5
    assert outcome.scores[500][0].tokens >= tokens_of(text)


def test_a_missing_peer_is_told_and_not_counted() -> None:
    assert python_for(Peer("x", "x.py", "nothing", "no_module_of_this_name"), []) is None
    assert python_for(Peer("x", "x.py", "", ""), []) == Path(sys.executable)
    assert "| semble | not measured |" in table({"semble": None, "bm25s": Outcome()})


def test_a_failing_peer_is_named(tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "adapters"
    broken.mkdir()
    (broken / "grep_read.py").write_text("raise SystemExit('no such engine')")
    monkeypatch.setattr("harness.peer_runs.ADAPTERS", broken)
    with pytest.raises(UserError, match="ripgrep and read failed: no such engine"):
        run("ripgrep and read", tree, QUESTIONS, [])
    questions = tree.parent / "q.jsonl"
    questions.write_text("\n".join(json.dumps({**row, "sdist": "demo==1.0"}) for row in QUESTIONS))
    arguments = ["--questions", str(questions), "--corpora", str(tree.parent)]
    shown = CliRunner().invoke(main, [*arguments, "--peer", "ripgrep and read", "--peer", "rank-bm25"])
    assert "no such engine" in shown.stderr
    assert "| ripgrep and read | not measured |" in shown.stdout
    assert "| rank-bm25 | not measured |" in shown.stdout


def test_gold_moves_into_the_package_folder() -> None:
    rows: list[dict[str, Any]] = [
        {"id": 1, "package": "src/p", "gold": [{"path": "src/p/a.py", "ranges": []}, {"path": "docs/a.md", "ranges": []}]},
        {"id": 2, "package": "src/p", "gold": [{"path": "docs/a.md", "ranges": []}]},
    ]  # fmt: skip
    assert [(row["id"], [g["path"] for g in row["gold"]]) for row in inside_package(rows)] == [(1, ["a.py"])]


def test_the_command_prints_a_table_and_json_and_user_errors(tree: Path) -> None:
    questions = tree.parent / "q.jsonl"
    rows = [{**row, "sdist": "demo==1.0", "package": "pkg"} for row in QUESTIONS]
    questions.write_text("\n".join(map(json.dumps, rows)))
    arguments = ["--questions", str(questions), "--corpora", str(tree.parent), "--peer", "ripgrep and read"]
    shown = CliRunner().invoke(main, arguments)
    assert shown.exit_code == 0
    assert shown.stdout.startswith("| peer | NDCG@10 | 500 |")
    assert "1.000 [1.00, 1.00]" in shown.stdout
    as_json = CliRunner().invoke(main, [*arguments, "--json", "--tree", "library"])
    assert json.loads(as_json.stdout)["ripgrep and read"]["recall"]["500"]["files"] == 1.0
    shutil.rmtree(tree)
    missing = CliRunner().invoke(main, arguments)
    assert missing.exit_code == 2
    assert "pip download" in missing.stderr
    assert {peer.script for peer in PEERS} <= {path.name for path in ADAPTERS.glob("*.py")}
