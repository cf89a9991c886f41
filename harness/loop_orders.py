"""How often the loop's defence refuses a call that no order caused: ``python -m harness.loop_orders DIR…``.

Random windows of 60 lines of code and docs are read as a tool would show them; then each name and path in a window is
looked up, as a model would that wants to know more. Ordinary trees hold no orders to a model, so every refusal is one
too many; a tree that is about models (this one) shows what the defence costs there.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import click

from agent.loop.taint import Taint
from agent.tools.registry import tools

_SUFFIXES = (".py", ".md", ".rst", ".txt", ".toml")
_LINES = 60
_MAX_BYTES = 400_000
_NAMES = re.compile(
    r"\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b|\b[A-Z][a-z]+[A-Z]\w+|\b[\w./-]+\.(?:py|md|rst|toml)\b",
)
_QUESTION = "How does this work?"


def refusals(text: str, names: list[str]) -> tuple[int, list[tuple[str, str]]]:
    """(calls tried, name and telling phrase of each that is refused) after ``text`` was shown."""
    taint = Taint(names)
    taint.trust(_QUESTION)
    taint.read(text, "a file")
    refused = []
    found = sorted(set(_NAMES.findall(text)))
    for name in found:
        tool, argument = ("read_file", "path") if "." in name else ("find_symbol", "name")
        region = taint.traced(tool, {argument: name})
        if region is not None:
            refused.append((name, region.phrase))
    return len(found), refused


@click.command()
@click.argument("trees", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--windows", default=1_500, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(trees: tuple[Path, ...], windows: int, seed: int) -> None:
    names = [tool.name for tool in tools()]
    for tree in trees:
        chance = random.Random(seed)  # noqa: S311 - a sample, no secret
        files = sorted(
            path
            for path in tree.rglob("*")
            if path.suffix in _SUFFIXES and ".contextc" not in path.parts and path.stat().st_size < _MAX_BYTES
        )
        calls = 0
        refused: list[tuple[str, str]] = []
        for _ in range(windows):
            lines = chance.choice(files).read_text("utf-8", "replace").split("\n")
            start = chance.randrange(max(1, len(lines) - _LINES))
            tried, wrong = refusals("\n".join(lines[start : start + _LINES]), names)
            calls += tried
            refused += wrong
        share = 100 * len(refused) / max(1, calls)
        click.echo(f"{tree.resolve().name}: {len(refused)} of {calls:,} calls refused ({share:.2f} %)")


if __name__ == "__main__":
    main()
