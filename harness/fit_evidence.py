"""Fit the coefficients of ``retrieval.compile.estimate`` on sets of questions, and say what they give on others.

``python -m harness.fit_evidence --gold FILE.jsonl --corpora DIR [--gold … --corpora …] [--held-out FILE.jsonl
--held-out-corpora DIR]``

The lines of each question's candidates are the examples, each question weighs the same, and a ridge keeps the
coefficients small. Figures by coefficients that were fitted to other projects tell whether they carry over; the
questions held out are not fitted to. What is scored is the order alone: whole chunks, by expected lines per token while
they fit.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from harness.evidence import BUDGETS, Shown, interval, read_questions, score
from harness.stats.logistic import ridge_logistic
from retrieval.compile.estimate import DEFAULT, OddsConfig, features

_CANDIDATES = 240  # of a question, as the workspace searches
_HEADER_TOKENS = 22
_RIDGE = 10.0
_FOLDS = 4  # of projects
_ROLES = (-3, -2, -1)  # columns that are set for the candidates of one role

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """One question: its candidates' features, lines, gold lines and tokens, and what is wanted."""

    source: str
    project: str
    x: Floats
    lines: Floats
    gold: Floats
    pieces: tuple[Shown, ...]
    wanted: Sequence[Mapping[str, Any]]
    n_gold: int


def examples(gold: Path, corpora: Path) -> list[Example]:
    """Search every question of ``gold`` (the format of ``harness.evidence``)."""
    from agent.session import open_session

    found: list[Example] = []
    for name, rows in read_questions(gold).items():
        session = open_session(corpora / name, warn=lambda text: click.echo(f"  {text}", err=True))
        try:
            for row in rows:
                plan = session.plan(row["question"])
                candidates = session.searcher.search(plan, _CANDIDATES).candidates
                wanted = {(g["path"], n) for g in row["gold"] for a, b in g["ranges"] for n in range(a, b + 1)}
                if not candidates:
                    continue
                chunks = [candidate.chunk for candidate in candidates]
                hits = [sum((c.path, n) in wanted for n in range(c.start_line, c.end_line + 1)) for c in chunks]
                pieces = tuple(Shown(c.path, c.tokens + _HEADER_TOKENS, ((c.start_line, c.end_line),)) for c in chunks)
                lines = np.asarray([c.end_line - c.start_line + 1.0 for c in chunks])
                x = features(candidates, plan, session.searcher.links)
                found.append(
                    Example(gold.stem, name, x, lines, np.asarray(hits, np.float64), pieces, row["gold"], len(wanted))
                )
        finally:
            session.close()
    return found


def fit(chosen: Sequence[Example]) -> Floats:
    """Intercept and coefficients."""
    told = [e for e in chosen if e.n_gold]
    x = np.concatenate([e.x for e in told])
    share = np.concatenate([e.gold / e.lines for e in told])
    weight = np.concatenate([e.lines / e.n_gold for e in told]) * _tellable(told, x)
    return ridge_logistic(x, share, weight, _RIDGE)


def _tellable(chosen: Sequence[Example], x: Floats) -> Floats:
    """1.0 for each row of ``x``; 0.0 for those of a role that no gold line of the whole set has: a set of changed
    functions does not say how likely a test is."""
    source = np.repeat([e.source for e in chosen], [len(e.x) for e in chosen])
    gold = np.concatenate([e.gold for e in chosen])
    kept = np.ones(len(x))
    for column in _ROLES:
        has = x[:, column] > 0
        for name in dict.fromkeys(e.source for e in chosen):
            own = has & (source == name)
            if not gold[own].any():
                kept[own] = 0.0
    return kept


def recalls(chosen: Sequence[Example], theta: Floats | None) -> dict[int, list[tuple[float, float | None]]]:
    """(file, line) recall of each question at each budget; without ``theta`` by the searcher's own likelihood."""
    found: dict[int, list[tuple[float, float | None]]] = {budget: [] for budget in BUDGETS}
    for e in chosen:
        odds = e.x[:, 0] if theta is None else theta[0] + e.x @ theta[1:]
        worth = e.lines / (1.0 + np.exp(-odds)) / [piece.tokens for piece in e.pieces]
        ranked = [e.pieces[at] for at in np.argsort(-worth, kind="stable")]
        for budget in BUDGETS:
            one = score(e.wanted, ranked, budget)
            found[budget].append((one.files, one.lines))
    return found


def told(name: str, found: Mapping[int, Sequence[tuple[float, float | None]]]) -> str:
    """One line: file / line recall at each budget, with the interval of the lines."""
    parts = []
    for budget, pairs in found.items():
        lines = [line for _, line in pairs if line is not None]
        low, high = interval(lines)
        parts.append(
            f"{budget // 1000}k {np.mean([f for f, _ in pairs]):.3f}/{np.mean(lines):.3f} [{low:.2f}, {high:.2f}]"
        )
    return f"{name:34} {'  '.join(parts)}"


def fold_of(example: Example) -> int:
    """Releases of one project are in one fold."""
    return zlib.crc32(example.project.rsplit("-", 1)[0].encode()) % _FOLDS


@click.command()
@click.option("--gold", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True, multiple=True)
@click.option("--corpora", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, multiple=True)
@click.option("--held-out", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--held-out-corpora", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(
    gold: tuple[Path, ...], corpora: tuple[Path, ...], held_out: Path | None, held_out_corpora: Path | None
) -> None:
    """Fit on all of GOLD, report each set by coefficients fitted to other projects, and the held-out questions."""
    if len(gold) != len(corpora):
        raise click.UsageError("Give one --corpora for each --gold.")
    chosen = [e for questions, root in zip(gold, corpora, strict=True) for e in examples(questions, root)]
    theta = fit(chosen)
    for field, value, old in zip(fields(OddsConfig), theta, astuple(DEFAULT), strict=True):
        click.echo(f"{field.name:14} {value:8.3f}  (in use: {old:.3f})")
    apart = [fit([e for e in chosen if fold_of(e) != fold]) for fold in range(_FOLDS)]
    in_use = np.asarray(astuple(DEFAULT))
    for name in dict.fromkeys(e.source for e in chosen):
        own = [e for e in chosen if e.source == name]
        by_fold = [recalls([e for e in own if fold_of(e) == fold], apart[fold]) for fold in range(_FOLDS)]
        click.echo(told(f"{name}, searcher's likelihood", recalls(own, None)))
        click.echo(told(f"{name}, coefficients in use", recalls(own, in_use)))
        crossed = {budget: [pair for found in by_fold for pair in found[budget]] for budget in BUDGETS}
        click.echo(told(f"{name}, fitted to other projects", crossed))
    if held_out and held_out_corpora:
        others = examples(held_out, held_out_corpora)
        click.echo(told("held out, searcher's likelihood", recalls(others, None)))
        click.echo(told("held out, coefficients in use", recalls(others, in_use)))
        click.echo(told("held out, fitted now", recalls(others, theta)))


if __name__ == "__main__":
    main()
