"""Wordings that families of demands are learned from: ``python -m harness.cca.wordings [FILE…] [-v]`` verifies them.

A file has groups ``[[wording]]`` of ``family``, ``limit`` (of bounded families), ``kept``, ``broken`` (answers) and
``texts``, and ``[[traps]]`` with ``texts`` that are no demand on an answer that a check can tell. Of each text slots
are found and its family's check is made: every kept answer has to hold or to have no verdict, every broken one to be
violated.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from agent.cca.families.registry import families
from agent.cca.families.slots import LIMITS, bounded, see

FOLDER = Path(__file__).with_name("wordings")
NONE = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """``family``: its id, ``NONE`` of a trap. ``limit``: one of ``LIMITS``, or empty."""

    text: str
    family: str
    limit: str
    kept: tuple[str, ...]
    broken: tuple[str, ...]


def read_wordings(path: Path) -> Iterator[Wording]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    for group in data.get("wording", ()):
        limit = group.get("limit", "")
        if limit and limit not in LIMITS:
            raise click.ClickException(f"{path}: {group['family']}: no limit is called {limit}")
        for text in group["texts"]:
            yield Wording(text, group["family"], limit, tuple(group["kept"]), tuple(group["broken"]))
    for group in data.get("traps", ()):
        for text in group["texts"]:
            yield Wording(text, NONE, "", (), ())


def all_wordings(folder: Path = FOLDER) -> list[Wording]:
    return [wording for path in sorted(folder.glob("*.toml")) for wording in read_wordings(path)]


def fault(wording: Wording) -> str:
    """What is wrong with a wording, or nothing."""
    from agent.cca.interpret import run_check

    family = families().get(wording.family)
    if family is None:
        return f"no family is called {wording.family}"
    seen = see(wording.text)
    slots = bounded(seen.slots, wording.limit, seen) if family.bounded else seen.slots
    if slots is None:
        return f"no one number: {[mark.text for mark in seen.amounts]}"
    check = family.make(slots)
    if check is None:
        return f"no check of {slots}"
    for answer in wording.kept:
        if run_check(check, answer).status == "violated":
            return f"violated by what keeps it: {answer[:60]!r}"
    for answer in wording.broken:
        if run_check(check, answer).status != "violated":
            return f"not violated by {answer[:60]!r}"
    return ""


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("-v", "--verbose", is_flag=True, help="List the families that have no wording, and sizes.")
def main(files: tuple[Path, ...], verbose: bool) -> None:
    """Verify the wordings of FILES, or all: slots found, checks made, answers told apart."""
    wordings = [each for path in files for each in read_wordings(path)] if files else all_wordings()
    counts = Counter(wording.family for wording in wordings)
    faults = 0
    for wording in wordings:
        if wording.family != NONE and (said := fault(wording)):
            faults += 1
            click.echo(f"{wording.family}: {wording.text!r}: {said}")
    known = [name for name in families() if counts[name]]
    click.echo(
        f"{len(known)} families, {sum(counts[name] for name in known)} wordings, {counts[NONE]} traps, {faults} faults"
    )
    if verbose:
        for name in families():
            if counts[name] < 10:
                click.echo(f"  {name}: {counts[name]} wordings")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
