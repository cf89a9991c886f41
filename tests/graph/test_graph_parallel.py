"""A full resolve gives the same edges on one core and on several, and survives a child that dies."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.graph import parallel
from retrieval.index.build import update_index
from retrieval.index.location import locate
from retrieval.index.reader import IndexReader

_MODULE = """from pkg.mod{next} import run{next}


class Thing{n}:
    def go(self):
        return {n}


def run{n}(x):
    x.go()
    return run{next}(Thing{n}())
"""
FILES = {f"pkg/mod{n}.py": _MODULE.format(n=n, next=(n + 1) % 12) for n in range(12)} | {"pkg/__init__.py": ""}


def edges(root: Path) -> list[tuple[object, ...]]:
    location = locate(root, explicit=True)
    update_index(location, rebuild=True)
    with IndexReader.open(location) as reader:
        return reader.conn.execute(
            "SELECT e.id, s.name, d.name, e.kind, e.confidence, e.line, e.rule FROM edges e "
            "JOIN nodes s ON s.id = e.src JOIN nodes d ON d.id = e.dst ORDER BY e.id"
        ).fetchall()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_several_processes_give_what_one_gives(
    write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_tree(FILES)
    alone = edges(root)
    calls = {row[1:3] for row in alone if row[3:4] == ("call",)}
    assert ("pkg.mod3.run3", "pkg.mod2.Thing2.go") in calls, "what a file sends to another is resolved there"
    monkeypatch.setattr(parallel, "processes", lambda _count, _least: 3)
    assert edges(root) == alone

    def die(*_: object) -> None:
        raise RuntimeError("no child today")

    monkeypatch.setattr(parallel, "_packed", die)
    assert edges(root) == alone
