"""Entry point: the command group, which imports a command's module only when it is called, and its error handling."""

from __future__ import annotations

import os
import sqlite3
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

# The matrices here are small: starting BLAS threads costs more than they save, in start-up and in every call.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from agent.cli.common import say
from retrieval.errors import UserError
from retrieval.version import VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMANDS = {
    "index": ("agent.cli.index_cmd", "Build or update the index of a tree."),
    "search": ("agent.cli.search_cmd", "Rank the chunks of a tree for a query."),
    "pack": ("agent.cli.pack_cmd", "Compile the context pack for a question."),
    "ask": ("agent.cli.ask_cmd", "Answer a question with cited evidence."),
    "chat": ("agent.cli.chat_cmd", "Converse: follow-up questions, tools, history."),
    "serve": ("agent.cli.serve_cmd", "Serve search, packs and answers on this machine, with a page."),
    "graph": ("agent.cli.graph_cmd", "Callers, callees, impact, paths and tests, proven; exports and a picture."),
    "mcp": ("agent.cli.mcp_cmd", "Serve the tree to editors and agents (Model Context Protocol)."),
    "rules": ("agent.cli.rules_cmd", "Compile rules in prose; check answers against them."),
    "artifact": ("agent.cli.artifact_cmd", "Read the exact sources behind context IR."),
    "status": ("agent.cli.status_cmd", "Show what the index holds and whether it is current."),
    "doctor": ("agent.cli.doctor_cmd", "Check dependencies, tokenizer, embedder and index."),
    "config": ("agent.cli.config_cmd", "Show every setting in force and where it comes from."),
    "completion": ("agent.cli.completion_cmd", "Print the completion script for a shell."),
    # The harness is a layer above: named here, imported only when one of its commands is called.
    "bench": ("harness.cli.bench", "Measure: run question sets through tiers, compare, sweep, ablate."),
    "grade": ("harness.cli.grade", "Grade a run: by hand, automatically, or by a model."),
}


class LazyGroup(click.Group):
    """Lists commands from a table, so that ``contextc --help`` and each command import nothing of the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = _COMMANDS.get(cmd_name)
        if entry is None:
            return _plugin(cmd_name)
        command: click.Command = import_module(entry[0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            rows = [(name, help_text) for name, (_, help_text) in _COMMANDS.items()]
            rows += [(name, f"From the package {package}.") for name, package in _plugins().items()]
            formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        items = [
            CompletionItem(name, help=text) for name, (_, text) in _COMMANDS.items() if name.startswith(incomplete)
        ]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in _COMMANDS and name not in _plugins():
            import difflib

            close = difflib.get_close_matches(name, list(_COMMANDS), n=1)
            hint = f"Did you mean: contextc {close[0]}?" if close else f'To ask a question: contextc ask "{name[:60]}…"'
            raise UserError(f"There is no command {name[:60]!r}.", hint)
        found = super().resolve_command(ctx, args)
        if not ctx.resilient_parsing and not {"-h", "--help"} & set(args):
            from agent.configuration.apply import configuration_for, default_map
            from agent.configuration.options import UNCONFIGURED

            if name in UNCONFIGURED:
                return found
            ctx.obj = configuration_for(self, args)
            ctx.default_map = default_map(self, args, ctx.obj)
        return found


def _plugins() -> dict[str, str]:
    """Commands that installed packages add, with the package's name. Reading this is slow: only for a name not ours."""
    from retrieval.plugins import COMMANDS, describe, find_plugins

    return {name: describe(one).package for name, one in find_plugins(COMMANDS).items() if name not in _COMMANDS}


def _plugin(name: str) -> click.Command | None:
    from retrieval.plugins import COMMANDS, failed, find_plugins, load_plugin

    point = find_plugins(COMMANDS).get(name)
    if point is None:
        return None
    command = load_plugin(point)
    if not isinstance(command, click.Command):
        raise failed(point, "it is no click command")
    return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="contextc")
def cli() -> None:
    """The context compiler for code: answers about a codebase, every claim cited to file and line."""


def run() -> NoReturn:
    """Run the command line. Exit codes: 0 done, 1 a fault of ours, 2 a user's mistake, 130 interrupted."""
    sys.exit(main(sys.argv[1:]))


def main(args: list[str]) -> int:
    """Run with ``args`` and return the exit code; every failure is one line of cause and one of mend on stderr."""
    _fill_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        result = cli.main(args=args, prog_name="contextc", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except UserError as error:
        return _fail(error.cause, error.mend)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "contextc"
        return _fail(error.format_message(), f"See: {command} --help")
    except click.ClickException as error:
        return _fail(error.format_message(), "See: contextc --help")
    except (click.Abort, KeyboardInterrupt):
        say("interrupted; the last complete index is untouched.", "\ncontextc: ")
        return 130
    except BrokenPipeError:
        return _reader_gone()
    except SystemExit:
        if "_CONTEXTC_COMPLETE" in os.environ:  # click completes command lines for shells, and exits
            raise
        return _reader_gone()  # click's own answer to a closed pipe
    except sqlite3.DatabaseError as error:
        found = _damage(args)
        return _fail(*(found or (f"The index is damaged ({error}).", "Rebuild it: contextc index --rebuild")))
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        return _fail(f"The system refused{where}: {error.strerror or error}.", "Check the path, permissions and space.")
    except Exception as error:
        if os.environ.get("CONTEXTC_DEBUG"):
            raise
        found = _damage(args)
        if found:
            return _fail(*found)
        _fail(
            f"Internal error: {type(error).__name__}: {str(error)[:300]}",
            "Please report it with the output of the same command under CONTEXTC_DEBUG=1.",
        )
        return 1


def _damage(args: list[str]) -> tuple[str, str] | None:
    from agent.cli.damage import damage_of

    return damage_of(cli, args)


def _fail(cause: str, mend: str) -> int:
    say(" ".join(cause.split()))
    say(" ".join(mend.split()), "  ")
    return 2


def _reader_gone() -> int:
    """The reader of our output has gone (``| head``); what it read is all it wanted."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _fill_closed_streams() -> None:
    """A process may be started without stdin, stdout or stderr (``>&-``).

    Their numbers must not go to the next file that is opened, which would then receive what is printed.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(_open_as(number), mode, encoding="utf-8", errors="backslashreplace"))


def _open_as(number: int) -> int:
    opened = os.open(os.devnull, os.O_RDWR)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    return number


if __name__ == "__main__":
    run()
