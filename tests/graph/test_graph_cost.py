"""What resolving costs grows with the tree, whatever its functions do with one another: counts of work, never of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from graph_helpers import Tree

from retrieval.graph.infer import Evaluator

Files = dict[str, str]


def mutual_higher_order(n: int) -> Files:
    """Functions that hand functions to one another and themselves, each call with new ones."""
    lines = [
        f"def f{i}(g, h, x):\n    a = g(h, x)\n    b = h(a, g)\n"
        f"    return f{(i + 1) % n}(lambda p, q: a, lambda p, q: b, (a, b, x))\n"
        for i in range(n)
    ]
    return {"main.py": "".join([*lines, "f0(f1, f2, f3)\n"])}


def rebuilt_arguments(n: int) -> Files:
    """Recursion that hands on tuples of what it was handed, as polynomials over polynomials do."""
    lines = [
        f"def r{i}(a, b, c):\n    x = (a, b)\n    y = (x, c)\n    if a:\n        return r{(i + 1) % n}(x, y, a)\n"
        f"    if b:\n        return r{(i * 3 + 1) % n}(y, (y, x), b)\n    return r{(i * 5 + 2) % n}(c, x, y), y\n"
        for i in range(n)
    ]
    return {"main.py": "".join(lines) + "".join(f"r{i}({i}, 'q{i}', r{i})\n" for i in range(n))}


def long_bodies(n: int) -> Files:
    """Each variable is bound to calls with the one before, twice: a tree of evaluations without a memo."""
    body = "".join(f"    a{i} = g(a{i - 1}, a{i - 1}) or h(a{i - 1})\n" for i in range(1, 11))
    functions = "".join(f"def f{i}(a0, k):\n{body}    return a10\n" for i in range(n))
    calls = "".join(f"f{i}(f{(i + 1) % n}, {i})(1, 2)\n" for i in range(n))
    return {"main.py": f"def g(x, y): return h(x) or y\ndef h(x): return x\n{functions}{calls}"}


def huge_dict(n: int) -> Files:
    """A registry of functions that is read by its keys and by unknown ones."""
    functions = "".join(f"def f{i}(): pass\n" for i in range(n))
    table = "table = {" + ", ".join(f"'k{i}': f{i}" for i in range(n)) + "}\n"
    uses = "".join(f"def use{i}(key): table['k{i}'](); table[key](); table.get('k{i}')()\n" for i in range(n))
    return {"main.py": f"{functions}{table}{uses}for name in table: table[name]()\n"}


def filled_registry(n: int) -> Files:
    """The same, filled by a function that is called for each."""
    functions = "".join(f"@register('k{i}')\ndef f{i}(): pass\n" for i in range(n))
    uses = "".join(f"def use{i}(key): table[key]()\n" for i in range(n))
    return {
        "main.py": "table = {}\ndef register(name):\n    def inner(f):\n        table[name] = f\n        return f\n"
        f"    return inner\n{functions}{uses}"
    }


def filled_by_statements(n: int) -> Files:
    """A table with a statement for each item, as generated code has them, in a module and in a function."""
    items = "".join(f"table['k{i}'] = f{i % 7}\n" for i in range(n))
    inner = "".join(f"    rows['k{i}'] = f{i % 7}\n    last = f{i % 7}\n" for i in range(n))
    functions = "".join(f"def f{i}(): pass\n" for i in range(7)) + "".join(f"def g{i}(): f1()\n" for i in range(n))
    return {"main.py": f"{functions}table = {{}}\n{items}def fill(rows, last):\n{inner}    last()\nfill({{}}, f1)\n"}


def nested_displays(n: int) -> Files:
    """Lists unpacked twice into lists, dicts into dicts: each twice as long as the one before."""
    lines = "".join(
        f"x{i} = [*x{i - 1}, *x{i - 1}, x{i - 1}]\nd{i} = {{**dict(a=x{i}), 'k': x{i}, **(d{i - 1} if x{i} else {{}})}}\n"
        for i in range(2, n)
    )
    return {
        "main.py": f"x0 = [print]\nx1 = [*x0]\nd1 = {{'k': x1}}\n{lines}"
        f"x{n - 1}[0]()\nd{n - 1}['k'][0]()\nfor f in x{n - 1}: f()\n"
    }


def ring_of_classes(n: int) -> Files:
    """Attributes that hold the next class, around a ring longer than any stack."""
    lines = (
        f"class C{i}:\n    def __init__(self, o): self.o = o; self.n = C{(i + 1) % n}(self)\n"
        f"    def go(self): return self.n.go() or self.o.go()\n    def __add__(self, other): return self.n + other.n\n"
        for i in range(n)
    )
    return {"main.py": "".join(lines) + "C0(None).go().go()\n(C0(1) + C1(2) + C2(3)).go()\n"}


def re_exports(n: int) -> Files:
    """A definition that comes through a module for each file, and is asked for at both ends and in the middle."""
    files = {f"m{i}.py": f"from m{i + 1} import f as f, C\nC().m()\n" for i in range(n)}
    files[f"m{n}.py"] = "def f(): return C()\nclass C:\n    def m(self): return self\n"
    return {**files, "main.py": "from m0 import f, C\nf().m().m()\nC().m()\n"}


def star_imports(n: int) -> Files:
    """A package that stars together all its modules, as sympy does, and many tests that star the package."""
    files = {f"p/m{i}.py": "".join(f"def g{i}_{j}(): pass\n" for j in range(5)) for i in range(n)}
    files["p/__init__.py"] = "".join(f"from p.m{i} import *\n" for i in range(n))
    names = "".join(f"g{i}_{j}()\nlen(g{i}_{j})\n" for i in range(n) for j in range(5))
    return {**files, **{f"test_{i}.py": f"from p import *\n{names}" for i in range(4)}}


def deep_returns(n: int) -> Files:
    """Results that come from results, deeper than a stack."""
    lines = "".join(f"def f{i}(): return f{i - 1}()\n" for i in range(1, n))
    return {"main.py": f"def f0(): return f0\n{lines}f{n - 1}()()\n"}


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often variables were computed, expressions evaluated, elements and names looked up."""
    counts: Counter[str] = Counter()

    def counted(name: str) -> None:
        original = getattr(Evaluator, name)

        def wrapper(self: Evaluator, *args: object, **kwargs: object) -> object:
            counts[name] += 1
            return original(self, *args, **kwargs)

        monkeypatch.setattr(Evaluator, name, wrapper)

    for name in ("_compute", "eval", "_slot", "lookup", "star_source", "_bound"):
        counted(name)
    return counts


def _cost(make: Callable[[int], Files], n: int, work: Counter[str]) -> tuple[int, int]:
    tree = Tree(make(n))
    work.clear()
    edges = tree.resolve()
    return sum(work.values()), edges


@pytest.mark.parametrize(
    ("make", "small", "per_n"),
    [
        (mutual_higher_order, 320, 700),
        (rebuilt_arguments, 60, 150),
        (long_bodies, 30, 1_700),
        (huge_dict, 150, 60),
        (filled_registry, 60, 120),
        (filled_by_statements, 300, 40),
        (nested_displays, 60, 60),
        (ring_of_classes, 320, 700),
        (re_exports, 60, 40),
        (star_imports, 30, 420),
        (deep_returns, 300, 30),
    ],
)
def test_work_is_linear_in_the_tree(make: Callable[[int], Files], small: int, per_n: int, work: Counter[str]) -> None:
    first, first_edges = _cost(make, small, work)
    second, second_edges = _cost(make, small * 2, work)
    assert first <= per_n * small, "more work for each function than it was built to need"
    assert second <= 3.2 * first
    assert second_edges <= 2.2 * first_edges
    assert first_edges > small  # it did resolve


def test_a_chain_deeper_than_the_stack_is_resolved_to_its_end() -> None:
    tree = Tree(deep_returns(1_200))
    tree.resolve()
    assert ("main", "main.f0", "likely") in tree.of("call")


def test_the_result_does_not_depend_on_where_a_deep_chain_is_entered() -> None:
    files = re_exports(200)
    whole = Tree(files)
    whole.resolve()
    assert {edge for edge in whole.of("call") if edge[0] in ("main", "m0", "m100")} >= {
        ("main", "m200.C.m", "certain"),
        ("m0", "m200.C.m", "certain"),
        ("m100", "m200.C.m", "certain"),
    }
    whole.resolve(whole.write({"m100.py": files["m100.py"] + "\nf()\n"}))
    fresh = Tree(whole.files)
    fresh.resolve()
    assert whole.edges() == fresh.edges()
