"""Whatever stops an indexer, the last complete index stays readable and the next run mends the rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.errors import UserError
from retrieval.index.build import update_index
from retrieval.index.location import locate
from retrieval.index.lock import IndexBusyError, writer_lock
from retrieval.index.reader import IndexReader

FILES = {f"pkg/mod{n}.py": f"def func{n}(x):\n    return func{n + 1}(x)\n" for n in range(60)}

STOP_AT = """
    import os, signal, sys
    from pathlib import Path
    from retrieval.index.build import update_index
    from retrieval.index.location import locate
    phase, rebuild = sys.argv[2], sys.argv[3] == "rebuild"
    def progress(now, done, total):
        if now == phase and (done >= total // 2):
            os.kill(os.getpid(), getattr(signal, sys.argv[4]))
    update_index(locate(Path(sys.argv[1]), explicit=True), rebuild=rebuild, progress=progress, workers=1)
"""


def run_until(root: Path, phase: str, rebuild: bool, signal_name: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(STOP_AT), str(root), phase, "rebuild" if rebuild else "update", signal_name],
        capture_output=True,
        text=True,
    )  # fmt: skip
    return done.returncode


@pytest.mark.parametrize("phase", ["read", "graph", "save"])
@pytest.mark.parametrize("rebuild", [True, False])
@pytest.mark.parametrize("signal_name", ["SIGKILL", "SIGINT"])
def test_a_run_cut_short_leaves_the_last_index(
    write_tree: Callable[..., Path], phase: str, rebuild: bool, signal_name: str
) -> None:
    root = write_tree(FILES)
    location = locate(root, explicit=True)
    update_index(location)
    for n in range(30):
        (root / f"pkg/mod{n}.py").write_text(f"def changed{n}():\n    return {n}\n")
    assert run_until(root, phase, rebuild, signal_name) != 0
    with IndexReader.open(location) as reader:
        assert len(reader.paths) == 60
        assert reader.symbols_named("func0")
        assert not reader.symbols_named("changed0")
    report = update_index(location)
    assert len(report.changed) == 30
    with IndexReader.open(location) as reader:
        assert reader.symbols_named("changed0")
        assert not reader.symbols_named("func0")
    assert len(list((root / ".contextc").glob("index-*.sqlite"))) == 1


def test_a_first_build_cut_short_leaves_no_index(write_tree: Callable[..., Path]) -> None:
    root = write_tree(FILES)
    assert run_until(root, "read", True, "SIGKILL") != 0
    assert not (root / ".contextc/manifest.json").exists()
    assert update_index(locate(root, explicit=True)).mode == "built"


def test_two_indexers_one_works_and_the_other_says_so(write_tree: Callable[..., Path]) -> None:
    root = write_tree(FILES)
    location = locate(root, explicit=True)
    update_index(location)
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time\nfrom pathlib import Path\nfrom retrieval.index.lock import writer_lock\n"
            "with writer_lock(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)",
            str(location.index_dir),
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(IndexBusyError, match=str(holder.pid)):
            update_index(location)
        with IndexReader.open(location) as reader:
            assert reader.symbols_named("func0")
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            with writer_lock(location.index_dir):
                break
        except IndexBusyError:
            time.sleep(0.05)
    assert update_index(location).mode == "unchanged"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_full_disk_is_one_clear_line_and_loses_nothing(
    write_tree: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mount = tmp_path / "small"
    mount.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=900k", "tmpfs", str(mount)], capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        root = mount / "tree"
        root.mkdir()
        (root / "a.py").write_text("def alpha():\n    return 1\n")
        location = locate(root, explicit=True)
        update_index(location)
        for n in range(40):
            (root / f"b{n}.py").write_text("".join(f"def beta{n}_{i}(x):\n    return x + {i}\n\n\n" for i in range(40)))
        with pytest.raises(UserError, match="full"):
            update_index(location)
        with IndexReader.open(location) as reader:
            assert reader.symbols_named("alpha")
        for n in range(40):
            (root / f"b{n}.py").unlink()
        assert update_index(location).mode == "unchanged"
    finally:
        subprocess.run(["umount", "-l", str(mount)], capture_output=True)


NO_ROOM = """
    import resource, sys
    from agent.cli.main import main
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))  # less than the shared memory of WAL: what a full disk does
    sys.exit(main(sys.argv[1:]))
"""


def test_a_full_disk_at_the_first_index_names_no_index_to_use(write_tree: Callable[..., Path]) -> None:
    command = [sys.executable, "-c", textwrap.dedent(NO_ROOM), "ask", "who calls func7", "--root", write_tree(FILES)]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "is full" in refused.stderr
    assert "--no-update" not in refused.stderr


def test_a_full_disk_does_not_make_a_good_index_a_damaged_one(write_tree: Callable[..., Path]) -> None:
    root = write_tree(FILES)
    update_index(locate(root, explicit=True))
    files = {path.name for path in (root / ".contextc").iterdir()}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", textwrap.dedent(NO_ROOM), *words, "--root", str(root)]
        return subprocess.run(command, capture_output=True, text=True)

    found = run("search", "--no-update", "func7")
    assert (found.returncode, found.stderr) == (0, "")
    assert "pkg/mod7.py" in found.stdout
    (root / "pkg" / "mod7.py").write_text("def func7(x):\n    return 7\n")
    refused = run("ask", "who calls func7")
    assert refused.returncode == 2
    assert "is full" in refused.stderr
    assert "damaged" not in refused.stderr
    assert "--no-update" in refused.stderr.splitlines()[-1]
    told = run("ask", "who calls func7", "--no-update")
    assert told.returncode == 0, told.stderr
    assert "pkg/mod7.py" in told.stdout
    assert files <= {path.name for path in (root / ".contextc").iterdir()}
    update_index(locate(root, explicit=True))
    with IndexReader.open(locate(root, explicit=True)) as reader:
        assert reader.file_text("pkg/mod7.py").lines[1] == "    return 7"
