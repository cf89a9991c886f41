"""Where the user's cache is: never in a tree that a command happens to be called in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.index.location import user_cache_dir

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CONTEXTC_CACHE_DIR")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize("value", ["cache", "./cache", "../cache", "~/cache", ""])
def test_a_relative_cache_folder_is_passed_over(value: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    assert user_cache_dir() == home / ".cache" / "contextc"


def test_an_absolute_one_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    assert user_cache_dir() == tmp_path / "mine" / "contextc"


def test_the_cache_of_one_question_is_not_indexed_at_the_next(
    run: Run, write_tree: Callable[..., Path], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_tree({"shop.py": "def price_of(item):\n    return item.price\n"})
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    for _ in range(2):
        code, _, err = run("ask", "where is price_of")
        assert code == 0, err
    assert sorted(path.name for path in root.iterdir()) == [".contextc", "shop.py"]
    assert (home / ".cache" / "contextc").is_dir()
