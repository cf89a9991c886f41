"""``contextc bench run``: a question file through tiers, one JSONL file a run, resumed after a kill."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agent.cli.common import json_option, notes, plural, print_json, quiet_option
from harness.cli.options import (
    RUNS_DIR,
    answerer_options,
    jobs_option,
    numbers,
    out_option,
    selection_options,
    skip_option,
)
from harness.tiers.protocol import TierOptions
from harness.tiers.registry import LADDER, TIERS, tier_info
from retrieval.errors import UserError


@click.command("run")
@selection_options
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    metavar="TIER",
    help="1, 2, 3, 4, grep, bm25 or all (default: 1 to 4); 4:2000 gives tier 4 a budget of its own.",
)
@click.option(
    "--budget", default="4000", show_default=True, metavar="TOKENS", help="Tokens of context; several with commas."
)
@click.option("-k", type=click.IntRange(0), default=0, help="At most this many pieces (0: what the budget holds).")
@click.option(
    "--window", type=click.IntRange(2, 2000), default=40, show_default=True, help="Lines of tier 1's windows."
)
@answerer_options
@jobs_option
@click.option("--fresh", is_flag=True, help="Start anew even where an unfinished run could be gone on with.")
@click.option("--run-id", default="", help="Name of the run (one tier and budget only).")
@out_option
@skip_option
@json_option
@quiet_option
def command(
    tiers: tuple[str, ...],
    budget: str,
    k: int,
    window: int,
    jobs: int,
    fresh: bool,
    run_id: str,
    out: Path,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Ask the questions in each tier and record the answers.

    Every tier gets the same budget, and the answerer sees that tier's context alone. A run that was killed goes on
    where it stopped when the same command is given again. Then: contextc bench compare RUN…
    """
    from harness.cli.setup import prepare, run_each

    chosen = _tiers(tiers, numbers(budget, "--budget"))
    if run_id and len(chosen) > 1:
        raise UserError("--run-id names one run, and several are asked for.", "Choose one --tier and one --budget.")
    if run_id and not run_id.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise UserError(f"--run-id is {run_id!r}.", "Use letters, digits, -, _ and . only.")
    note = notes(quiet)
    ready = prepare(given, quiet, note)
    configs = [ready.config(tier, TierOptions(budget=tokens, k=k, window_lines=window)) for tier, tokens in chosen]
    done = []
    for config, outcome in run_each(configs, ready, out, jobs=jobs, fresh=fresh, run_id=run_id, quiet=quiet, note=note):
        done.append((config, outcome))
        if not as_json:
            failed = f", {outcome.failed} failed (the same command asks them again)" if outcome.failed else ""
            head = f"{tier_info(config.tier).label}, {config.options.budget} tokens"
            click.echo(f"{head}: {plural(outcome.answered, 'answer')}{failed}  {outcome.run.path}")
    if as_json:
        print_json(
            [
                {
                    "run_id": outcome.run.run_id,
                    "file": str(outcome.run.path),
                    "tier": config.tier,
                    "token_budget": config.options.budget,
                    "answered": outcome.answered,
                    "resumed": outcome.resumed,
                    "failed": outcome.failed,
                }
                for config, outcome in done
            ]
        )
    else:
        where = "" if out == RUNS_DIR else f" --out {out}"
        alone = f" {done[-1][1].run.path}"  # without it the newest runs of several tiers would be taken
        graded = alone if where or len(done) == 1 else ""
        compared = alone if len(done) == 1 else where
        note(f"next: contextc bench compare{compared} --html report.html; contextc grade{graded} --sample 10")


def _tiers(given: tuple[str, ...], budgets: tuple[int, ...]) -> list[tuple[str, int]]:
    """(tier, budget) pairs; ``4:2000`` gives one tier a budget of its own."""
    chosen: list[tuple[str, int]] = []
    for each in (part for text in given or LADDER for part in text.split(",")):
        name, _, own = each.partition(":")
        for key in TIERS if name == "all" else [name]:
            tier_info(key)
            chosen += [(key, tokens) for tokens in (_own_budgets(key, own) if own else budgets)]
    return list(dict.fromkeys(chosen))


def _own_budgets(tier: str, text: str) -> tuple[int, ...]:
    try:
        return numbers(text, "--tier")
    except UserError:
        raise UserError(
            f"--tier is '{tier}:{text}'.", f"Give tokens after the colon, for example: --tier {tier}:2000"
        ) from None


@click.command("tiers")
@json_option
def tiers_command(as_json: bool) -> None:
    """List the tiers: what --tier takes, and what a run records as its retrieval_method."""
    if as_json:
        print_json(
            [{"tier": info.key, "label": info.label, "retrieval_method": info.method} for info in TIERS.values()]
        )
        return
    for info in TIERS.values():
        click.echo(f"{info.key:<6}{info.label:<18}{info.method}")
