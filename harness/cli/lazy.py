"""A command group that imports a command's module only when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click


class LazyCommands(click.Group):
    """``table``: name -> (module, attribute, one line of help)."""

    table: Mapping[str, tuple[str, str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self.table.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = getattr(import_module(entry[0]), entry[1])
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[2]) for name, entry in self.table.items()])
