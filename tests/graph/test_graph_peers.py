"""The comparison with peers is fair only if names and places of every tool end at the same definitions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from harness import graph_ours
from harness.graph_peers import Names, files_of, importable
from harness.graph_truth import Place

FILES = {
    "pkg/__init__.py": "from .mod import f\n",
    "pkg/mod.py": "import functools\n\n\n@functools.cache\ndef f():\n    return g()\n\n\ndef g():\n    return (lambda: 1)()\n",
    "main.py": "from pkg import f\n\n\ndef f2():\n    f()\n\n\nif f2:\n\n    def f2():\n        f()\n\n\nf2()\n",
}
F, G = Place("pkg/mod.py", 4, "f"), Place("pkg/mod.py", 9, "g")
LAMBDA, F2 = Place("pkg/mod.py", 10, "<lambda>"), Place("main.py", 4, "f2")
MAIN = Place("main.py", 1, "<module>")


def test_places_and_names_of_tools_mean_the_same(write_tree: Callable[[Mapping[str, str | bytes]], Path]) -> None:
    root = write_tree(FILES)
    names = Names(root, files_of(root))
    assert names.place(("pkg/mod.py", 5, "f")) == names.place(("", 0, "pkg.mod.f")) == F
    assert names.place(("", 0, "mod.f")) == F  # cut short, and only one can be meant
    assert names.place(("pkg/mod.py", 10, "lambda.0")) == names.place(("", 0, "pkg.mod.g.<lambda1>")) == LAMBDA
    assert names.place(("main.py", 0, "")) == names.place(("", 0, "main")) == MAIN
    assert names.place(("main.py", 10, "f2")) == F2  # a redefinition is the same function
    assert names.place(("", 0, "functools.cache")) is None
    assert names.place(("pkg/mod.py", 6, "g")) is None  # a place that defines nothing
    assert names.edges([[("", 0, "main.f2"), ("", 0, "pkg.mod.f")], [("", 0, "main"), ("", 0, "<builtin>.len")]]) == {
        (F2, F)
    }


def test_our_graph_says_the_same_places(
    write_tree: Callable[[Mapping[str, str | bytes]], Path], tmp_path: Path
) -> None:
    root = write_tree(FILES)
    jobs, answers = tmp_path / "jobs", tmp_path / "answers"
    jobs.write_text(json.dumps({"root": str(root), "files": files_of(root)}) + "\n", encoding="utf-8")
    graph_ours.main("all", str(jobs), str(answers))
    found = Names(root, files_of(root)).edges(json.loads(answers.read_text(encoding="utf-8"))["edges"])
    assert found >= {(F, G), (G, LAMBDA), (F2, F), (MAIN, F2)}


def test_packages_and_tests_stand_side_by_side(
    write_tree: Callable[[Mapping[str, str | bytes]], Path], tmp_path: Path
) -> None:
    root = write_tree({"src/pkg/a.py": "", "src/pkg.egg-info/x.py": "", "tests/test_a.py": "", "docs/conf.py": ""})
    into = tmp_path / "flat"
    into.mkdir()
    assert files_of(importable(root, into)) == ["pkg/a.py", "tests/test_a.py"]
