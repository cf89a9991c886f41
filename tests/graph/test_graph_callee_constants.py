"""Calls of what is no function: a tree that holds one is indexed all the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from index_snapshot import place

from retrieval.index.build import update_index
from retrieval.index.reader import IndexReader
from retrieval.index.settings import Overrides


@pytest.mark.parametrize("callee", ["None", "...", "0", "''", "[]", "{}", "(yield)", "(not a)", "(lambda: 0)", "-a"])
def test_a_call_of_a_constant(write_tree: Callable[..., Path], callee: str) -> None:
    root = write_tree({"a.py": f"def f(a):\n    return g({callee}())\n\n\ndef g(x):\n    return x\n"})
    update_index(place(root), Overrides(embedder="none"))
    with IndexReader.open(place(root)) as reader:
        rows = reader.conn.execute(
            "SELECT s.name, d.name FROM edges e JOIN nodes s ON s.id = e.src JOIN nodes d ON d.id = e.dst "
            "WHERE e.kind = 'call'"
        ).fetchall()
    assert ("a.f", "a.g") in rows
