"""``contextc search``: ranked chunks for a query, or for a file of queries."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from agent.cli.batch import read_batch
from agent.cli.common import (
    json_option,
    no_update_option,
    notes,
    open_tree,
    print_json,
    question_of,
    quiet_option,
    root_option,
)
from agent.json_text import json_text
from agent.search_results import Shown, brief_row, full_row, search_tree
from retrieval.errors import UserError


@click.command("search")
@click.argument("query", nargs=-1)
@click.option("-k", "k", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many chunks.")
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="GLOB",
    help="Only these paths ('src/**', 'tests/'); '!GLOB' leaves paths out. Repeatable.",
)
@click.option("--batch", type=click.Path(path_type=Path), default=None, help='JSONL of {"id", "query"}; prints JSONL.')
@root_option
@no_update_option
@json_option
@quiet_option
def command(
    query: tuple[str, ...],
    k: int,
    paths: tuple[str, ...],
    batch: Path | None,
    root: Path | None,
    no_update: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the chunks that rank highest for QUERY: path:start-end, symbol, score and the legs that found it.

    QUERY may be - to read it from standard input.
    """
    if batch is not None and query:
        raise UserError("Both a query and --batch were given.", "Give one of them.")
    text = "" if batch is not None else question_of(query, "query")
    rows = read_batch(batch, "query") if batch is not None else []
    began = time.perf_counter()
    session = open_tree(root, update=not no_update, quiet=quiet)
    with session.reader:
        if batch is not None:
            click.echo(json.dumps({"meta": {"index_s": round(time.perf_counter() - began, 3)}}))
            for row_id, question in rows:
                started = time.perf_counter()
                results = [brief_row(item) for item in search_tree(session, question, k, paths)]
                elapsed = (time.perf_counter() - started) * 1000
                line = {"id": row_id, "ms": round(elapsed, 3), "results": results}
                click.echo(json_text(line))
            return
        found = search_tree(session, text, k, paths)
        for warning in session.warnings:
            notes(quiet)(warning)
        if as_json:
            print_json(
                {"query": text, "root": str(session.location.root), "results": [full_row(item) for item in found]}
            )
            return
        for number, item in enumerate(found, start=1):
            click.echo(_line(number, item))
        if not found:
            notes(quiet)("nothing found" + (" under the --path filters" if paths else ""))
        elif not any(hit.leg != "vector" for item in found for hit in item.candidate.legs):
            notes(quiet)("no indexed text holds these words; what is listed is merely nearest in meaning")


def _line(number: int, item: Shown) -> str:
    from agent.guard import strip_controls

    candidate, chunk = item.candidate, item.candidate.chunk
    place = click.style(strip_controls(f"{chunk.path}:{item.start_line}-{item.end_line}"), fg="cyan")
    legs = ", ".join(f"{hit.leg} #{hit.rank}" for hit in candidate.legs)
    symbol = strip_controls(chunk.symbol) or f"({chunk.kind.value})"
    part = f" part {chunk.part}/{chunk.parts}" if chunk.parts > 1 else ""
    return f"{number:3d}. {place}  {click.style(symbol, bold=True)}{part}  {candidate.score:.3f}  [{legs}]"
