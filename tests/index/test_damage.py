"""Damage is found when an index is opened, named, and mended by the next run; nothing outside the index is touched."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.errors import IndexUnavailableError, UserError
from retrieval.index.build import update_index
from retrieval.index.integrity import check_index
from retrieval.index.location import Location, for_writing, locate
from retrieval.index.reader import IndexReader
from retrieval.index.settings import Overrides

TREE = {"app.py": 'def greet(name):\n    """Say hello."""\n    return name\n', "README.md": "# App\n\nSays hello.\n"}


def place(root: Path) -> Location:
    return locate(root, explicit=True)


def database(index_dir: Path) -> Path:
    return next(index_dir.glob("index-*.sqlite"))


def vectors(index_dir: Path) -> Path:
    return next(index_dir.glob("vectors-*"))


def edit(sql: str) -> Callable[[Path], None]:
    def change(index_dir: Path) -> None:
        conn = sqlite3.connect(database(index_dir))
        conn.execute(sql)
        conn.commit()
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        conn.close()

    return change


def manifest(**fields: object) -> Callable[[Path], None]:
    def change(index_dir: Path) -> None:
        path = index_dir / "manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))

    return change


def into_folder(find: Callable[[Path], Path]) -> Callable[[Path], None]:
    def change(index_dir: Path) -> None:
        path = find(index_dir)
        path.unlink()
        (path / "inner").mkdir(parents=True)

    return change


AT_OPENING: dict[str, Callable[[Path], object]] = {
    "empty database": lambda d: database(d).write_bytes(b""),
    "vectors gone": lambda d: vectors(d).unlink(),
    "vectors cut": lambda d: vectors(d).write_bytes(vectors(d).read_bytes()[:-4]),
    "vectors of nothing known": lambda d: vectors(d).write_bytes(b"\xff" * vectors(d).stat().st_size),
    "vectors a folder": into_folder(vectors),
    "database a folder": into_folder(database),
    "manifest a folder": into_folder(lambda d: d / "manifest.json"),
    "manifest empty": lambda d: (d / "manifest.json").write_bytes(b""),
    "manifest nested": lambda d: (d / "manifest.json").write_text("[" * 100_000),
    "manifest a list": lambda d: (d / "manifest.json").write_text("[]"),
    "schema a word": manifest(schema="x"),
    "embedder a number": manifest(embedder=1),
    "build a path": manifest(build="../../../etc/x"),
    "record lost": edit("DELETE FROM meta WHERE key != 'build'"),
    "record not a number": edit("UPDATE meta SET value = 'x' WHERE key = 'started_ns'"),
}


def test_an_index_shortened_under_a_reader_is_an_error_and_not_a_crash(write_tree: Callable[..., Path]) -> None:
    words = [hashlib.sha256(str(n).encode()).hexdigest() for n in range(4000)]  # fill pages: nothing compresses them
    root = write_tree({f"m{n}.md": "\n\n".join(words[n * 200 : n * 200 + 200]) for n in range(20)})
    update_index(place(root), Overrides(embedder="none"))
    with IndexReader.open(place(root)) as reader:
        os.truncate(database(root / ".contextc"), 8192 * 3)
        with pytest.raises(sqlite3.DatabaseError):
            for path in reader.paths:
                reader.file_text(path)


@pytest.mark.parametrize("name", list(AT_OPENING))
def test_damage_found_at_opening_is_mended_by_an_update(write_tree: Callable[..., Path], name: str) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    AT_OPENING[name](root / ".contextc")
    with pytest.raises(IndexUnavailableError) as caught:
        IndexReader.open(place(root))
    assert caught.value.rebuildable
    assert "contextc index --rebuild" in caught.value.mend
    update_index(place(root))
    with IndexReader.open(place(root)) as reader:
        assert reader.symbols_named("greet")
        assert check_index(reader) == []


BLOBS = {
    "text": "UPDATE files SET text = randomblob(50)",
    "arrays": "UPDATE columns SET data = substr(data, 1, 7)",
    "postings": "UPDATE postings SET docs = randomblob(9)",
    "posting of no chunk": "UPDATE postings SET docs = x'ffff0000', tfs = x'01000000'",
    "table": "DROP TABLE chunks",
}


@pytest.mark.parametrize("name", list(BLOBS))
def test_damage_inside_the_database_is_named_by_the_check(write_tree: Callable[..., Path], name: str) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    edit(BLOBS[name])(root / ".contextc")
    with IndexReader.open(place(root)) as reader:
        assert check_index(reader)
    update_index(place(root), rebuild=True)
    with IndexReader.open(place(root)) as reader:
        assert check_index(reader) == []


@pytest.mark.parametrize("name", ["lock", ".gitignore", pytest.param(f"manifest.json.{os.getpid()}", id="manifest")])
def test_links_in_a_foreign_index_folder_are_never_written_through(
    write_tree: Callable[..., Path], tmp_path: Path, name: str
) -> None:
    root = write_tree(TREE)
    precious = tmp_path / "precious"
    precious.write_text("precious\n")
    (root / ".contextc").mkdir()
    (root / ".contextc" / name).symlink_to(precious)
    (root / ".contextc" / "index-0123456789abcdef.sqlite").symlink_to(precious)
    if name == "lock":
        with pytest.raises(UserError, match="lock"):
            update_index(place(root))
    else:
        update_index(place(root))
    assert precious.read_text() == "precious\n"


def test_a_linked_index_folder_is_not_read(write_tree: Callable[..., Path], tmp_path: Path) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    shutil.move(root / ".contextc", tmp_path / "elsewhere")
    (root / ".contextc").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="symbolic link"):
        IndexReader.open(place(root))


def test_a_file_in_the_place_of_the_index_folder_is_named(write_tree: Callable[..., Path]) -> None:
    root = write_tree({**TREE, ".contextc": "mine\n"})
    with pytest.raises(UserError, match="not a folder"):
        update_index(place(root))
    assert (root / ".contextc").read_text() == "mine\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_an_index_that_can_no_longer_be_written_moves_to_the_cache(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    (root / "app.py").write_text("def later():\n    return 1\n")
    if subprocess.run(["mount", "--bind", str(root), str(root)], capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(root)], check=True)
        with IndexReader.open(place(root)) as reader:
            assert reader.symbols_named("greet")
        update_index(for_writing(place(root)))
        assert not place(root).index_dir.is_relative_to(root)
        with IndexReader.open(place(root)) as reader:
            assert reader.symbols_named("later")
    finally:
        subprocess.run(["umount", "-l", str(root)], check=True)


def test_a_chroma_that_fails_refuses_who_asks_for_it_and_no_one_else(write_tree: Callable[..., Path]) -> None:
    root = write_tree(TREE)
    update_index(place(root))
    nowhere = Overrides(vector_store="chroma", chroma_url="http://127.0.0.1:9")
    with pytest.raises(UserError, match=r"127\.0\.0\.1:9"):
        update_index(place(root), nowhere)
    assert update_index(place(root)).mode == "unchanged"
    update_index(place(root), Overrides(vector_store="chroma"))
    from retrieval.index.vector_store import describe_vectors

    with IndexReader.open(place(root)) as reader:
        found = describe_vectors(reader)
    assert (found["engine"], found["problem"]) == ("chroma", "")
    edit("UPDATE meta SET value = 'http://127.0.0.1:9' WHERE key = 'set.chroma_url'")(root / ".contextc")
    (root / "app.py").write_text("def later():\n    return 1\n")
    report = update_index(place(root))
    assert report.mode == "updated"
    assert "127.0.0.1:9" in report.notes[-1]


def test_another_model_of_the_same_size_rebuilds_or_refuses(
    write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from agent.session import open_session
    from retrieval.embed.load import load_embedder

    root = write_tree(TREE)
    update_index(place(root))
    real = load_embedder("default")
    assert real is not None

    class Renamed:
        model_id = real.model_id + "-other"

        def __getattr__(self, name: str) -> object:
            return getattr(real, name)

    for module in ("retrieval.index.run", "retrieval.embed.load"):
        monkeypatch.setattr(f"{module}.load_embedder", lambda _spec: Renamed())
    with pytest.raises(IndexUnavailableError, match="made with the embedder"):
        open_session(root, update=False)
    said: list[str] = []
    session = open_session(root, warn=said.append)
    try:
        assert session.reader.manifest.embedder == Renamed.model_id
        assert any("building it anew" in line for line in said)
    finally:
        session.close()
