"""``contextc bench ablate``: what each part of the compiled tier contributes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agent.cli.common import json_option, notes, print_json, quiet_option
from harness.cli.options import (
    answerer_options,
    jobs_option,
    out_option,
    selection_options,
    skip_option,
    terminal_width,
)
from harness.tiers.protocol import TierOptions
from retrieval.errors import UserError


@click.command("ablate")
@selection_options
@click.option("--only", multiple=True, metavar="NAME", help="Parts whose name begins so; may be repeated.")
@click.option("--list", "listed", is_flag=True, help="List the names of all parts.")
@click.option("--budget", type=click.IntRange(1), default=4000, show_default=True, help="Tokens of context.")
@answerer_options
@jobs_option
@out_option
@skip_option
@json_option
@quiet_option
def command(
    only: tuple[str, ...],
    listed: bool,
    budget: int,
    jobs: int,
    out: Path,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Switch off one part of the compiled tier at a time: ranking features, legs, stages, rot actions.

    For each, score and recall with the part on minus with it off, with intervals: what does not help can be deleted.
    """
    from harness.tiers.switches import names

    chosen = [name for name in names() if not only or name.startswith(only)]
    if listed:
        click.echo("\n".join(chosen))
        return
    if not chosen:
        raise UserError(f"No part begins with {only[0]!r}.", "contextc bench ablate --list names them.")
    from harness.cli.setup import prepare, run_each
    from harness.report.ablation import ablation_table, contribution
    from harness.report.data import load_run
    from harness.report.tables import as_text

    note = notes(quiet)
    ready = prepare(given, quiet, note)
    settings: list[tuple[str, ...]] = [(), *((name,) for name in chosen)]
    configs = [ready.config("4", TierOptions(budget=budget, off=off)) for off in settings]
    done = [
        load_run(outcome.run.path)
        for _, outcome in run_each(
            configs,
            ready,
            out,
            jobs=jobs,
            quiet=quiet,
            note=note,
            reuse=True,
            label=lambda config: _label(config.options),
        )
    ]
    found = [contribution(name, done[0], off) for name, off in zip(chosen, done[1:], strict=True)]
    if as_json:
        print_json([each.to_dict() for each in found])
    else:
        click.echo(as_text(ablation_table(found), terminal_width()))


def _label(options: TierOptions) -> str:
    return f"without {options.off[0]}" if options.off else "everything on"
