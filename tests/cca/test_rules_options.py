"""The options of ``contextc ask --rules`` and ``contextc rules``: variants, switches, compilers, generated code, data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_server import serving, streams

from agent.cca.sandbox import supported

Run = Callable[..., tuple[int, str, str]]
TREE = {"app.py": 'def greet(name):\n    """Greet a person."""\n    return f"hello {name}"\n'}
RULES = "Answers must not exceed 8 words.\nDo not use contractions.\nBe kind, always.\n"
BAD = "The function `greet` doesn't do anything else than to return a hello [1:1]."
GOOD = "`greet` returns a greeting [1:1-3]."


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "rules.md"
    file.write_text(RULES)
    return file


def asked(run: Run, root: Path, rules: Path, *options: str, replies: tuple[str, ...] = (BAD, GOOD)) -> Any:
    """(the JSON answer, the requests) of one question."""
    with serving(*(streams(reply) for reply in replies)) as server:
        args = ("ask", "--root", root, "--json", "--rules", rules, "--base-url", server.base_url, "--model", "tiny-1")
        code, out, err = run(*args, *options, "where is greet defined")
        assert code == 0, err
        return json.loads(out), [each["body"]["messages"] for each in server.requests]


def test_the_variants_of_the_method(run: Run, write_tree: Callable[..., Path], rules: Path) -> None:
    root = write_tree(TREE)
    full, requests = asked(run, root, rules)
    assert full["rules"]["cca"]["corrected"]
    assert len(requests) == 2
    assert "CHECKLIST" in requests[0][0]["content"]

    v2, requests = asked(run, root, rules, "--rules-variant", "v2")
    assert len(requests) == 1
    assert v2["rules"]["cca"]["violations_before"] == 2
    assert [each["status"] for each in v2["rules"]["checked"]] == ["violated", "violated"]

    v4, requests = asked(run, root, rules, "--rules-variant", "v4")
    assert v4["rules"]["cca"]["corrected"]
    assert all("CHECKLIST" not in request[0]["content"] for request in requests)

    v3, requests = asked(run, root, rules, "--rules-variant", "v3")
    assert len(requests) == 1
    assert v3["rules"]["checked"] == []  # nothing is claimed that was not checked
    assert len(v3["rules"]["unchecked"]) == 3

    vanilla, requests = asked(run, root, rules, "--rules-variant", "vanilla")
    assert vanilla["rules"]["cca"]["route"] == "vanilla"
    assert "CHECKLIST" not in requests[0][0]["content"]

    adaptive, _ = asked(run, root, rules, "--rules-variant", "adaptive")
    assert adaptive["rules"]["cca"]["route"] == "cca"
    rules.write_text("Be kind, always.\n")
    adaptive, requests = asked(run, root, rules, "--rules-variant", "adaptive", replies=(BAD,))
    assert adaptive["rules"]["cca"]["route"] == "vanilla"


def test_single_parts_are_switched_off_and_limits_set(run: Run, write_tree: Callable[..., Path], rules: Path) -> None:
    root = write_tree(TREE)
    _, requests = asked(run, root, rules, "--rules-without", "F2", "--rules-without", "f6")
    assert len(requests) == 1
    assert "CHECKLIST" not in requests[0][0]["content"]
    _, requests = asked(run, root, rules, "--rules-violations", "3")
    assert len(requests) == 1
    short, requests = asked(run, root, rules, "--rules-context", "450", replies=(GOOD,))
    long, whole = asked(run, root, rules, "--rules-context", "450", "--rules-without", "F7", replies=(GOOD,))
    assert short["rules"]["cca"]["truncated_tokens"] > 0
    assert long["rules"]["cca"]["truncated_tokens"] == 0
    assert sum(len(each["content"]) for each in requests[0]) < sum(len(each["content"]) for each in whole[0])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--rules-without", "F9"), "no part"),
        (("--rules-compiler", "model"), "No model is configured"),
    ],
)
def test_what_cannot_be_done_is_told_before_any_work(
    run: Run, write_tree: Callable[..., Path], rules: Path, options: tuple[str, ...], said: str
) -> None:
    root = write_tree(TREE)
    code, out, err = run("ask", "--root", root, "--rules", rules, *options, "where is greet defined")
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 2
    assert not (root / ".contextc").exists()


MODEL_IR = json.dumps(
    {
        "rules": [
            {
                "kind": "must_do",
                "text": "Be kind",
                "quote": "Be kind, always.",
                "check": {"op": "python", "code": "def check(answer):\n    return 'kind' in answer\n"},
            }
        ]
    }
)


@pytest.mark.skipif(not supported(), reason="no sandbox on this platform")
def test_a_model_compiles_and_its_program_runs_only_where_allowed(
    run: Run, write_tree: Callable[..., Path], rules: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CONTEXTC_CACHE_DIR", str(tmp_path / "cache"))
    root = write_tree(TREE)
    model = ("--rules-compiler", "model")
    told, requests = asked(run, root, rules, *model, replies=(MODEL_IR, GOOD))
    assert 'op":"python' not in requests[0][0]["content"]
    assert len(told["rules"]["checked"]) == 2  # the program was not taken

    told, requests = asked(run, root, rules, *model, "--allow-generated-code", replies=(MODEL_IR, GOOD))
    assert 'op":"python' in requests[0][0]["content"]
    assert [each["status"] for each in told["rules"]["checked"]] == ["holds", "holds", "violated"]

    answer = tmp_path / "answer.txt"
    answer.write_text("A kind word.")
    with serving(streams(MODEL_IR), streams(MODEL_IR)) as server:
        args = ("rules", "check", answer, rules, "--compiler", "model", "--base-url", server.base_url, "--model", "m")
        code, out, _ = run(*args, "--json")
        assert (code, len(json.loads(out)["checked"])) == (0, 2)
        code, out, _ = run(*args, "--json", "--allow-generated-code")
        assert (code, [each["status"] for each in json.loads(out)["checked"]]) == (0, ["holds"] * 3)


def test_rules_check_knows_the_question(run: Run, rules: Path, tmp_path: Path) -> None:
    rules.write_text('When asked about pricing, include the phrase "see the price list".\n')
    answer = tmp_path / "answer.txt"
    answer.write_text("It depends.")
    assert run("rules", "check", answer, rules)[0] == 0
    assert run("rules", "check", answer, rules, "--question", "what about pricing?")[0] == 1
    assert run("rules", "check", answer, rules, "--question", "who?")[0] == 0


def test_tables_are_summarised_and_fitted(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("T (K),P (W)\n1,2\n2,16\nbroken\n3,54\n4,128\n")
    code, out, _ = run("rules", "data", data)
    assert code == 0
    assert str(data) in out
    (table,) = json.loads(run("rules", "data", data, "--json")[1])
    assert (table["rows"], table["malformed"]) == (4, 1)
    assert any(abs(fit["b"] - 3) < 1e-9 for fit in table["fits"])
    empty = tmp_path / "empty.md"
    empty.write_text("No table.\n")
    assert "no table of data" in run("rules", "data", empty)[1]
    code, out, _ = run("rules", "data", tmp_path / "missing.csv")
    assert (code, out) == (2, "")
