"""``contextc graph`` says "none" of nothing that lies beyond the depth or behind a call that may happen; which names it
takes: of overloads the definition, and the end of a name outside the tree."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

FILES = {
    "chain.py": "def f0():\n    return 0\n"
    + "".join(f"\n\ndef f{n}():\n    return f{n - 1}()\n" for n in range(1, 12)),
    "shapes.py": '''"""An open receiver."""


class Shape:
    def area(self):
        return 0


class Square(Shape):
    def area(self):
        return side()


def side():
    return 1


def untested():
    return 2


def measure(shape: Shape):
    return shape.area()
''',
    "typed.py": """from difflib import get_close_matches
from typing import overload


@overload
def get(name: str) -> str: ...
@overload
def get(name: int) -> int: ...
def get(name):
    return name


def use():
    return get(1)


def guess(word):
    return get_close_matches(word, ["one"])
""",
    "tests/test_all.py": "from chain import f11\nfrom shapes import Shape, measure\n\n\n"
    "def test_chain():\n    assert f11() == 0\n\n\ndef test_measure(shape: Shape):\n    assert measure(shape) >= 0\n",
}


@pytest.fixture
def graph(
    write_tree: Callable[[Mapping[str, str | bytes]], Path], run: Callable[..., tuple[int, str, str]]
) -> Callable[..., str]:
    root = write_tree(FILES)

    def ask(*args: str) -> str:
        code, out, err = run("graph", *args, "-q", "--root", root)
        assert code == 0, err
        return out

    return ask


def test_a_test_beyond_the_depth_is_not_none(graph: Callable[..., str]) -> None:
    assert "the nearest is 12 steps away" in graph("tests", "f0")
    (answer,) = json.loads(graph("tests", "f0", "--json"))["answers"]
    assert (answer["status"], answer["further"], answer["unresolved"]) == ("unknown", 12, [])
    assert "1 test in 1 file" in graph("tests", "f0", "--depth", "12")


def test_a_path_beyond_the_depth_is_not_none(graph: Callable[..., str]) -> None:
    assert "the nearest is 11 steps away" in graph("path", "f11", "f0")
    assert "a chain of 11 steps" in graph("path", "f11", "f0", "--depth", "11")
    assert ": none: " in graph("path", "f11", "side")


def test_a_call_that_may_happen_on_the_way_to_a_test_is_told(graph: Callable[..., str]) -> None:
    out = graph("tests", "side")
    assert ": unknown: " in out
    assert "shapes.py:23  shapes.measure  (possible, override)" in out
    assert ": none: " in graph("tests", "untested")


def test_overload_signatures_are_not_asked_about(graph: Callable[..., str]) -> None:
    out = graph("callers", "get")
    assert out.startswith("typed.get#3 (function, typed.py:9): 1 call in 1 file")
    assert "none" not in out


def test_the_end_of_a_name_outside_the_tree_is_enough(graph: Callable[..., str]) -> None:
    assert graph("callers", "get_close_matches").startswith("difflib.get_close_matches (external): 1 call in 1 file")
