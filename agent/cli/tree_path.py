"""The type of arguments that name a tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


class TreePath(click.Path):
    """A path to a tree. An empty one (an unset variable in a script) is a mistake, not the working directory."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)
