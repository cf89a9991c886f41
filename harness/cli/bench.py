"""``contextc bench``: the group."""

from __future__ import annotations

import click

from harness.cli.lazy import LazyCommands


class BenchCommands(LazyCommands):
    table = {  # noqa: RUF012
        "run": ("harness.cli.run_cmd", "command", "Ask a question file in one or more tiers; one JSONL a run."),
        "compare": (
            "harness.cli.compare_cmd",
            "command",
            "Hold runs against each other: figures, tests, flips, report.",
        ),
        "sweep": ("harness.cli.sweep_cmd", "command", "Vary budget, k, window or legs; find the knee."),
        "ablate": ("harness.cli.ablate_cmd", "command", "Switch parts off one by one; what does each contribute?"),
        "agree": ("harness.cli.agree_cmd", "command", "How far two graders of a run agree (Cohen's kappa)."),
        "ir": ("harness.ir.cli", "command", "What context IR saves, and whether anything is lost."),
        "cl": ("harness.cl.cli", "command", "Methods side by side on tasks of CL-bench's form."),
        "tiers": ("harness.cli.run_cmd", "tiers_command", "List the tiers."),
        "validate": ("harness.questions.cli", "validate_command", "Check a question file against its corpora."),
        "mine": ("harness.questions.cli", "mine_command", "Make questions from a repository's history."),
        "convert": ("harness.questions.cli", "convert_command", "Read a public question set into our form."),
    }


@click.group("bench", cls=BenchCommands, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Measure contexts: run questions through tiers, grade (contextc grade), compare."""
