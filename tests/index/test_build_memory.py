"""A build lets go of the tokenizer before the graph is resolved, and counts exactly before and after."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from index_snapshot import place

from retrieval.index import fill
from retrieval.index.build import update_index
from retrieval.index.reader import IndexReader
from retrieval.index.settings import Overrides
from retrieval.tokens import vocabulary
from retrieval.tokens.counter import count_tokens


def test_no_tokenizer_is_held_while_edges_are_resolved(
    write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []
    relate = fill._relate

    def watched(*args: object, **options: object) -> object:
        held.append(vocabulary.encoding.cache_info().currsize)
        return relate(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(fill, "_relate", watched)
    monkeypatch.setattr(fill, "_LARGE_CHUNKS", 1)
    root = write_tree({"a.py": "def f(x):\n    return x + 1\n"})
    update_index(place(root), Overrides(embedder="none"))
    assert held == [0]
    with IndexReader.open(place(root)) as reader:
        lines = reader.file_text("a.py")
        rendered = [f"{number} {line}\n" for number, line in enumerate(lines.lines, start=1)]
        assert list(lines.line_tokens) == [count_tokens(line) for line in rendered]
