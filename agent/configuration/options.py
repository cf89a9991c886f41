"""What can be configured: the options that the commands declare, under the names of their flags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

#: Commands that must work where the configuration does not: flags alone.
UNCONFIGURED = frozenset({"config", "completion", "doctor"})
Names = tuple[str, ...]  # of a command: ("ask",), ("bench", "run")


@dataclass(frozen=True, slots=True)
class Setting:
    """One option of one command. ``key`` is its longest flag without dashes; files may write ``_`` for ``-``."""

    command: Names
    key: str
    option: click.Option

    @property
    def variables(self) -> tuple[str, ...]:
        """Environment variables that set it, the most specific first."""
        last = self.key.replace("-", "_").upper()
        heads = ["_".join(self.command[:end]).replace("-", "_").upper() for end in range(len(self.command), 0, -1)]
        return (*(f"CONTEXTC_{head}_{last}" for head in heads), f"CONTEXTC_{last}")

    @property
    def secret(self) -> bool:
        """Whether its value is not to be shown. A number of tokens is none."""
        if isinstance(self.option.type, click.types.IntParamType | click.types.FloatParamType):
            return False
        return not {"token", "secret", "password", "key"}.isdisjoint(self.key.split("-"))


def normal(key: str) -> str:
    return key.replace("_", "-").lower()


def settings_of(names: Names, command: click.Command) -> dict[str, Setting]:
    """By key. Options that pick one of several actions (``--judge``, ``--by-hand``) and help are no settings."""
    found: dict[str, Setting] = {}
    for param in command.params:
        if not isinstance(param, click.Option) or not param.expose_value or param.is_eager:
            continue
        if param.is_flag and not param.is_bool_flag:
            continue
        key = max(param.opts, key=len).lstrip("-")
        found[key] = Setting(names, key, param)
    return found


def commands_of(group: click.Group, names: Names = ()) -> Iterator[tuple[Names, click.Command]]:
    """Every command that is no group and takes configuration, in the order of the help. Imports them all."""
    context = click.Context(group)
    for name in group.list_commands(context):
        if not names and name in UNCONFIGURED:
            continue
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands_of(command, (*names, name))
        elif command is not None:
            yield (*names, name), command


def descend(group: click.Group, args: Sequence[str]) -> tuple[Names, click.Command, list[str]] | None:
    """The command that ``args`` call and its own arguments; None when they name none."""
    names: list[str] = []
    command: click.Command | None = group
    rest = list(args)
    while isinstance(command, click.Group):
        if not rest or rest[0].startswith("-"):
            return None
        names.append(rest[0])
        command = command.get_command(click.Context(command), rest[0])
        rest = rest[1:]
    return None if command is None else (tuple(names), command, rest)


class WrongValueError(Exception):
    """A value that an option does not take; the message says what it takes."""


def convert(setting: Setting, value: Any, folder: Path | None = None) -> Any:
    """A TOML value as the option's own type would have read it from the command line, ready for a default map.

    Args:
        folder: Paths are relative to it; None: to the working directory.

    Raises:
        WrongValueError: Another type, or a value that the option refuses.
    """
    option = setting.option
    many = option.multiple or option.nargs != 1
    if many:
        items = value if isinstance(value, list) else [value]
        if option.nargs > 1 and not option.multiple and len(items) != option.nargs:
            raise WrongValueError(f"takes a list of {option.nargs} values")
        return tuple(_one(setting, item, folder) for item in items)
    if isinstance(value, list):
        raise WrongValueError("takes one value, not a list")
    return _one(setting, value, folder)


def _one(setting: Setting, value: Any, folder: Path | None) -> Any:
    option, kind = setting.option, setting.option.type
    if isinstance(value, dict):
        raise WrongValueError("takes a value, not a table")
    if option.is_flag:
        if not isinstance(value, bool):
            raise WrongValueError(f"takes true or false, not {_named(value)}")
        return value
    if option.count and not isinstance(value, int):
        raise WrongValueError(f"takes an integer, not {_named(value)}")
    whole = isinstance(kind, click.types.IntParamType)
    number = whole or isinstance(kind, click.types.FloatParamType)
    allowed = int if whole else (int, float) if number else (str, int, float)
    if isinstance(value, bool) or not isinstance(value, allowed):
        raise WrongValueError(f"takes {_takes(kind)}, not {_named(value)}")
    if not number:
        value = str(value)
        if folder is not None and isinstance(kind, click.Path) and value not in ("", "-"):
            try:
                value = str(folder / Path(value).expanduser())
            except RuntimeError:  # "~somebody", who is unknown here
                raise WrongValueError(f"names no place here: {value[:60]!r}") from None
    _accepted(option, value)
    return value


def from_text(setting: Setting, text: str) -> Any:
    """A variable's text as a value for a default map.

    Raises:
        WrongValueError: The option refuses it.
    """
    option = setting.option
    if option.is_flag:
        try:
            return click.BOOL.convert(text, option, None)
        except click.BadParameter:
            raise WrongValueError(f"takes true or false, not {text[:60]!r}") from None
    if option.multiple or option.nargs != 1:
        items = tuple(option.type.split_envvar_value(text))
        for item in items:
            _accepted(option, item)
        return items
    _accepted(option, text)
    return text


def _accepted(option: click.Option, value: Any) -> None:
    try:
        option.type.convert(value, option, None)
    except click.BadParameter as error:
        raise WrongValueError(f"is refused: {error.message}".rstrip(".")) from None


def _takes(kind: Any) -> str:
    if isinstance(kind, click.types.IntParamType):
        return "an integer"
    if isinstance(kind, click.types.FloatParamType):
        return "a number"
    if isinstance(kind, click.Choice):
        return f"one of {', '.join(map(str, kind.choices))}"
    return "a string"


def _named(value: Any) -> str:
    kinds = {bool: "true or false", int: "an integer", float: "a number", str: "a string", list: "a list"}
    name = kinds.get(type(value), "a date" if hasattr(value, "isoformat") else "that")
    return f"{name} ({str(value).lower() if isinstance(value, bool) else repr(value)[:60]})" if name != "that" else name
