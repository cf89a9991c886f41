"""``contextc config``: the settings in force, each with its value and where that comes from."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import click
from click.core import ParameterSource

from agent.cli.common import json_option, print_json, say
from agent.cli.tree_path import TreePath
from agent.configuration.apply import Configuration
from agent.configuration.check import check_file
from agent.configuration.files import ConfigFile, find_files
from agent.configuration.options import Names, Setting, commands_of, descend, settings_of
from agent.configuration.resolve import Effective, suggestion
from agent.configuration.variables import other_variables, unknown_variables
from agent.guard import strip_controls
from retrieval.errors import UserError
from retrieval.index.location import working_directory

_OPTIONS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.command("config", context_settings=_OPTIONS)
@click.option(
    "--root", type=TreePath(), default=None, help="The tree whose settings are asked for (default: this one)."
)
@click.option("--all", "every", is_flag=True, help="Settings that nothing has changed, too.")
@json_option
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[COMMAND [OPTION...]]")
@click.pass_context
def command(ctx: click.Context, root: Path | None, every: bool, as_json: bool, words: tuple[str, ...]) -> int:
    """Print the effective settings and their origin: a file's line, a variable, a flag, or the default.

    With COMMAND, all settings of that command, as it would run with the OPTIONs that follow. Exit code 2 when a file
    has a fault; every fault is listed. See docs/configuration.md.
    """
    group = ctx.find_root().command
    assert isinstance(group, click.Group)  # noqa: S101
    start = root or working_directory()
    files = find_files(start, os.environ)
    kept = _kept(start)
    problems = [problem for file in files for problem in check_file(file, group)]
    configuration = Configuration(files, dict(os.environ))
    commands, given = _asked(group, words)
    rows: list[tuple[Names, Setting, Any, str]] = []
    for names, one in commands:
        found, fault = _effective(configuration, names, one)
        if fault is not None and not any(fault.cause == problem.cause for problem in problems):
            problems.append(fault)
        for setting in settings_of(names, one).values():
            value, origin = _value(setting, found.get(setting.key), given, kept if names == ("index",) else {})
            if every or words or origin != "default":
                rows.append((names, setting, _shown(setting, value), origin))
    settable = {
        name for path, one in commands_of(group) for s in settings_of(path, one).values() for name in s.variables
    }
    strangers = unknown_variables(os.environ, settable)
    if as_json:
        _print_json(files, rows, problems, strangers)
    else:
        _print_text(files, rows, problems, bool(words))
    for name, hint in strangers:
        say(f"warning: nothing reads the variable {name}. {hint}".rstrip())
    for problem in problems if not as_json else ():
        say(problem.cause)
        say(problem.mend, "  ")
    return 2 if problems else 0


def _asked(
    group: click.Group, words: tuple[str, ...]
) -> tuple[Iterable[tuple[Names, click.Command]], Mapping[str, Any]]:
    """The commands to show, and what flags among ``words`` give, by parameter name."""
    if not words:
        return commands_of(group), {}
    called: click.Command = group
    for depth, name in enumerate(words):
        if not isinstance(called, click.Group) or name.startswith("-"):
            break
        context = click.Context(called)
        inner = called.get_command(context, name)
        if inner is None:
            hint = suggestion(name, called.list_commands(context)) or "See: contextc --help"
            raise UserError(f"There is no command {' '.join(words[: depth + 1])!r}.", hint)
        called = inner
    if isinstance(called, click.Group):
        return commands_of(called, words), {}
    found = descend(group, words)
    assert found is not None  # noqa: S101
    names, leaf, rest = found
    context = click.Context(leaf, info_name=" ".join(names), resilient_parsing=True)
    leaf.parse_args(context, list(rest))
    flags = {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    return [(names, leaf)], flags


def _effective(
    configuration: Configuration, names: Names, one: click.Command
) -> tuple[dict[str, Effective], UserError | None]:
    try:
        return configuration.of(names, one), None
    except UserError as error:
        return {}, error


def _kept(start: Path) -> dict[str, Any]:
    """Settings that stay with the index, by parameter name; nothing without one that can be read."""
    from retrieval.index.location import locate
    from retrieval.index.reader import IndexReader
    from retrieval.index.settings import IndexSettings, from_meta

    try:
        with IndexReader.open(locate(start, explicit=True)) as reader:
            stored, usual = asdict(from_meta(reader.meta)), asdict(IndexSettings())
    except (UserError, OSError, sqlite3.Error):
        return {}
    return {name: value for name, value in stored.items() if value != usual[name]}


def _value(
    setting: Setting, found: Effective | None, given: Mapping[str, Any], kept: Mapping[str, Any]
) -> tuple[Any, str]:
    name = setting.option.name or ""
    if name in given:
        return given[name], f"flag --{setting.key}"
    if found is not None:
        return found.value, found.origin
    if name in kept:
        return kept[name], "kept in the index"
    default = setting.option.to_info_dict()["default"]
    return (default() if callable(default) else default), "default"


def _shown(setting: Setting, value: Any) -> Any:
    """``value`` as it may be printed: no secrets, no user names or passwords of addresses, only what JSON has."""
    if setting.secret and value:
        return "***"
    if isinstance(value, (list, tuple)):
        return [_shown(setting, item) for item in value]
    if isinstance(value, str) and "://" in value and "@" in value:
        parts = urlsplit(value)
        return urlunsplit(parts._replace(netloc="***@" + parts.netloc.rpartition("@")[2]))
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _print_text(
    files: tuple[ConfigFile, ...],
    rows: list[tuple[Names, Setting, Any, str]],
    problems: list[UserError],
    one: bool,
) -> None:
    for file in files:
        click.echo(strip_controls(str(file.path)) + f" ({'yours' if file.kind == 'user' else 'of the repository'})")
    width = max((len(f"{' '.join(names)} {setting.key}") for names, setting, _, _ in rows), default=0)
    for names, setting, value, origin in rows:
        text = "" if value is None else " ".join(_text(value).split("\n"))
        click.echo(strip_controls(f"{' '.join(names) + ' ' + setting.key:<{width}}  {text:<24}  {origin}"))
    if not rows and not problems:
        click.echo("Everything has its default (contextc config --all lists it).")
    for name, value in {}.items() if one else other_variables(os.environ).items():
        click.echo(f"{name}={value}")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(map(_text, value)) if isinstance(value, list) else str(value)


def _print_json(
    files: tuple[ConfigFile, ...],
    rows: list[tuple[Names, Setting, Any, str]],
    problems: list[UserError],
    strangers: list[tuple[str, str]],
) -> None:
    commands: dict[str, dict[str, Any]] = {}
    for names, setting, value, origin in rows:
        commands.setdefault(" ".join(names), {})[setting.key] = {"value": value, "origin": origin}
    print_json({
        "files": [{"path": str(file.path), "kind": file.kind} for file in files],
        "commands": commands,
        "variables": other_variables(os.environ),
        "unknown_variables": [name for name, _ in strangers],
        "problems": [{"cause": problem.cause, "mend": problem.mend} for problem in problems],
    })  # fmt: skip
