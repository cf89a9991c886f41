"""Options of ``contextc chat`` that choose the answerer and bound the agent loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from agent.cli.answerer_options import answerer_options
from retrieval.errors import UserError

if TYPE_CHECKING:
    from agent.loop.limits import Limits

_OPTIONS = (
    click.option("--offline", is_flag=True, help="Ask no model, even where one is configured."),
    click.option(
        "--tool-calling",
        type=click.Choice(["auto", "native", "text", "none"]),
        default="auto",
        show_default=True,
        help="How the model calls tools; auto: OpenAI's way, as text where the server refuses it.",
    ),
    click.option("--max-steps", type=click.IntRange(1), default=8, show_default=True, help="Replies of a turn."),
    click.option("--max-calls", type=click.IntRange(0), default=24, show_default=True, help="Tool calls of a turn."),
    click.option(
        "--max-tokens",
        type=click.IntRange(0),
        default=200_000,
        show_default=True,
        help="Tokens of a turn (0: no limit).",
    ),
    click.option(
        "--max-seconds",
        type=click.FloatRange(0),
        default=600.0,
        show_default=True,
        help="Seconds of a turn (0: no limit).",
    ),
    click.option("--max-cost", type=click.FloatRange(0), default=0.0, help="Cost of a turn; needs --price."),
    click.option("--price", default=None, metavar="IN:OUT", help="Per million tokens read and written."),
    click.option(
        "--context-tokens",
        type=click.IntRange(1_000),
        default=24_000,
        show_default=True,
        help="Longest request; what does not fit is left out, oldest first.",
    ),
)


def chat_options(function: click.decorators.FC) -> click.decorators.FC:
    for option in reversed(_OPTIONS):
        function = option(function)
    return answerer_options(function)


def limits_from(given: Mapping[str, Any]) -> Limits:
    """The limits that the options ask for.

    Raises:
        UserError: ``--price`` is no pair of numbers, or is missing beside ``--max-cost``.
    """
    from agent.loop.limits import Limits

    read, written = _prices(given["price"])
    return Limits(
        steps=given["max_steps"],
        calls=given["max_calls"],
        tokens=given["max_tokens"],
        seconds=given["max_seconds"],
        cost=given["max_cost"],
        input_price=read,
        output_price=written,
        context_tokens=given["context_tokens"],
    )


def _prices(text: str | None) -> tuple[float, float]:
    if not text:
        return 0.0, 0.0
    parts = text.split(":")
    try:
        read, written = map(float, parts)
    except ValueError:
        read = written = -1.0
    if not (0 <= read < 1e6 and 0 <= written < 1e6):
        raise UserError(f"{text[:40]!r} is no pair of prices.", "Give them per million tokens: --price 0.40:1.60")
    return read, written
