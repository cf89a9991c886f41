"""Effective values of one command's options, with their origin: files, then environment; flags win over both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import click

from agent.configuration.files import ConfigFile, user_path
from agent.configuration.options import Names, Setting, WrongValueError, from_text, normal, settings_of
from agent.configuration.trust import placed, refusal
from retrieval.errors import UserError

#: Variables that other programs share with us and that weigh as much as our own.
_SHARED_VARIABLES = {"base-url": "OPENAI_BASE_URL"}


@dataclass(frozen=True, slots=True)
class Effective:
    """``value`` is ready for click's default map; ``origin`` is ``path:line`` or the variable's name."""

    setting: Setting
    value: Any
    origin: str
    kind: Literal["file", "variable"]


def effective(
    names: Names, command: click.Command, files: Iterable[ConfigFile], environment: Mapping[str, str]
) -> dict[str, Effective]:
    """What files and environment give the options of ``command``, by key.

    Raises:
        UserError: A key that the command's table has and the command has not, a wrong type, a value that an option
            or our trust in the file refuses.
    """
    settings = settings_of(names, command)
    found: dict[str, Effective] = {}
    for file in files:
        for keys, value in assignments(file, names):
            setting = settings.get(normal(keys[-1]))
            if setting is not None:
                found[setting.key] = Effective(
                    setting, file_value(file, keys, setting, value), file.place(keys), "file"
                )
            elif len(keys) == len(names) + 1:
                raise unknown_key(file, keys, settings)
    for setting in settings.values():
        given = from_environment(setting, environment)
        if given is not None:
            found[setting.key] = given
        elif environment.get(_SHARED_VARIABLES.get(setting.key, ""), "").strip():
            found.pop(setting.key, None)  # whoever reads that variable finds it there
    return found


def assignments(file: ConfigFile, names: Names) -> Iterator[tuple[Names, Any]]:
    """(keys, value) of what stands at the top and in the tables along ``names``; the deeper comes later and wins."""
    table: Mapping[str, Any] = file.values
    for depth in range(len(names) + 1):
        for key, value in table.items():
            if not isinstance(value, dict):
                yield (*names[:depth], key), value
        inner = table.get(names[depth]) if depth < len(names) else None
        if not isinstance(inner, dict):
            return
        table = inner


def file_value(file: ConfigFile, keys: Names, setting: Setting, value: Any) -> Any:
    """The value that a file gives to ``setting``, ready for a default map.

    Raises:
        UserError: With the file's line.
    """
    if file.kind == "repository":
        why = refusal(setting, value, file.path.parent, file.boundary)
        if why:
            raise UserError(
                f"{file.place(keys)}: a repository's file may not say this: {why}.",
                f"Remove it there; where you want it, use {setting.variables[0]} or {_own_path()}.",
            )
    try:
        return placed(setting, value, file.path.parent)
    except WrongValueError as error:
        raise UserError(f"{file.place(keys)}: {keys[-1]} {error}.", _help(setting)) from None


def unknown_key(file: ConfigFile, keys: Names, known: Iterable[str]) -> UserError:
    hint = suggestion(normal(keys[-1]), known)
    where = f"[{'.'.join(keys[:-1])}] has" if len(keys) > 1 else "no command has"
    return UserError(
        f"{file.place(keys)}: {where} {'no' if len(keys) > 1 else 'an'} option {keys[-1][:60]!r}.",
        hint or "See: contextc config --all",
    )


def suggestion(name: str, known: Iterable[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)
    return f"Did you mean {close[0]!r}?" if close else ""


def from_environment(setting: Setting, environment: Mapping[str, str]) -> Effective | None:
    for variable in setting.variables:
        text = environment.get(variable, "").strip()
        if text:
            try:
                return Effective(setting, from_text(setting, text), variable, "variable")
            except WrongValueError as error:
                raise UserError(f"The variable {variable} {error}.", _help(setting)) from None
    return None


def _help(setting: Setting) -> str:
    return f"See: contextc {' '.join(setting.command)} --help"


def _own_path() -> str:
    import os

    return str(user_path(os.environ))
