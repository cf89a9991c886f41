"""The index follows its tree while nobody asks: bursts, renames, branches, faults and the end."""

from __future__ import annotations

import json
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from index_snapshot import place, snapshot

import agent.watch
from agent.watch import IndexWatcher, watch_index
from retrieval.errors import UserError
from retrieval.index.build import update_index
from retrieval.index.lock import IndexBusyError, writer_lock
from retrieval.index.reader import IndexReader
from retrieval.index.report import IndexReport

PATIENCE_S = 60.0  # a loaded machine is slow; nothing here waits this long where it works
TREE = {
    "pkg/__init__.py": "from .core import run\n",
    "pkg/core.py": "def run(name):\n    return helper(name)\n\n\ndef helper(name):\n    return name\n",
    "docs/guide.md": "# Guide\n\nHow to run.\n",
}


class Watched:
    """A watcher with what it said."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.reports: queue.Queue[IndexReport] = queue.Queue()
        self.problems: queue.Queue[str] = queue.Queue()
        self.watcher = IndexWatcher(place(root), self.reports.put, self.problems.put)

    def until(self, holds: Callable[[], bool]) -> None:
        """Waits for an update after which ``holds``."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                if holds():
                    return
            except (UserError, OSError):
                pass
            try:
                self.reports.get(timeout=0.2)
            except queue.Empty:
                continue
        raise AssertionError("the index did not follow")

    def paths(self) -> tuple[str, ...]:
        with IndexReader.open(place(self.root)) as reader:
            return reader.paths

    def text(self, path: str) -> str:
        with IndexReader.open(place(self.root)) as reader:
            return "\n".join(reader.file_text(path).lines)


@contextmanager
def watching(root: Path) -> Iterator[Watched]:
    watched = Watched(root)
    with watched.watcher:
        watched.until(lambda: bool(watched.paths()))
        yield watched
    assert watched.watcher.stop()


def fresh_snapshot(root: Path, copy: Path) -> dict[str, object]:
    """Of an index made from nothing of a copy of the tree."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy, ignore=lambda _folder, names: [name for name in names if name == ".contextc"])
    update_index(place(copy))
    return snapshot(copy)


def random_edit(root: Path, chance: random.Random) -> None:
    folders = [
        root,
        *(
            path
            for path in root.rglob("*")
            if path.is_dir() and ".git" not in path.parts and ".contextc" not in path.parts
        ),
    ]
    files = [path for folder in folders for path in folder.glob("*.*") if path.is_file()]
    folder, file = chance.choice(folders), chance.choice(files)
    name = f"{chance.choice('abcdef')}{chance.choice('abcdef')}"
    match chance.randrange(7):
        case 0:
            (folder / f"{name}.py").write_text(f"def {name}(x):\n    return run(x, {chance.random()})\n")
        case 1:
            with file.open("a") as handle:
                handle.write(f"\n# {name} {chance.random()}\n")
        case 2 if len(files) > 3:
            file.unlink()
        case 3:
            file.rename(folder / f"{name}{file.suffix}")
        case 4:
            (folder / name).mkdir(exist_ok=True)
        case 5 if folder != root and len(files) > 5:
            shutil.rmtree(folder)
        case 6 if folder != root and not (root / f"moved_{name}").exists():
            folder.rename(root / f"moved_{name}")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_after_random_bursts_the_index_is_that_of_the_tree(
    write_tree: Callable[..., Path], run_git: Callable[..., str], tmp_path: Path, seed: int
) -> None:
    root = write_tree({**TREE, ".gitignore": "*.log\n"})
    if seed != 2:  # one of them without git
        run_git(root, "init", "-q")
    chance = random.Random(seed)
    with watching(root) as watched:
        for _ in range(4):
            for _ in range(chance.randrange(1, 12)):
                random_edit(root, chance)
            time.sleep(chance.choice([0.0, 0.1, 0.5]))
        (root / "last.py").write_text("END = True\n")
        watched.until(lambda: snapshot(root) == fresh_snapshot(root, tmp_path / "copy"))


def test_a_branch_switch_and_a_mass_rename(write_tree: Callable[..., Path], run_git: Callable[..., str]) -> None:
    root = write_tree({f"pkg/m{number}.py": f"VALUE = {number}\n" for number in range(60)})
    run_git(root, "init", "-q", "-b", "main")
    run_git(root, "add", ".")
    run_git(root, "commit", "-qm", "one")
    run_git(root, "checkout", "-qb", "other")
    run_git(root, "mv", "pkg", "lib")
    run_git(root, "commit", "-qm", "two")
    head = run_git(root, "rev-parse", "main").strip()
    with watching(root) as watched:
        assert "lib/m59.py" in watched.paths()
        run_git(root, "checkout", "-q", "main")
        expected = tuple(sorted(f"pkg/m{number}.py" for number in range(60)))
        watched.until(lambda: watched.paths() == expected and place_commit(root) == head)
        (root / "pkg").rename(root / "renamed")
        watched.until(lambda: watched.paths() == tuple(path.replace("pkg/", "renamed/") for path in expected))
        (root / "renamed/m0.py").write_text("VALUE = 'after the folder moved'\n")
        watched.until(lambda: "after the folder" in watched.text("renamed/m0.py"))


def place_commit(root: Path) -> str:
    with IndexReader.open(place(root)) as reader:
        return str(reader.meta["commit"])


def test_a_file_in_a_new_empty_folder_and_one_that_is_staged_against_the_rules(
    write_tree: Callable[..., Path], run_git: Callable[..., str]
) -> None:
    root = write_tree({**TREE, ".gitignore": "generated.py\n", "generated.py": "X = 1\n"})
    run_git(root, "init", "-q")
    with watching(root) as watched:
        (root / "later/deep").mkdir(parents=True)
        time.sleep(1.0)
        (root / "later/deep/x.py").write_text("X = 1\n")
        watched.until(lambda: "later/deep/x.py" in watched.paths())
        assert "generated.py" not in watched.paths()
        run_git(root, "add", "-f", "generated.py")
        watched.until(lambda: "generated.py" in watched.paths())


def test_a_tree_that_the_work_tree_around_it_ignores(
    write_tree: Callable[..., Path], run_git: Callable[..., str]
) -> None:
    root = write_tree({".gitignore": "vendor/\n*.py\n", "vendor/lib/a.py": "X = 1\n"})
    run_git(root, "init", "-q")
    with watching(root / "vendor/lib") as watched:
        (root / "vendor/lib/deep").mkdir()
        (root / "vendor/lib/deep/b.py").write_text("X = 1\n")
        watched.until(lambda: watched.paths() == ("a.py", "deep/b.py"))


def test_a_submodule(write_tree: Callable[..., Path], run_git: Callable[..., str], tmp_path: Path) -> None:
    root = write_tree(TREE)
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / ".gitignore").write_text("*.log\n")
    (inner / "lib.py").write_text("X = 1\n")
    for repository in (root, inner):
        run_git(repository, "init", "-q")
        run_git(repository, "add", ".")
        run_git(repository, "commit", "-qm", "one")
    run_git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    with watching(root) as watched:
        assert "sub/lib.py" in watched.paths()
        (root / "sub/lib.py").write_text("CHANGED = 2\n")
        watched.until(lambda: "CHANGED" in watched.text("sub/lib.py"))
        (root / "sub/new").mkdir()
        (root / "sub/new/more.py").write_text("X = 1\n")
        watched.until(lambda: "sub/new/more.py" in watched.paths())


def test_ignored_files_and_our_own_do_not_wake_it(
    write_tree: Callable[..., Path], run_git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_tree({**TREE, ".gitignore": "*.log\nbuild/\n", "noise.log": "", "build/out.py": "X = 1\n"})
    run_git(root, "init", "-q")
    looks: list[float] = []
    real = agent.watch._Loop._update

    def look(loop: agent.watch._Loop) -> None:
        looks.append(time.monotonic())
        real(loop)
        looks.append(time.monotonic())

    monkeypatch.setattr(agent.watch._Loop, "_update", look)
    with watching(root) as watched:
        (root / "settled.py").write_text("X = 1\n")
        watched.until(lambda: "settled.py" in watched.paths())
        while time.monotonic() - looks[-1] < 2.0 or len(looks) % 2:  # whatever is still under way
            time.sleep(0.1)
        looks.clear()
        for number in range(5):
            (root / "noise.log").write_text(str(number))
            (root / "build/out.py").write_text(f"X = {number}\n")
            time.sleep(0.3)
        assert looks == []
        (root / "woken.py").write_text("X = 1\n")
        watched.until(lambda: "woken.py" in watched.paths())
        assert looks


def test_a_busy_index_is_waited_for_and_told_once(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    with watching(root) as watched:
        with writer_lock(place(root).index_dir):  # another descriptor: as good as another process
            (root / "new.py").write_text("X = 1\n")
            assert "is indexing this tree" in watched.problems.get(timeout=PATIENCE_S)
            time.sleep(2.5)
        watched.until(lambda: "new.py" in watched.paths())
        assert watched.problems.empty()


def test_what_another_process_indexed_is_told_too(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    with watching(root) as watched:
        with writer_lock(place(root).index_dir):
            (root / "new.py").write_text("X = 1\n")
            watched.problems.get(timeout=PATIENCE_S)
        with suppress(IndexBusyError):  # either of us may be first
            update_index(place(root), workers=1)
        watched.until(lambda: "new.py" in watched.paths())


def test_the_root_goes_and_comes_back(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    with watching(root) as watched:
        shutil.rmtree(root)
        assert "is gone" in watched.problems.get(timeout=PATIENCE_S)
        assert not root.exists()
        root.mkdir()
        (root / "again.py").write_text("X = 1\n")
        watched.until(lambda: watched.paths() == ("again.py",))
        (root / "more.py").write_text("X = 1\n")
        watched.until(lambda: "more.py" in watched.paths())


def test_an_update_that_fails_is_one_line_and_the_next_one_mends_it(
    write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_tree(TREE)
    broken = threading.Event()
    real = update_index

    def update(*args: object, **options: object) -> IndexReport:
        if broken.is_set():
            raise OSError(28, "No space left\non device")
        return real(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("retrieval.index.build.update_index", update)
    with watching(root) as watched:
        broken.set()
        (root / "new.py").write_text("X = 1\n")
        line = watched.problems.get(timeout=PATIENCE_S)
        assert "No space left" in line
        assert "\n" not in line
        broken.clear()
        watched.until(lambda: "new.py" in watched.paths())


def test_where_the_system_cannot_watch_it_looks_now_and_then(
    write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> Iterator[object]:
        raise OSError("OS file watch limit reached")
        yield

    monkeypatch.setattr("watchfiles.watch", refuse)
    monkeypatch.setattr(agent.watch, "_POLL_S", 0.2)
    root = write_tree(TREE)
    with watching(root) as watched:
        assert "watch limit" in watched.problems.get(timeout=PATIENCE_S)
        (root / "new.py").write_text("X = 1\n")
        watched.until(lambda: "new.py" in watched.paths())


def test_a_callback_that_fails_does_not_end_the_watch(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    problems: queue.Queue[str] = queue.Queue()

    def fail(_report: IndexReport) -> None:
        raise RuntimeError("reader closed")

    with IndexWatcher(place(root), fail, problems.put):
        for number in range(2):
            assert "reader closed" in problems.get(timeout=PATIENCE_S)
            (root / f"new{number}.py").write_text("X = 1\n")


def test_stop_before_start_and_a_stopped_loop(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    assert IndexWatcher(place(root), lambda _report: None).stop()
    stop = threading.Event()
    stop.set()
    seen: list[IndexReport] = []
    watch_index(place(root), seen.append, lambda line: pytest.fail(line), stop=stop)
    assert [report.mode for report in seen] == ["built"]


def lines_of(stream: object) -> queue.Queue[str]:
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: [lines.put(line) for line in stream], daemon=True).start()  # type: ignore[attr-defined]
    return lines


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT as Ctrl-C")
def test_the_command_prints_a_line_an_update_and_ends_at_an_interrupt(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli.main", "index", str(root), "--watch", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        out = lines_of(process.stdout)
        first = json.loads(out.get(timeout=PATIENCE_S))
        assert (first["mode"], first["counts"]["files"]) == ("built", 3)
        (root / "new.py").write_text("X = 1\n")
        second = json.loads(out.get(timeout=PATIENCE_S))
        assert (second["mode"], second["added"]) == ("updated", ["new.py"])
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr is not None
        assert process.stderr.read().splitlines()[-1] == "contextc: Stopped watching; the index is complete."
    finally:
        process.kill()
        process.wait()


def test_the_command_ends_when_nobody_reads_it(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli.main", "index", str(root), "--watch", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        end = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < end:
            (root / f"new{time.monotonic_ns()}.py").write_text("X = 1\n")
            time.sleep(0.3)
        assert process.wait(1) == 0
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.wait()
