"""What each column of the ranking of files contributes: everything fitted, against fitted without one.

``python -m harness.ablation_files --set NAME WEIGHT QUESTIONS TREES … --held NAME QUESTIONS TREES …``

Sets as in ``harness.fit_ranking``. Figures are NDCG@10. For ``--set`` each project is judged by weights fitted
without it; for ``--held``, whose rows with the split "held" are read, by weights fitted on all of the sets.
Contributions are means of paired differences with 95 % percentile bootstrap intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean

import click

from harness.ablation import contribution
from harness.fit_ranking import Asked, Stack, cross_validated, fit, ndcg, read_set

Figures = dict[str, list[float]]


def without(asked: Sequence[Asked], columns: Sequence[str], left_out: str) -> list[Asked]:
    kept = [at for at, name in enumerate(columns) if name != left_out]
    return [replace(one, x=one.x[:, kept]) for one in asked]


def judged(tuned: Sequence[Asked], held: Sequence[Asked], ridge: float) -> Figures:
    """NDCG@10 of every question, by set."""
    found = cross_validated(tuned, ridge)
    weights = fit(Stack.of(tuned), ridge)
    for one in held:
        found.setdefault(one.group, []).append(ndcg(one, weights))
    return found


@click.command()
@click.option(
    "--set", "sets", type=(str, float, click.Path(exists=True), click.Path(exists=True)), multiple=True, required=True
)
@click.option("--held", "held_sets", type=(str, click.Path(exists=True), click.Path(exists=True)), multiple=True)
@click.option("--ridge", default=5e-4, show_default=True)
def main(
    sets: tuple[tuple[str, float, str, str], ...], held_sets: tuple[tuple[str, str, str], ...], ridge: float
) -> None:
    """Contribution of each column on each set of questions."""
    columns: list[str] = []
    tuned: list[Asked] = []
    held: list[Asked] = []
    for name, weight, questions, trees in sets:
        columns, found = read_set(name, weight, Path(questions), Path(trees))
        tuned += found
    for name, questions, trees in held_sets:
        held += read_set(name, 1.0, Path(questions), Path(trees), "held")[1]
    on = judged(tuned, held, ridge)
    click.echo(f"| off | {' | '.join(on)} |\n|---|{'---|' * len(on)}")
    click.echo(f"| nothing | {' | '.join(f'{mean(values):.3f}' for values in on.values())} |")
    for column in columns:
        off = judged(without(tuned, columns, column), without(held, columns, column), ridge)
        click.echo(f"| {column} | {' | '.join(contribution(on[name], off[name]) for name in on)} |")


if __name__ == "__main__":
    main()
