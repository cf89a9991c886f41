"""``contextc graph view``: the neighbourhood of a symbol as one HTML file that needs no network."""

from __future__ import annotations

import re
from pathlib import Path

import click

from agent.cli.common import no_update_option, notes, open_tree, quiet_option, root_option
from agent.cli.graph_options import kind_option, min_confidence_option

_UNSAFE = re.compile(r"[^\w.-]+")
_MAX_NAME = 100


@click.command("view")
@click.argument("symbol")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    default=None,
    help="The file to write (default: graph-SYMBOL.html here; - is standard output).",
)
@click.option("--depth", type=click.IntRange(1, 10), default=1, show_default=True, help="Steps around SYMBOL.")
@min_confidence_option
@kind_option("call", "inherit")
@root_option
@no_update_option
@quiet_option
def command(
    symbol: str,
    output: Path | None,
    depth: int,
    min_confidence: str,
    kinds: tuple[str, ...],
    root: Path | None,
    no_update: bool,
    quiet: bool,
) -> None:
    """Write a picture of SYMBOL's neighbourhood; print the name of the file."""
    session = open_tree(root, update=not no_update, quiet=quiet)
    with session.reader as reader:
        from agent.cli.graph_names import one_node
        from agent.graph_view.page import page
        from agent.graph_view.picture import picture
        from retrieval.graph import export
        from retrieval.records import Confidence, EdgeKind

        node = one_node(reader.conn, symbol)
        wanted = tuple(map(EdgeKind, dict.fromkeys(kinds)))
        if node.kind == "module":
            centre = export.package(reader.conn, node.qualname)
            edges = export.all_edges(reader.conn, wanted, node.qualname)
        else:
            centre = export.members(reader.conn, node.qualname)
            edges = export.around(reader.conn, node.qualname, depth, wanted)
        graph = export.export(reader.conn, edges, centre, Confidence(min_confidence), keep_classes=True)
        data = picture(reader, {export.plain(name) for name in centre}, node.qualname, graph)
    target = output or Path(f"graph-{_UNSAFE.sub('_', node.qualname)[:_MAX_NAME]}.html")
    if str(target) == "-":
        click.echo(page(data))
    else:
        target.write_text(page(data), encoding="utf-8")
    if data["omitted"]:
        notes(quiet)(f"{data['omitted']} further or less sure definitions are left out of the picture.")
    if str(target) != "-":
        click.echo(target)
