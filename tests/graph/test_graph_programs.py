"""Programs of a few lines with their call edges worked out by hand.

A case lists every call edge of the program: ``caller -> callee``, a ``?`` in front for those that must not be more
than possible. Edges to builtins are left out of the comparison unless a case names one.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from graph_helpers import resolved

Case = tuple[str, Mapping[str, str] | str, str]

CASES: list[Case] = [
    ("direct call", "def f(): pass\ndef g(): f()\n", "main.g -> main.f"),
    ("module level call", "def f(): pass\nf()\n", "main -> main.f"),
    ("recursion", "def f(): f()\n", "main.f -> main.f"),
    ("call before the definition", "def g(): f()\ndef f(): pass\n", "main.g -> main.f"),
    ("last definition wins", "def f(): pass\ndef f(): pass\nf()\n", "main -> main.f#2"),
    ("redefinition between calls", "def f(): pass\nf()\ndef f(): pass\nf()\n", "main -> main.f\nmain -> main.f#2"),
    (
        "conditional definitions are both kept",
        "if x:\n    def f(): pass\nelse:\n    def f(): pass\nf()\n",
        "main -> main.f\nmain -> main.f#2",
    ),
    ("builtin", "len([])\n", "main -> <builtin>.len"),
    ("own name shadows a builtin", "def len(x): pass\nlen([])\n", "main -> main.len"),
    ("parameter shadows a function", "def f(): pass\ndef g(f): f()\n", "?main.g -> ?.f"),
    ("local shadows a function", "def f(): pass\ndef g():\n    f = 3\n    f()\n", "?main.g -> ?.f"),
    ("nested function", "def f():\n    def g(): pass\n    g()\nf()\n", "main.f -> main.f.g\nmain -> main.f"),
    ("closure", "def f():\n    def g(): pass\n    def h(): g()\n    h()\n", "main.f.h -> main.f.g\nmain.f -> main.f.h"),
    ("returned closure", "def f():\n    def g(): pass\n    return g\nf()()\n", "main -> main.f\nmain -> main.f.g"),
    ("class scope is no closure", "class A:\n    def f(self): pass\n    def g(self): f()\n", "?main.A.g -> ?.f"),
    ("call in a class body", "def f(): pass\nclass A:\n    x = f()\n", "main.A -> main.f"),
    ("call in a default", "def f(): pass\ndef g(x=f()): pass\n", "main -> main.f"),
    ("call as an argument", "def f(): pass\ndef g(x): pass\ng(f())\n", "main -> main.f\nmain -> main.g"),
    ("alias", "def f(): pass\ng = f\ng()\n", "main -> main.f"),
    ("alias of alias", "def f(): pass\ng = f\nh = g\nh()\n", "main -> main.f"),
    ("reassigned alias", "def f(): pass\ndef g(): pass\na = f\na()\na = g\na()\n", "main -> main.f\nmain -> main.g"),
    ("tuple assignment", "def f(): pass\ndef g(): pass\na, b = f, g\na()\n", "main -> main.f"),
    ("walrus", "def f(): pass\nif (a := f):\n    a()\n", "main -> main.f"),
    ("conditional expression", "def f(): pass\ndef g(): pass\n(f if x else g)()\n", "main -> main.f\nmain -> main.g"),
    ("global", "def f(): pass\ndef s():\n    global a\n    a = f\ndef u(): a()\n", "main.u -> main.f"),
    ("nonlocal", "def f(): pass\ndef o():\n    a = None\n    def i():\n        nonlocal a\n        a = f\n    i()\n    a()\n",
     "main.o -> main.o.i\nmain.o -> main.f"),
    ("lambda", "def f(): pass\ng = lambda: f()\ng()\n", "main -> main.<lambda1>\nmain.<lambda1> -> main.f"),
    ("lambda called at once", "(lambda: 1)()\n", "main -> main.<lambda1>"),
    ("second lambda", "a = lambda: 1\nb = lambda: 2\nb()\n", "main -> main.<lambda2>"),
    ("function passed", "def f(): pass\ndef g(h): h()\ng(f)\n", "main -> main.g\nmain.g -> main.f"),
    ("function passed by keyword", "def f(): pass\ndef g(h=None): h()\ng(h=f)\n", "main -> main.g\nmain.g -> main.f"),
    ("function as default", "def f(): pass\ndef g(h=f): h()\n", "main.g -> main.f"),
    ("passed on twice", "def f(): pass\ndef g(h): h()\ndef k(h): g(h)\nk(f)\n",
     "main -> main.k\nmain.k -> main.g\nmain.g -> main.f"),
    ("identity", "def f(): pass\ndef i(x): return x\ni(f)()\n", "main -> main.i\nmain -> main.f"),
    ("partial", "from functools import partial\ndef f(a): pass\np = partial(f, 1)\np()\n",
     "main -> functools.partial\nmain -> main.f"),
    ("list", "def f(): pass\ndef g(): pass\na = [f, g]\na[1]()\n", "main -> main.g"),
    ("list in a loop", "def f(): pass\ndef g(): pass\nfor a in [f, g]:\n    a()\n", "main -> main.f\nmain -> main.g"),
    ("appended", "def f(): pass\na = []\na.append(f)\nfor x in a:\n    x()\n", "main -> <builtin>.list.append\nmain -> main.f"),
    ("dict", "def f(): pass\ndef g(): pass\na = {'f': f, 'g': g}\na['g']()\n", "main -> main.g"),
    ("dict assigned", "def f(): pass\na = {}\na['f'] = f\na['f']()\n", "main -> main.f"),
    ("dict values", "def f(): pass\na = {'f': f}\nfor x in a.values():\n    x()\n", "main -> <builtin>.dict.values\nmain -> main.f"),
    ("dict get", "def f(): pass\na = {'f': f}\na.get('f')()\n", "main -> <builtin>.dict.get\nmain -> main.f"),
    ("comprehension", "def f(x): pass\n[f(i) for i in xs]\n", "main -> main.f"),
    ("comprehension of functions", "def f(): pass\n[a() for a in [f]]\n", "main -> main.f"),
    ("generator", "def f(): pass\ndef g():\n    yield f\nfor a in g():\n    a()\n", "main -> main.g\nmain -> main.f"),
    ("map calls", "def f(x): pass\nmap(f, [])\n", "main -> <builtin>.map\nmain -> main.f"),
    ("sorted key", "def f(x): pass\nsorted([], key=f)\n", "main -> <builtin>.sorted\nmain -> main.f"),
    ("instantiation", "class A:\n    def __init__(self): pass\nA()\n", "main -> main.A\nmain -> main.A.__init__"),
    ("inherited constructor", "class A:\n    def __init__(self): pass\nclass B(A): pass\nB()\n",
     "main -> main.B\nmain -> main.A.__init__"),
    ("method of an instance", "class A:\n    def m(self): pass\na = A()\na.m()\n", "main -> main.A\nmain -> main.A.m"),
    ("method at once", "class A:\n    def m(self): pass\nA().m()\n", "main -> main.A\nmain -> main.A.m"),
    ("self", "class A:\n    def m(self): self.n()\n    def n(self): pass\n", "main.A.m -> main.A.n"),
    ("self by another name", "class A:\n    def m(this): this.n()\n    def n(this): pass\n", "main.A.m -> main.A.n"),
    ("cls", "class A:\n    @classmethod\n    def m(cls): cls.n()\n    @classmethod\n    def n(cls): pass\nA.m()\n",
     "main.A.m -> main.A.n\nmain -> main.A.m"),
    ("staticmethod", "class A:\n    @staticmethod\n    def m(x): x.n()\n    def n(self): pass\nA.m(1)\n",
     "?main.A.m -> ?.n\nmain -> main.A.m"),
    ("inherited", "class A:\n    def m(self): pass\nclass B(A):\n    def n(self): self.m()\n", "main.B.n -> main.A.m"),
    ("overridden", "class A:\n    def m(self): pass\nclass B(A):\n    def m(self): pass\nB().m()\n", "main -> main.B\nmain -> main.B.m"),
    ("super", "class A:\n    def m(self): pass\nclass B(A):\n    def m(self): super().m()\n",
     "main.B.m -> <builtin>.super\nmain.B.m -> main.A.m"),
    ("super with arguments", "class A:\n    def m(self): pass\nclass B(A):\n    def m(self): super(B, self).m()\n",
     "main.B.m -> <builtin>.super\nmain.B.m -> main.A.m"),
    ("diamond", "class O:\n    def m(self): pass\nclass A(O): pass\nclass B(O):\n    def m(self): pass\nclass C(A, B): pass\nC().m()\n",
     "main -> main.C\nmain -> main.B.m"),
    ("super in a diamond goes up", "class O:\n    def m(self): pass\nclass A(O):\n    def m(self): super().m()\n",
     "main.A.m -> <builtin>.super\nmain.A.m -> main.O.m"),
    ("instance attribute", "class B:\n    def m(self): pass\nclass A:\n    def __init__(self): self.b = B()\n    def n(self): self.b.m()\n",
     "main.A.__init__ -> main.B\nmain.A.n -> main.B.m"),
    ("instance attribute of a base", "class B:\n    def m(self): pass\nclass A:\n    def __init__(self): self.b = B()\nclass C(A):\n    def n(self): self.b.m()\n",
     "main.A.__init__ -> main.B\nmain.C.n -> main.B.m"),
    ("class attribute", "class B:\n    def m(self): pass\nclass A:\n    b = B()\n    def n(self): self.b.m()\n",
     "main.A -> main.B\nmain.A.n -> main.B.m"),
    ("function as class attribute", "def f(self): pass\nclass A:\n    g = f\nA().g()\n", "main -> main.A\nmain -> main.f"),
    ("annotated parameter", "class A:\n    def m(self): pass\ndef f(a: A): a.m()\n", "main.f -> main.A.m"),
    ("quoted annotation", "class A:\n    def m(self): pass\ndef f(a: 'A'): a.m()\n", "main.f -> main.A.m"),
    ("optional annotation", "from typing import Optional\nclass A:\n    def m(self): pass\ndef f(a: Optional[A]): a.m()\n", "main.f -> main.A.m"),
    ("union annotation", "class A:\n    def m(self): pass\ndef f(a: A | None): a.m()\n", "main.f -> main.A.m"),
    ("annotated elements", "class A:\n    def m(self): pass\ndef f(xs: list[A]):\n    for a in xs:\n        a.m()\n", "main.f -> main.A.m"),
    ("return annotation", "class A:\n    def m(self): pass\ndef f() -> A: ...\nf().m()\n", "main -> main.f\nmain -> main.A.m"),
    ("return value", "class A:\n    def m(self): pass\ndef f():\n    return A()\nf().m()\n", "main.f -> main.A\nmain -> main.f\nmain -> main.A.m"),
    ("attribute annotation", "class A:\n    def m(self): pass\nclass B:\n    a: A\n    def n(self): self.a.m()\n", "main.B.n -> main.A.m"),
    ("fluent self", "class A:\n    def m(self): return self\nclass B(A):\n    def n(self): pass\nB().m().n()\n",
     "main -> main.B\nmain -> main.A.m\nmain -> main.B.n"),
    ("callable instance", "class A:\n    def __call__(self): pass\na = A()\na()\n", "main -> main.A\nmain -> main.A.__call__"),
    ("context manager", "class A:\n    def __enter__(self): return self\n    def __exit__(self, *a): pass\n    def m(self): pass\nwith A() as a:\n    a.m()\n",
     "main -> main.A\nmain -> main.A.__enter__\nmain -> main.A.__exit__\nmain -> main.A.m"),
    ("contextmanager decorator", "from contextlib import contextmanager\nclass A:\n    def m(self): pass\n@contextmanager\ndef f():\n    yield A()\nwith f() as a:\n    a.m()\n",
     "main -> contextlib.contextmanager\nmain.f -> main.A\nmain -> main.f\nmain -> main.A.m"),
    ("property", "class A:\n    @property\n    def p(self): pass\n    def m(self):\n        return self.p\n",
     "main.A.m -> main.A.p"),
    ("property with a setter", "class A:\n    @property\n    def p(self): pass\n    @p.setter\n    def p(self, v): pass\n    def m(self):\n        return self.p\n",
     "main.A.m -> main.A.p"),
    ("super without bases", "class A:\n    def __init__(self): super().__init__()\n",
     "main.A.__init__ -> <builtin>.super\nmain.A.__init__ -> <builtin>.object.__init__"),
    ("decorator from outside", "import ext\n@ext.d(1)\ndef f(): pass\nf()\n", "main -> ext.d\nmain -> main.f"),
    ("decorator", "def d(f): return f\n@d\ndef g(): pass\ng()\n", "main -> main.d\nmain -> main.g"),
    ("decorator with a wrapper", "def d(f):\n    def w(): f()\n    return w\n@d\ndef g(): pass\ng()\n",
     "main -> main.d\nmain -> main.d.w\n?main -> main.g\nmain.d.w -> main.g"),
    ("decorator with arguments", "def d(n):\n    def i(f): return f\n    return i\n@d(1)\ndef g(): pass\ng()\n",
     "main -> main.d\nmain -> main.d.i\nmain -> main.g"),
    ("exception class", "class E(Exception):\n    def m(self): pass\ntry:\n    pass\nexcept E as e:\n    e.m()\n", "main -> main.E.m"),
    ("loop carried", "class A:\n    def m(self): pass\nx = None\nfor i in y:\n    if x:\n        x.m()\n    x = A()\n",
     "main -> main.A.m\nmain -> main.A"),
    ("rebinding through itself", "class A:\n    def m(self): return A()\na = A()\na = a.m()\na.m()\n", "main -> main.A\nmain -> main.A.m\nmain.A.m -> main.A"),
    # traps: a wrong edge is worse than none
    ("d.get is not the module's get", "def get(): pass\ndef f(d): d.get()\n", "?main.f -> ?.get"),
    ("d.get is not a class's get", "class A:\n    def get(self): pass\ndef f(d): d.get()\n", "?main.f -> ?.get"),
    ("dict literal", "def get(): pass\nd = {}\nd.get(1)\n", "main -> <builtin>.dict.get"),
    ("string method", "def join(x): pass\n','.join([])\n", "main -> <builtin>.str.join"),
    ("two functions of one name", {"a.py": "def f(): pass\n", "b.py": "def f(): pass\n", "main.py": "from b import f\nf()\n"}, "main -> b.f"),
    ("unknown result", "def run(): pass\nimport ext\nx = ext.make()\nx.run()\n", "main -> ext.make\n?main -> ?.run"),
    # imports
    ("import", {"a.py": "def f(): pass\n", "main.py": "import a\na.f()\n"}, "main -> a.f"),
    ("import as", {"a.py": "def f(): pass\n", "main.py": "import a as b\nb.f()\n"}, "main -> a.f"),
    ("from import as", {"a.py": "def f(): pass\n", "main.py": "from a import f as g\ng()\n"}, "main -> a.f"),
    ("dotted import", {"p/__init__.py": "", "p/a.py": "def f(): pass\n", "main.py": "import p.a\np.a.f()\n"}, "main -> p.a.f"),
    ("submodule", {"p/__init__.py": "", "p/a.py": "def f(): pass\n", "main.py": "from p import a\na.f()\n"}, "main -> p.a.f"),
    ("relative", {"p/__init__.py": "", "p/a.py": "def f(): pass\n", "p/b.py": "from .a import f\nf()\n"}, "p.b -> p.a.f"),
    ("relative package", {"p/__init__.py": "", "p/a.py": "def f(): pass\n", "p/q/__init__.py": "from ..a import f\nf()\n"}, "p.q -> p.a.f"),
    ("re-export", {"p/__init__.py": "from .a import f\n", "p/a.py": "def f(): pass\n", "main.py": "import p\np.f()\n"}, "main -> p.a.f"),
    ("re-export twice", {"p/__init__.py": "from .b import g\n", "p/b.py": "from .a import f as g\n", "p/a.py": "def f(): pass\n", "main.py": "from p import g\ng()\n"},
     "main -> p.a.f"),
    ("star", {"a.py": "def f(): pass\ndef _g(): pass\n", "main.py": "from a import *\nf()\n_g()\n"}, "main -> a.f\n?main -> ?._g"),
    ("star with __all__", {"a.py": "__all__ = ['_g']\ndef f(): pass\ndef _g(): pass\n", "main.py": "from a import *\nf()\n_g()\n"}, "?main -> ?.f\nmain -> a._g"),
    ("star of star", {"a.py": "def f(): pass\n", "b.py": "from a import *\n", "main.py": "import b\nb.f()\n"}, "main -> a.f"),
    ("star cycle", {"a.py": "from main import *\ndef f(): pass\n", "main.py": "from a import *\nf()\ng()\n"}, "main -> a.f\n?main -> ?.g"),
    ("import in a function", {"a.py": "def f(): pass\n", "main.py": "def g():\n    from a import f\n    f()\n"}, "main.g -> a.f"),
    ("import is local to its function", {"a.py": "def f(): pass\n", "main.py": "def g():\n    from a import f\ndef h(): f()\n"}, "?main.h -> ?.f"),
    ("TYPE_CHECKING import", {"a.py": "class A:\n    def m(self): pass\n", "main.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import A\ndef f(a: 'A'): a.m()\n"},
     "main.f -> a.A.m"),
    ("import with a fallback", {"a.py": "def f(): pass\n", "main.py": "try:\n    from a import f\nexcept ImportError:\n    def f(): pass\nf()\n"},
     "main -> a.f\nmain -> main.f"),
    ("import cycle", {"a.py": "from main import g\ndef f(): g()\n", "main.py": "from a import f\ndef g(): f()\n"}, "a.f -> main.g\nmain.g -> a.f"),
    ("import cycle of one name", {"a.py": "from main import f\n", "main.py": "from a import f\nf()\n"}, "?main -> ?.f"),
    ("base in another file", {"a.py": "class A:\n    def m(self): pass\n", "main.py": "import a\nclass B(a.A):\n    def n(self): self.m()\n"}, "main.B.n -> a.A.m"),
    ("instance in another file", {"a.py": "class A:\n    def m(self): pass\nx = A()\n", "main.py": "from a import x\nx.m()\n"}, "a -> a.A\nmain -> a.A.m"),
    ("external function", "import os.path\nos.path.join('a')\n", "main -> os.path.join"),
    ("external alias", "from os import path as p\np.join('a')\n", "main -> os.path.join"),
    ("external class", "from ext import Cls\nc = Cls()\nc.fun()\n", "main -> ext.Cls\nmain -> ext.Cls.fun"),
    ("method of an external base", "import ext\nclass A(ext.B):\n    def m(self): self.n()\n", "main.A.m -> ext.B.n"),
    ("script beside a script", {"s/a.py": "def f(): pass\n", "s/main.py": "import a\na.f()\n"}, "s.main -> s.a.f"),
    ("no sibling for the standard library", {"s/json.py": "def dumps(): pass\n", "s/main.py": "import json\njson.dumps()\n"}, "s.main -> json.dumps"),
    ("no sibling inside a package", {"s/__init__.py": "", "s/a.py": "def f(): pass\n", "s/main.py": "import a\na.f()\n"}, "s.main -> a.f"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "files", "expected"), CASES, ids=[case[0] for case in CASES])
def test_call_edges(name: str, files: Mapping[str, str] | str, expected: str) -> None:
    sure, possible = set(), set()
    for line in expected.split("\n"):
        edge = tuple(line.lstrip("?").split(" -> "))
        (possible if line.startswith("?") else sure).add(edge)
    named = {edge[1] for edge in sure | possible}
    calls = {
        (src, dst, confidence)
        for src, dst, confidence in resolved(files).of("call")
        if not dst.startswith("<builtin>") or dst in named
    }
    assert {edge[:2] for edge in calls if edge[2] != "possible"} == sure
    assert {edge[:2] for edge in calls if edge[2] == "possible"} == possible


def test_fixtures_fill_the_parameters_of_tests() -> None:
    files = {
        "src/app.py": "class App:\n    def run(self): pass\n",
        "tests/conftest.py": "import pytest\nfrom app import App\n@pytest.fixture\ndef app():\n    yield App()\n",
        "tests/test_a.py": "import pytest\n@pytest.fixture\ndef ready(app):\n    app.run()\n    return app\n"
        "def test_run(ready): ready.run()\ndef helper(app): app.run()\n",
    }
    calls = resolved(files).of("call")
    assert {edge for edge in calls if edge[0].startswith("tests.test_a.")} == {
        ("tests.test_a.ready", "tests.conftest.app", "likely"),
        ("tests.test_a.ready", "app.App.run", "likely"),
        ("tests.test_a.test_run", "tests.test_a.ready", "likely"),
        ("tests.test_a.test_run", "app.App.run", "likely"),
        ("tests.test_a.helper", "?.run", "possible"),
    }
