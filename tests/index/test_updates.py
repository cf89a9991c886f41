"""An index follows its tree: what changes, moves or goes leaves no trace of what it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from index_snapshot import place, snapshot

from retrieval.errors import IndexUnavailableError
from retrieval.index.build import update_index
from retrieval.index.reader import IndexReader
from retrieval.index.schema import SCHEMA_VERSION
from retrieval.index.settings import Overrides

TREE = {
    "pkg/__init__.py": "from .core import run\n",
    "pkg/core.py": 'def run(name):\n    """Run a job by name."""\n    return helper(name)\n\n\ndef helper(name):\n    return name.upper()\n',
    "pkg/util.py": "LIMIT = 10\n\n\nclass Box:\n    def put(self, item):\n        self.items.append(item)\n",
    "docs/guide.md": "# Guide\n\nHow to run a job.\n\n## Limits\n\nAt most ten.\n",
    "settings.toml": "[server]\nport = 80\n",
}


def test_chunk_text_is_the_files_lines(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    report = update_index(place(root))
    assert report.mode == "built"
    assert report.counts["files"] == len(TREE)
    with IndexReader.open(place(root)) as reader:
        for path in reader.paths:
            lines = (root / path).read_text().split("\n")
            for chunk in reader.chunks_of(path):
                assert reader.chunk_text(chunk) == "\n".join(lines[chunk.start_line - 1 : chunk.end_line])


def test_a_second_run_changes_nothing(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    before = snapshot(root)
    os.utime(root / "pkg/core.py")  # touched, not changed: the content hash decides
    report = update_index(place(root))
    assert report.mode == "unchanged"
    assert snapshot(root) == before


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("change", lambda root: (root / "pkg/core.py").write_text("def run(name, times):\n    return [name] * times\n")),
        ("delete", lambda root: (root / "pkg/util.py").unlink()),
        ("rename", lambda root: (root / "pkg/util.py").rename(root / "pkg/boxes.py")),
        ("add", lambda root: (root / "pkg/new.py").write_text("from .core import helper\n\n\ndef go():\n    return helper('x')\n")),
        ("break", lambda root: (root / "pkg/core.py").write_text("def run(name:\n    return\n\ndef helper(name):\n    return 1\n")),
        ("module name", lambda root: (root / "pkg/__init__.py").unlink()),
        ("newly ignored", lambda root: (root / ".gitignore").write_text("util.py\n")),
        ("became binary", lambda root: (root / "docs/guide.md").write_bytes(b"\0\1\2" * 100)),
    ],
)  # fmt: skip
def test_an_update_ends_where_a_rebuild_ends(
    write_tree: Callable[..., Path], name: str, edit: Callable[[Path], object]
) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    edit(root)
    report = update_index(place(root))
    assert report.mode == "updated"
    updated = snapshot(root)
    update_index(place(root), rebuild=True)
    assert updated == snapshot(root)


@pytest.mark.parametrize("year", [1900, 2300])
def test_a_file_of_another_age_is_indexed_like_any_other(write_tree: Callable[..., Path], year: int) -> None:
    """An archive may hold a time that no 64 bits of nanoseconds can tell."""
    root = write_tree(TREE)
    seconds = int((year - 1970) * 365.2425 * 86_400)
    os.utime(root / "pkg/core.py", (seconds, seconds))
    assert update_index(place(root)).counts["files"] == len(TREE)
    (root / "pkg/core.py").write_text("def other():\n    return 1\n")
    os.utime(root / "pkg/core.py", (seconds, seconds))
    update_index(place(root))
    assert ("pkg/core.py", "pkg.core.other") in snapshot(root)["symbols"]


def test_deleted_code_is_not_found_again(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    (root / "pkg/util.py").unlink()
    report = update_index(place(root))
    assert report.removed == ("pkg/util.py",)
    with IndexReader.open(place(root)) as reader:
        assert reader.symbols_named("Box") == ()
        assert "pkg/util.py" not in reader.paths
        live = {row.id for path in reader.paths for row in reader.chunks_of(path)}
        assert set(np.flatnonzero(reader.arrays.alive)) == live


def test_an_open_reader_keeps_its_generation(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    with IndexReader.open(place(root)) as reader:
        (root / "pkg/util.py").unlink()
        update_index(place(root))
        assert reader.symbols_named("Box")
        assert reader.file_text("pkg/util.py").lines[0] == "LIMIT = 10"
    with IndexReader.open(place(root)) as reader:
        assert reader.symbols_named("Box") == ()


def test_settings_stay_with_the_index(write_tree: Callable[..., Path]) -> None:
    root = write_tree({**TREE, "big.py": "x = 1\n" * 200})
    report = update_index(place(root), Overrides(max_file_bytes=600))
    assert [item.path for item in report.skipped] == ["big.py"]
    (root / "pkg/core.py").write_text("def run():\n    return 2\n")
    report = update_index(place(root))
    assert [item.path for item in report.skipped] == ["big.py"]


def test_the_same_tree_gives_the_same_index_on_one_core_and_on_two(
    write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        f"mod{n}.py": f"import os\n\n\ndef f{n}(x):\n    '''Doc {n}.'''\n    return f{n + 1}(x)\n" * 3
        for n in range(40)
    }
    root = write_tree(files)
    update_index(place(root), workers=1)
    alone = snapshot(root)
    monkeypatch.setattr("retrieval.index.workers._POOL_BYTES", 0)
    update_index(place(root), workers=2, rebuild=True)
    assert snapshot(root) == alone


def test_a_worktree_inside_the_tree_is_indexed_once(
    write_tree: Callable[..., Path], run_git: Callable[..., str]
) -> None:
    root = write_tree(TREE)
    run_git(root, "init", "-q")
    run_git(root, "add", ".")
    run_git(root, "commit", "-qm", "one")
    run_git(root, "worktree", "add", "-q", "wt")
    update_index(place(root))
    with IndexReader.open(place(root)) as reader:
        assert not [path for path in reader.paths if path.startswith("wt/")]
        assert len(reader.symbols_named("Box")) == 1


@pytest.mark.parametrize("kind", ["foreign", "newer", "manifest", "database", "missing database"])
def test_an_index_that_cannot_be_used_says_how_to_mend_it(write_tree: Callable[..., Path], kind: str) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    index_dir = root / ".contextc"
    manifest = index_dir / "manifest.json"
    database = next(index_dir.glob("index-*.sqlite"))
    if kind == "foreign":
        index_dir.rename(root / "moved")
        (root / ".contextc").mkdir()
        for file in (root / "moved").iterdir():
            file.rename(root / ".contextc" / file.name)
    elif kind == "newer":
        manifest.write_text(manifest.read_text().replace(f'"schema": {SCHEMA_VERSION}', '"schema": 99'))
    elif kind == "manifest":
        manifest.write_bytes(b"\xff{garbage")
    elif kind == "database":
        for side in index_dir.glob("index-*.sqlite-*"):
            side.unlink()
        database.write_bytes(b"not a database" * 1000)
    else:
        database.unlink()
    with pytest.raises(IndexUnavailableError) as caught:
        IndexReader.open(place(root))
    assert "contextc index --rebuild" in caught.value.mend
    assert caught.value.rebuildable == (kind not in ("foreign", "newer"))
    if kind in ("foreign", "newer"):
        with pytest.raises(IndexUnavailableError):
            update_index(place(root))
    update_index(place(root), rebuild=True)
    with IndexReader.open(place(root)) as reader:
        assert reader.symbols_named("Box")


def test_a_crafted_index_in_a_checkout_is_not_read(write_tree: Callable[..., Path], tmp_path: Path) -> None:
    donor = write_tree(TREE)
    update_index(place(donor))
    victim = tmp_path / "clone"
    (victim / ".contextc").mkdir(parents=True)
    (victim / "a.py").write_text("A = 1\n")
    for file in (donor / ".contextc").iterdir():
        (victim / ".contextc" / file.name).write_bytes(file.read_bytes())
    with pytest.raises(IndexUnavailableError, match="not trusted"):
        IndexReader.open(place(victim))


def test_a_linked_index_directory_is_refused(write_tree: Callable[..., Path], tmp_path: Path) -> None:
    root = write_tree(TREE)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (root / ".contextc").symlink_to(elsewhere)
    from retrieval.errors import UserError

    with pytest.raises(UserError, match="symbolic link"):
        update_index(place(root))
    assert list(elsewhere.iterdir()) == []


def test_new_facts_need_a_new_index() -> None:
    """Facts are stored and never read again from an unchanged file: when their form changes, so must the chunker's
    version, or old and new edges mix."""
    from retrieval.index.schema import CHUNKER_VERSION
    from retrieval.languages.python.facts import FACTS_VERSION

    assert (FACTS_VERSION, CHUNKER_VERSION) == (11, 10)
