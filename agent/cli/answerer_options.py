"""Options that choose who answers: ``contextc ask`` and ``contextc chat`` have them alike."""

from __future__ import annotations

import click

from agent.cli.common import AnswererName

_OPTIONS = (
    click.option(
        "--answerer",
        type=AnswererName(),
        default="auto",
        show_default=True,
        help="auto: a model when a key or base URL is set, else offline. A plugin's name works, too.",
    ),
    click.option(
        "--base-url", default=None, metavar="URL", help="OpenAI-compatible server, e.g. http://localhost:11434/v1"
    ),
    click.option("--model", default=None, help="Model name (default: CONTEXTC_MODEL, or the server's only one)."),
    click.option(
        "--timeout", type=click.FloatRange(1), default=None, metavar="SECONDS", help="Longest silence of the server."
    ),
)


def answerer_options(function: click.decorators.FC) -> click.decorators.FC:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
