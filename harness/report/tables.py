"""The tables of a comparison, once, for the terminal, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.report.compare import Comparison, Share
from harness.stats.bootstrap import Difference, Estimate

_NONE = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """Cells are text; the first column is left-aligned, the others are figures."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def tables(comparison: Comparison) -> tuple[Table, ...]:
    found = [progression(comparison), evidence(comparison), by_category(comparison)]
    if comparison.pairs:
        found.append(tests(comparison))
    found += [grades(comparison), failures(comparison)]
    return tuple(table for table in found if table.rows)


def progression(comparison: Comparison) -> Table:
    """The lesson's table: accuracy and context tokens of each tier."""
    rows = []
    for each in comparison.summaries:
        rows.append(
            (
                each.run.name,
                share(each.accuracy),
                str(each.accuracy.n),
                str(each.ungraded),
                estimate(each.score, 3),
                estimate(each.tokens, 0),
                _milliseconds(each.seconds_p50),
                _milliseconds(each.seconds_p95),
                _NONE if each.cost is None else f"{each.cost:.4f}",
            )
        )
    header = ("tier", "accuracy", "graded", "ungraded", "score", "context tokens", "ms p50", "ms p95", "cost $")
    note = (
        "Accuracy: share of graded questions answered or abstained from correctly, 95 % Wilson interval. Score "
        "counts partial answers half. Tokens are those of the rendered context (o200k_base). Intervals of means: 95 % "
        "percentile bootstrap over questions."
    )
    return Table("Accuracy and context", header, tuple(rows), note)


def evidence(comparison: Comparison) -> Table:
    rows = tuple((each.run.name, *(estimate(value, 3) for _, value in each.evidence)) for each in comparison.summaries)
    note = (
        "Shares of the gold shown by the context: files touched, lines shown, symbols of which at least half is shown. "
        "Precision: shown lines that are gold."
    )
    return Table("Evidence", ("tier", "file recall", "line recall", "symbol recall", "precision"), rows, note)


def by_category(comparison: Comparison) -> Table:
    rows = []
    for category, first in comparison.first_acceptable:
        shares = [dict(each.categories).get(category) for each in comparison.summaries]
        cells = [_NONE if one is None or one.value is None else f"{one.value:.2f} ({one.n})" for one in shares]
        rows.append((category, *cells, first or "none"))
    header = ("category", *(each.run.name for each in comparison.summaries), f"first at {comparison.acceptable:.0%}")
    note = (
        f"Accuracy (questions). Last column: the first tier, in this order, that answers {comparison.acceptable:.0%}."
    )
    return Table("By category", header, tuple(rows), note)


def tests(comparison: Comparison) -> Table:
    rows = []
    for pair in comparison.pairs:
        rows.append(
            (
                f"{pair.before} → {pair.after}",
                str(pair.n),
                difference(pair.accuracy, 3),
                f"+{pair.test.gained} −{pair.test.lost}",
                p_value(pair.p),
                difference(pair.score, 3),
                p_value(pair.score_p),
                difference(pair.lines, 3),
                p_value(pair.lines_p),
                difference(pair.tokens, 0),
                p_value(pair.tokens_p),
            )
        )
    header = ("pair", "n", "accuracy", "flips", "p", "score", "p", "line recall", "p", "tokens", "p")
    note = (
        "Differences over the same questions with 95 % bootstrap intervals. Accuracy: McNemar's exact test; others: "
        "paired bootstrap. Every p is two-sided and Holm-corrected over the pairs of its column."
    )
    return Table("Paired tests", header, tuple(rows), note)


def grades(comparison: Comparison) -> Table:
    return _counts("Grades", "tier", [(each.run.name, each.grades) for each in comparison.summaries])


def failures(comparison: Comparison) -> Table:
    return _counts("Why answers failed", "tier", [(each.run.name, each.failures) for each in comparison.summaries])


def _counts(title: str, first: str, counted: Sequence[tuple[str, Sequence[tuple[str, int]]]]) -> Table:
    names = list(dict.fromkeys(name for _, pairs in counted for name, _ in pairs))
    rows = tuple((label, *(str(dict(pairs).get(name, 0)) for name in names)) for label, pairs in counted)
    return Table(title, (first, *names), rows if names else ())


# ---------------------------------------------------------------------------------------------------------------- cells


def share(value: Share) -> str:
    return _NONE if value.value is None else f"{value.value:.3f} [{value.low:.2f}, {value.high:.2f}]"


def estimate(value: Estimate | None, digits: int) -> str:
    if value is None:
        return _NONE
    around = max(0, digits - 1)
    return f"{value.mean:.{digits}f} [{value.low:.{around}f}, {value.high:.{around}f}]"


def difference(value: Difference | None, digits: int) -> str:
    if value is None:
        return _NONE
    return f"{value.mean:+.{digits}f} [{value.low:+.{digits}f}, {value.high:+.{digits}f}]"


def p_value(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _milliseconds(seconds: float | None) -> str:
    return _NONE if seconds is None else f"{seconds * 1000:.0f}"


# --------------------------------------------------------------------------------------------------------------- render


def as_text(table: Table, width: int = 0) -> str:
    """Aligned columns; where they are wider than ``width`` (0: any width will do), a block for each row."""
    lines = [table.header, *table.rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(table.header))]
    if width and 2 * len(widths) + sum(widths) > width:
        return "\n".join([table.title, *(each for row in table.rows for each in _block(table.header, row, width))])
    out = [table.title]
    for line in lines:
        figures = [cell.rjust(size) for cell, size in zip(line[1:], widths[1:], strict=True)]
        out.append("  " + "  ".join([line[0].ljust(widths[0]), *figures]).rstrip())
    return "\n".join(out)


def _block(header: Sequence[str], row: Sequence[str], width: int) -> list[str]:
    """The first cell, then the others with their names, as many on a line as fit."""
    out = [f"  {row[0]}"]
    for name, cell in zip(header[1:], row[1:], strict=True):
        part = f"{name} {cell}".strip()
        if len(out) > 1 and len(out[-1]) + len(part) + 2 <= width:
            out[-1] += f"; {part}"
        else:
            out.append(f"      {part}")
    return out


def as_markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    rule = "|---|" + "---:|" * (len(table.header) - 1)
    out = [f"### {table.title}", "", line(table.header), rule, *map(line, table.rows)]
    return "\n".join([*out, "", table.note] if table.note else out)
