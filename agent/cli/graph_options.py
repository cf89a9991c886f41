"""Options that the ``contextc graph`` commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])


def min_confidence_option(function: _F) -> _F:
    return click.option(
        "--min-confidence",
        type=click.Choice(["certain", "likely", "possible"]),
        default="possible",
        show_default=True,
        help="Leave out edges that are less sure.",
    )(function)


def kind_option(*default: str) -> Callable[[_F], _F]:
    """``--kind``, repeatable; ``default`` is what a command shows without it."""
    return click.option(
        "--kind",
        "kinds",
        type=click.Choice(["call", "import", "inherit", "reference", "test"]),
        multiple=True,
        default=default,
        show_default=True,
        help="Which relations; repeatable.",
    )
