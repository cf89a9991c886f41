"""Long runs: killed and gone on with, many rows in flat memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from bench_shop import QUESTIONS, rows, write_shop

from harness.cli.grade import _grade_whole
from harness.grading.automatic import grade_automatically
from harness.grading.row_index import index_rows
from harness.report.data import load_run
from harness.runner import run as run_module
from harness.runner.config import Answering, Asked, RunConfig
from harness.runner.run import Selection, execute
from harness.tiers.protocol import TierOptions

Run = Callable[..., tuple[int, str, str]]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_killed_run_with_processes_is_gone_on_with(run: Run, tmp_path: Path) -> None:
    file = write_shop(tmp_path, [{**QUESTIONS[n % 3], "id": f"q{n:03d}"} for n in range(60)])
    out = tmp_path / "runs"
    args = ["bench", "run", "--questions", str(file), "--out", str(out), "--tier", "4", "--jobs", "2", "-q"]
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli.main", *args], stdout=subprocess.DEVNULL, start_new_session=True
    )
    path: Path | None = None
    while process.poll() is None:
        path = next(iter(out.glob("*.jsonl")), None) if out.is_dir() else None
        if path is not None and path.read_bytes().count(b"\n") >= 8:
            os.kill(process.pid, signal.SIGKILL)
            break
    process.wait()
    assert path is not None
    before = path.read_bytes()
    kept = before[: before.rfind(b"\n") + 1]
    assert 8 <= kept.count(b"\n") < 60
    code, text, err = run(*args, "--json")
    assert code == 0, err
    (found,) = json.loads(text)
    assert found["file"] == str(path)
    assert found["resumed"] == kept.count(b"\n")
    assert path.read_bytes().startswith(kept)
    assert [row["question_id"] for row in rows(path)] == [f"q{n:03d}" for n in range(60)]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("out", [None, "mine.jsonl"])
def test_automatic_grades_killed_midway_are_gone_on_with(run: Run, tmp_path: Path, out: str | None) -> None:
    """Until all is graded no file is there that a reader could take for the whole."""
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps({**fat_row(number), "reference": QUESTIONS[0]}) + "\n" for number in range(500)))
    args = ["grade", str(path), "--auto", *(["--out", str(tmp_path / out)] if out else [])]
    process = subprocess.Popen([sys.executable, "-m", "agent.cli.main", *args, "-q"], stdout=subprocess.DEVNULL)
    part: Path | None = None
    while process.poll() is None:
        part = next(iter(tmp_path.glob("*.part")), None)
        if part is not None and part.read_bytes().count(b"\n") >= 8:
            os.kill(process.pid, signal.SIGKILL)
            break
    process.wait()
    assert part is not None
    assert list(tmp_path.glob("*.jsonl")) == [path]
    before = part.read_bytes()
    kept = before[: before.rfind(b"\n") + 1]
    assert 8 <= kept.count(b"\n") < 500
    code, text, err = run(*args, "--json")
    assert code == 0, err
    assert f"{kept.count(chr(10).encode())} graded before" in err
    found = json.loads(text)
    assert Path(found["file"]).read_bytes().startswith(kept)
    assert list(tmp_path.glob("*.part")) == []
    assert [row["question_id"] for row in rows(Path(found["file"]))] == [f"q{number}" for number in range(500)]
    assert found["grades"] == {"incorrect": 500}


def fat_row(number: int) -> dict[str, Any]:
    return {
        "run_id": "r",
        "question_id": f"q{number}",
        "question": "what?",
        "category": "explanation",
        "answer": "x" * 1_200,
        "answerer": "offline",
        "tier": "4",
        "error": "",
        "context_tokens": 100,
        "evidence_score": {},
    }


def peak_of(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """10,000 rows of 1.4 kB: 14 MB on the disk, some hundred bytes of each in memory."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)

    def answers(tasks: Iterator[Any], run_id: str, *rest: object) -> Iterator[Mapping[str, Any]]:
        for question, _ in tasks:
            yield {**fat_row(0), "run_id": run_id, "question_id": question.id}

    monkeypatch.setattr(run_module, "answer_all", answers)
    count = 10_000
    file = write_shop(tmp_path)
    with file.open("w") as handle:
        for number in range(count):
            handle.write(json.dumps({**QUESTIONS[0], "id": f"q{number}"}) + "\n")
    config = RunConfig("4", TierOptions(), Answering(), Asked("0", "", ()))

    def whole_run() -> None:
        outcome = execute(config, Selection(file), {}, tmp_path / "runs", total=count)
        assert outcome.answered == count

    assert peak_of(whole_run) < 8_000_000
    (path,) = (tmp_path / "runs").glob("*.jsonl")
    assert path.stat().st_size > 12_000_000

    def graded() -> None:
        found = index_rows(path)
        assert len(found.offsets) == count
        few = type(found)(path, found.offsets[:300])
        _grade_whole(few, grade_automatically, "automatic", "t", path, None, True, True, lambda text: None)

    assert peak_of(graded) < 12_000_000
    assert peak_of(lambda: load_run(path)) < 40_000_000
