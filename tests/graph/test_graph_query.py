from __future__ import annotations

import itertools
import random
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from graph_helpers import Tree, resolved
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python

from retrieval.graph.centrality import centrality, pagerank
from retrieval.graph.query import SymbolGraph
from retrieval.records import Confidence, EdgeKind

FILES = {
    "app/__init__.py": "from .core import Base, Child, run\n",
    "app/core.py": """\
        class Base:
            def __init__(self, n=0):
                self.n = n

            def step(self):
                self.finish()

            def finish(self):
                pass


        class Child(Base):
            def finish(self):
                helper()


        def helper():
            return 1


        def run(thing: Base):
            thing.step()
        """,
    "app/cli.py": "from app import Child, run\n\n\ndef main():\n    run(Child())\n\n\nmain()\n",
    "app/odd.py": "def guess(thing):\n    thing.finish()\n    thing.get()\n",
    "tests/test_core.py": "from app import Child\nfrom app.core import helper\n\n\ndef test_helper():\n    assert helper()\n\n\ndef test_child():\n    Child().step()\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def graph() -> SymbolGraph:
    return SymbolGraph(resolved(FILES).conn)


def test_callers_carry_the_proving_line(graph: SymbolGraph) -> None:
    (edge,) = graph.callers("app.core.run").found
    assert (edge.src, edge.path, edge.line, edge.confidence) == ("app.cli.main", "app/cli.py", 5, Confidence.CERTAIN)


def test_callers_of_a_class_are_its_instantiations(graph: SymbolGraph) -> None:
    assert [e.src for e in graph.callers("app.core.Child").found] == ["app.cli.main", "tests.test_core.test_child"]
    assert "app.cli.main" in [e.src for e in graph.callers("app.core.Base.__init__").found]


def test_module_level_callers(graph: SymbolGraph) -> None:
    assert [e.src for e in graph.callers("app.cli.main").found] == ["app.cli"]


def test_callers_are_ordered_by_confidence(graph: SymbolGraph) -> None:
    found = graph.callers("app.core.Base.step").found
    assert [(e.src, e.confidence) for e in found] == [
        ("tests.test_core.test_child", Confidence.CERTAIN),
        ("app.core.run", Confidence.LIKELY),
    ]
    sure = graph.callers("app.core.Base.step", Confidence.CERTAIN)
    assert [e.src for e in sure.found] == ["tests.test_core.test_child"]


def test_an_override_is_called_through_its_base_where_an_instance_gets_there(graph: SymbolGraph) -> None:
    found = graph.callers("app.core.Child.finish").found
    assert [(e.src, e.confidence, e.line) for e in found] == [("app.core.Base.step", Confidence.LIKELY, 6)]


def test_an_override_is_possibly_called_through_its_base() -> None:
    text = "class A:\n    def run(self): self.end()\n    def end(self): pass\nclass B(A):\n    def end(self): pass\n"
    graph = SymbolGraph(resolved({"m.py": text, "odd.py": "def guess(thing): thing.end()\n"}).conn)
    answer = graph.callers("m.B.end")
    assert answer.found == ()
    assert [(e.src, e.rule) for e in answer.unresolved] == [("m.A.run", "override"), ("odd.guess", "unknown-receiver")]
    assert graph.callers("m.B.end", Confidence.LIKELY).unresolved == ()


def test_unresolved_callees_name_their_candidates(graph: SymbolGraph) -> None:
    unresolved = {e.dst: e.candidates for e in graph.callees("app.odd.guess").unresolved}
    assert unresolved == {"?.finish": ("app.core.Base.finish", "app.core.Child.finish"), "?.get": ()}


def test_common_names_get_no_candidates() -> None:
    tree = resolved("".join(f"class C{i}:\n    def get(self): pass\n" for i in range(12)) + "def f(x): x.get()\n")
    graph = SymbolGraph(tree.conn)
    assert graph.callees("main.f").unresolved[0].candidates == ()
    answer = graph.callers("main.C3.get")
    assert (answer.unresolved, answer.omitted) == ((), 1)


def test_limit_tells_the_total() -> None:
    tree = resolved("def f(): pass\n" + "f()\n" * 9)
    answer = SymbolGraph(tree.conn).callers("main.f", limit=4)
    assert ([e.line for e in answer.found], answer.total) == ([2, 3, 4, 5], 9)


def test_importers(graph: SymbolGraph) -> None:
    assert {e.src for e in graph.importers("app.core").found} == {"app", "tests.test_core"}
    assert {e.src for e in graph.importers("app.core.run").found} == {"app", "app.cli"}


def test_tests_directly_then_over_calls(graph: SymbolGraph) -> None:
    assert next((i.qualname, i.distance) for i in graph.tests_for("app.core.helper")) == (
        "tests.test_core.test_helper",
        1,
    )
    assert [i.qualname for i in graph.tests_for("app.core.Child")] == ["tests.test_core.test_child"]
    assert [(i.qualname, i.distance) for i in graph.tests_for("app.core.Base.finish")] == [
        ("tests.test_core.test_child", 2)
    ]


def test_impact_has_the_chain_of_each(graph: SymbolGraph) -> None:
    items = {item.qualname: item for item in graph.impact("app.core.Base.step")}
    assert items["app.cli.main"].distance == 2
    assert [(e.src, e.dst) for e in items["app.cli.main"].chain] == [
        ("app.cli.main", "app.core.run"),
        ("app.core.run", "app.core.Base.step"),
    ]
    for item in items.values():
        assert item.chain[0].src == item.qualname and item.chain[-1].dst == "app.core.Base.step"
        assert all(a.dst == b.src for a, b in zip(item.chain, item.chain[1:], strict=False))


def test_impact_does_not_run_through_modules_that_merely_import(graph: SymbolGraph) -> None:
    names = {item.qualname for item in graph.impact("app.core.helper", 5)}
    assert "app.core.Child.finish" in names
    tree = resolved(
        {
            "low.py": "def helper(): pass\n",
            "mid.py": "from low import helper\ndef other(): pass\n",
            "top.py": "from mid import other\nother()\n",
        }
    )
    assert {item.qualname for item in SymbolGraph(tree.conn).impact("low.helper", 5)} == {"mid"}


def test_impact_of_a_base_reaches_its_subclasses(graph: SymbolGraph) -> None:
    assert "app.core.Child" in {item.qualname for item in graph.impact("app.core.Base", 1)}


def test_path_between(graph: SymbolGraph) -> None:
    path = graph.path_between("app.cli", "app.core.Base.finish")
    assert (path[0].src, path[-1].dst) == ("app.cli", "app.core.Base.finish")
    assert all(a.dst == b.src for a, b in itertools.pairwise(path))
    assert graph.path_between("app.core.Base.finish", "app.cli") == path
    assert graph.path_between("app.core.helper", "app.odd.guess") == ()
    assert graph.path_between("app.core.helper", "nowhere") == ()


def test_neighbours_by_depth(graph: SymbolGraph) -> None:
    near = {(e.src, e.dst) for e in graph.neighbours("app.core.run")}
    far = {(e.src, e.dst) for e in graph.neighbours("app.core.run", depth=2)}
    assert ("app.core.run", "app.core.Base.step") in near < far
    assert ("app.core.Base.step", "app.core.Base.finish") in far


def test_unknown_symbol_has_empty_answers(graph: SymbolGraph) -> None:
    assert graph.callers("no.such").found == graph.callees("no.such").found == ()
    assert graph.impact("no.such") == graph.tests_for("no.such") == ()


def test_structure_edges() -> None:
    tree = resolved(FILES)
    assert ("app.core.Child", "app.core.Base", "certain") in tree.of("inherit")
    assert ("app.core", "app.core.Base", "certain") in tree.of("contain")
    assert ("app.core.Base", "app.core.Base.step", "certain") in tree.of("contain")
    assert ("app.cli", "app.core.run", "certain") in tree.of("import")
    assert ("tests.test_core.test_helper", "app.core.helper", "certain") in tree.of("test")


def test_references() -> None:
    tree = resolved({"a.py": "LIMIT = 3\ndef f(): pass\nclass A: pass\n", "main.py": "from a import A, LIMIT, f\ndef g(x: A):\n    h = f\n    return LIMIT\n"})  # fmt: skip
    assert {("main.g", "a.f", "certain"), ("main.g", "a.LIMIT", "certain")} < tree.of("reference")
    assert ("main", "a.A", "certain") in tree.of("reference")


def test_external_and_unknown_bases() -> None:
    tree = resolved("import ext\nclass A(ext.B): pass\nclass C(make()): pass\n")
    assert tree.of("inherit") == {("main.A", "ext.B", "certain"), ("main.C", "?.<expression>", "possible")}


def test_direct_queries_do_not_import_networkx() -> None:
    code = (
        "import sqlite3, sys; from retrieval.graph.query import SymbolGraph; from retrieval.index.schema import DDL;"
        "c = sqlite3.connect(':memory:'); c.executescript(DDL); g = SymbolGraph(c);"
        "g.callers('a'); g.callees('a'); g.importers('a'); g.neighbours('a'); g.tests_for('a', max_distance=1);"
        "assert 'networkx' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("seed", range(5))
def test_pagerank_agrees_with_networkx(seed: int) -> None:
    rng = random.Random(seed)
    n = 60
    edges = [(rng.randrange(n), rng.randrange(n // 2), rng.choice([0.3, 0.7, 1.0])) for _ in range(150)]
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    for a, b, w in edges:
        graph.add_edge(a, b, weight=w + (graph[a][b]["weight"] if graph.has_edge(a, b) else 0))
    expected = _pagerank_python(graph, weight="weight", tol=1e-12, max_iter=500)  # nx.pagerank itself needs scipy
    sources, targets = (np.array([e[i] for e in edges], np.int64) for i in (0, 1))
    ranks = pagerank(n, sources, targets, np.array([e[2] for e in edges]))
    assert np.allclose(ranks, [expected[i] for i in range(n)], atol=1e-6)


def test_centrality_is_highest_for_what_most_depend_on() -> None:
    files = {"a.py": "def hub(): pass\ndef lone(): pass\n"}
    files |= {f"m{i}.py": "from a import hub\ndef f(): hub()\n" for i in range(5)}
    values = centrality(resolved(files).conn)
    assert values["a.hub"] == max(values.values()) == 1.0
    assert 0 < values["a.lone"] < 0.5
    assert centrality(Tree({}).conn) == {}


def test_kinds_are_filtered(graph: SymbolGraph) -> None:
    assert {e.kind for e in graph.edges_into("app.core.run", (EdgeKind.IMPORT,))} == {EdgeKind.IMPORT}


@pytest.mark.parametrize(
    "source",
    [
        "f(" * 3000 + ")" * 3000,
        "x = " + "a + " * 20_000 + "a\n",
        "x = " + "a or " * 5_000 + "a\n",
        "x" + ".y()" * 3000 + "\n",
        "x = [" * 2000,
        "if a:\n" + "".join(" " * i + "if a:\n" for i in range(1, 400)),
        "def f(:\n  class (\nimport\nfrom . import\n@\n",
        "\x00\ufffd\ufeff\nclass \u00e9(\u00e9): \u00e9()\n",
        "class A(A): pass\nclass B(C): pass\nclass C(B): pass\nB().m()\n",
        "x = [x]\nfor x in x: x()\nx[0]()\n",
        "def f(): return f()\nf()()()\n",
        "a = {**b}\nb = {**a}\na['k']()\n",
        "class A:\n    def __iter__(self): return B()\nclass B:\n    def __iter__(self): return A()\nfor x in A(): x()\n",
    ],
    ids=range(13),
)
def test_hostile_sources_neither_raise_nor_hang(source: str) -> None:
    resolved(source)
