"""The oracle's own eyes: what the tracer records of a program, and which definition each record means."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from harness.graph_truth import Source, _observed
from harness.idioms import resolve_files

TRACER = Path(__file__).resolve().parents[2] / "harness" / "graph_trace.py"

PROGRAM = """\
import functools


def wraps(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args)
    return inner


@wraps
def decorated():
    return 1


class A:
    def __init__(self):
        self.x = [helper(i) for i in range(2)]

    @property
    def size(self):
        return len(self.x)


def helper(i):
    return i


def numbers():
    yield helper(1)


def by_builtin(x):
    return x


def consume(items):
    for _ in items:
        pass


def program():
    decorated()
    a = A()
    a.size
    sorted([2, 1], key=by_builtin)
    for _ in numbers():
        pass
    consume(numbers())
    (lambda: helper(3))()
    any(helper(i) for i in range(2))


program()
"""


def test_the_tracer_sees_calls_and_leaves_out_what_passes_through_other_code(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "program.py").write_text(PROGRAM, encoding="utf-8")
    code = "import graph_trace, runpy, sys\nrunpy.run_path(sys.argv[1])\ngraph_trace.pytest_unconfigure()\n"
    out = tmp_path / "pairs.json"
    environment = {
        **os.environ,
        "PYTHONPATH": str(TRACER.parent),
        "CONTEXTC_TRACE_ROOT": str(tree),
        "CONTEXTC_TRACE_OUT": str(out),
    }
    subprocess.run([sys.executable, "-c", code, str(tree / "program.py")], check=True, env=environment)
    observed = _observed(tree, json.loads(out.read_text(encoding="utf-8")), "")
    source = Source("program.py", PROGRAM)
    pairs = set()
    for pair in observed.pairs:
        caller = source.find(pair.caller.line, pair.caller.name)
        callee = source.find(pair.callee.line, pair.callee.name)
        assert caller is not None
        assert callee is not None
        pairs.add((".".join(caller.names), ".".join(callee.names)))
    assert pairs == {
        ("", "wraps"),
        ("", "program"),
        ("program", "wraps.inner"),
        ("wraps.inner", "decorated"),
        ("program", "A.__init__"),
        ("A.__init__", "helper"),
        ("program", "A.size"),
        ("program", "numbers"),
        ("numbers", "helper"),
        ("program", "consume"),
        ("program", "program.<lambda1>"),
        ("program.<lambda1>", "helper"),
        ("program", "helper"),
    }
    assert observed.resumed == 1  # consume() steps a generator that program() made


def test_a_declared_callable_gives_what_it_is_declared_to_give() -> None:
    """Found by the oracle: ``@group()`` declared ``-> Group | Callable[[F], Group]`` makes a Group of a function."""
    program = (
        "import typing as t\n\n\nclass Group:\n    def command(self): pass\n\n\n"
        "def group(name=None) -> Group | t.Callable[[t.Any], Group]:\n    return t.unknown()\n\n\n"
        "@group()\ndef cli(): pass\n\n\ncli.command()\n"
    )
    edges = {(caller, callee) for caller, callee, _, _ in resolve_files({"main.py": program})}
    assert ("main", "main.Group.command") in edges
