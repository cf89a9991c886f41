"""How much of the gold evidence reaches the model: share of gold files touched and gold lines shown, per token budget.

``python -m harness.evidence --gold FILE --corpora DIR [--gold FILE --corpora DIR …] [--mode chunks|packs|both]
[--only PROJECT]``

FILE holds one question a line, ``{"id", "sdist": "name==version", "question", "gold": [{"path", "ranges"}]}``; DIR
holds the unpacked source distributions as ``name-version``. Each is indexed (or its index brought up to date) first.

Several sets (mined questions to tune on, others to check with) end in one table, side by side.

*chunks* takes whole ranked chunks in order while they fit; *packs* compiles a pack for each budget. Intervals are 95 %
percentile bootstrap over questions.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

import click

BUDGETS = (1000, 2000, 4000, 8000)
_RANKED = 150  # chunks per question; 8,000 tokens hold about 50
_HEADER_TOKENS = 14  # of a chunk shown whole, beside its numbered lines
_RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of evidence as the model would read it."""

    path: str
    tokens: int
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Of one question at one budget; ``lines`` is None when its gold names files only."""

    files: float
    lines: float | None
    tokens: int


Scores = dict[int, list[Score]]  # per budget, in the order of the questions


def score(gold: Sequence[Mapping[str, Any]], shown: Iterable[Shown], budget: int) -> Score:
    """File and line recall of ``shown``, taken in order while it fits into ``budget`` tokens."""
    spent = 0
    got: dict[str, set[int]] = {}
    for piece in shown:
        if spent + piece.tokens > budget:
            continue
        spent += piece.tokens
        got.setdefault(piece.path, set()).update(_lines(piece.ranges))
    want = {(part["path"], line) for part in gold for line in _lines(part["ranges"])}
    files = mean(part["path"] in got for part in gold)
    lines = sum(line in got.get(path, ()) for path, line in want) / len(want) if want else None
    return Score(files, lines, spent)


def _lines(ranges: Iterable[Sequence[int]]) -> set[int]:
    return {line for first, last in ranges for line in range(first, last + 1)}


def interval(values: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean."""
    if not values:
        return (0.0, 0.0)
    rng = random.Random(seed)  # noqa: S311
    means = sorted(mean(rng.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    return means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES) - 1]


def evaluate(questions: Sequence[Mapping[str, Any]], root: Path, mode: str) -> tuple[Scores, list[float]]:
    """Scores per budget and milliseconds per question, for one project."""
    from agent.session import open_session

    session = open_session(root, warn=lambda text: click.echo(f"  {text}", err=True))
    scores: Scores = {budget: [] for budget in BUDGETS}
    times: list[float] = []
    try:
        for question in questions:
            text = question["question"]
            started = time.perf_counter()
            if mode == "chunks":
                found = session.searcher.search(session.plan(text), _RANKED).candidates
                times.append((time.perf_counter() - started) * 1000)
                ranked = [
                    Shown(c.chunk.path, c.chunk.tokens + _HEADER_TOKENS, ((c.chunk.start_line, c.chunk.end_line),))
                    for c in found
                ]
                for budget in BUDGETS:
                    scores[budget].append(score(question["gold"], ranked, budget))
            else:
                for budget in BUDGETS:
                    pack = session.pack(text, budget=budget)
                    pieces = [Shown(chunk.path, chunk.tokens, chunk.ranges) for chunk in pack.chunks]
                    scores[budget].append(score(question["gold"], pieces, budget))
                times.append((time.perf_counter() - started) * 1000 / len(BUDGETS))
    finally:
        session.close()
    return scores, times


def summary(name: str, scores: Mapping[int, Sequence[Score]], times: Sequence[float]) -> str:
    """One line per budget: recall with its interval, tokens used."""
    rows = [f"{name}: {len(times)} questions, {median(times):.1f} ms each (median)"]
    for budget, found in scores.items():
        files = [one.files for one in found]
        lines = [one.lines for one in found if one.lines is not None]
        f_low, f_high = interval(files)
        l_low, l_high = interval(lines)
        rows.append(
            f"  {budget:>5}  file {mean(files):.3f} [{f_low:.2f}, {f_high:.2f}]  "
            f"line {mean(lines) if lines else 0.0:.3f} [{l_low:.2f}, {l_high:.2f}]  "
            f"tokens {mean(one.tokens for one in found):.0f}"
        )
    return "\n".join(rows)


@click.command()
@click.option("--gold", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True, multiple=True)
@click.option("--corpora", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, multiple=True)
@click.option("--mode", type=click.Choice(["chunks", "packs", "both"]), default="both", show_default=True)
@click.option("--only", multiple=True, help="Name of a project; may be repeated.")
def main(gold: tuple[Path, ...], corpora: tuple[Path, ...], mode: str, only: tuple[str, ...]) -> None:
    """Score ranked chunks and packs against gold evidence."""
    if len(gold) != len(corpora):
        raise click.UsageError("Give one --corpora for each --gold.")
    for each in ("chunks", "packs") if mode == "both" else (mode,):
        sets: dict[str, Scores] = {}
        for questions, root in zip(gold, corpora, strict=True):
            by_project = read_questions(questions)
            chosen = {name: rows for name, rows in by_project.items() if not only or name.rsplit("-", 1)[0] in only}
            everything: Scores = {budget: [] for budget in BUDGETS}
            times: list[float] = []
            for name, rows in chosen.items():
                scores, took = evaluate(rows, root / name, each)
                click.echo(summary(f"{each} · {name}", scores, took))
                sys.stdout.flush()
                times.extend(took)
                for budget in BUDGETS:
                    everything[budget].extend(scores[budget])
            if times:
                click.echo(summary(f"{each} · {questions.stem}, all", everything, times))
                sets[questions.stem] = everything
        if len(sets) > 1:
            click.echo(side_by_side(each, sets))


def read_questions(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Project (``name-version``) -> its questions, in the order of the file."""
    by_project: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text("utf-8").split("\n"):
        if line.strip():
            row = json.loads(line)
            by_project.setdefault(row["sdist"].replace("==", "-"), []).append(row)
    return by_project


def side_by_side(mode: str, sets: Mapping[str, Mapping[int, Sequence[Score]]]) -> str:
    """File / line recall of each set, a column per budget."""
    rows = [f"{mode + ' (file / line)':28}" + "".join(f"{budget // 1000}k".rjust(15) for budget in BUDGETS)]
    for name, scores in sets.items():
        cells = []
        for budget in BUDGETS:
            lines = [one.lines for one in scores[budget] if one.lines is not None]
            cells.append(f"{mean(one.files for one in scores[budget]):.3f} / {mean(lines) if lines else 0.0:.3f}")
        rows.append(f"{name:28}" + "".join(cell.rjust(15) for cell in cells))
    return "\n".join(rows)


if __name__ == "__main__":
    main()
