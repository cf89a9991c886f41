"""Docstring-to-code search inside held-out projects, against BM25 and fused with it.

``python -m tools.embedder.evaluate --wheels DIR [--set test] [--embedder default | --data DIR]``

A question is the first paragraph of a docstring, the candidates are all functions of its project of three lines or more
with their docstrings removed, and the right answer is the function it documents. MRR@10 and recall@10, averaged over
questions; the interval is a bootstrap over projects. A method named "z0.5" ranks by 0.5 z(lexical) + 0.5 z(dense),
z per question.

Two views of a candidate: its lines alone, against plain BM25 with identifier splitting; and as the product indexes it,
path and symbol in front of the lines for the embedder and in fields of their own for the product's lexical leg. Methods
of the second view end in "+".
"""

from __future__ import annotations

import argparse
import ast
import random
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from retrieval.embed.base import Embedder
from retrieval.embed.load import load_embedder
from retrieval.embed.static import StaticEmbedder
from retrieval.embed.words import words_of
from retrieval.index.analysis import embed_text
from retrieval.lexical.fields import count_terms
from retrieval.lexical.postings import BASE_SEGMENT, PostingsWriter
from retrieval.lexical.search import lexical_scores
from retrieval.records import Chunk, ChunkKind
from retrieval.text.terms import query_terms
from tools.embedder.licences import LIBRARY_PROJECTS, TEST_PROJECTS, VALIDATION_PROJECTS, VENDORED
from tools.embedder.mine import metadata_of, normal_name
from tools.embedder.pairs import code_without_docstring, paragraphs

_QUESTIONS_PER_PROJECT = 250
_DENSE_SHARES = (0.3, 0.5, 0.7, 0.8, 0.9)
_K1, _B = 1.5, 0.75

_SETS = {"validation": VALIDATION_PROJECTS, "test": TEST_PROJECTS, "libraries": LIBRARY_PROJECTS}

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function: path in the wheel, name inside the file (``Class.method``), lines without the docstring."""

    path: str
    symbol: str
    text: str


@dataclass(frozen=True, slots=True)
class Task:
    """A project: candidates, questions, and for each question the row of its answer."""

    project: str
    candidates: tuple[Candidate, ...]
    questions: tuple[str, ...]
    answers: tuple[int, ...]

    @property
    def texts(self) -> list[str]:
        return [candidate.text for candidate in self.candidates]


def task_of(path: Path) -> Task:
    """The task of one wheel; tests and vendored code are no candidates."""
    candidates: list[Candidate] = []
    questions: list[tuple[str, int]] = []
    with zipfile.ZipFile(path) as wheel:
        project = normal_name(str(metadata_of(wheel)["Name"]))
        for name in sorted(wheel.namelist()):
            if not name.endswith(".py") or VENDORED.search(name) or "/tests/" in name or "/test/" in name:
                continue
            source = wheel.read(name).decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\x0c", " ")
            lines = source.split("\n")
            for node, symbol in _functions(ast.parse(source)):
                code = code_without_docstring(node, lines)
                if code.count("\n") < 2:
                    continue
                prose = paragraphs(ast.get_docstring(node) or "")
                if prose and prose[0].count(" ") >= 3:
                    questions.append((prose[0], len(candidates)))
                candidates.append(Candidate(name, symbol, code))
    counts = Counter(question for question, _ in questions)
    questions = [item for item in questions if counts[item[0]] == 1]  # a shared docstring has no single answer
    if len(questions) > _QUESTIONS_PER_PROJECT:
        questions = random.Random(project).sample(questions, _QUESTIONS_PER_PROJECT)  # noqa: S311
    return Task(project, tuple(candidates), tuple(q for q, _ in questions), tuple(a for _, a in questions))


def _functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    """Every function with its name inside the file, breadth first as ``ast.walk`` goes."""
    level: list[tuple[ast.AST, str]] = [(tree, "")]
    while level:
        below: list[tuple[ast.AST, str]] = []
        for node, scope in level:
            for child in ast.iter_child_nodes(node):
                inner = scope
                if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    inner = f"{scope}{child.name}."
                    if not isinstance(child, ast.ClassDef):
                        yield child, inner[:-1]
                below.append((child, inner))
        level = below


def product_scores(task: Task) -> Scores:
    """float64[questions, candidates]: the lexical leg, as the product tokenises, weighs and scores."""
    conn = sqlite3.connect(":memory:")
    conn.execute(
        "CREATE TABLE postings(term TEXT, segment INTEGER, docs BLOB, tfs BLOB, PRIMARY KEY(term, segment))"
        " WITHOUT ROWID"
    )
    writer = PostingsWriter(conn, BASE_SEGMENT)
    lengths = []
    for row, item in enumerate(task.candidates):
        chunk = Chunk(1, 1, ChunkKind.FUNCTION, item.symbol, item.symbol, "", "", ())
        counts = count_terms(item.path, chunk, item.text)
        writer.add(row, counts)
        lengths.append(counts.lengths)
    writer.close()
    table, alive = np.array(lengths, dtype=np.uint16), np.ones(len(lengths), dtype=np.bool_)
    table.flags.writeable = alive.flags.writeable = False  # its norms are then computed once
    scores = [lexical_scores(conn, query_terms(question), table, alive) for question in task.questions]
    conn.close()
    return np.stack(scores).astype(np.float64)


def bm25_scores(texts: Sequence[str], questions: Sequence[str]) -> Scores:
    """float64[questions, texts]: BM25 with identifier splitting on both sides."""
    postings: dict[str, list[tuple[int, int]]] = {}
    lengths = np.zeros(len(texts))
    for row, text in enumerate(texts):
        words = words_of(text)
        lengths[row] = len(words)
        for word, count in Counter(words).items():
            postings.setdefault(word, []).append((row, count))
    norm = _K1 * (1 - _B + _B * lengths / lengths.mean())
    out = np.zeros((len(questions), len(texts)))
    for at, question in enumerate(questions):
        for word in dict.fromkeys(words_of(question)):
            if word in postings:
                rows, counts = np.array(postings[word]).T
                idf = np.log(1 + (len(texts) - len(rows) + 0.5) / (len(rows) + 0.5))
                out[at, rows] += idf * counts * (_K1 + 1) / (counts + norm[rows])
    return out


def z_scores(scores: Scores) -> Scores:
    """Each row to mean 0 and deviation 1."""
    deviation = scores.std(axis=1, keepdims=True)
    standard: Scores = (scores - scores.mean(axis=1, keepdims=True)) / np.where(deviation > 0, deviation, 1.0)
    return standard


def ranks(scores: Scores, answers: Sequence[int]) -> npt.NDArray[np.int64]:
    """1-based rank of each question's answer; ties count against it."""
    own = scores[np.arange(len(answers)), list(answers)]
    rank: npt.NDArray[np.int64] = (scores >= own[:, None]).sum(axis=1)
    return rank


def reciprocal(rank: npt.NDArray[np.int64]) -> Scores:
    return np.where(rank <= 10, 1.0 / rank, 0.0)


def evaluate(tasks: Sequence[Task], embedder: Embedder) -> dict[str, list[npt.NDArray[np.int64]]]:
    """Ranks per method, one array per project."""
    out: dict[str, list[npt.NDArray[np.int64]]] = {}
    for task in tasks:
        queries = np.stack([embedder.embed_query(question) for question in task.questions])
        bare = [embed_text("", "", "", text) for text in task.texts]
        indexed = [embed_text(item.path, item.symbol, "", item.text) for item in task.candidates]
        views = (
            ("bm25", "dense", "z{}", bm25_scores(task.texts, task.questions), bare),
            ("bm25f+", "dense+", "z{}+", product_scores(task), indexed),
        )
        for lexical_name, dense_name, fused_name, lexical, texts in views:
            dense = (queries @ embedder.embed_documents(texts).T).astype(np.float64)
            z_lexical, z_dense = z_scores(lexical), z_scores(dense)
            methods = {lexical_name: lexical, dense_name: dense}
            methods |= {fused_name.format(s): (1 - s) * z_lexical + s * z_dense for s in _DENSE_SHARES}
            for name, scores in methods.items():
                out.setdefault(name, []).append(ranks(scores, task.answers))
    return out


def interval(per_project: Sequence[Scores]) -> tuple[float, float]:
    """95 % interval of the mean over questions, projects drawn with replacement."""
    dice = np.random.default_rng(0)
    draws = dice.integers(len(per_project), size=(1000, len(per_project)))
    sums, sizes = np.array([p.sum() for p in per_project]), np.array([len(p) for p in per_project])
    means = sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--wheels", type=Path, required=True)
    arguments.add_argument("--set", choices=tuple(_SETS), default="validation")
    arguments.add_argument("--embedder", default="default")
    arguments.add_argument("--data", type=Path, help="a folder with a static model's files")
    options = arguments.parse_args()
    names = _SETS[options.set]
    tasks = [task_of(p) for p in sorted(options.wheels.glob("*.whl")) if normal_name(p.name.split("-")[0]) in names]
    embedder = StaticEmbedder(options.data) if options.data else load_embedder(options.embedder)
    if embedder is None:
        raise SystemExit("nothing to evaluate: --embedder none")
    found = evaluate(tasks, embedder)
    questions, candidates = sum(len(t.questions) for t in tasks), sum(len(t.candidates) for t in tasks)
    print(f"{embedder.model_id}: {len(tasks)} projects, {questions} questions, {candidates} candidates")
    for name, per_project in found.items():
        together = np.concatenate(per_project)
        low, high = interval([reciprocal(rank) for rank in per_project])
        print(
            f"{name:7} MRR@10 {reciprocal(together).mean():.3f} [{low:.3f}, {high:.3f}]"
            f"  recall@10 {(together <= 10).mean():.3f}"
        )
    for number, task in enumerate(tasks):
        singles = ("bm25", "dense", "bm25f+", "dense+")
        means = "  ".join(f"{name} {reciprocal(found[name][number]).mean():.3f}" for name in singles)
        print(f"  {task.project:14} {len(task.candidates):5}  {means}")


if __name__ == "__main__":
    main()
