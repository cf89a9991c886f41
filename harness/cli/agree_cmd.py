"""``contextc bench agree``: how far two graders agree."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from agent.cli.common import json_option, notes, print_json, quiet_option
from agent.guard import strip_controls
from harness.cli.options import skip_option

_ENOUGH = 30  # answers


@click.command("agree")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option("--pass-fail", is_flag=True, help="Only whether the answer passes, not which grade it got.")
@skip_option
@json_option
@quiet_option
def command(first: Path, second: Path, pass_fail: bool, skip_bad_lines: bool, as_json: bool, quiet: bool) -> None:
    """Cohen's kappa of two files of grades of one run, over the answers that both graded."""
    from harness.grading.pairing import paired_grades
    from harness.stats.kappa import agreement

    pairs = paired_grades(first, second, pass_fail=pass_fail, skip_broken=skip_bad_lines, note=notes(quiet))
    found = agreement([a for a, _ in pairs.grades], [b for _, b in pairs.grades])
    if as_json:
        print_json(
            {"first": pairs.first, "second": pairs.second, **asdict(found), "disagreements": pairs.disagreements}
        )
        return
    who = strip_controls(f"{pairs.first} against {pairs.second}")
    click.echo(f"{who}: {found.n} answers graded by both, {found.observed:.0%} alike")
    if found.kappa is None:
        click.echo(
            "kappa is not defined: both graders gave one and the same grade throughout"
            if found.n
            else "nothing to compare"
        )
    else:
        few = "" if found.n >= _ENOUGH else f" (of so few answers the interval says little; grade {_ENOUGH} or more)"
        click.echo(f"Cohen's kappa {found.kappa:.3f} [{found.low:.3f}, {found.high:.3f}]{few}")
    for each in pairs.disagreements[:20]:
        click.echo(strip_controls(f"  {each['question_id']}: {each['first']} / {each['second']}"))
    if len(pairs.disagreements) > 20:
        click.echo(f"  … and {len(pairs.disagreements) - 20} more (--json lists them)")
