"""How well evidence strength tells questions that a tree answers from questions about something else.

``python -m harness.abstention --questions FILE.jsonl --corpora DIR [--questions … --corpora …] [--others N] [--fit]``

Each question is asked of its own project and of ``N`` others, chosen by a seed, which hardly answer it: "false decline"
is the share of questions whose own tree is judged too thin, "false answer" the share of foreign trees that are not. A
few foreign trees do answer (two libraries that retry), so the second is an upper bound. The files are those of
``harness.evidence``; projects stand unpacked under their DIR. ``--fit`` fits the weights of
``retrieval.search.strength`` anew.
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from harness.evidence import read_questions
from harness.stats.logistic import ridge_logistic
from retrieval.embed.base import Embedder, Matrix
from retrieval.search.engine import Searcher
from retrieval.search.strength import MIN_STRENGTH, SIZES

_SEED = 5
_K = 30  # results that a search ranks before its strength is taken
_RIDGE = 0.1

Floats = npt.NDArray[np.float64]


class _Words:
    """The embedder without its calibration: strength is then what the words alone say."""

    def __init__(self, embedder: Embedder) -> None:
        self.model_id, self.dim = embedder.model_id, embedder.dim
        self.local, self.batch_size = embedder.local, embedder.batch_size
        self.embed_documents = embedder.embed_documents
        self._query = embedder.embed_query

    def embed_query(self, text: str) -> Matrix:
        return self._query(text)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question asked of one tree. ``strength`` is the product's, ``coverage`` that of the words, all 0..1."""

    source: str
    own: bool
    strength: float
    coverage: float
    likeness: float
    chunks: int


def asked(questions: Path, corpora: Path, others: int) -> list[Asked]:
    """Ask everything of its own tree and of ``others`` more of the same set."""
    from agent.session import open_session

    by_project = read_questions(questions)
    names = sorted(by_project)
    chosen = random.Random(_SEED)  # noqa: S311 (a draw that anyone can repeat)
    jobs: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for name in names:
        for row in by_project[name]:
            jobs[name].append((row["question"], True))
            foreign = [other for other in names if other != name]
            for other in chosen.sample(foreign, min(others, len(foreign))):
                jobs[other].append((row["question"], False))
    found: list[Asked] = []
    work = sorted(jobs.items())
    with click.progressbar(work, label=questions.stem, file=sys.stderr) as bar:
        for name, texts in bar:
            session = open_session(corpora / name, warn=lambda text: click.echo(f"  {text}", err=True))
            try:
                searcher = session.searcher
                embedder, vectors = searcher.embedder, searcher.vectors
                plain = Searcher(session.reader, _Words(embedder) if embedder else None, vectors)
                chunks = int(session.reader.arrays.alive.sum())
                for text, own in texts:
                    plan = session.plan(text)
                    strength, coverage = searcher.search(plan, _K).strength, plain.search(plan, _K).strength
                    likeness = searcher.likeness(text) or 0.0
                    found.append(Asked(questions.stem, own, strength, coverage, likeness, chunks))
            finally:
                session.close()
    return found


def separation(own: Sequence[float], foreign: Sequence[float]) -> float:
    """Area under the ROC curve: the chance that one on its own tree scores higher than one on a foreign tree."""
    values = np.concatenate([own, foreign])
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[inverse]
    n, m = len(own), len(foreign)
    return float((ranks[:n].sum() - n * (n + 1) / 2.0) / (n * m))


def fit(rows: Sequence[Asked]) -> Floats:
    """Intercept, weights of coverage, likeness and ln of the chunks; sets and both sides of each weigh the same."""
    x = np.asarray([[r.coverage, r.likeness, np.clip(np.log(r.chunks), *SIZES)] for r in rows])
    sides = [(r.source, r.own) for r in rows]
    weight = np.asarray([100.0 / sides.count(side) for side in sides])
    return ridge_logistic(x, np.asarray([float(r.own) for r in rows]), weight, _RIDGE)


def told(name: str, kind: str, rows: Sequence[Asked], values: Sequence[float]) -> dict[str, object]:
    own = [value for value, row in zip(values, rows, strict=True) if row.own]
    foreign = [value for value, row in zip(values, rows, strict=True) if not row.own]
    return {
        "set": name,
        "strength": kind,
        "own": len(own),
        "foreign": len(foreign),
        "separation": round(separation(own, foreign), 3),
        "false_decline": round(sum(value < MIN_STRENGTH for value in own) / len(own), 3),
        "false_answer": round(sum(value >= MIN_STRENGTH for value in foreign) / len(foreign), 3),
    }


@click.command()
@click.option("--questions", type=click.Path(path_type=Path, exists=True), required=True, multiple=True)
@click.option("--corpora", type=click.Path(path_type=Path, exists=True), required=True, multiple=True)
@click.option("--others", default=3, show_default=True, help="Foreign trees that each question is asked of.")
@click.option("--fit", "fits", is_flag=True, help="Fit the weights anew and print them.")
@click.option("--json", "as_json", is_flag=True)
def main(questions: tuple[Path, ...], corpora: tuple[Path, ...], others: int, fits: bool, as_json: bool) -> None:
    """Evidence strength on questions about the tree and about other trees."""
    if len(questions) != len(corpora):
        raise click.UsageError("Give one --corpora for each --questions.")
    rows = [row for file, folder in zip(questions, corpora, strict=True) for row in asked(file, folder, others)]
    figures = []
    for name in dict.fromkeys(row.source for row in rows):
        part = [row for row in rows if row.source == name]
        figures.append(told(name, "words", part, [row.coverage for row in part]))
        figures.append(told(name, "words and meaning", part, [row.strength for row in part]))
    for line in figures:
        click.echo(
            json.dumps(line)
            if as_json
            else "{set:32} {strength:18} {own:4} own, {foreign:4} foreign: separation {separation:.3f}, false decline"
            " {false_decline:.3f}, false answer {false_answer:.3f}".format_map(line)
        )
    if fits:
        click.echo("weights: " + " ".join(f"{value:.2f}" for value in fit(rows)))


if __name__ == "__main__":
    main()
