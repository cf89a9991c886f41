"""One self-contained HTML file: tables, plots and flipped questions. No script, no network; foreign text is escaped."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from harness.grading.labels import MEANING
from harness.report import plots
from harness.report.compare import Comparison, Flip, Pair
from harness.report.tables import Table, tables
from retrieval.errors import UserError
from retrieval.version import VERSION

_CSS = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 68rem; background: #fff; color: #1a1a1a;
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; }
p.note, figcaption { color: #555; font-size: .88rem; max-width: 48rem; margin: .4rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .32rem .7rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom: 2px solid #888; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 1.5rem; }
figure { margin: 0; } figure svg { width: 100%; height: auto; display: block; }
figcaption b { color: #1a1a1a; }
details { border-bottom: 1px solid #ddd; padding: .45rem 0; } summary { cursor: pointer; }
.flip { margin: .5rem 0 .5rem 1rem; font-size: .9rem; overflow-wrap: anywhere; }
.gained { color: #00614a; } .lost { color: #a34700; } .why { color: #555; }
dl { font-size: .9rem; } dt { font-weight: 600; } dd { margin: 0 0 .3rem 1rem; }
"""
_MAX_FLIPS = 500  # of one pair


def write_report(comparison: Comparison, path: Path) -> None:
    """Write the report of a comparison. Raises UserError when the place cannot be written."""
    _write(report(comparison), path)


def write_plots(parts: Sequence[tuple[Table, str]], path: Path) -> None:
    """Write tables, each under its plot (SVG of ours). Raises UserError when the place cannot be written."""
    body = [f'<h1>contextc benchmark</h1><p class="note">contextc {VERSION}</p>']
    for table, svg in parts:
        label = escape(table.title)
        body.append(f'<figure role="group" aria-label="{label}" style="max-width: 46rem">{svg}</figure>{_table(table)}')
    _write(_document(body), path)


def _write(text: str, path: Path) -> None:
    """Whole or not at all."""
    aside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(text, encoding="utf-8", errors="backslashreplace")  # lone surrogates of a row
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise UserError(f"Cannot write {path}: {error.strerror or error}.", "Give another file with --html.") from error


def report(comparison: Comparison) -> str:
    """The document."""
    figures = []
    if any(summary.accuracy.n for summary in comparison.summaries):
        title, caption = "Accuracy against tokens", "Upper left is better. Bars are 95 % intervals."
        figures.append((title, caption, plots.accuracy_against_tokens(comparison)))
    figures.append(("Evidence", "How much of the gold the context shows.", plots.recall_by_budget(comparison)))
    if any(pair.flips for pair in comparison.pairs):
        figures.append(("Flips", "Questions that one run passes and the other does not.", plots.flips(comparison)))
    if any(summary.failures for summary in comparison.summaries):
        figures.append(
            ("Why answers failed", "Labels of the grader, explained below.", plots.failure_labels(comparison))
        )
    body = [
        "<h1>contextc benchmark</h1>",
        f'<p class="note">{escape(_subtitle(comparison))}</p>',
        *(f'<p class="note">Note: {escape(note)}</p>' for note in comparison.notes),
        '<div class="plots">',
        *(
            f'<figure role="group" aria-label="{escape(title)}"><figcaption><b>{escape(title)}.</b> {escape(caption)}'
            f"</figcaption>{svg}</figure>"
            for title, caption, svg in figures
        ),
        "</div>",
        *map(_table, tables(comparison)),
        *_flips(comparison.pairs),
        "<h2>Failure labels</h2><dl>",
        *(f"<dt>{escape(name)}</dt><dd>{escape(meaning)}</dd>" for name, meaning in MEANING.items()),
        "</dl>",
    ]
    return _document(body)


def _document(body: Sequence[str]) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>contextc benchmark</title><style>{_CSS}</style></head><body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _subtitle(comparison: Comparison) -> str:
    runs = [summary.run for summary in comparison.summaries]
    graders = ", ".join(dict.fromkeys(run.grader for run in runs))
    answerers = ", ".join(dict.fromkeys(run.model or run.answerer for run in runs))
    questions = len({key for run in runs for key in run.questions})
    return f"{len(runs)} runs, {questions} questions; answered by {answerers}; graded by {graders}; contextc {VERSION}."


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.header)
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in table.rows
    )
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<h2>{escape(table.title)}</h2><div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{note}"
    )


def _flips(pairs: Sequence[Pair]) -> list[str]:
    shown = [pair for pair in pairs if pair.flips]
    if not shown:
        return []
    out = ["<h2>Flipped questions</h2>"]
    for pair in shown:
        title = f"{pair.before} → {pair.after}: {pair.test.gained} gained, {pair.test.lost} lost"
        more = len(pair.flips) - _MAX_FLIPS
        out.append(f"<details><summary>{escape(title)}</summary>")
        out.extend(_flip(flip) for flip in pair.flips[:_MAX_FLIPS])
        out.append(f"<p>… and {more} more</p></details>" if more > 0 else "</details>")
    return out


def _flip(flip: Flip) -> str:
    kind = "gained" if flip.gained else "lost"
    return (
        f'<div class="flip"><span class="{kind}">{kind}</span> <code>{escape(flip.question_id)}</code> '
        f"({escape(flip.category)}) {escape(flip.question)}"
        f'<div class="why">{"before" if flip.gained else "now"}: {escape(flip.why)}</div></div>'
    )
