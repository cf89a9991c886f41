"""Runs and question files that a hand has edited: what is wrong is named by its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from bench_shop import write_shop

from harness.runner.run import answered_in
from retrieval.errors import UserError

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def made(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("bench", "run", "--questions", write_shop(tmp_path), "--tier", 4, "--run-id", "mine", "-q")
    assert code == 0, err
    return next((tmp_path / "harness" / "runs").glob("*.jsonl"))


@pytest.mark.parametrize("repeat", ["one", [1], -1, 1.5, True, {"a": 1}])
def test_a_repeat_that_is_no_number_is_named_by_its_line(run: Run, made: Path, repeat: object) -> None:
    lines = made.read_text().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), "repeat": repeat})
    made.write_text("\n".join(lines) + "\n")
    for words in (
        ["bench", "compare", made],
        ["grade", made, "--auto"],
    ):
        code, _, err = run(*words)
        assert code == 2, (words, err)
        assert f"{made.name}, line 2: repeat is" in err
        assert "Traceback" not in err
    with pytest.raises(UserError, match="line 2: repeat is"):  # what a run that goes on reads first
        answered_in(made)
    code, _, err = run("bench", "compare", made, "--skip-bad-lines")
    assert code == 0, err
    assert "line 2" in err


@pytest.mark.parametrize(
    ("name", "value"),
    [("token_budget", "x"), ("token_budget", float("inf")), ("context_tokens", float("nan")), ("grader", "me")],
)
def test_a_value_of_another_kind_is_told_with_its_question(run: Run, made: Path, name: str, value: object) -> None:
    lines = made.read_text().splitlines()
    lines[0] = json.dumps({**json.loads(lines[0]), name: value})
    made.write_text("\n".join(lines) + "\n")
    code, out, err = run("bench", "compare", made)
    assert (code, out) == (2, "")
    assert "is not one of a run (" in err


@pytest.mark.parametrize("text", ["", "\n\n", "  \n"])
def test_a_question_file_of_nothing_is_no_valid_one(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text(text)
    code, _, err = run("bench", "validate", path)
    assert code == 2
    assert f"{path} holds no question." in err
    assert "docs/questions.md" in err
