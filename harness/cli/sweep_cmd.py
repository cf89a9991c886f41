"""``contextc bench sweep``: one setting varied at a time."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.common import json_option, notes, print_json, quiet_option
from harness.cli.options import (
    answerer_options,
    jobs_option,
    numbers,
    out_option,
    selection_options,
    skip_option,
    terminal_width,
)
from harness.tiers.protocol import TierOptions

if TYPE_CHECKING:
    from harness.report.sweep import Sweep

_LEGS = ("lexical", "vector", "graph", "lexical+vector", "lexical+graph", "vector+graph", "lexical+vector+graph")


@click.command("sweep")
@selection_options
@click.option("--tier", default="4", show_default=True, metavar="TIER", help="The tier that is varied.")
@click.option("--budgets", default="", metavar="N,N…", help="Token budgets (default: 1000,2000,4000,8000,16000).")
@click.option("--ks", default="", metavar="N,N…", help="Numbers of pieces.")
@click.option("--windows", default="", metavar="N,N…", help="Lines of tier 1's windows.")
@click.option("--legs", is_flag=True, help="Every combination of legs (tiers 3 and 4).")
@click.option(
    "--budget", type=click.IntRange(1), default=4000, show_default=True, help="While something else is varied."
)
@click.option("--html", type=click.Path(path_type=Path), default=None, metavar="FILE", help="Write the curves as HTML.")
@answerer_options
@jobs_option
@out_option
@skip_option
@json_option
@quiet_option
def command(
    tier: str,
    budgets: str,
    ks: str,
    windows: str,
    legs: bool,
    budget: int,
    html: Path | None,
    jobs: int,
    out: Path,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Vary the token budget, or k, the window or the legs: accuracy and recall at each setting, and where it bends.

    Each setting is a run of its own in --out. What is there already is taken as it is, as long as questions, trees and
    code are the same.
    """
    from harness.cli.setup import prepare, run_each
    from harness.report.data import load_run
    from harness.report.sweep import sweep_of, sweep_plot, sweep_table
    from harness.report.tables import as_text
    from harness.tiers.registry import tier_info
    from retrieval.errors import UserError

    tier_info(tier)
    if windows and tier != "1":
        raise UserError(f"--windows are tier 1's, and tier {tier} is varied.", "Add --tier 1.")
    if legs and tier not in ("3", "4"):
        raise UserError(f"--legs are those of tiers 3 and 4, and tier {tier} is varied.", "Add --tier 3 or --tier 4.")
    note = notes(quiet)
    base = TierOptions(budget=budget)
    axes: list[tuple[str, list[tuple[str, TierOptions]]]] = []
    if budgets or not (ks or windows or legs):
        found = numbers(budgets or "1000,2000,4000,8000,16000", "--budgets")
        axes.append(("budget", [(str(n), replace(base, budget=n)) for n in found]))
    if ks:
        axes.append(("k", [(str(n), replace(base, k=n)) for n in numbers(ks, "--ks", "1,5,20")]))
    if windows:
        axes.append(
            ("window", [(str(n), replace(base, window_lines=n)) for n in numbers(windows, "--windows", "20,40,80")])
        )
    if legs:
        axes.append(("legs", [(each, replace(base, legs=tuple(each.split("+")))) for each in _LEGS]))
    ready = prepare(given, quiet, note)
    sweeps: list[Sweep] = []
    for name, settings in axes:
        configs = [ready.config(tier, options) for _, options in settings]
        done = list(run_each(configs, ready, out, jobs=jobs, quiet=quiet, note=note, reuse=True))
        runs = [load_run(outcome.run.path) for _, outcome in done]
        sweeps.append(sweep_of(name, [value for value, _ in settings], runs))
    if as_json:
        print_json([_as_json(each) for each in sweeps])
    else:
        click.echo("\n\n".join(as_text(sweep_table(each), terminal_width()) for each in sweeps))
    if html is not None:
        from harness.report.html import write_plots

        write_plots([(sweep_table(each), sweep_plot(each)) for each in sweeps], html)
        note(f"report: {html}")


def _as_json(sweep: Sweep) -> dict[str, object]:
    points = [
        {
            "value": value,
            "run_id": each.run.run_id,
            "accuracy": asdict(each.accuracy),
            "evidence": {name: None if found is None else asdict(found) for name, found in each.evidence},
            "context_tokens": None if each.tokens is None else asdict(each.tokens),
        }
        for value, each in zip(sweep.values, sweep.summaries, strict=True)
    ]
    bend = None if sweep.knee is None else sweep.values[sweep.knee]
    return {"varied": sweep.name, "points": points, "knee": bend, "enough": sweep.values[sweep.enough]}
