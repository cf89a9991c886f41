"""Closed streams, readers that stop, vanished folders and empty paths: plain results or one clear refusal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TREE = {"app.py": 'def greet(name):\n    """Say hello."""\n    return name\n'}
CONTEXTC = f"{sys.executable} -m agent.cli.main"


def shell(line: str, root: Path) -> subprocess.CompletedProcess[str]:
    repository = Path(__file__).parents[2]
    return subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(repository), "ROOT": str(root), "C": CONTEXTC},
        check=False,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(write_tree: Callable[..., Path], closed: str) -> None:
    root = write_tree(TREE)
    done = shell(f"$C search greet --root $ROOT {closed}", root)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "Internal error" not in done.stderr
    lock = root / ".contextc/lock"
    assert lock.read_text().strip().isdigit()  # nothing that was printed went into a file of the index


def test_a_closed_standard_input_is_an_empty_question(write_tree: Callable[..., Path]) -> None:
    done = shell("$C ask - --root $ROOT <&-", write_tree(TREE))
    assert done.returncode == 2
    assert "empty" in done.stderr


def test_bytes_that_are_no_text_are_a_question_too(write_tree: Callable[..., Path]) -> None:
    done = shell(r"printf '\xff\xfe greet' | LC_ALL=C $C search - -q --root $ROOT", write_tree(TREE))
    assert done.returncode == 0
    assert "app.py" in done.stdout


def test_a_reader_that_has_gone_is_success(write_tree: Callable[..., Path]) -> None:
    done = shell("$C pack greet -q --root $ROOT | head -c 0; exit ${PIPESTATUS[0]}", write_tree(TREE))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_vanished_working_directory_is_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = shell(f"cd {gone} && rmdir {gone} && $C ask greet", gone)
    assert done.returncode == 2
    assert "no longer exists" in done.stderr


@pytest.mark.parametrize("line", ["ask x --root ''", "index ''", "ask x --root /dev/null"])
def test_a_path_that_is_no_tree_is_refused(tmp_path: Path, line: str) -> None:
    done = shell(f"cd {tmp_path} && $C {line}", tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 2
    assert list(tmp_path.iterdir()) == []


def test_messages_hold_no_terminal_controls(tmp_path: Path) -> None:
    done = shell("$C ask x --root $'a\\x1b[2Jb\\x07'", tmp_path)
    assert done.returncode == 2
    assert done.stderr.replace("\n", "").isprintable()


def test_an_index_that_another_version_made_is_built_anew_by_a_question(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    assert shell("$C index -q $ROOT", root).returncode == 0
    manifest = root / ".contextc/manifest.json"
    stored = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**stored, "chunker": stored["chunker"] - 1}))
    assert shell("$C search greet -q --no-update --root $ROOT", root).returncode == 0
    assert json.loads(manifest.read_text())["build"] == stored["build"]
    assert shell("$C search greet -q --root $ROOT", root).returncode == 0
    rebuilt = json.loads(manifest.read_text())
    assert rebuilt["chunker"] == stored["chunker"]
    assert rebuilt["build"] != stored["build"]


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_json_is_json_in_every_encoding(write_tree: Callable[..., Path], encoding: str) -> None:
    question = "greet \u00e9 \U0001f600"
    line = f"printf '{question}' | PYTHONIOENCODING={encoding} $C search - -q --json --root $ROOT"
    done = shell(line, write_tree(TREE))
    assert done.returncode == 0
    assert json.loads(done.stdout)["query"] == question


def test_a_fifo_in_place_of_the_manifest_is_not_waited_for(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    (root / ".contextc").mkdir()
    os.mkfifo(root / ".contextc/manifest.json")
    done = shell("timeout 60 $C search greet -q --root $ROOT", root)
    assert (done.returncode, done.stderr) == (0, "")
    assert "app.py" in done.stdout
    assert (root / ".contextc/manifest.json").is_file()
