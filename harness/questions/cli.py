"""``contextc bench validate | mine | convert``: the commands about question files."""

from __future__ import annotations

from pathlib import Path

import click

from agent.cli.common import ProgressBar, json_option, plural, quiet_option
from harness.questions.corpus import BENCHMARK_FILE
from retrieval.errors import UserError


@click.command("validate")
@click.argument("file", type=click.Path(path_type=Path), default=Path(BENCHMARK_FILE))
@click.option("--corpus", "corpora", multiple=True, metavar="NAME", help="Look into this one alone; may be repeated.")
@json_option
@quiet_option
def validate_command(file: Path, corpora: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Check a question file: form, ids, gold against the corpora, checks against right and wrong answers.

    FILE is benchmark-questions.jsonl unless given. Source distributions are fetched through pip into the cache.
    """
    from harness.questions.validate import report_json, summary, validate

    bar = ProgressBar(quiet)
    try:
        found = validate(file, corpora=corpora, progress=lambda done, total: bar("Validating", done, total))
    finally:
        bar.close()
    if as_json:
        click.echo(report_json(found))
    else:
        for problem in found.problems:
            where = f"{file}:{problem.line}" + (f" {problem.question}" if problem.question else "")
            click.echo(f"{where}: {problem.text}")
        for line in found.unavailable:
            click.echo(f"not looked into: {line}")
        click.echo(f"{plural(len(found.questions), 'question')}, {plural(len(found.problems), 'problem')}")
        if found.questions:
            click.echo(summary(found.questions))
    if found.problems:
        raise UserError(f"{file} has {plural(len(found.problems), 'problem')}.", "Mend the lines that are listed.")
    if found.unavailable:
        count = len(found.unavailable)
        raise UserError(
            f"{count} {'corpus' if count == 1 else 'corpora'} could not be looked into.",
            "Check that pip reaches a package index, or choose: --corpus NAME",
        )
