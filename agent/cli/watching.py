"""``contextc index --watch``: one line for each update, until Ctrl-C."""

from __future__ import annotations

import threading
import time

import click

from agent.cli.common import notes, plural, say
from agent.json_text import json_text
from agent.watch import watch_index
from retrieval.index.location import Location
from retrieval.index.report import IndexReport


def keep_current(location: Location, first: IndexReport, *, workers: int | None, as_json: bool, quiet: bool) -> None:
    """Watch the tree whose index has just been brought up to date (``first``), and tell of each update.

    A line a program can read goes to stdout for each, the first one included, with ``as_json``; else one for people
    goes to stderr. Failures are told on stderr in any case.
    """
    known = False

    def tell(report: IndexReport) -> None:
        nonlocal known
        if not known and report.mode == "unchanged":
            known = True
            return
        known = True
        if as_json:
            _print_line(location, report)
        else:
            notes(quiet)(_line(report))

    if as_json:
        _print_line(location, first)
    else:
        notes(quiet)(f"Watching {location.root}; Ctrl-C ends it.")
    try:
        watch_index(location, tell, say, stop=threading.Event(), workers=workers)
    except KeyboardInterrupt:
        notes(quiet)("Stopped watching; the index is complete.")


def _line(report: IndexReport) -> str:
    if report.mode == "unchanged":
        return f"{time.strftime('%H:%M:%S')} another process updated the index"
    moved = [
        f"{len(paths):,} {name}"
        for name, paths in (("added", report.added), ("changed", report.changed), ("removed", report.removed))
        if paths
    ]
    only = [*report.added, *report.changed, *report.removed]
    what = f"{', '.join(moved)}{f' ({only[0]})' if len(only) == 1 else ''}" if moved else report.mode
    files = plural(report.counts.get("files", 0), "file")
    return f"{time.strftime('%H:%M:%S')} {what}; {files} indexed ({report.seconds:.2f} s)"


def _print_line(location: Location, report: IndexReport) -> None:
    value = {
        "root": str(location.root),
        "mode": report.mode,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "counts": report.counts,
        "seconds": round(report.seconds, 3),
        "notes": report.notes,
    }
    click.echo(json_text(value))
