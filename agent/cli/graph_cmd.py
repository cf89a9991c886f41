"""``contextc graph``: relations between symbols with the lines that prove them, exports and a picture."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click

from agent.cli.common import json_option, no_update_option, quiet_option, root_option
from agent.cli.graph_options import min_confidence_option

_ELSEWHERE = {"export": "agent.cli.graph_export_cmd", "view": "agent.cli.graph_view_cmd"}
_HELP = {
    "callers": "What calls SYMBOL (of a class: what instantiates it).",
    "callees": "What SYMBOL calls.",
    "importers": "Which modules import SYMBOL.",
    "impact": "What depends on SYMBOL, directly or over other definitions.",
    "path": "The shortest, surest chain of dependences between two symbols.",
    "tests": "Which tests exercise SYMBOL.",
    "export": "The graph as JSON, GraphML, DOT or Mermaid.",
    "view": "A picture of SYMBOL's neighbourhood as one HTML file.",
}


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_HELP)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _ELSEWHERE:
            command: click.Command = import_module(_ELSEWHERE[cmd_name]).command
            return command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_HELP.items()))


@click.group("graph", cls=_Group)
def command() -> None:
    """Questions to the call graph of the tree, each answer with the line that proves it.

    SYMBOL is a name (run), the end of a qualified name (Flask.run), or a whole one (flask.app.Flask.run); a file
    stands for its module. An answer is "found", "none" (nothing, and everything relevant was read and resolved), or
    "unknown" (there are places that could not be resolved; they are listed).
    """


def _relation(name: str, arguments: Callable[[Callable[..., None]], Callable[..., None]]) -> None:
    def run(
        symbols: tuple[str, ...],
        depth: int | None,
        min_confidence: str,
        limit: int,
        every: bool,
        root: Path | None,
        no_update: bool,
        as_json: bool,
        quiet: bool,
    ) -> None:
        from agent.cli.common import open_tree
        from agent.cli.graph_answers import print_answers

        session = open_tree(root, update=not no_update, quiet=quiet)
        with session.reader:
            print_answers(session.reader, name, symbols, depth, min_confidence, limit, every, as_json)

    run.__doc__ = _HELP[name]
    decorated: Callable[..., None] = run
    for option in (quiet_option, json_option, no_update_option, root_option, *_QUERY_OPTIONS, arguments):
        decorated = option(decorated)
    command.command(name)(decorated)


_QUERY_OPTIONS = (
    click.option("--all", "every", is_flag=True, help="Answer for every definition that the name can mean."),
    click.option(
        "--limit", type=click.IntRange(1), default=200, show_default=True, help="How many are printed (JSON: all)."
    ),
    min_confidence_option,
    click.option("--depth", type=click.IntRange(1, 50), default=None, help="Steps (callers, callees, importers: 1)."),
)

for _name in ("callers", "callees", "importers", "impact", "tests"):
    _relation(_name, click.argument("symbols", nargs=-1, required=True, metavar="SYMBOL..."))
_relation("path", click.argument("symbols", nargs=2, metavar="FROM TO"))
