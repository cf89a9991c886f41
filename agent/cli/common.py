"""Options and output helpers that the commands share."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agent.cli.tree_path import TreePath
from agent.json_text import json_text
from retrieval.errors import UserError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from agent.session import Session
    from retrieval.index.settings import Overrides

_F = TypeVar("_F", bound=Callable[..., Any])


class AnswererName(click.ParamType):  # type: ignore[type-arg]  # not generic in every click that we take
    """``auto``, ``offline``, ``openai``, or the name of an answerer that another package brings."""

    name = "answerer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from agent.answer.config import ANSWERERS

        if value in ANSWERERS:
            return str(value)
        from agent.answer.plugin import plugin_names

        known = (*ANSWERERS, *plugin_names())
        if value not in known:
            self.fail(f"{value!r} is not one of {', '.join(map(repr, known))}", param, ctx)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return "[auto|offline|openai|PLUGIN]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from agent.answer.config import ANSWERERS

        return [CompletionItem(name) for name in ANSWERERS if name.startswith(incomplete)]


def root_option(function: _F) -> _F:
    return click.option(
        "--root",
        "root",
        type=TreePath(),
        default=None,
        help="The tree to work on (default: the indexed tree around this folder).",
    )(function)


def no_update_option(function: _F) -> _F:
    return click.option("--no-update", is_flag=True, help="Use the index as it is, even if files changed.")(function)


def json_option(function: _F) -> _F:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def quiet_option(function: _F) -> _F:
    return click.option("-q", "--quiet", is_flag=True, help="No progress or notes on stderr.")(function)


def print_json(value: object) -> None:
    click.echo(json_text(value, indent=2))


def say(text: str, prefix: str = "contextc: ") -> None:
    """One line on stderr, harmless to a terminal; a stderr that takes nothing more costs only the line."""
    from agent.guard import strip_controls

    with contextlib.suppress(OSError):
        click.echo(prefix + strip_controls(" ".join(text.split("\n"))), err=True)


def notes(quiet: bool) -> Callable[[str], None]:
    return (lambda _text: None) if quiet else say


def question_of(words: tuple[str, ...], what: str = "question") -> str:
    """The question from the command line, or from standard input for ``-``.

    Raises:
        UserError: It is empty.
    """
    text = _standard_input() if words == ("-",) else " ".join(words)
    text = text.replace("\0", " ").strip()
    # "???" must not cost the building of an index
    if not (_says_something(text) or (what == "query" and text.isalnum())):
        context = click.get_current_context(silent=True)
        command = context.command_path if context is not None else "contextc ask"
        fault = "says too little" if any(char.isalnum() for char in text) else "is empty"
        raise UserError(f"The {what} {fault}.", f'Give one, for example: {command} "Where is the index built?"')
    return text


def _says_something(text: str) -> bool:
    """Two letters or digits in a row, or one of a script whose letters are words (a lone ``x`` matches anything)."""
    return any(char.isalnum() and (char > "\u2e7f" or text[at + 1 : at + 2].isalnum()) for at, char in enumerate(text))


def _standard_input() -> str:
    """Whatever the locale says, and whatever bytes come: a question is UTF-8, the rest is marked."""
    data: bytes = sys.stdin.buffer.read()
    return data.decode("utf-8", "replace")


_PHASES = {
    "read": "Reading files",
    "embed": "Embedding",
    "graph": "Resolving edges",
    "save": "Saving",
    "vectors": "Filling Chroma",
}


class ProgressBar:
    """Shows the phases of an index run on stderr: a bar on a terminal, one line a phase elsewhere."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._tty = sys.stderr.isatty()
        self._phase = ""
        self._shown = -1

    def __call__(self, phase: str, done: int, total: int) -> None:
        if self._quiet or total == 0:
            return
        label = _PHASES.get(phase, phase)
        if not self._tty:
            if phase != self._phase and total > 50:
                click.echo(f"{label}: {total} …", err=True)
            self._phase = phase
            return
        if phase != self._phase:
            self._end_line()
            self._phase, self._shown = phase, -1
        percent = 100 * done // total
        if percent != self._shown:
            self._shown = percent
            bar = "█" * (percent // 4) + "░" * (25 - percent // 4)
            click.echo(f"\r{label:<16}{bar} {percent:3d}% {done}/{total} ", nl=False, err=True)
        if done >= total:
            self._end_line()
            self._phase = ""

    def _end_line(self) -> None:
        if self._shown >= 0:
            click.echo("\r\033[K", nl=False, err=True)
            self._shown = -1

    def close(self) -> None:
        if self._tty and not self._quiet:
            self._end_line()


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def index_overrides() -> Overrides | None:
    """What configuration says about the index, for a command that builds or updates it on its way; None: nothing."""
    from agent.configuration.apply import Configuration

    context = click.get_current_context(silent=True)
    top = context.find_root() if context is not None else None
    if top is None or not isinstance(top.obj, Configuration) or not isinstance(top.command, click.Group):
        return None
    return top.obj.index_overrides(top.command)


def open_tree(root: Path | None, *, update: bool, quiet: bool) -> Session:
    """The session for ``--root``, with progress and notes on stderr while its index is built or updated."""
    from agent.session import open_session

    bar = ProgressBar(quiet)
    try:
        return open_session(root, update=update, progress=bar, warn=notes(quiet), overrides=index_overrides())
    finally:
        bar.close()
