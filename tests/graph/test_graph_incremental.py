"""After any edits, an incremental resolve leaves the same edges as resolving the whole tree anew."""

from __future__ import annotations

import random

import pytest
from graph_helpers import Tree

_BODIES = [
    "def f(x=None):\n    return x\n",
    "def f():\n    return A()\n",
    "class A:\n    def m(self): return self\n    def __init__(self): self.b = B()\n",
    "class A:\n    pass\n",
    "class B:\n    def n(self): pass\n",
    "class B(A):\n    def m(self): return super().m()\n",
    "from {o} import *\n",
    "from {o} import A, f\n",
    "from {o} import B\n",
    "import {o}\nq = {o}.f()\nq.m()\n{o}.A().b.n()\n",
    "x = A()\nx.m().m()\nx.b.n()\n",
    "def g(a: A, b: 'B'): a.m(); b.n(); f(a).m()\n",
    "__all__ = ['f', 'A']\n",
    "@f\ndef h(): f()\n",
    "t = {{'k': f, 'a': A}}\nt['k']()\nt['a']().m()\n",
    "class C(B):\n    def k(self): self.m(); self.b.n(); self.n()\n",
    "for i in [A(), B()]:\n    i.m()\n    i.n()\n",
    "x.m()\nx = None\n",
    "def take(h): h()\ntake(f)\n{o}.take(f)\n",
    "def hand(h): {o}.take(h)\n{o}.hand(A)\nhand(B)\n",
    "reg = {{}}\ndef put(h): reg['k'] = h\nreg['k']()\n{o}.put(f)\n",
    "{o}.reg['k']()\n{o}.reg['j'] = f\nfor z in {o}.reg.values(): z()\ndef add(h): {o}.reg[h] = h\nadd(A)\n",
    "class Base:\n    def do(self, h): raise NotImplementedError\n    def go(self, h): self.do(h)\nBase().go(f)\n",
    "class Sub({o}.Base):\n    def do(self, h): h()\n{o}.Base().do(f)\n",
    "{o}.hook = f\nhook = None\nhook()\n{o}.hook()\n",
    "import pytest\n@pytest.fixture\ndef b(): return B()\ndef test_b(b): b.n(); b.m()\n",
    "class T(A):\n    def go(self): self.m(); self.n()\n    def n(self): pass\ndef u(t: T, a: {o}.A): t.n(); a.m()\n",
    "class U({o}.T):\n    def n(self): pass\n    def m(self): self.go()\ndef v() -> T: return U()\nv().n()\n",
    "class D(A):\n    def __add__(self, o): return A()\n    def m(self): return self\n(D() + 1).m()\n{o}.D() + {o}.A()\n",
    "class H(A):\n    def __init_subclass__(cls): f()\n    def __set_name__(self, o, n): f()\nclass I({o}.H):\n    i = {o}.H()\n",
    "import enum\nclass E(enum.Enum):\n    ONE = 1\n    def m(self): return self\n{o}.E.ONE.m()\nfor e in {o}.E: e.m()\n",
    "from dataclasses import dataclass\n@dataclass\nclass W:\n    w: object\n    v: A = None\n{o}.W(A(), f).w.m()\n{o}.W(B()).v.m()\n",
    "def y():\n    s = yield A()\n    s.m()\n    return B()\ndef z():\n    r = yield from {o}.y()\n    r.n()\n{o}.y().send(A())\n",
    "def __getattr__(name): return f\n{o}.late()\n{o}.late.later()\n",
    "import operator\nclass P:\n    @property\n    def p(self): return A()\nP().p.m()\n{o}.P().p\noperator.attrgetter('p')({o}.P())\n",
    "match {o}.f():\n    case {o}.A(b=w): w.n()\n    case A(): f()\n",
]
_PATHS = ["a.py", "b.py", "p/__init__.py", "p/a.py", "p/c.py", "s/a.py", "s/d.py", "test_a.py", "conftest.py"]
_MODULES = ["a", "b", "p", "p.a", "p.c", "s.a", ".", ".a", "ext"]


def _text(rng: random.Random) -> str:
    parts = [rng.choice(_BODIES) for _ in range(rng.randint(1, 5))]
    return "".join(part.format(o=rng.choice(_MODULES)) for part in parts).replace("import .a", "import a")


def _text_ok(rng: random.Random) -> str:
    return "".join(line + "\n" for line in _text(rng).split("\n") if not line.startswith("import ."))


@pytest.mark.parametrize("seed", range(150))
def test_incremental_equals_full(seed: int) -> None:
    rng = random.Random(seed)
    tree = Tree({path: _text_ok(rng) for path in _PATHS if rng.random() < 0.8} or {"a.py": ""})
    tree.resolve()
    for _ in range(6):
        edits: dict[str, str | None] = {}
        for path in rng.sample(_PATHS, rng.randint(1, 2)):
            edits[path] = None if rng.random() < 0.25 and len(tree.files) > 2 else _text_ok(rng)
        tree.resolve(tree.write(edits))
        fresh = Tree(tree.files)
        fresh.resolve()
        assert tree.edges() == fresh.edges(), edits


@pytest.mark.parametrize("seed", range(60))
def test_incremental_equals_full_after_single_statements(seed: int) -> None:
    """Definitions that come and go and names that change one by one: what decides which files a change touches."""
    rng = random.Random(seed)
    tree = Tree({path: _text_ok(rng) for path in _PATHS if rng.random() < 0.9} or {"a.py": ""})
    tree.resolve()
    names = ["f", "x", "A", "B", "m", "q", "h", "zz"]
    for _ in range(6):
        path = rng.choice(sorted(tree.files))
        text = tree.files[path]
        body = rng.choice(_BODIES).format(o=rng.choice(_MODULES))
        body = "".join(line + "\n" for line in body.split("\n") if line and not line.startswith("import ."))
        how = rng.random()
        if how < 0.6:
            text = text + body if how < 0.45 else body + text
        else:
            text = text.replace(rng.choice(names), rng.choice(names), 1)
        tree.resolve(tree.write({path: text}))
        fresh = Tree(tree.files)
        fresh.resolve()
        assert tree.edges() == fresh.edges(), (path, text)


def test_a_new_definition_touches_those_who_name_it_alone() -> None:
    files = {
        "a.py": "def f(): return 2\nclass C:\n    def m(self): pass\n",
        "b.py": "import a\na.f()\na.C().m()\n",
        "c.py": "from a import *\nfresh()\n",
        "d.py": "import a\na.C().fresh()\n",
    }
    tree = Tree(files)
    tree.resolve()

    def ids(path: str) -> list[tuple[int]]:
        query = "SELECT e.id FROM edges e JOIN files f ON f.id = e.file_id WHERE path = ?"
        return tree.conn.execute(query, (path,)).fetchall()

    before = ids("b.py")
    tree.resolve(tree.write({"a.py": "if 1:\n    def fresh(): pass\n" + files["a.py"]}))
    assert ids("b.py") == before
    assert ("c", "a.fresh", "certain") in tree.of("call")
    tree.resolve(tree.write({"a.py": files["a.py"] + "    def fresh(self): pass\n"}))
    assert ids("b.py") == before
    assert ("d", "a.C.fresh", "certain") in tree.of("call")
    assert ("c", "a.fresh", "certain") not in tree.of("call")


def test_a_body_that_others_cannot_see_touches_its_file_alone() -> None:
    tree = Tree({"a.py": "def f():\n    x = 1\n    return 2\n", "b.py": "import a\na.f()\n"})
    tree.resolve()
    other = tree.conn.execute(
        "SELECT e.id FROM edges e JOIN files f ON f.id = e.file_id WHERE path = 'b.py'"
    ).fetchall()
    tree.resolve(tree.write({"a.py": "# moved\ndef f():\n    y = print(1)\n    return 2\n"}))
    again = tree.conn.execute(
        "SELECT e.id FROM edges e JOIN files f ON f.id = e.file_id WHERE path = 'b.py'"
    ).fetchall()
    assert again == other


def test_a_name_that_appears_later_is_found() -> None:
    tree = Tree({"main.py": "from late import f\nf()\n"})
    tree.resolve()
    assert ("main", "late.f", "certain") in tree.of("call")
    tree.resolve(tree.write({"late.py": "from real import g as f\n", "real.py": "def g(): pass\n"}))
    assert tree.of("call") == {("main", "real.g", "certain")}


def test_a_deleted_module_leaves_no_trace() -> None:
    tree = Tree({"main.py": "from a import f\nf()\n", "a.py": "def f(): print()\n"})
    tree.resolve()
    tree.resolve(tree.write({"a.py": None}))
    assert tree.of("call") == {("main", "a.f", "certain")}
    assert not [edge for edge in tree.edges() if edge[0].startswith("a")]


def test_what_a_file_sends_reaches_the_receiver_and_goes_with_its_sender() -> None:
    files = {
        "main.py": "from a import first\ndef target(): pass\ndef other(): pass\nfirst(target)\n",
        "a.py": "from b import second\ndef first(fn): second(fn)\n",
        "b.py": "def second(fn): fn()\n",
    }
    tree = Tree(files)
    tree.resolve()
    assert ("b.second", "main.target", "likely") in tree.of("call")
    tree.resolve(tree.write({"main.py": files["main.py"].replace("first(target)", "first(other)")}))
    assert {edge for edge in tree.of("call") if edge[0] == "b.second"} == {("b.second", "main.other", "likely")}
    tree.resolve(tree.write({"a.py": "def first(fn): pass\n"}))
    assert {edge for edge in tree.of("call") if edge[0] == "b.second"} == {("b.second", "?.fn", "possible")}
