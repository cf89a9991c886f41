"""An index that is found damaged while a command reads it: one line, and the next run builds it anew."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from shop_tree import PACKAGE

Run = Callable[..., tuple[int, str, str]]
QUESTIONS = (
    ("ask", "who calls price_of"),
    ("search", "price"),
    ("pack", "how is the total made"),
    ("graph", "callers", "price_of"),
)


@pytest.fixture
def tree(write_tree: Callable[..., Path], run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = write_tree(PACKAGE)
    monkeypatch.chdir(root)
    run("index", "-q")
    return root


def database(root: Path) -> Path:
    return next((root / ".contextc").glob("index-*.sqlite"))


def spoil(path: Path, sql: str) -> None:
    conn = sqlite3.connect(path)
    conn.execute(sql)
    conn.commit()
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE files SET text = randomblob(50)",
        "UPDATE columns SET data = substr(data, 1, 7)",
        "UPDATE postings SET docs = randomblob(9)",
        "DROP TABLE chunks",
        "UPDATE chunks SET blocks = NULL WHERE 0",  # no damage at all
    ],
)
def test_it_is_told_in_one_line_and_mended_by_the_same_command(run: Run, tree: Path, sql: str) -> None:
    spoil(database(tree), sql)
    for words in QUESTIONS:
        code, _, err = run(*words, "-q")
        if code == 0:
            continue
        assert code == 2
        assert "is damaged (" in err
        assert "Give the same command again: it builds the index anew" in err
        assert len(err.splitlines()) == 2
        break
    assert [run(*words, "-q")[0] for words in QUESTIONS] == [0, 0, 0, 0]
    assert run("doctor")[0] == 0


@pytest.mark.parametrize("seed", range(12))
def test_whatever_bytes_are_lost(run: Run, tree: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = database(tree)
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice([1, 40, 400])):
        at = chance.randrange(100, len(data))
        data[at : at + chance.choice([1, 64, 4096])] = b""
        data.extend(b"\0" * (path.stat().st_size - len(data)))
    path.write_bytes(data)
    for words in QUESTIONS:
        code, out, err = run(*words, "-q")
        assert code in (0, 2), err
        assert "Traceback" not in out + err
        if code == 2:
            assert run(*words, "-q")[0] == 0


def test_where_nothing_can_be_written_the_command_is_named(
    run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(database(tree), "DROP TABLE chunks")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("retrieval.index.manifest.write_manifest", refuse)
    code, _, err = run("search", "price", "--no-update")
    assert code == 2
    assert f"contextc index --rebuild {tree}" in err


def test_a_fault_of_ours_is_still_called_one(run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.search.engine.Searcher.search", lambda *_args, **_options: 1 / 0)
    code, _, err = run("search", "price")
    assert code == 1
    assert "Internal error: ZeroDivisionError" in err
    assert run("status")[0] == 0
