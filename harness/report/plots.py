"""Plots as inline SVG (matplotlib): text stays text, no script, no network, the same bytes for the same figures."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from harness.grading import labels
from harness.report.compare import Comparison, Summary

# Okabe and Ito 2008: told apart with any colour vision.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999", "#F0E442")
_NAME_CHARS = 32
_STYLE: dict[Any, Any] = {
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "contextc",
    "font.family": "sans-serif",
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
}


@contextmanager
def figure(width: float, height: float) -> Iterator[tuple[Any, Any, list[str]]]:
    """(figure, axes, out): the SVG is in ``out[0]`` when the body has ended. Sizes in inches."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    out: list[str] = []
    with mpl.rc_context(_STYLE):  # no pyplot: nothing global, no display
        fig = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(fig)
        yield fig, fig.add_subplot(), out
        buffer = io.StringIO()
        fig.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    out.append(text[text.index("<svg") :])


def short(name: str) -> str:
    """A name as a plot can carry it: printable, and not longer than the axis."""
    clean = "".join(char if char.isprintable() else " " for char in name)
    return clean if len(clean) <= _NAME_CHARS else clean[: _NAME_CHARS - 1] + "…"


def accuracy_against_tokens(comparison: Comparison) -> str:
    """One point a run with both intervals; the ladder of tiers is joined in the order given."""
    with figure(6.4, 4.0) as (_, axes, out):
        points = [each for each in comparison.summaries if each.accuracy.value is not None and each.tokens]
        for at, each in enumerate(points):
            assert each.tokens is not None  # noqa: S101
            x, y = each.tokens.mean, each.accuracy.value or 0.0
            axes.errorbar(
                x,
                y,
                xerr=[[x - each.tokens.low], [each.tokens.high - x]],
                yerr=[[y - each.accuracy.low], [each.accuracy.high - y]],
                fmt="o",
                color=COLOURS[at % len(COLOURS)],
                capsize=3,
                label=short(each.run.name),
            )
        ladder = [(each.tokens.mean, each.accuracy.value or 0.0) for each in points if each.tokens]
        axes.plot([x for x, _ in ladder], [y for _, y in ladder], color="#bbbbbb", linewidth=1, zorder=0)
        axes.set_xlabel("context tokens per question (mean)")
        axes.set_ylabel("accuracy")
        axes.set_ylim(0, 1)
        if ladder and max(x for x, _ in ladder) > 1.5 * min(x for x, _ in ladder):
            axes.set_xlim(left=0)
        axes.legend(frameon=False, fontsize=9)
    return out[0]


def recall_by_budget(comparison: Comparison) -> str:
    """Line and file recall: over the budget where runs have several, side by side otherwise."""
    by_tier: dict[str, list[Summary]] = {}
    for each in comparison.summaries:
        by_tier.setdefault(each.run.label, []).append(each)
    if max(len({each.run.budget for each in group}) for group in by_tier.values()) > 2:
        return _recall_curves(by_tier)
    return _recall_bars(comparison)


def _recall_curves(by_tier: dict[str, list[Summary]]) -> str:
    with figure(6.4, 4.0) as (_, axes, out):
        for at, (name, group) in enumerate(by_tier.items()):
            ordered = sorted(group, key=lambda each: each.run.budget)
            for measure, style in (("files", "-"), ("lines", "--")):
                points = [(each.run.budget, value.mean) for each in ordered if (value := dict(each.evidence)[measure])]
                axes.plot(
                    [x for x, _ in points],
                    [y for _, y in points],
                    style,
                    marker="o",
                    color=COLOURS[at % len(COLOURS)],
                    label=f"{short(name)}, {measure[:-1]} recall",
                )
        axes.set_xscale("log", base=2)
        axes.set_xlabel("token budget")
        axes.set_ylabel("share of the gold shown")
        axes.set_ylim(0, 1)
        axes.legend(frameon=False, fontsize=8)
        plain_ticks(axes, sorted({each.run.budget for group in by_tier.values() for each in group}))
    return out[0]


def plain_ticks(axes: Any, values: Sequence[int]) -> None:
    axes.set_xticks(values, [f"{value:,}" for value in values])
    axes.minorticks_off()


def _recall_bars(comparison: Comparison) -> str:
    names = [short(each.run.name) for each in comparison.summaries]
    measures = ("files", "lines", "symbols", "precision")
    with figure(6.4, 0.9 + 0.62 * len(names)) as (_, axes, out):
        height = 0.8 / len(measures)
        for at, measure in enumerate(measures):
            found = [dict(each.evidence)[measure] for each in comparison.summaries]
            ys = [row + (at - 1.5) * height for row in range(len(names))]
            values = [one.mean if one else 0.0 for one in found]
            errors = [
                [value - one.low if one else 0.0 for one, value in zip(found, values, strict=True)],
                [one.high - value if one else 0.0 for one, value in zip(found, values, strict=True)],
            ]
            axes.barh(ys, values, height, xerr=errors, color=COLOURS[at], ecolor="#555555", label=f"{measure}")
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xlim(0, 1)
        axes.set_xlabel("share (95 % interval)")
        axes.grid(visible=False, axis="y")
        _legend_below(axes, 4)
    return out[0]


def flips(comparison: Comparison) -> str:
    names = [f"{short(pair.before)} →\n{short(pair.after)}" for pair in comparison.pairs]
    with figure(6.4, 0.9 + 0.5 * len(names)) as (_, axes, out):
        rows = range(len(names))
        gained = [pair.test.gained for pair in comparison.pairs]
        lost = [-pair.test.lost for pair in comparison.pairs]
        bars = (
            axes.barh(rows, gained, color=COLOURS[2], label="gained"),
            axes.barh(rows, lost, color=COLOURS[1], label="lost"),
        )
        for container, values in zip(bars, (gained, lost), strict=True):
            axes.bar_label(container, [str(abs(value) or "") for value in values], padding=3, fontsize=9)
        axes.axvline(0, color="#555555", linewidth=0.8)
        axes.set_yticks(rows, names)
        axes.invert_yaxis()
        axes.margins(x=0.15)
        axes.set_xlabel("questions")
        axes.xaxis.set_major_formatter(lambda value, _: f"{abs(value):.0f}")
        axes.grid(visible=False, axis="y")
        _legend_below(axes, 2)
    return out[0]


def failure_labels(comparison: Comparison) -> str:
    present = [name for name in labels.FAILURES if any(dict(each.failures).get(name) for each in comparison.summaries)]
    names = [short(each.run.name) for each in comparison.summaries]
    with figure(6.4, 1.3 + 0.42 * len(names)) as (_, axes, out):
        left = [0] * len(names)
        for label in present:
            counts = [dict(each.failures).get(label, 0) for each in comparison.summaries]
            colour = COLOURS[labels.FAILURES.index(label) % len(COLOURS)]
            axes.barh(range(len(names)), counts, left=left, color=colour, label=label)
            left = [a + b for a, b in zip(left, counts, strict=True)]
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xlabel("answers that failed")
        axes.grid(visible=False, axis="y")
        if present:
            _legend_below(axes, 3)
    return out[0]


def _legend_below(axes: Any, columns: int) -> None:
    axes.figure.legend(frameon=False, fontsize=9, ncols=columns, loc="outside lower center")
