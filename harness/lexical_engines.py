"""Our inverted index against SQLite FTS5 and rank-bm25: ``python -m harness.lexical_engines [ROOT]``.

Each engine gets the same chunks, with the same terms in the same fields, and answers the same questions, which are
the first lines of docstrings in the tree. Printed: seconds to build (terms counted beforehand), size on disk, warm p50
and p95 of a question, and how many of our first ten chunks are in the other's first ten. ``rank-bm25`` has no fields:
it gets all terms of a chunk as one document.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.languages.python.modules import module_names
from retrieval.languages.registry import analyze
from retrieval.lexical.fields import TermCounts, count_terms
from retrieval.lexical.postings import BASE_SEGMENT, PostingsWriter
from retrieval.lexical.search import BM25Params, lexical_scores
from retrieval.source.decode import read_source
from retrieval.source.roles import language_of
from retrieval.source.walk import Skipped, WalkLimits, walk
from retrieval.text.terms import query_terms
from retrieval.vectors.base import top_k

QUESTIONS = 100
RANK_BM25_QUESTIONS = 10  # a tenth of a second and more each
TOP = 10

Ask = Callable[[dict[str, float]], list[int]]


@dataclass(frozen=True, slots=True)
class Timing:
    """``tops``: the best chunk ids of each question asked; times in milliseconds."""

    build_s: float
    mib: float
    p50_ms: float
    p95_ms: float
    tops: list[list[int]]


def read_chunks(root: Path) -> tuple[list[TermCounts], list[str]]:
    """The term counts of every chunk under ``root``, and questions made of docstrings."""
    limits = WalkLimits()
    paths = [file.path for file in walk(root, limits).files]
    modules = module_names([path for path in paths if language_of(path) == "python"])
    counts: list[TermCounts] = []
    questions: list[str] = []
    for path in paths:
        source = read_source(root, path, limits)
        if isinstance(source, Skipped):
            continue
        lines = source.text.split("\n")
        for chunk in analyze(path, source.text, language_of(path), modules.get(path, "")).chunks:
            counts.append(count_terms(path, chunk, "\n".join(lines[chunk.start_line - 1 : chunk.end_line])))
            first = chunk.doc.strip().split("\n", 1)[0]
            if chunk.qualname and len(first) > 40:
                questions.append(first)
    return counts, questions[:: max(1, len(questions) // QUESTIONS)][:QUESTIONS]


def _timed(ask: Ask, questions: Sequence[dict[str, float]]) -> tuple[float, float, list[list[int]]]:
    ask(questions[0])
    times, tops = [], []
    for terms in questions:
        start = time.perf_counter()
        tops.append(ask(terms))
        times.append((time.perf_counter() - start) * 1e3)
    return float(np.percentile(times, 50)), float(np.percentile(times, 95)), tops


def _best(scores: NDArray[np.float32] | NDArray[np.float64]) -> list[int]:
    ids, found = top_k(scores.astype(np.float32, copy=False), TOP)
    return [int(i) for i in ids[found > 0]]


def _ours(counts: list[TermCounts], questions: Sequence[dict[str, float]], folder: Path) -> Timing:
    start = time.perf_counter()
    conn = sqlite3.connect(folder / "ours.sqlite")
    conn.execute(
        "CREATE TABLE postings(term TEXT, segment INTEGER, docs BLOB, tfs BLOB, PRIMARY KEY(term, segment))"
        " WITHOUT ROWID"
    )
    writer = PostingsWriter(conn, BASE_SEGMENT)
    for chunk_id, item in enumerate(counts):
        writer.add(chunk_id, item)
    writer.close()
    conn.commit()
    build = time.perf_counter() - start
    lengths = np.array([item.lengths for item in counts], dtype=np.uint16)
    alive = np.ones(len(counts), dtype=bool)
    lengths.flags.writeable = alive.flags.writeable = False
    timed = _timed(lambda terms: _best(lexical_scores(conn, terms, lengths, alive)), questions)
    conn.close()
    return Timing(build, (folder / "ours.sqlite").stat().st_size / 2**20, *timed)


def _field_text(counts: TermCounts, shift: int) -> str:
    """The terms of one field as FTS5 is to see them, each one token."""
    return " ".join(" ".join([_hex(term)] * (tf >> shift & 0xFF)) for term, tf in counts.packed.items())


def _hex(term: str) -> str:
    return "x" + term.encode().hex()


def _fts5(counts: list[TermCounts], questions: Sequence[dict[str, float]], folder: Path) -> Timing:
    rows = [(i, *(_field_text(item, shift) for shift in (0, 8, 16, 24))) for i, item in enumerate(counts)]
    start = time.perf_counter()
    conn = sqlite3.connect(folder / "fts5.sqlite")
    conn.execute("CREATE VIRTUAL TABLE chunks USING fts5(name, path, doc, body, content='', tokenize='ascii')")
    conn.executemany("INSERT INTO chunks(rowid, name, path, doc, body) VALUES (?, ?, ?, ?, ?)", rows)
    conn.execute("INSERT INTO chunks(chunks) VALUES ('optimize')")
    conn.commit()
    build = time.perf_counter() - start
    weights = ", ".join(map(str, BM25Params().weights))
    query = f"SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY bm25(chunks, {weights}), rowid LIMIT {TOP}"

    def ask(terms: dict[str, float]) -> list[int]:
        return [row[0] for row in conn.execute(query, (" OR ".join(map(_hex, terms)),))]

    timed = _timed(ask, questions)
    conn.close()
    return Timing(build, (folder / "fts5.sqlite").stat().st_size / 2**20, *timed)


def _rank_bm25(counts: list[TermCounts], questions: Sequence[dict[str, float]]) -> Timing:
    from rank_bm25 import BM25Okapi

    documents = [
        [t for t, tf in item.packed.items() for _ in range(sum(tf >> s & 0xFF for s in (0, 8, 16, 24)))]
        for item in counts
    ]
    start = time.perf_counter()
    index = BM25Okapi(documents, k1=BM25Params().k1, b=BM25Params().b[3])
    build = time.perf_counter() - start
    return Timing(build, 0.0, *_timed(lambda terms: _best(index.get_scores(list(terms))), questions))


def main(arguments: list[str]) -> None:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1]
    start = time.perf_counter()
    counts, texts = read_chunks(root)
    if not texts:
        print(f"{root} has no documented definitions to ask about.", file=sys.stderr)
        return
    questions = [query_terms(text) for text in texts]
    width = np.mean([len(terms) for terms in questions])
    print(f"{root.name}: {len(counts):,} chunks read in {time.perf_counter() - start:.1f} s; ", end="")
    print(f"{len(questions)} questions of {width:.0f} terms\n")
    print("| engine | build s | chunks/s | MiB | p50 ms | p95 ms | of our top 10 |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        ours = _ours(counts, questions, Path(temporary))
        for name, timing in (
            ("ours", ours),
            ("FTS5", _fts5(counts, questions, Path(temporary))),
            ("rank-bm25", _rank_bm25(counts, questions[:RANK_BM25_QUESTIONS])),
        ):
            pairs = zip(ours.tops, timing.tops, strict=False)
            agreement = np.mean([len(set(a) & set(b)) / max(1, len(a)) for a, b in pairs])
            print(
                f"| {name} | {timing.build_s:.2f} | {len(counts) / timing.build_s:,.0f} | {timing.mib:.1f} "
                f"| {timing.p50_ms:.2f} | {timing.p95_ms:.2f} | {agreement:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
