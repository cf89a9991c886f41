"""A whole file against all commands: unknown keys, wrong types, and what a repository may not say."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import click

from agent.configuration.files import ConfigFile
from agent.configuration.options import UNCONFIGURED, Names, Setting, commands_of, normal, settings_of
from agent.configuration.resolve import file_value, suggestion, unknown_key
from retrieval.errors import UserError
from retrieval.index.location import user_cache_dir
from retrieval.version import VERSION


def check_file(file: ConfigFile, group: click.Group) -> list[UserError]:
    """Every problem of ``file``. Imports all commands."""
    return list(_table(file, group, (), file.values))


def check_once(file: ConfigFile, group: click.Group) -> None:
    """``check_file``, unless this very content has passed before: a cold command has no time for it.

    Raises:
        UserError: The first problem.
    """
    mark = f"{VERSION}\0{file.path}\0{file.text}".encode("utf-8", "surrogatepass")
    passed = user_cache_dir() / "checked-configuration" / hashlib.sha256(mark).hexdigest()
    if passed.exists():
        return
    problems = check_file(file, group)
    if problems:
        raise problems[0]
    try:
        passed.parent.mkdir(parents=True, exist_ok=True)
        passed.touch()
    except OSError:
        return  # checked again next time


def _table(file: ConfigFile, group: click.Group, names: Names, table: Mapping[str, Any]) -> list[UserError]:
    below = [settings_of(path, command) for path, command in commands_of(group, names)]
    problems: list[UserError] = []
    for key, value in table.items():
        keys = (*names, key)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            problems.append(
                UserError(f"{file.place(keys)}: {key[:60]} is a list of tables.", "Write its table once: [NAME].")
            )
            continue
        if not isinstance(value, dict):
            candidates = [settings[normal(key)] for settings in below if normal(key) in settings]
            problems += _value(file, keys, value, candidates, {name for settings in below for name in settings})
            continue
        if not names and key in UNCONFIGURED:
            cause = f"{file.place(keys)}: contextc {key} takes no settings from files."
            problems.append(UserError(cause, "Give it flags, and remove the table."))
            continue
        context = click.Context(group)
        command = group.get_command(context, key)
        if command is None:
            hint = suggestion(key, group.list_commands(context)) or "See: contextc --help"
            problems.append(UserError(f"{file.place(keys)}: there is no command {' '.join(keys)[:80]!r}.", hint))
        elif isinstance(command, click.Group):
            problems += _table(file, command, keys, value)
        else:
            problems += _leaf(file, settings_of(keys, command), keys, value)
    return problems


def _leaf(file: ConfigFile, settings: Mapping[str, Setting], names: Names, table: Mapping[str, Any]) -> list[UserError]:
    problems: list[UserError] = []
    for key, value in table.items():
        setting = settings.get(normal(key))
        problems += _value(file, (*names, key), value, [setting] if setting else [], set(settings))
    return problems


def _value(file: ConfigFile, keys: Names, value: Any, candidates: list[Setting], known: set[str]) -> list[UserError]:
    """A key that several commands have is wrong when none of them takes its value; each says so itself when it runs."""
    if not candidates:
        return [unknown_key(file, keys, known)]
    problems = []
    for setting in candidates:
        try:
            file_value(file, keys, setting, value)
        except UserError as error:
            problems.append(error)
    return problems[:1] if len(problems) == len(candidates) else []
