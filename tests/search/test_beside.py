"""A scan beside the words: the same results as one after the other, and the same errors."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from shop_tree import PACKAGE

from agent.session import open_session
from retrieval.embed.base import Matrix
from retrieval.errors import IndexUnavailableError
from retrieval.search import engine
from retrieval.search.beside import Beside
from retrieval.search.legs import Mask
from retrieval.vectors.base import Hits


def test_the_result_comes_from_another_thread_and_errors_come_with_it() -> None:
    assert Beside(threading.get_ident).result() != threading.get_ident()
    call = Beside(lambda: [][1])
    for _ in range(2):
        with pytest.raises(IndexError):
            call.result()


def test_where_no_thread_is_to_be_had_the_call_runs_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert Beside(threading.get_ident).result() == threading.get_ident()


def test_a_search_finds_the_same_beside_and_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in PACKAGE.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    session = open_session(tmp_path)
    searcher, asked = session.searcher, session.plan("how many items may a cart hold")
    assert searcher.vectors is not None
    after = searcher.search(asked)
    threads: list[int] = []
    scan = searcher.vectors.search

    def watched(query: Matrix, k: int, alive: Mask) -> Hits:
        threads.append(threading.get_ident())
        return scan(query, k, alive)

    monkeypatch.setattr(searcher.vectors, "search", watched)
    monkeypatch.setattr(engine, "_SCANNED_BESIDE", 1)
    beside = searcher.search(asked)
    assert threads[0] != threading.get_ident()
    assert (beside.candidates, beside.strength, beside.legs) == (after.candidates, after.strength, after.legs)

    def fail(*_args: object) -> None:
        raise IndexUnavailableError("The vectors are damaged.", "Rebuild it.")

    monkeypatch.setattr(searcher.vectors, "search", fail)
    with pytest.raises(IndexUnavailableError, match="damaged"):
        searcher.search(asked)
    session.close()
