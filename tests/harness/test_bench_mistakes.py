"""What a clumsy user gives to the benchmark's commands, and what the messages then say."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from bench_shop import rows, write_shop

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_shop(tmp_path)


def test_runs_in_the_users_repository_stay_out_of_git_and_of_the_index(run: Run, shop: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    code, _, err = run("bench", "run", "--questions", shop, "--tier", 4, "-q")
    assert code == 0, err
    assert list((tmp_path / "harness" / "runs").glob("*.jsonl"))
    status = subprocess.run(
        ["git", "-C", str(tmp_path), "status", "--porcelain", "-uall"], check=True, capture_output=True, text=True
    ).stdout
    assert "harness/" not in status
    code, out, _ = run("search", "-k", 20, "--json", "-q", "compiled_hybrid question_id run_id evidence_files")
    assert code == 0
    assert "harness/runs" not in out


def test_the_hint_after_a_run_elsewhere_names_that_run(run: Run, shop: Path, tmp_path: Path) -> None:
    code, _, err = run("bench", "run", "--questions", shop, "--tier", 4, "--out", tmp_path / "elsewhere")
    assert code == 0
    made = next((tmp_path / "elsewhere").glob("*.jsonl"))
    assert f"contextc grade {made} --sample 10" in err


def test_a_file_is_no_folder_for_runs(run: Run, shop: Path) -> None:
    code, _, err = run("bench", "run", "--questions", shop, "--tier", 4, "--out", shop, "-q")
    assert code == 2
    assert f"Cannot make the folder {shop}: File exists." in err


@pytest.mark.parametrize(
    ("args", "mend"),
    [
        (["bench", "run", "--tier", "4:x"], "--tier 4:2000"),
        (["bench", "sweep", "--ks", "0"], "--ks 1,5,20"),
        (["bench", "sweep", "--windows", "a", "--tier", "1"], "--windows 20,40,80"),
        (["bench", "sweep", "--windows", "10,20"], "--tier 1"),
        (["bench", "sweep", "--legs", "--tier", "2"], "--tier 3"),
    ],
)
def test_examples_fit_the_option(run: Run, shop: Path, args: list[str], mend: str) -> None:
    code, _, err = run(*args, "--questions", shop)
    assert code == 2
    assert mend in err


def test_an_empty_question_file_is_told_as_such(run: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    code, _, err = run("bench", "run", "--questions", empty)
    assert code == 2
    assert f"{empty} holds no questions" in err


def test_a_report_of_rows_with_lone_surrogates_is_written(run: Run, shop: Path, tmp_path: Path) -> None:
    assert run("bench", "run", "--questions", shop, "--tier", 4, "-q")[0] == 0
    made = next((tmp_path / "harness" / "runs").glob("*.jsonl"))
    odd = tmp_path / "odd.jsonl"
    odd.write_text("".join(json.dumps({**row, "category": "\ud800", "run_id": "\udfff"}) + "\n" for row in rows(made)))
    report = tmp_path / "r.html"
    code, _, err = run("bench", "compare", odd, "--html", report, "-q")
    assert code == 0, err
    assert "<!doctype html>" in report.read_text("utf-8").lower()


def test_a_judge_that_is_not_there_is_told_in_terms_of_grading(run: Run, shop: Path, tmp_path: Path) -> None:
    assert run("bench", "run", "--questions", shop, "--tier", 4, "-q")[0] == 0
    made = next((tmp_path / "harness" / "runs").glob("*.jsonl"))
    code, _, err = run("grade", made, "--judge", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "-q")
    assert code == 2
    assert "--answerer" not in err
    assert "--auto" in err
