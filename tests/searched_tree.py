"""A searcher over a small tree given as path -> text, indexed without vectors, and what questions gather in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from retrieval.compile.planner import plan
from retrieval.compile.workspace import Workspace, collect
from retrieval.index.build import update_index
from retrieval.index.location import locate
from retrieval.index.reader import IndexReader
from retrieval.index.settings import Overrides
from retrieval.search.engine import Searcher


@contextmanager
def searcher_over(root: Path, tree: Mapping[str, str]) -> Iterator[Searcher]:
    for path, text in tree.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    location = locate(root, explicit=True)
    update_index(location, Overrides(embedder="none"), workers=1)
    with IndexReader.open(location) as reader:
        yield Searcher(reader)


def gather(searcher: Searcher, question: str, **more: Any) -> Workspace:
    return collect(plan(question, searcher.reader), searcher, **more)


def focused(found: Workspace, tree: Mapping[str, str]) -> set[tuple[str, str]]:
    """(path, line of text) of every line that must be visible."""
    return {(c.chunk.path, tree[c.chunk.path].split("\n")[n - 1].strip()) for c in found.candidates for n in c.focus}
