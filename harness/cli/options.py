"""Options that the harness's commands share."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from agent.cli.common import notes
from retrieval.errors import UserError

_F = TypeVar("_F", bound=Callable[..., Any])
RUNS_DIR = Path("harness/runs")
QUESTIONS = "benchmark-questions.jsonl"


def out_option(function: _F) -> _F:
    return click.option(
        "--out",
        type=click.Path(path_type=Path),
        default=RUNS_DIR,
        show_default=True,
        help="Folder for runs.",
    )(function)


def skip_option(function: _F) -> _F:
    return click.option("--skip-bad-lines", is_flag=True, help="Pass over broken lines, each with a note.")(function)


def selection_options(function: _F) -> _F:
    """Which questions, of which corpora."""
    for option in reversed(
        (
            click.option(
                "--questions",
                type=click.Path(path_type=Path),
                default=None,
                help=f"Question file (default: {QUESTIONS} here or in the repository).",
            ),
            click.option(
                "--corpus",
                "corpus",
                multiple=True,
                metavar="NAME[=DIR]",
                help="Only this corpus; =DIR says where it lies.",
            ),
            click.option("--category", multiple=True, help="Only this category; may be repeated."),
            click.option("--id", "ids", multiple=True, help="Only this question; may be repeated."),
            click.option("--limit", type=click.IntRange(0), default=0, help="At most this many questions."),
        )
    ):
        function = option(function)
    return function


def answerer_options(function: _F) -> _F:
    for option in reversed(
        (
            click.option(
                "--answerer",
                type=click.Choice(["offline", "openai", "ask", "none"]),
                default="offline",
                show_default=True,
                help="From the context alone: offline or openai. ask: as contextc ask. none: evidence only.",
            ),
            click.option("--base-url", default=None, metavar="URL", help="OpenAI-compatible server."),
            click.option("--model", default=None, help="Model name."),
            click.option(
                "--repeat",
                type=click.IntRange(1, 100),
                default=1,
                show_default=True,
                help="Times each question is asked.",
            ),
            click.option(
                "--seed", type=int, default=0, show_default=True, help="Sent to the model; repeats add their number."
            ),
            click.option(
                "--price-in", type=click.FloatRange(0), default=None, help="US dollars per million prompt tokens."
            ),
            click.option(
                "--price-out", type=click.FloatRange(0), default=None, help="US dollars per million completion tokens."
            ),
        )
    ):
        function = option(function)
    return function


def jobs_option(function: _F) -> _F:
    return click.option("-j", "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes.")(
        function
    )


def numbers(text: str, option: str, example: str = "1000,2000,4000") -> tuple[int, ...]:
    """``1000,2000`` as numbers, each once, in the order given. Raises UserError for anything else."""
    try:
        found = tuple(dict.fromkeys(int(part) for part in text.split(",") if part.strip()))
    except ValueError:
        found = ()
    if not found or min(found) < 1:
        raise UserError(f"{option} is {text!r}.", f"Give positive whole numbers, for example: {option} {example}")
    return found


def terminal_width() -> int:
    """Columns of the terminal that standard output is; 0 when it is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def question_file(given: Path | None) -> Path:
    """The question file: as given, else the benchmark's in this folder or in the checkout."""
    if given is not None:
        return given
    here = Path(QUESTIONS)
    checkout = Path(__file__).resolve().parent.parent.parent / QUESTIONS
    found = here if here.is_file() else checkout
    if not found.is_file():
        raise UserError(f"There is no {QUESTIONS} here.", "Name a question file: --questions FILE")
    return found


def corpus_map(given: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, Path]]:
    """(names chosen, folders given) of ``--corpus NAME`` and ``--corpus NAME=DIR``."""
    names: list[str] = []
    folders: dict[str, Path] = {}
    for each in given:
        name, separator, folder = each.rpartition("=") if _has_folder(each) else (each, "", "")
        names.append(name)
        if separator:
            folders[name] = Path(folder)
    return tuple(names), folders


def _has_folder(text: str) -> bool:
    """``NAME=DIR``, not ``NAME==VERSION#sha256=DIGEST``."""
    name, separator, folder = text.rpartition("=")
    return bool(separator and folder) and not name.endswith(("=", "sha256"))


__all__ = ["notes"]
