"""A reader keeps the texts of the files used last, as many as there is room for, and reads the others again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from index_snapshot import place

from retrieval.index import reader
from retrieval.index.build import update_index
from retrieval.index.settings import Overrides


@pytest.mark.parametrize("room", [1, 70, 100_000])
def test_texts_are_the_same_whatever_is_kept_of_them(
    write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    files = {f"m{n}.py": f"value_{n} = {n}\n" * (n + 1) for n in range(6)}
    root = write_tree(files)
    update_index(place(root), Overrides(embedder="none"))
    monkeypatch.setattr(reader, "_CACHED_CHARS", room)
    with reader.IndexReader.open(place(root)) as opened:
        for path in [*files, *reversed(files), "m2.py", "m0.py", "m2.py"]:
            assert "".join(f"{line}\n" for line in opened.file_text(path).lines) == files[path]
            kept = sum(len(files[name]) for name in opened._texts)
            assert kept <= room or list(opened._texts) == [path]
            assert kept == opened._chars_kept
        assert list(opened._texts)[-1] == "m2.py", "what was used last goes last"
        assert opened.file_text("m2.py") is opened.file_text("m2.py")
