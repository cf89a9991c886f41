"""From what a user types to a node of the graph: exact names, ends of names, candidates, nearest names."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from retrieval.graph.export import plain

MAX_NEAREST = 5
_CLOSENESS = 0.6  # difflib's ratio below which a name is no suggestion
_KINDS = "('module', 'class', 'function', 'method', 'property')"
_ROLES = "CASE f.role WHEN 'code' THEN 0 WHEN 'test' THEN 2 ELSE 1 END"
_OVERLOAD = re.compile(r'["@.]overload"')  # in the JSON of a symbol's decorators


@dataclass(frozen=True, slots=True)
class NamedNode:
    """A node that a name can mean. ``kind`` is the symbol's, or ``lambda`` or ``external``, which have no place."""

    qualname: str
    kind: str
    path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Lookup:
    """``nodes`` holds every node that the name can mean, code before tests; ``nearest`` is for a name without any.

    Redefinitions of one name are one meaning: ``meanings`` counts names, not nodes.
    """

    nodes: tuple[NamedNode, ...]
    nearest: tuple[str, ...] = ()

    @property
    def meanings(self) -> int:
        return len({plain(node.qualname) for node in self.nodes})


def look_up(conn: sqlite3.Connection, name: str) -> Lookup:
    """What ``name`` can mean: a whole qualified name, else the end of one; a path of the tree is its module."""
    wanted = name.strip().removesuffix("()")
    if "/" in wanted or wanted.endswith(".py"):
        found = _symbols(conn, "f.path = ? AND s.kind = 'module'", wanted.removeprefix("./"))
        if found:
            return Lookup(found)
    wanted = wanted.strip(".").replace("::", ".").replace(":", ".")
    exact = [node for node in _ending(conn, wanted) if plain(node.qualname) == plain(wanted)]
    if exact:
        return Lookup(tuple(node for node in exact if node.qualname == wanted) if "#" in wanted else tuple(exact))
    ending = _ending(conn, wanted)
    if ending:
        return Lookup(ending)
    outside = _outside(conn, wanted)
    return Lookup(outside) if outside else Lookup((), nearest(conn, wanted))


def _ending(conn: sqlite3.Connection, dotted: str) -> tuple[NamedNode, ...]:
    last = dotted.rpartition(".")[2].partition("#")[0]
    dotted = plain(dotted)
    found = _symbols(conn, "s.name = ? OR s.qualname = ?", last, dotted)
    return tuple(
        node for node in found if plain(node.qualname) == dotted or plain(node.qualname).endswith(f".{dotted}")
    )


def _symbols(conn: sqlite3.Connection, where: str, *values: str) -> tuple[NamedNode, ...]:
    """Signatures marked ``@overload`` are left out where the definition that they stand for is there: it runs."""
    rows = conn.execute(
        "SELECT s.qualname, s.kind, f.path, s.def_line, s.decorators FROM symbols s JOIN files f ON f.id = s.file_id "
        f"WHERE ({where}) AND s.kind IN {_KINDS} ORDER BY {_ROLES}, f.path, s.start_line, s.qualname",
        values,
    )
    found = [(NamedNode(*row[:4]), _OVERLOAD.search(row[4]) is not None) for row in rows]
    real = {plain(node.qualname) for node, is_stub in found if not is_stub}
    return tuple(node for node, is_stub in found if not is_stub or plain(node.qualname) not in real)


def _outside(conn: sqlite3.Connection, name: str) -> tuple[NamedNode, ...]:
    """A lambda, or a name outside the tree that some edge mentions; else such names that end so."""
    rows = conn.execute(
        "SELECT name FROM nodes WHERE name IN (?, ?) AND name NOT LIKE '?.%'", (name, f"<builtin>.{name}")
    ).fetchall()
    if not rows and name.replace(".", "_").isidentifier():
        rows = conn.execute(
            "SELECT name FROM nodes WHERE substr(name, -length(?1)) = ?1 AND name NOT LIKE '?.%' "
            "AND name NOT IN (SELECT qualname FROM symbols) ORDER BY name",
            (f".{name}",),
        ).fetchall()
    return tuple(NamedNode(row[0], "lambda" if "<lambda" in row[0] else "external") for row in rows)


def nearest(conn: sqlite3.Connection, name: str) -> tuple[str, ...]:
    """The names of the tree most like ``name``, compared by as many trailing parts as it has."""
    import difflib

    count = name.count(".") + 1
    known: dict[str, list[str]] = {}
    for (qualname,) in conn.execute(f"SELECT qualname FROM symbols WHERE kind IN {_KINDS} ORDER BY qualname"):
        tail = ".".join(plain(qualname).split(".")[-count:])
        known.setdefault(tail.lower(), []).append(plain(qualname))
    close = difflib.get_close_matches(name.lower(), list(known), n=MAX_NEAREST, cutoff=_CLOSENESS)
    return tuple(_unique(qualname for tail in close for qualname in known[tail]))[:MAX_NEAREST]


def _unique(names: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(names)
