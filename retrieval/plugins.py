"""Parts that other installed packages bring, found by entry point and loaded only when asked for by name.

Importing a plugin runs its code; that it was installed is the user's word for it. A fault of a plugin is one line that
names it, never a traceback. See docs/plugins.md.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from retrieval.errors import UserError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

COMMANDS = "contextc.commands"
EMBEDDERS = "contextc.embedders"
ANSWERERS = "contextc.answerers"
LANGUAGES = "contextc.languages"
GROUPS = (COMMANDS, EMBEDDERS, ANSWERERS, LANGUAGES)


class PluginError(UserError):
    """A plugin is missing or at fault."""

    def __reduce__(self) -> tuple[type[PluginError], tuple[str, str]]:  # it crosses process borders
        return PluginError, (self.cause, self.mend)


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point: what is known of it without running any of its code."""

    group: str
    name: str
    package: str
    version: str
    value: str

    @property
    def title(self) -> str:
        return f"the {self.group.rpartition('.')[2][:-1]} plugin {self.name!r} (package {self.package})"


def find_plugins(group: str) -> dict[str, EntryPoint]:
    """By name, sorted; of two packages that bring one name, the first by package name. Reads the metadata of every
    installed package, which takes tens of milliseconds: only for what no part of ours answers to."""
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, _package(point), point.value)):
        found.setdefault(point.name, point)
    return found


def may_have_plugins(group: str) -> bool:
    """Whether some installed package can have entry points of ``group``; False is certain.

    A look at the raw metadata: importing ``importlib.metadata`` takes longer than an update that finds nothing to do.
    """
    header = f"[{group}]".encode()
    for folder in dict.fromkeys(sys.path):
        try:
            with os.scandir(folder or ".") as listing:
                metadata = [entry.path for entry in listing if entry.name.endswith((".dist-info", ".egg-info"))]
        except NotADirectoryError:
            return True  # an archive
        except OSError:
            continue
        for path in metadata:
            try:
                with open(f"{path}/entry_points.txt", "rb") as handle:  # noqa: PTH123  (hundreds of them)
                    if header in handle.read():
                        return True
            except OSError:
                continue
    return False


def describe(point: EntryPoint) -> Plugin:
    version = point.dist.version if point.dist else "?"
    return Plugin(point.group, point.name, _package(point), version, point.value)


def all_plugins() -> tuple[Plugin, ...]:
    """Every plugin of every group, none of them loaded."""
    return tuple(describe(point) for group in GROUPS for point in find_plugins(group).values())


def load_plugin(point: EntryPoint) -> Any:
    """The object that an entry point names.

    Raises:
        PluginError: Its code cannot be imported.
    """
    try:
        return point.load()
    except Exception as error:
        raise failed(point, error) from error


def failed(point: EntryPoint, error: Exception | str) -> PluginError:
    """What is said when a plugin is at fault."""
    plugin = describe(point)
    what = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    return PluginError(
        f"{plugin.title[0].upper()}{plugin.title[1:]} failed ({' '.join(what.split())[:300]}).",
        f"Ask its authors, or remove it: pip uninstall {plugin.package}",
    )


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "?"
