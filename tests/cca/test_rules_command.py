"""``contextc rules`` and ``contextc ask --rules`` as a user calls them; generated code in its sandbox."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from scripted_server import serving, streams

from agent.cca.sandbox import run_generated, supported

Run = Callable[..., tuple[int, str, str]]
RULES = "Answers must not exceed 8 words.\nDo not use contractions.\nBe kind, always.\n"
TREE = {
    "app.py": 'def greet(name):\n    """Greet a person."""\n    return f"hello {name}"\n',
    "AGENTS.md": RULES,
    "README.md": "An app.\n",
}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "rules.md"
    file.write_text(RULES)
    return file


def test_compile_and_show(run: Run, rules: Path) -> None:
    code, out, _ = run("rules", "compile", rules)
    assert code == 0
    assert "3 rules, 2 with a verifier (deterministic)" in out
    code, out, _ = run("rules", "show", rules)
    assert code == 0
    assert out.startswith(f"{rules}\n")
    assert "R2     2  [must not] Do not use contractions." in out
    assert "checked: at most 8 words" in out
    assert "1 cannot be checked by program" in out
    code, out, _ = run("rules", "compile", rules, "--json")
    data = json.loads(out)
    assert len(data["ir"]["rules"]["must_not"]) == 2
    assert json.loads(run("rules", "show", "--schema")[1])["title"] == "IR"


def test_an_answer_is_checked_from_a_file_and_from_a_pipe(
    run: Run, rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("It doesn't greet.")
    code, out, _ = run("rules", "check", answer, rules)
    assert code == 1
    assert "violated R2" in out
    assert "(line 1 of the answer)" in out
    answer.write_text("It greets.")
    code, out, _ = run("rules", "check", answer, rules, "--json")
    assert code == 0
    assert [each["status"] for each in json.loads(out)["checked"]] == ["holds", "holds"]
    assert len(json.loads(out)["unchecked"]) == 1


@pytest.mark.parametrize("what", ["missing.md", ".", "binary.bin", "huge.md"])
def test_a_rule_file_that_cannot_be_used_is_told(run: Run, tmp_path: Path, what: str) -> None:
    (tmp_path / "binary.bin").write_bytes(b"\0\1")
    (tmp_path / "huge.md").write_text("x" * 600_000)
    code, out, err = run("rules", "compile", tmp_path / what)
    assert (code, out) == (2, "")
    assert err.count("\n") == 2


def test_a_tree_without_rule_files_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("rules", "show")
    assert code == 2
    assert "No rule file" in err


def test_ask_holds_an_offline_answer_against_the_trees_own_rules(run: Run, write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    code, out, _ = run("ask", "--root", root, "--rules", "auto", "where is greet defined")
    assert code == 0
    assert "rules: " in out
    assert "violated R1 (AGENTS.md:1)" in out
    code, out, _ = run("ask", "--root", root, "--rules", "auto", "--json", "where is greet defined")
    data = json.loads(out)
    assert data["rules"]["sources"] == ["AGENTS.md"]
    assert "rules" not in json.loads(run("ask", "--root", root, "--json", "where is greet defined")[1])
    assert "rules:" not in run("ask", "--root", root, "--rules", "none", "where is greet defined")[1]


def test_ask_says_when_no_rule_bears_on_the_answer(run: Run, write_tree: Callable[..., Path]) -> None:
    root = write_tree({**TREE, "AGENTS.md": "Never merge your own pull requests.\n"})
    out = run("ask", "--root", root, "--rules", "auto", "where is greet defined")[1]
    assert "rules: none of them bears on this answer" in out


def test_ask_corrects_a_models_answer(run: Run, write_tree: Callable[..., Path], rules: Path) -> None:
    root = write_tree(TREE)
    bad = "The function `greet` doesn't do anything else than to return a hello [1:1]."
    good = "`greet` returns a greeting [1:1-3]."
    with serving(streams(bad), streams(good)) as server:
        args = ("ask", "--root", root, "--rules", rules, "--base-url", server.base_url, "--model", "tiny-1")
        code, out, err = run(*args, "where is greet defined")
        first = server.requests[0]["body"]["messages"][0]["content"]
    assert code == 0, err
    assert good in out
    assert bad not in out
    assert "corrected: 2 violations became 0" in out
    assert "CHECKLIST" in first
    assert "Do not use contractions." in first


def test_a_wrong_rule_file_is_told_before_any_work(run: Run, write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    code, _, err = run("ask", "--root", root, "--rules", "nowhere.md", "where is greet")
    assert code == 2
    assert "nowhere.md" in err
    assert not (root / ".contextc").exists()


needs_sandbox = pytest.mark.skipif(not supported(), reason="no sandbox on this platform")


@needs_sandbox
def test_generated_code_computes_a_verdict() -> None:
    code = "def check(answer):\n    return len(re.findall('a', answer)) < 3\n"
    assert run_generated(code, "abab").status == "holds"
    assert run_generated(code, "aaaa").status == "violated"
    assert run_generated("def check(answer):\n    return 'yes'\n", "x").status == "no_verdict"


ESCAPES = [
    "open('{victim}').read()",
    "open('{target}', 'w').write('x')",
    "__import__('os').unlink('{victim}')",
    "__import__('os').rename('{victim}', '{target}')",
    "__import__('os').mkdir('{target}')",
    "__import__('os').symlink('/', '{target}')",
    "__import__('os').system('touch {target}')",
    "__import__('subprocess').run(['touch', '{target}'])",
    "__import__('os').execv('/bin/touch', ['touch', '{target}'])",
    "__import__('os').fork() or open('{target}', 'w')",
    "__import__('os').kill(1, 9)",
    "__import__('socket').create_connection(('127.0.0.1', {port}))",
    "__import__('urllib.request').request.urlopen('http://127.0.0.1:{port}/')",
    "__import__('ctypes').CDLL(None).open(b'{victim}', 0) >= 0 and 1 / 0",
    "__import__('ctypes').CDLL(None).socket(2, 1, 0) >= 0 and 1 / 0",
    "(lambda f: f(f))(lambda f: f(f))",
    "'x' * (1 << 40)",
    "[0] * (1 << 34)",
    "exit(0)",
    "__import__('os')._exit(0)",
    "__import__('os').abort()",
    "print('\\x00' + '{{\"result\": false}}') or exit(0)",
    "1 / 0",
]


@needs_sandbox
@pytest.mark.parametrize("attempt", ESCAPES)
def test_generated_code_can_do_nothing_else(attempt: str, tmp_path: Path) -> None:
    victim, target = tmp_path / "victim", tmp_path / "target"
    victim.write_text("secret")
    with serving() as server:
        port = server.server_address[1]
        line = attempt.format(victim=victim, target=target, port=port)
        code = f"def check(answer):\n    {line}\n    raise SystemExit\n"
        assert run_generated(code, "x").status == "no_verdict"
        assert server.requests == []
    assert victim.read_text() == "secret"
    assert not target.exists()


@needs_sandbox
def test_a_check_that_never_ends_gives_no_verdict() -> None:
    assert run_generated("def check(answer):\n    while True: pass\n", "x").status == "no_verdict"


def test_a_missing_answer_or_table_is_not_called_a_rule_file(run: Run, rules: Path, tmp_path: Path) -> None:
    for args in (("check", tmp_path / "nope", rules), ("data", tmp_path / "nope")):
        code, _, err = run("rules", *args)
        assert code == 2
        assert f"{tmp_path / 'nope'} is not there" in err
        assert "rule file" not in err
        assert "--rules" not in err


def test_switches_of_rules_without_rules_are_refused(run: Run) -> None:
    for args in (("--rules-without", "F6"), ("--rules-variant", "v3")):
        code, _, err = run("ask", *args, "where is the greeting made")
        assert code == 2
        assert f"{args[0]} says how rules are checked, and no rules are given." in err
        assert "--rules auto" in err
