"""Runs from the command line on a small tree: rows, resuming, failures, several processes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from bench_shop import FILES, QUESTIONS, rows, write_shop

Run = Callable[..., tuple[int, str, str]]
LESSON = [
    "run_id",
    "question_id",
    "question",
    "category",
    "answer",
    "model",
    "provider",
    "evidence_files",
    "context_tokens",
    "token_budget",
    "context_rot_issues",
    "retrieval_method",
    "grade",
    "failure_label",
    "grading_notes",
    "repo_sha",
    "timestamp",
    "harness_version",
]


@pytest.fixture
def bench(run: Run, tmp_path: Path) -> Callable[..., list[Path]]:
    """Runs ``contextc bench run`` and returns the run files."""
    file = write_shop(tmp_path)

    def call(*args: object, questions: Path = file) -> list[Path]:
        code, out, err = run(
            "bench", "run", "--questions", questions, "--out", tmp_path / "runs", "--json", "-q", *args
        )
        assert code == 0, err
        return [Path(each["file"]) for each in json.loads(out)]

    return call


def stable(row: dict) -> dict:
    return {key: value for key, value in row.items() if key not in ("timestamp", "timings", "run_id")}


def test_every_tier_records_the_fields_of_the_lesson_and_keeps_the_budget(bench: Callable[..., list[Path]]) -> None:
    files = bench("--tier", "all", "--budget", "400")
    assert len(files) == 6
    methods = set()
    for path in files:
        found = rows(path)
        assert [row["question_id"] for row in found] == ["q1", "q2", "q3", "q4"]
        for row in found:
            assert set(LESSON) <= set(row)
            assert not row["error"]
            assert row["context_tokens"] <= 400
            assert row["grade"] is None
            assert all(citation["in_context"] for citation in row["citations"])
            assert set(row["evidence_files"]) <= set(FILES)
            methods.add(row["retrieval_method"])
    assert methods == {"naive_vector", "ast_vector", "hybrid", "compiled_hybrid", "grep_read", "bm25"}


def test_the_same_run_twice_gives_the_same_rows(bench: Callable[..., list[Path]]) -> None:
    first, second = bench("--tier", "3,4"), bench("--tier", "3,4", "--fresh")
    assert first != second
    for a, b in zip(first, second, strict=True):
        assert [stable(row) for row in rows(a)] == [stable(row) for row in rows(b)]


def test_processes_change_nothing_but_the_time(bench: Callable[..., list[Path]]) -> None:
    (one,), (two,) = bench("--tier", "4"), bench("--tier", "4", "--fresh", "--jobs", "2")
    assert [stable(row) for row in rows(one)] == [stable(row) for row in rows(two)]


def test_a_run_that_stopped_goes_on_where_it_was(bench: Callable[..., list[Path]], run: Run, tmp_path: Path) -> None:
    (path,) = bench("--tier", "2")
    whole = path.read_bytes()
    lines = whole.split(b"\n")
    path.write_bytes(b"\n".join(lines[:2]) + b"\n" + lines[2][:100])  # killed while the third line was written
    meta = path.with_name(path.name.replace(".jsonl", ".meta.json"))
    meta.write_text(meta.read_text().replace('"complete"', '"running"'))
    code, out, err = run(
        "bench", "run", "--questions", tmp_path / "questions.jsonl", "--out", tmp_path / "runs", "--tier", 2
    )
    assert code == 0
    assert "2 of 4 answered before" in err
    assert "middle of a line" in err
    assert str(path) in out
    assert [stable(row) for row in rows(path)] == [stable(json.loads(line)) for line in lines if line]
    (fresh,) = bench("--tier", "2")  # complete now: the next one is another run
    assert fresh != path


def test_a_question_that_fails_is_recorded_and_asked_again(run: Run, tmp_path: Path) -> None:
    from scripted_server import fails, serving, streams

    file = write_shop(tmp_path, QUESTIONS[:2])
    args = (
        "bench",
        "run",
        "--questions",
        file,
        "--out",
        tmp_path / "runs",
        "--tier",
        4,
        "--json",
        "--answerer",
        "openai",
    )
    answer = "`price_of` is in `shop/prices.py` [1]."
    with serving(streams(answer), fails(400, "no"), streams("`Cart.total` calls it [1].")) as server:
        code, out, err = run(*args, "--base-url", server.base_url, "--model", "tiny", "--price-in", 2, "--price-out", 8)
        assert code == 0, err
        (first,) = json.loads(out)
        assert (first["answered"], first["failed"]) == (2, 1)
        path = Path(first["file"])
        good, bad = rows(path)
        assert (good["model"], good["cost_usd"]) == ("tiny-1", pytest.approx((12 * 2 + 3 * 8) / 1e6))
        assert "no" in bad["error"]
        code, out, err = run(*args, "--base-url", server.base_url, "--model", "tiny", "--price-in", 2, "--price-out", 8)
    assert json.loads(out)[0]["file"] == str(path)
    assert [(row["question_id"], bool(row["error"])) for row in rows(path)] == [
        ("q1", False),
        ("q2", True),
        ("q2", False),
    ]


def test_a_changed_tree_is_not_mixed_into_an_old_run(bench: Callable[..., list[Path]], tmp_path: Path) -> None:
    (path,) = bench("--tier", "4")
    meta = path.with_name(path.name.replace(".jsonl", ".meta.json"))
    meta.write_text(meta.read_text().replace('"complete"', '"running"'))
    (tmp_path / "tree/shop/more.py").write_text("def more():\n    pass\n")
    (other,) = bench("--tier", "4")
    assert other != path


def test_choosing_questions(bench: Callable[..., list[Path]], run: Run, tmp_path: Path) -> None:
    (path,) = bench("--tier", "4", "--category", "relationship")
    assert [row["question_id"] for row in rows(path)] == ["q2"]
    (path,) = bench("--tier", "4", "--limit", "2")
    assert len(rows(path)) == 2
    code, _, err = run("bench", "run", "--questions", tmp_path / "questions.jsonl", "--category", "nothing")
    assert code == 2
    assert "No question" in err


def test_a_tier_may_have_a_budget_of_its_own(bench: Callable[..., list[Path]]) -> None:
    files = bench("--tier", "3", "--tier", "4:200", "--budget", "300")
    assert [rows(path)[0]["token_budget"] for path in files] == [300, 200]


def test_evidence_only_runs_answer_nothing(bench: Callable[..., list[Path]]) -> None:
    (path,) = bench("--tier", "4", "--answerer", "none")
    assert all(row["answer"] == "" and row["evidence_score"] for row in rows(path))


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--tier", "7"], "There is no tier"),
        (["--budget", "0"], "--budget"),
        (["--budget", "many"], "--budget"),
        (["--run-id", "a/b", "--tier", "4"], "--run-id"),
        (["--questions", "nowhere.jsonl"], "Cannot read"),
        (["--answerer", "openai"], "API key"),
    ],
)
def test_mistakes_are_told_in_two_lines(run: Run, tmp_path: Path, args: list[str], told: str) -> None:
    file = write_shop(tmp_path)
    given = [] if "--questions" in args else ["--questions", file]
    code, out, err = run("bench", "run", "--out", tmp_path / "runs", *given, *args)
    assert (code, out) == (2, "")
    assert told in err
    assert len(err.strip().split("\n")) == 2


def test_a_broken_question_is_named(run: Run, tmp_path: Path) -> None:
    file = write_shop(tmp_path)
    file.write_text(file.read_text() + "{broken\n")
    code, _, err = run("bench", "run", "--questions", file, "--out", tmp_path / "runs", "--tier", 4)
    assert code == 2
    assert "line 5" in err
    code, _, err = run("bench", "run", "--questions", file, "--out", tmp_path / "runs", "--tier", 4, "--skip-bad-lines")
    assert code == 0
    assert "passed over" in err


def test_help_lists_the_commands_and_imports_none_of_them(run: Run) -> None:
    code, out, _ = run("bench", "--help")
    assert code == 0
    for name in ("run", "compare", "sweep", "ablate", "agree", "validate", "mine"):
        assert name in out
