"""Reading questions and printing answers: on a terminal with history and streaming, over a pipe one question a line."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from agent.answer.render import render_answer, render_details
from agent.chat.commands import Commands, QuitError
from agent.chat.conversation import Conversation
from agent.chat.records import Turn
from agent.guard import strip_controls
from agent.json_text import json_text
from retrieval.errors import UserError

PROMPT = "contextc> "
_MAX_HISTORY = 1_000
_MAX_QUESTION = 100_000  # characters


@dataclass(frozen=True, slots=True)
class Printing:
    """``stream``: show text as it arrives; ``as_json``: one JSON line a turn; ``quiet``: no notes on stderr."""

    stream: bool
    as_json: bool
    quiet: bool


class Chat:
    """The loop of reading and printing.

    Args:
        say: Prints one line on stderr, whatever ``printing`` says.
    """

    def __init__(
        self, conversation: Conversation, commands: Commands, printing: Printing, say: Callable[[str], None]
    ) -> None:
        self._conversation = conversation
        self._commands = commands
        self._printing = printing
        self._say = say
        self.failures = 0

    def run(self, lines: Iterator[str]) -> None:
        """Until the lines end or the user leaves. A fault of one turn is told on one line and ends only that turn."""
        for line in lines:
            text = line.replace("\0", " ").strip()
            if not text:
                continue
            try:
                if Commands.is_command(text):
                    self._print_command(text, self._commands.run(text))
                else:
                    self._turn(text[:_MAX_QUESTION])
            except QuitError:
                return
            except KeyboardInterrupt:
                self._fail(text, "cancelled", "the conversation goes on (Ctrl-D leaves)", counts=False)
            except UserError as error:
                self._fail(text, error.cause, error.mend)
            except sqlite3.DatabaseError as error:
                self._fail(text, f"The index is damaged ({error}).", "Rebuild it: contextc index --rebuild")
            except BrokenPipeError:
                raise
            except OSError as error:
                where = f" {error.filename}" if error.filename else ""
                self._fail(
                    text, f"The system refused{where}: {error.strerror or error}.", "Check permissions and space."
                )

    def _turn(self, text: str) -> None:
        printing = self._printing
        streamed = _Streamed()
        self._conversation.on_told = (lambda _line: None) if printing.as_json else _print_told
        turn = self._conversation.ask(text, streamed.show if printing.stream else lambda _piece: None)
        if printing.as_json:
            click.echo(json_text(turn.to_dict()))
        elif streamed.any and turn.answer.statements:
            click.echo(streamed.gap + render_details(turn.answer))
        elif streamed.any:  # what streamed was no answer
            click.echo(streamed.gap + render_turn(turn))
        else:
            click.echo(render_turn(turn))
        sys.stdout.flush()

    def _print_command(self, text: str, output: str) -> None:
        if self._printing.as_json:
            click.echo(json_text({"command": text, "output": output}))
        else:
            click.echo(output, nl=False)
        sys.stdout.flush()

    def _fail(self, text: str, cause: str, mend: str, counts: bool = True) -> None:
        self.failures += counts
        if not Commands.is_command(text):
            self._conversation.failed(cause)
        self._say(f"{cause} {mend}")
        if self._printing.as_json:
            error = {"cause": cause, "mend": mend}
            click.echo(json_text({"question": text, "error": error}))


def told_line(line: str) -> str:
    return f"({strip_controls(line)})\n"


def _print_told(line: str) -> None:
    click.echo(told_line(line), nl=False)
    sys.stdout.flush()


class _Streamed:
    """Prints pieces as they come, and knows whether the last one ended its line."""

    def __init__(self) -> None:
        self.any = False
        self._ended = True

    def show(self, piece: str) -> None:
        if piece:
            self.any = True
            self._ended = piece.endswith("\n")
            click.echo(piece, nl=False)
            sys.stdout.flush()

    @property
    def gap(self) -> str:
        return "\n" if self._ended else "\n\n"


def render_turn(turn: Turn) -> str:
    """What is printed for a turn; ends with a blank line behind it when echoed."""
    return render_answer(turn.answer)


def piped_lines() -> Iterator[str]:
    """Lines of standard input, whatever bytes come: UTF-8, the rest marked."""
    for raw in sys.stdin.buffer:
        yield raw.decode("utf-8", "replace")


def typed_lines(history: Path, pending: str = "") -> Iterator[str]:
    """Lines from the terminal, with editing and a history that stays.

    Args:
        pending: A question that was not answered; one key (arrow up) brings it back.
    """
    readline = _readline()
    if readline is not None:
        with contextlib.suppress(OSError):
            readline.read_history_file(history)
        readline.set_history_length(_MAX_HISTORY)
        if pending:
            readline.add_history(pending)
    try:
        while True:
            try:
                yield input(PROMPT)
            except EOFError:
                click.echo()
                return
            except KeyboardInterrupt:
                click.echo()
    finally:
        if readline is not None:
            with contextlib.suppress(OSError):
                history.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                os.close(os.open(history, os.O_WRONLY | os.O_CREAT, 0o600))
                readline.write_history_file(history)


def _readline() -> Any:
    try:
        import readline
    except ImportError:  # Windows: input() edits by itself
        return None
    return readline
