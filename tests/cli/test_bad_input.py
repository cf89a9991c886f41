"""A user's mistake costs one line of cause, one of mend, exit code 2, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TREE = {
    "app.py": 'def greet(name):\n    """Say hello."""\n    return f"hello {name}"\n',
    "README.md": "# App\n\nSays hello.\n",
}

Run = Callable[..., tuple[int, str, str]]


def fails(result: tuple[int, str, str]) -> str:
    """Checks the shape of a refusal and returns its text."""
    code, out, err = result
    lines = [line for line in err.splitlines() if line]
    assert code == 2, result
    assert out == ""
    assert "Traceback" not in err
    assert lines[-2].startswith("contextc: ")
    assert lines[-1].startswith("  ")
    return "\n".join(lines[-2:])


@pytest.mark.parametrize("command", ["search", "pack", "ask"])
class TestQuestions:
    def test_no_such_path(self, run: Run, tmp_path: Path, command: str) -> None:
        assert "No such path" in fails(run(command, "hello", "--root", tmp_path / "nowhere"))

    def test_empty_question(self, run: Run, write_tree: Callable[..., Path], command: str) -> None:
        root = write_tree(TREE)
        assert "empty" in fails(run(command, "  ", "--root", root))
        assert "empty" in fails(run(command, "--root", root))
        assert not (root / ".contextc").exists()

    def test_huge_question(self, run: Run, write_tree: Callable[..., Path], command: str) -> None:
        root = write_tree(TREE)
        text = "what does greet do " + "_a" * 300_000 + " x" * 200_000
        code, out, err = run(command, text, "--root", root, "-q")
        assert code == 0, err[-500:]
        assert out

    def test_no_index_and_no_update(self, run: Run, write_tree: Callable[..., Path], command: str) -> None:
        assert "contextc index" in fails(run(command, "greet", "--no-update", "--root", write_tree(TREE)))

    def test_binary_garbage(self, run: Run, write_tree: Callable[..., Path], command: str) -> None:
        root = write_tree(TREE)
        code, _, err = run(command, "\x00\x01\udcff\u202e greet", "--root", root, "-q")
        assert code == 0, err

    def test_unknown_option(self, run: Run, command: str) -> None:
        assert "--help" in fails(run(command, "greet", "--bogus"))


@pytest.mark.parametrize("command", ["pack", "ask"])
@pytest.mark.parametrize("budget", ["0", "-5", "ten"])
def test_impossible_budgets(run: Run, write_tree: Callable[..., Path], command: str, budget: str) -> None:
    fails(run(command, "greet", "--root", write_tree(TREE), "--budget", budget))


def test_a_tiny_budget_still_gives_evidence_or_says_what_it_needs(run: Run, write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    for budget in (10, 20, 40):
        code, out, _ = run("pack", "what does greet do", "--root", root, "--budget", budget, "-q", "--json")
        pack = json.loads(out)
        assert code == 0
        assert pack["total_tokens"] <= budget
        assert pack["chunks"] or pack["warnings"]


def test_an_empty_folder(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("index", tmp_path, "-q")
    assert code == 0
    assert "0 files" in out
    code, out, _ = run("ask", "where is x", "--root", tmp_path, "-q")
    assert code == 0
    assert out.strip()


def test_an_unknown_command_points_to_the_nearest(run: Run) -> None:
    assert "contextc search" in fails(run("serch", "x"))
    assert "contextc ask" in fails(run("where is the parser"))


def test_an_unreadable_file_is_named_and_the_rest_is_indexed(run: Run, write_tree: Callable[..., Path]) -> None:
    root = write_tree({**TREE, "locked.py": "x = 1\n"})
    if os.geteuid() == 0:
        (root / "locked.py").unlink()
        os.mkfifo(root / "locked.py")  # root reads everything; a FIFO is what even root cannot index
    else:
        (root / "locked.py").chmod(0)
    code, out, _ = run("index", root, "-v", "-q")
    assert code == 0
    assert "locked.py" in out


def test_a_damaged_index_is_rebuilt_with_a_word(run: Run, write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    run("index", root, "-q")
    database = next((root / ".contextc").glob("index-*.sqlite"))
    for side in (root / ".contextc").glob("index-*.sqlite-*"):
        side.unlink()
    database.write_bytes(os.urandom(20_000))
    assert "--rebuild" in fails(run("search", "greet", "--root", root, "--no-update"))
    code, out, err = run("search", "greet", "--root", root)
    assert code == 0
    assert "damaged" in err
    assert "app.py" in out


def test_a_foreign_index_is_never_used(run: Run, write_tree: Callable[..., Path], tmp_path: Path) -> None:
    root = write_tree(TREE)
    run("index", root, "-q")
    clone = tmp_path / "clone"
    subprocess.run(["cp", "-r", str(root), str(clone)], check=True)
    for command in (("search", "greet"), ("ask", "where is greet"), ("status",)):
        assert "--rebuild" in fails(run(*command, "--root", clone))
    assert run("index", "--rebuild", clone, "-q")[0] == 0
    assert run("search", "greet", "--root", clone, "-q")[0] == 0


def test_interrupting_leaves_one_line(write_tree: Callable[..., Path]) -> None:
    root = write_tree({f"m{n}.py": f"def f{n}():\n    return {n}\n" * 200 for n in range(150)})
    code = (
        "import os, signal, sys\nfrom agent.cli import common\nfrom agent.cli.main import main\n"
        "real = common.ProgressBar.__call__\n"
        "def stop(self, phase, done, total):\n"
        "    if done == total // 2 and done: os.kill(os.getpid(), signal.SIGINT)\n"
        "    real(self, phase, done, total)\n"
        "common.ProgressBar.__call__ = stop\nsys.exit(main(['index', sys.argv[1]]))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True)
    assert done.returncode == 130, done.stderr
    assert "interrupted" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (root / ".contextc/manifest.json").exists()


def test_a_reader_that_stops_early_is_no_error(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    line = f"{sys.executable} -m agent.cli.main pack 'greet' --root {root} -q | head -c 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_broken_batches_name_the_line(run: Run, write_tree: Callable[..., Path], tmp_path: Path) -> None:
    root = write_tree(TREE)
    batch = tmp_path / "q.jsonl"
    for text in (
        '{"id": 1, "query": "a"}\nnonsense\n',
        '{"id": 1, "query": "a"}\n{"id": 2}\n',
        '{"id": 1, "query": "a"}\n[1]\n',
        '{"id": 1, "query": "a"}\n{"id": NaN, "query": "a"}\n',
    ):
        batch.write_text(text)
        assert "line 2" in fails(run("search", "--batch", batch, "--root", root))
    for signs in ("?!", "_" * 9_000 + " greet"):  # nothing is answered before it is known that every line can be
        batch.write_text('{"id": 1, "query": "greet"}\n' + json.dumps({"id": 2, "query": signs}) + "\n")
        assert "line 2 has an empty 'query'" in fails(run("search", "--batch", batch, "--root", root))
    assert "batch" in fails(run("search", "--batch", tmp_path / "none.jsonl", "--root", root))
    assert "larger than 64 MiB" in fails(run("search", "--batch", "/dev/zero", "--root", root))
