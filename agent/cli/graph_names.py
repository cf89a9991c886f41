"""The symbols that a command line names; a name without or with several meanings is told with what it can mean."""

from __future__ import annotations

import sqlite3

import click

from agent.guard import strip_controls
from retrieval.errors import UserError
from retrieval.graph.export import plain
from retrieval.graph.lookup import NamedNode, look_up

_MAX_CANDIDATES_SHOWN = 40


def nodes_of(conn: sqlite3.Connection, name: str, every: bool) -> tuple[NamedNode, ...]:
    """The nodes that ``name`` means: redefinitions of one name together; with ``every``, of all its meanings.

    Raises:
        UserError: Nothing has the name, or several definitions do and ``every`` is not set.
    """
    found = look_up(conn, name)
    shown = strip_controls(name[:200])
    if not found.nodes:
        near = ", ".join(found.nearest)
        hint = f"The nearest names: {near}." if near else "Search for it: contextc search"
        raise UserError(f"The call graph knows nothing called {shown!r}.", hint)
    if found.meanings > 1 and not every:
        first: dict[str, NamedNode] = {}
        for node in found.nodes:
            first.setdefault(plain(node.qualname), node)
        for name_of, node in list(first.items())[:_MAX_CANDIDATES_SHOWN]:
            place = f", {node.path}:{node.line}" if node.path else ""
            click.echo(strip_controls(f"  {name_of}  ({node.kind}{place})"), err=True)
        if len(first) > _MAX_CANDIDATES_SHOWN:
            click.echo(f"  … and {len(first) - _MAX_CANDIDATES_SHOWN} more", err=True)
        example = plain(found.nodes[0].qualname)
        raise UserError(
            f"{shown!r} can mean {found.meanings} definitions, listed above.",
            f"Name one of them, for example {example}, or give --all.",
        )
    return found.nodes


def one_node(conn: sqlite3.Connection, name: str) -> NamedNode:
    """The first definition of a name with one meaning."""
    return nodes_of(conn, name, every=False)[0]
