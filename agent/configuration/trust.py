"""What a repository's file may set. It came with somebody's code: it may tune, it may not decide where code or secrets
go, what is run, what is paid, or which files outside of the tree are touched.

Whatever is not known to be harmless is refused, so that an option that a command adds tomorrow is refused until it is
listed here; numbers, switches and choices are harmless by their type unless their name says otherwise.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agent.configuration.options import Setting, convert

#: Choices and names of which only these keep everything on this machine.
_LOCAL_VALUES: dict[str, tuple[str | bool, ...]] = {
    "answerer": ("offline", "none"),
    "compiler": ("deterministic",),
    "rules-compiler": ("deterministic",),
    "embedder": ("default", "static", "none"),
    "scorer": ("fixture",),
    "offline": (True,),
}
#: Texts that only select among what is there.
_HARMLESS_TEXTS = frozenset({
    "path", "package", "tier", "budget", "budgets", "ks", "windows", "category", "corpus", "id", "split", "suffix",
    "rules-without", "only", "method", "context",
})  # fmt: skip
#: Texts that name files.
_FILE_TEXTS = {"rules": frozenset({"auto"})}
#: What a conversation with a model may cost at most.
_LIMITS = frozenset({"max-steps", "max-calls", "max-tokens", "max-seconds"})
_RISKY_WORDS = frozenset(
    {"allow", "trust", "insecure", "unsafe", "force", "token", "auth", "key", "cost", "price", "live"}
)


def refusal(setting: Setting, value: Any, folder: Path, boundary: Path) -> str:
    """Why a repository's file may not give ``setting`` this value; "" when it may.

    Args:
        folder: Of the file; paths are relative to it.
        boundary: The tree that paths must not leave.
    """
    key, kind = setting.key, setting.option.type
    values = value if isinstance(value, (list, tuple)) else (value,)
    if key in _LIMITS or not _RISKY_WORDS.isdisjoint(key.split("-")):
        return f"{key} is for you alone to decide"
    if key in _LOCAL_VALUES:
        allowed = _LOCAL_VALUES[key]
        if all(item in allowed for item in values):
            return ""
        return f"it may set {key} only to what sends nothing anywhere: {', '.join(map(str, allowed)).lower()}"
    if key in _FILE_TEXTS:
        outside = [item for item in values if item not in _FILE_TEXTS[key] and not _is_inside(item, folder, boundary)]
        return f"{outside[0]!r} is outside of the tree" if outside else ""
    if isinstance(kind, click.Path):
        if not kind.exists:
            return f"{key} names a place outside of what the tree decides"
        outside = [item for item in values if not _is_inside(item, folder, boundary)]
        return f"{outside[0]!r} is outside of the tree" if outside else ""
    if setting.option.is_flag or isinstance(
        kind, (click.Choice, click.types.IntParamType, click.types.FloatParamType, click.types.BoolParamType)
    ):
        return ""
    return "" if key in _HARMLESS_TEXTS else f"{key} may name a server, a model, a command or a place"


def _is_inside(item: Any, folder: Path, boundary: Path) -> bool:
    try:
        # as `placed` and `convert` read it: "~/.ssh" is a place in the user's home
        return (folder / Path(str(item)).expanduser()).resolve().is_relative_to(boundary.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def placed(setting: Setting, value: Any, folder: Path) -> Any:
    """``convert`` for a file's value; texts that name files are relative to the file's folder, as paths are."""
    converted = convert(setting, value, folder)
    plain = _FILE_TEXTS.get(setting.key)
    if plain is None:
        return converted
    items = converted if isinstance(converted, tuple) else (converted,)
    moved = tuple(item if item in plain else str(folder / Path(item).expanduser()) for item in items)
    return moved if isinstance(converted, tuple) else moved[0]
