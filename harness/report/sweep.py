"""A sweep: one setting varied, everything else alike; its table, its knee, its plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.report.compare import Summary, summarize
from harness.report.data import RunData
from harness.report.plots import COLOURS, figure, plain_ticks
from harness.report.tables import Table, estimate, share
from harness.stats.knee import knee, smallest_sufficient


@dataclass(frozen=True, slots=True)
class Sweep:
    """Attributes:
    name: What is varied: ``budget``, ``k``, ``window``, ``legs``.
    values: As given on the command line.
    knee: Position where the curve of accuracy over tokens bends, None when it does not.
    enough: Position of the cheapest setting (by tokens) that is not shown to be worse than the best.
    """

    name: str
    values: tuple[str, ...]
    summaries: tuple[Summary, ...]
    knee: int | None
    enough: int


def sweep_of(name: str, values: Sequence[str], runs: Sequence[RunData]) -> Sweep:
    """Order the settings by the tokens they really took, but budgets by themselves."""
    summaries = [summarize(run) for run in runs]
    tokens = [each.tokens.mean if each.tokens else 0.0 for each in summaries]
    if name == "budget":
        tokens = [float(run.budget) for run in runs]
    order = sorted(range(len(runs)), key=lambda at: tokens[at])
    summaries = [summaries[at] for at in order]
    ordered_tokens = [tokens[at] for at in order]
    gains = [_gain(each) for each in summaries]
    common = [key for key in runs[order[0]].questions if all(key in run.questions for run in runs)]
    outcomes = [[_outcome(runs[at], key) for key in common] for at in order]
    return Sweep(
        name,
        tuple(values[at] for at in order),
        tuple(summaries),
        knee(ordered_tokens, gains),
        smallest_sufficient(outcomes, ordered_tokens),
    )


def _gain(summary: Summary) -> float:
    """Accuracy; of runs without answers, the share of gold lines shown."""
    if summary.accuracy.n:
        return summary.accuracy.value or 0.0
    lines = dict(summary.evidence)["lines"]
    return lines.mean if lines else 0.0


def _outcome(run: RunData, key: str) -> float:
    question = run.questions[key]
    return float(question.passed) if question.passed is not None else question.evidence("lines") or 0.0


def sweep_table(sweep: Sweep) -> Table:
    rows = []
    for at, (value, each) in enumerate(zip(sweep.values, sweep.summaries, strict=True)):
        marks = [word for word, place in (("knee", sweep.knee), ("enough", sweep.enough)) if place == at]
        found = dict(each.evidence)
        rows.append(
            (
                value,
                share(each.accuracy),
                estimate(each.score, 3),
                estimate(found["files"], 3),
                estimate(found["lines"], 3),
                estimate(each.tokens, 0),
                " ".join(marks),
            )
        )
    header = (sweep.name, "accuracy", "score", "file recall", "line recall", "context tokens", "")
    note = (
        "knee: where accuracy over tokens bends (Kneedle). enough: the cheapest setting not shown to be worse than the "
        "best (95 % paired bootstrap)."
    )
    return Table(f"Sweep over {sweep.name}", header, tuple(rows), note)


def sweep_plot(sweep: Sweep) -> str:
    """Accuracy and recall over the tokens taken, or over the budget."""
    budgets = sweep.name == "budget"
    xs = [each.run.budget if budgets else (each.tokens.mean if each.tokens else 0.0) for each in sweep.summaries]
    with figure(6.4, 4.0) as (_, axes, out):
        series: list[tuple[str, list[Any]]] = [
            ("accuracy", [each.accuracy.value for each in sweep.summaries]),
            *(
                (
                    f"{measure[:-1]} recall",
                    [getattr(dict(each.evidence)[measure], "mean", None) for each in sweep.summaries],
                )
                for measure in ("files", "lines")
            ),
        ]
        for at, (name, ys) in enumerate(series):
            points = [(x, y) for x, y in zip(xs, ys, strict=True) if y is not None]
            axes.plot([x for x, _ in points], [y for _, y in points], marker="o", color=COLOURS[at], label=name)
        low = [each.accuracy.low for each in sweep.summaries if each.accuracy.n]
        if len(low) == len(xs):
            axes.fill_between(xs, low, [each.accuracy.high for each in sweep.summaries], color=COLOURS[0], alpha=0.12)
        if sweep.knee is not None:
            axes.axvline(xs[sweep.knee], color="#555555", linestyle=":", label="knee")
        axes.set_ylim(0, 1)
        axes.set_ylabel("share")
        axes.set_xlabel("token budget" if budgets else "context tokens per question (mean)")
        if budgets:
            axes.set_xscale("log", base=2)
            plain_ticks(axes, [int(x) for x in xs])
        axes.legend(frameon=False, fontsize=9)
    return out[0]
