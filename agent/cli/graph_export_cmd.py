"""``contextc graph export``: the call graph, or a part of it, in formats that other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.common import ProgressBar, no_update_option, open_tree, quiet_option, root_option
from agent.cli.graph_from_sources import export_of, graph_without_index
from agent.cli.graph_options import kind_option, min_confidence_option
from retrieval.errors import UserError

if TYPE_CHECKING:
    from retrieval.graph.export import GraphExport
    from retrieval.graph.sources import SourceGraph
    from retrieval.index.reader import IndexReader
    from retrieval.records import Confidence, EdgeKind


@click.command("export")
@click.argument("symbol", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "graphml", "dot", "mermaid"]),
    default="json",
    show_default=True,
    help="json is {functions, edges}; graphml loads in networkx, dot in Graphviz.",
)
@click.option("--all", "everything", is_flag=True, help="The whole tree.")
@click.option("--package", default=None, metavar="NAME", help="What a package or module calls and what calls it.")
@click.option("--depth", type=click.IntRange(1, 50), default=1, show_default=True, help="Steps around SYMBOL.")
@min_confidence_option
@kind_option("call")
@root_option
@no_update_option
@quiet_option
def command(
    symbol: str | None,
    form: str,
    everything: bool,
    package: str | None,
    depth: int,
    min_confidence: str,
    kinds: tuple[str, ...],
    root: Path | None,
    no_update: bool,
    quiet: bool,
) -> None:
    """Print the neighbourhood of SYMBOL, a package, or the whole call graph.

    The last two are read from the files where there is no index yet, and leave none behind.
    """
    if sum((symbol is not None, package is not None, everything)) != 1:
        raise UserError("One of SYMBOL, --package and --all is needed.", "For example: contextc graph export --all")
    from retrieval.graph.export_formats import FORMATS
    from retrieval.graph.run import deep_stack
    from retrieval.records import Confidence, EdgeKind

    wanted = tuple(map(EdgeKind, dict.fromkeys(kinds)))
    floor = Confidence(min_confidence)
    with deep_stack():
        made = _from_sources(root, wanted, quiet) if symbol is None and not no_update else None
        if made is not None:
            click.echo(FORMATS[form](export_of(made, package, floor)))
            return
    session = open_tree(root, update=not no_update, quiet=quiet)
    with session.reader:
        click.echo(FORMATS[form](_selected(session.reader, symbol, package, depth, wanted, floor)))


def _from_sources(root: Path | None, kinds: tuple[EdgeKind, ...], quiet: bool) -> SourceGraph | None:
    bar = ProgressBar(quiet)
    try:
        return graph_without_index(root, kinds, bar)
    finally:
        bar.close()


def _selected(
    reader: IndexReader,
    symbol: str | None,
    package: str | None,
    depth: int,
    kinds: tuple[EdgeKind, ...],
    floor: Confidence,
) -> GraphExport:
    from agent.cli.graph_names import one_node
    from retrieval.graph import export

    conn = reader.conn
    if symbol is None and package is None:
        return export.export(conn, export.all_edges(conn, kinds), None, floor)
    if package is not None:
        inside = export.package(conn, package)
        if not inside:
            raise UserError(f"There is no package or module {package!r} in the tree.", "Name it as it is imported.")
        return export.export(conn, export.all_edges(conn, kinds, package), inside, floor)
    node = one_node(conn, symbol or "")
    if node.kind == "module":
        return export.export(conn, export.all_edges(conn, kinds, node.qualname), (node.qualname,), floor)
    return export.export(conn, export.around(conn, node.qualname, depth, kinds), (node.qualname,), floor)
