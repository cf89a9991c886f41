"""Fits the weights by which ``search`` ranks files (``retrieval.search.file_model``).

``python -m harness.fit_ranking --set NAME WEIGHT QUESTIONS TREES [--set …] [--ridge R]``

QUESTIONS is JSONL with ``sdist``, ``question`` and ``gold`` (``path`` each); TREES holds indexed trees named
``name-version``; of rows with a ``split`` only those for tuning are read. The loss is the cross entropy of a softmax
over the files of a question's pool, weighted by set, plus R times the squared length of the weights.

Prints the weights, NDCG@10 of each set in sample, and cross-validated: fitted without the projects that are judged.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import click
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
_TEMPERATURE = 0.5
_FOLDS = 5
_STEPS = 120
_HISTORY = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: ``x`` float64[m, columns] over its pool, ``file`` int64[m] numbers the pool's files, ``gold``
    float64[files] sums to 1 over the files that answer; ``wanted`` counts those outside the pool too."""

    group: str
    project: str
    weight: float
    x: Array
    file: npt.NDArray[np.int64]
    gold: Array
    wanted: int


@dataclass(frozen=True, slots=True)
class Stack:
    """Questions one under the other: rows, the file of each row, the question of each file."""

    x: Array
    file: npt.NDArray[np.int64]
    question: npt.NDArray[np.int64]
    gold: Array
    weights: Array

    @classmethod
    def of(cls, asked: Sequence[Asked]) -> Stack:
        sizes = [len(one.gold) for one in asked]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        return cls(
            np.concatenate([one.x for one in asked]),
            np.concatenate([one.file + offset for one, offset in zip(asked, offsets, strict=False)]),
            np.repeat(np.arange(len(asked)), sizes),
            np.concatenate([one.gold * one.weight for one in asked]),
            np.asarray([one.weight for one in asked]),
        )


def file_scores(x: Array, file: npt.NDArray[np.int64], n: int, weights: Array) -> tuple[Array, Array]:
    """(scores float64[n] of files, share float64[m] of each row in its file's score)."""
    own = x @ weights
    best = np.full(n, -np.inf)
    np.maximum.at(best, file, own)
    raised = np.exp((own - best[file]) / _TEMPERATURE)
    mass = np.bincount(file, weights=raised, minlength=n)
    return best + _TEMPERATURE * np.log(mass), raised / mass[file]


def loss(stack: Stack, weights: Array, ridge: float) -> tuple[float, Array]:
    """The loss and its gradient."""
    scores, share = file_scores(stack.x, stack.file, len(stack.gold), weights)
    top = np.full(len(stack.weights), -np.inf)
    np.maximum.at(top, stack.question, scores)
    raised = np.exp(scores - top[stack.question])
    mass = np.bincount(stack.question, weights=raised, minlength=len(stack.weights))
    total = float(stack.weights.sum())
    value = float(((np.log(mass) + top) * stack.weights).sum() - (stack.gold * scores).sum()) / total
    per_file = raised / mass[stack.question] * stack.weights[stack.question] - stack.gold
    gradient = (per_file[stack.file] * share) @ stack.x / total
    return value + ridge * float(weights @ weights), gradient + 2 * ridge * weights


def fit(stack: Stack, ridge: float) -> Array:
    """Weights of the least loss, by L-BFGS with backtracking (Nocedal and Wright, Algorithm 7.5)."""
    at = np.zeros(stack.x.shape[1])
    value, gradient = loss(stack, at, ridge)
    steps: list[tuple[Array, Array]] = []
    for _ in range(_STEPS):
        direction = -_two_loops(gradient, steps)
        slope = float(gradient @ direction)
        size = 1.0 if steps else 1.0 / max(1.0, float(np.linalg.norm(gradient)))
        while size > 1e-8:
            new_value, new_gradient = loss(stack, at + size * direction, ridge)
            if new_value <= value + 1e-4 * size * slope:
                break
            size /= 2
        else:
            break
        moved, turned = size * direction, new_gradient - gradient
        if float(moved @ turned) > 1e-12:
            steps = [*steps[-_HISTORY + 1 :], (moved, turned)]
        at, done = at + moved, abs(value - new_value) < 1e-7
        value, gradient = new_value, new_gradient
        if done:
            break
    return at


def _two_loops(gradient: Array, steps: Sequence[tuple[Array, Array]]) -> Array:
    rest = gradient.copy()
    kept: list[float] = []
    for moved, turned in reversed(steps):
        kept.append(float(moved @ rest) / float(moved @ turned))
        rest -= kept[-1] * turned
    if steps:
        moved, turned = steps[-1]
        rest *= float(moved @ turned) / float(turned @ turned)
    for (moved, turned), factor in zip(steps, reversed(kept), strict=True):
        rest += moved * (factor - float(turned @ rest) / float(moved @ turned))
    return rest


def ndcg(one: Asked, weights: Array) -> float:
    scores, _ = file_scores(one.x, one.file, len(one.gold), weights)
    order = np.argsort(-scores, kind="stable")[:10]
    gains = sum(1 / math.log2(rank + 2) for rank, at in enumerate(order) if one.gold[at] > 0)
    return gains / sum(1 / math.log2(rank + 2) for rank in range(min(10, one.wanted)))


def read_set(
    group: str, weight: float, questions: Path, trees: Path, split: str = "tune"
) -> tuple[list[str], list[Asked]]:
    """(names of the columns, the questions whose answers are in their pools)."""
    from agent.session import open_session

    rows: dict[str, list[dict[str, Any]]] = {}
    for line in questions.read_text("utf-8").split("\n"):
        row = json.loads(line) if line.strip() else {"split": ""}
        if row.get("split", split) == split:
            rows.setdefault(row["sdist"].replace("==", "-"), []).append(row)
    asked: list[Asked] = []
    names: list[str] = []
    for name, own in rows.items():
        session = open_session(trees / name, update=False)
        prefix = "" if (trees / name / own[0]["gold"][0]["path"]).exists() else f"{own[0].get('package', '')}/"
        for row in own:
            pool, found = session.searcher.file_columns(session.plan(row["question"]))
            paths = {part["path"].removeprefix(prefix) for part in row["gold"]}
            gold = np.zeros(int(pool.file_of.max()) + 1 if len(pool.file_of) else 0)
            gold[pool.file_of[[path in paths for path in pool.paths]]] = 1.0
            names = list(found)
            if gold.any():
                x = np.stack([found[column].astype(np.float64) for column in names], axis=1)
                asked.append(Asked(group, name, weight, x, pool.file_of, gold / gold.sum(), len(paths)))
        session.close()
    return names, asked


def cross_validated(asked: Sequence[Asked], ridge: float) -> dict[str, list[float]]:
    """NDCG@10 by set, each project judged by weights that were fitted without it."""
    projects = sorted({one.project for one in asked})
    found: dict[str, list[float]] = {}
    for nth in range(_FOLDS):
        out = set(projects[nth::_FOLDS])
        weights = fit(Stack.of([one for one in asked if one.project not in out]), ridge)
        for one in asked:
            if one.project in out:
                found.setdefault(one.group, []).append(ndcg(one, weights))
    return found


@click.command()
@click.option(
    "--set", "sets", type=(str, float, click.Path(exists=True), click.Path(exists=True)), multiple=True, required=True
)
@click.option("--ridge", default=5e-4, show_default=True)
@click.option("--without", multiple=True, help="A column that is left out; may be repeated.")
def main(sets: tuple[tuple[str, float, str, str], ...], ridge: float, without: tuple[str, ...]) -> None:
    """Fit and judge the ranking of files."""
    names: list[str] = []
    asked: list[Asked] = []
    for group, weight, questions, trees in sets:
        names, found = read_set(group, weight, Path(questions), Path(trees))
        asked += found
    report(names, asked, ridge, without)


def report(names: Sequence[str], asked: Sequence[Asked], ridge: float, without: Sequence[str]) -> None:
    kept = [at for at, name in enumerate(names) if name not in without]
    chosen = [Asked(a.group, a.project, a.weight, a.x[:, kept], a.file, a.gold, a.wanted) for a in asked]
    weights = fit(Stack.of(chosen), ridge)
    for name, value in zip([names[at] for at in kept], weights, strict=True):
        click.echo(f'        "{name}": {value:.2f},')
    inside: dict[str, list[float]] = {}
    for one in chosen:
        inside.setdefault(one.group, []).append(ndcg(one, weights))
    outside: Mapping[str, list[float]] = cross_validated(chosen, ridge)
    for group in inside:
        click.echo(f"{group}: NDCG@10 {mean(inside[group]):.3f} in sample, {mean(outside[group]):.3f} cross-validated")


if __name__ == "__main__":
    main()
