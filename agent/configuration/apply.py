"""The step between the command line and a command: find the files, resolve, and hand click a default map."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.tree_path import TreePath
from agent.configuration.files import ConfigFile, find_files
from agent.configuration.options import Names, descend, settings_of
from retrieval.errors import UserError

if TYPE_CHECKING:
    from agent.configuration.resolve import Effective
    from retrieval.index.settings import Overrides

_PREFIX = "CONTEXTC_"


@dataclass(frozen=True, slots=True)
class Configuration:
    """What holds for one call of the command line."""

    files: tuple[ConfigFile, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def says_nothing(self) -> bool:
        return not any(file.values for file in self.files) and not any(
            name.startswith(_PREFIX) for name in self.environment
        )

    def of(self, names: Names, command: click.Command) -> dict[str, Effective]:
        if self.says_nothing:
            return {}  # most calls: nothing more is imported
        from agent.configuration.resolve import effective

        return effective(names, command, self.files, self.environment)

    def index_overrides(self, group: click.Group) -> Overrides | None:
        """Settings of ``contextc index``, for a command that builds or updates the index on its way."""
        if self.says_nothing:
            return None
        from retrieval.index.settings import Overrides

        command = group.get_command(click.Context(group), "index")
        if command is None:
            return None
        values = {one.setting.option.name: one for one in self.of(("index",), command).values()}
        fields = {name: values[name] for name in Overrides.__slots__ if name in values}
        if not fields:
            return None
        typed = {
            name: one.setting.option.type.convert(one.value, one.setting.option, None) for name, one in fields.items()
        }
        return Overrides(**typed)


def configuration_for(
    group: click.Group, args: Sequence[str], environment: Mapping[str, str] | None = None
) -> Configuration:
    """The configuration that holds for ``args``: that of the tree they name, else of the working directory.

    Raises:
        UserError: A file that cannot be read, or that has a fault in any of its tables.
    """
    env = os.environ if environment is None else environment
    own = {name: value for name, value in env.items() if name.startswith(_PREFIX) or name == "OPENAI_BASE_URL"}
    files = find_files(tree_of(group, args, own), env)
    for file in files:
        if file.values:
            from agent.configuration.check import check_once

            check_once(file, group)
    return Configuration(files, own)


def default_map(group: click.Group, args: Sequence[str], configuration: Configuration) -> dict[str, Any]:
    """Nested by command name, as ``click.Context.default_map`` wants it: what files and environment say."""
    called = None if configuration.says_nothing else descend(group, args)
    if called is None:
        return {}
    names, command, _ = called
    values: dict[str, Any] = {}
    for one in configuration.of(names, command).values():
        if one.setting.option.name:
            values[one.setting.option.name] = one.value
    for name in reversed(names):
        values = {name: values}
    return values


def tree_of(group: click.Group, args: Sequence[str], environment: Mapping[str, str] | None = None) -> Path:
    """The tree that a call names by a flag, an argument or a variable, else the working directory."""
    environment = os.environ if environment is None else environment
    called = descend(group, args)
    if called is not None:
        names, command, rest = called
        trees = [param for param in command.params if isinstance(param.type, TreePath)]
        given = _given(command, rest) if trees else {}
        for param in trees:
            value = given.get(param.name or "")
            if isinstance(value, str) and value:
                return Path(value)
        setting = settings_of(names, command).get("root")
        for variable in setting.variables if setting else ():
            if environment.get(variable, "").strip():
                return Path(environment[variable].strip())
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path(os.sep)  # the command says it better


def _given(command: click.Command, args: Sequence[str]) -> Mapping[str, Any]:
    """What the command's own parser reads from ``args``; nothing when it cannot: the command will say so."""
    try:
        context = click.Context(command, resilient_parsing=True)
        return command.make_parser(context).parse_args(list(args))[0]
    except (click.ClickException, UserError):
        return {}
