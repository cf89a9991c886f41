"""Plain BM25 over chunks that the harness cut: ``python bm25.py ROOT ENGINE CHUNKS``.

ENGINE is ``rank-bm25`` or ``bm25s``. CHUNKS is a JSONL file of ``{"path", "start_line", "end_line", "terms"}``;
questions carry ``terms`` too, so that both engines see the same words: identifiers split by case and underscore,
nothing else.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from protocol import say  # type: ignore[import-not-found]  # beside this script

_TOP = 100


def rank_bm25(documents: list[list[str]]) -> Callable[[list[str]], list[int]]:
    index = importlib.import_module("rank_bm25").BM25Okapi(documents)

    def ask(terms: list[str]) -> list[int]:
        scores = index.get_scores(terms)
        return [int(row) for row in (-scores).argsort(kind="stable")[:_TOP] if scores[row] > 0]

    return ask


def bm25s(documents: list[list[str]]) -> Callable[[list[str]], list[int]]:
    library = importlib.import_module("bm25s")
    index = library.BM25()
    index.index(documents, show_progress=False)
    top = min(_TOP, len(documents))

    def ask(terms: list[str]) -> list[int]:
        rows, scores = index.retrieve([terms], k=top, show_progress=False)
        return [int(row) for row, score in zip(rows[0], scores[0], strict=True) if score > 0]

    return ask


def main() -> None:
    _, _, engine, chunk_file = sys.argv
    with Path(chunk_file).open(encoding="utf-8") as stream:
        chunks: list[dict[str, Any]] = [json.loads(line) for line in stream]
    began = time.perf_counter()
    ask = (rank_bm25 if engine == "rank-bm25" else bm25s)([chunk.pop("terms") or [""] for chunk in chunks])
    say({"meta": {"index_s": round(time.perf_counter() - began, 3), "version": metadata.version(engine)}})
    for row in map(json.loads, sys.stdin):
        started = time.perf_counter()
        found = ask(row["terms"]) if row["terms"] else []
        ms = (time.perf_counter() - started) * 1000
        say({"id": row["id"], "ms": round(ms, 2), "results": [chunks[number] for number in found]})


if __name__ == "__main__":
    main()
