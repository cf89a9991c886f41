"""JSONL files of runs: what was acknowledged is there after kills, full disks and second writers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.runner.jsonl import JsonlAppender, create_new, dump_row, rows_of
from retrieval.errors import UserError

WRITER = """
import sys
from pathlib import Path
from harness.runner.jsonl import JsonlAppender
with JsonlAppender(Path(sys.argv[1])) as out:
    for n in range(int(sys.argv[2])):
        out.append({"n": n, "text": "x" * 500})
        print(n, flush=True)
"""


def read(path: Path) -> list[dict]:
    return [row for _, row in rows_of(path, skip_broken=False, note=print)]


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    values = [{"text": "a\nb\u2028c\x0c"}, {"text": "lone \ud800 surrogate"}, {"text": "ü"}]
    with JsonlAppender(tmp_path / "r.jsonl") as out:
        for value in values:
            out.append(value)
    assert read(tmp_path / "r.jsonl") == values


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=30) | st.floats(allow_nan=False) | st.none(), max_size=4))
def test_a_row_is_one_line_of_utf8(row: dict) -> None:
    text = dump_row(row)
    assert "\n" not in text
    assert json.loads(text.encode("utf-8")) == row


def test_a_torn_last_line_is_removed_and_told(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"n": 1}\n{"n": 2}\n{"n": 3, "te')
    told: list[str] = []
    with JsonlAppender(path, told.append) as out:
        out.append({"n": 4})
    assert [row["n"] for row in read(path)] == [1, 2, 4]
    assert len(told) == 1
    assert "middle of a line" in told[0]


def test_a_file_without_any_line_end_is_emptied(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("x" * 200_000)
    with JsonlAppender(path) as out:
        out.append({"n": 1})
    assert read(path) == [{"n": 1}]


def test_two_writers_do_not_mix(tmp_path: Path) -> None:
    with JsonlAppender(tmp_path / "r.jsonl"), pytest.raises(UserError, match="Another process"):
        JsonlAppender(tmp_path / "r.jsonl")
    JsonlAppender(tmp_path / "r.jsonl").close()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_killed_writer_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path), "100000"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    acknowledged = -1
    for line in process.stdout:
        acknowledged = int(line)
        if acknowledged >= 40:
            os.kill(process.pid, signal.SIGKILL)
            break
    rest = process.stdout.read().split()
    acknowledged = int(rest[-1]) if rest else acknowledged
    process.wait()
    JsonlAppender(path).close()  # the lock died with its process
    assert [row["n"] for row in read(path)][: acknowledged + 1] == list(range(acknowledged + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_a_full_disk_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    limited = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limited += "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
    limited += (
        "from retrieval.errors import UserError\ntry:\n"
        + "".join(f"    {line}\n" for line in WRITER.strip().split("\n"))
        + "except UserError as error:\n    print('told', error.cause)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, str(path), "100"], capture_output=True, text=True, check=True
    ).stdout.split("\n")
    told = [line for line in done if line.startswith("told")]
    assert told
    assert "is kept" in told[0]
    acknowledged = [int(line) for line in done if line.isdigit()]
    assert [row["n"] for row in read(path)] == acknowledged
    assert path.read_bytes().endswith(b"\n")


def test_a_broken_line_is_named_and_passed_over_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"n": 1}\n{"n": \n[]\n{"n": 4}\n')
    with pytest.raises(UserError, match="line 2"):
        read(path)
    told: list[str] = []
    assert [row["n"] for _, row in rows_of(path, skip_broken=True, note=told.append)] == [1, 4]
    assert len(told) == 2


def test_new_files_never_replace_old_ones(tmp_path: Path) -> None:
    names = [create_new(tmp_path / "a.jsonl").name for _ in range(3)]
    assert names == ["a.jsonl", "a-2.jsonl", "a-3.jsonl"]
