"""Exports of the graph load where they are meant to be loaded, say the same each time, and hold hostile names."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from typing import Any

import networkx
import pydot
import pytest
from graph_helpers import resolved

from retrieval.graph.export import GraphExport, all_edges, around, export, package, plain
from retrieval.graph.export_formats import FORMATS, to_dot, to_graphml, to_json, to_mermaid
from retrieval.records import Confidence, EdgeKind

CALL = (EdgeKind.CALL,)
PROGRAM = """\
import os
from ext import Cls

def dec(f):
    return f

@dec
def func():
    return (lambda x: x)(1)

class Base:
    def __init__(self): self.a = len("x")
    def method(self): pass

class A(Base):
    pass

def idle(): pass

def idle(): pass

def later(thing): thing.method()

A().method()
Cls().fun()
os.path.join("a")
sorted([], key=idle)
"""


def whole(files: Mapping[str, str] | str, floor: Confidence = Confidence.POSSIBLE) -> GraphExport:
    conn = resolved(files).conn
    return export(conn, all_edges(conn, CALL), None, floor)


def pairs(graph: GraphExport) -> set[tuple[str, str]]:
    return {(edge.caller, edge.callee) for edge in graph.edges}


def test_names_of_a_single_module() -> None:
    graph = whole(PROGRAM)
    assert graph.functions == (
        "main",
        "main.Base.__init__",
        "main.Base.method",
        "main.dec",
        "main.func",
        "main.func.<lambda1>",
        "main.idle",
        "main.later",
    )
    found = pairs(graph)
    assert found >= {
        ("main", "main.dec"),  # applying a decorator
        ("main", "main.Base.__init__"),  # instantiating: the inherited __init__, and no edge to the class
        ("main", "main.Base.method"),
        ("main", "ext.Cls.fun"),
        ("main", "os.path.join"),
        ("main", "main.idle"),  # a callable handed to a builtin
        ("main", "<builtin>.sorted"),
        ("main.func", "main.func.<lambda1>"),
        ("main.Base.__init__", "<builtin>.len"),
        ("main.later", "main.Base.method"),
    }
    assert not {callee for _, callee in found} & {"main.A", "main.Base"}
    assert not any(callee.startswith("?") for _, callee in found)
    unresolved = next(edge for edge in graph.edges if edge.caller == "main.later")
    assert unresolved.confidence == "possible"
    assert "main.later" not in {edge.caller for edge in whole(PROGRAM, Confidence.LIKELY).edges}


def test_packages_and_their_modules_are_named_by_import() -> None:
    graph = whole(
        {
            "main.py": "from pkg import f\nf()\n",
            "pkg/__init__.py": "from .sub import f\nf()\n",
            "pkg/sub.py": "def f(): pass\n",
        }
    )
    assert pairs(graph) == {("main", "pkg.sub.f"), ("pkg", "pkg.sub.f")}
    assert graph.functions == ("main", "pkg", "pkg.sub", "pkg.sub.f")


def test_json_has_the_documented_shape() -> None:
    data: dict[str, Any] = json.loads(to_json(whole("def f(): pass\nf()\n")))
    assert data == {
        "functions": ["main", "main.f"],
        "edges": [
            {
                "caller": "main",
                "callee": "main.f",
                "confidence": "certain",
                "path": "main.py",
                "line": 2,
                "rule": "local-scope",
            }
        ],
    }
    assert json.loads(to_json(GraphExport((), ()))) == {"functions": [], "edges": []}


def test_a_package_and_a_neighbourhood_hold_what_touches_them() -> None:
    conn = resolved(
        {
            "main.py": "from pkg.sub import f\ndef go(): f()\ndef far(): go()\n",
            "pkg/__init__.py": "",
            "pkg/sub.py": "def f(): g()\ndef g(): pass\ndef lone(): pass\n",
            "pkgs.py": "def other(): other()\n",
        }
    ).conn
    graph = export(conn, all_edges(conn, CALL, "pkg"), package(conn, "pkg"))
    assert pairs(graph) == {("main.go", "pkg.sub.f"), ("pkg.sub.f", "pkg.sub.g")}
    assert graph.functions == ("main.go", "pkg", "pkg.sub", "pkg.sub.f", "pkg.sub.g", "pkg.sub.lone")
    near = export(conn, around(conn, "pkg.sub.g", 1, CALL), ("pkg.sub.g",))
    assert pairs(near) == {("pkg.sub.f", "pkg.sub.g")}
    wide = export(conn, around(conn, "pkg.sub.g", 3, CALL), ("pkg.sub.g",))
    assert pairs(wide) == {("main.far", "main.go"), ("main.go", "pkg.sub.f"), ("pkg.sub.f", "pkg.sub.g")}
    lone = export(conn, around(conn, "pkg.sub.lone", 1, CALL), ("pkg.sub.lone",))
    assert lone == GraphExport(("pkg.sub.lone",), ())


HOSTILE = {
    'a"];x->y;//<b>.py': "def f(): g()\ndef g(): pass\n",
    "back\\slash-->|x|.py": "def f(): f()\n",
    "end#35;\x07.py": "def f(): f()\n",
    "naïve.py": "def größe(): größe()\n",
}


def test_graphml_loads_in_networkx() -> None:
    graph = whole({**HOSTILE, "main.py": PROGRAM})
    loaded = networkx.read_graphml(io.BytesIO(to_graphml(graph).encode()), force_multigraph=True)
    assert loaded.number_of_edges() == len(graph.edges)
    kept = {(edge.caller, edge.callee) for edge in graph.edges if edge.path == "main.py"}
    assert {(a, b) for a, b, data in loaded.edges(data=True) if data["path"] == "main.py"} == kept
    assert loaded.nodes["main.idle"]["place"] == "tree"
    assert loaded.nodes["<builtin>.len"]["place"] == "outside"


@pytest.mark.filterwarnings("ignore")  # pydot on a newer pyparsing
def test_dot_loads_in_pydot() -> None:
    graph = whole({**HOSTILE, "main.py": PROGRAM})
    (loaded,) = pydot.graph_from_dot_data(to_dot(graph))
    assert len(loaded.get_edges()) == len(graph.edges)
    names = {node.get_name() for node in loaded.get_nodes()} - {"node"}
    outside = {end for edge in graph.edges for end in (edge.caller, edge.callee)}
    assert len(names) == len(outside | set(graph.functions))


def test_mermaid_is_one_statement_a_line_with_escaped_labels() -> None:
    graph = whole({**HOSTILE, "main.py": PROGRAM})
    head, *rest = to_mermaid(graph).split("\n")
    assert head == "flowchart LR"
    label = r'"(?:[\w. -]|#\d+;)*"'
    node = re.compile(rf"  n\d+(?:\[{label}\]|\(\[{label}\]\))")
    arrow = re.compile(r"  n\d+ (?:-->|-->\|likely\||-\.->\|possible\|) n\d+")
    assert [line for line in rest if not node.fullmatch(line) and not arrow.fullmatch(line)] == []
    assert len(rest) == len(set(rest))


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_the_same_tree_gives_the_same_bytes(form: str) -> None:
    files = {**HOSTILE, "main.py": PROGRAM}
    backwards = dict(reversed(files.items()))
    assert FORMATS[form](whole(files)) == FORMATS[form](whole(backwards))


def test_plain_names() -> None:
    assert plain("main.f#2") == "main.f"
    assert plain("main.f#12.g#3") == "main.f.g"
    assert plain("main.f") == "main.f"
