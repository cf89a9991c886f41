"""``contextc bench compare``: runs held against each other."""

from __future__ import annotations

from pathlib import Path

import click

from agent.cli.common import notes, print_json, quiet_option
from harness.cli.options import out_option, skip_option, terminal_width


@click.command("compare")
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
@click.option(
    "--html",
    "html",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FILE",
    help="Also write one self-contained HTML report.",
)
@click.option("--all-pairs", is_flag=True, help="Test every two runs, not only neighbours and the ends.")
@click.option(
    "--acceptable",
    type=click.FloatRange(0, 1),
    default=0.6,
    show_default=True,
    help="Accuracy that is good enough for a category.",
)
@click.option(
    "--flips", type=click.IntRange(0), default=5, show_default=True, help="Flipped questions listed per pair (text)."
)
@out_option
@skip_option
@quiet_option
def command(
    runs: tuple[Path, ...],
    form: str,
    html: Path | None,
    all_pairs: bool,
    acceptable: float,
    flips: int,
    out: Path,
    skip_bad_lines: bool,
    quiet: bool,
) -> None:
    """Compare RUNS, in the order given: figures with intervals, paired tests, which questions flipped and why.

    Without RUNS: the newest run of each tier in --out. A run may be what `contextc bench run` wrote (graded
    automatically on the way) or what `contextc grade` wrote.
    """
    from harness.report.compare import compare
    from harness.report.data import load_runs
    from harness.report.export import to_json, to_markdown, to_text
    from harness.runner.manifest import latest_runs
    from retrieval.errors import UserError

    note = notes(quiet)
    paths = runs or tuple(latest_runs(out))
    if not paths:
        raise UserError(f"There are no complete runs in {out}.", "Make some: contextc bench run")
    if not runs:
        note(f"comparing {', '.join(path.name for path in paths)}")
    comparison = compare(
        load_runs(paths, skip_broken=skip_bad_lines, note=note), every_pair=all_pairs, acceptable=acceptable
    )
    if form == "json":
        print_json(to_json(comparison))
    elif form == "markdown":
        click.echo(to_markdown(comparison), nl=False)
    else:
        click.echo(to_text(comparison, flips, terminal_width()), nl=False)
    if html is not None:
        from harness.report.html import write_report

        write_report(comparison, html)
        note(f"report: {html}")
