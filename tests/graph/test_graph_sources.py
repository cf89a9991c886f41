"""A graph read straight from the files says what the index of the same files says."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from agent.cli.main import main
from harness.idioms import read_programs
from retrieval.graph import parallel

WriteTree = Callable[[Mapping[str, str | bytes]], Path]
#: What a broken file, odd encodings, redefinitions, overrides below and above, fixtures and code of a script look like.
ODD: dict[str, str | bytes] = {
    "pkg/__init__.py": "from .base import *\nfrom . import late\n",
    "pkg/base.py": (
        "class Base:\n    def run(self):\n        return self.step()\n\n    def step(self): pass\n\n"
        "    shown = property(lambda self: self.step())\n\ndef use(base: Base):\n    base.run().go()\n    helper()\n"
    ),
    "pkg/late.py": "from pkg.base import Base\n\nclass Late(Base):\n    def step(self): return 1\n\n    run = None\n\nclass Later(Late):\n    step = len\n",
    "pkg/broken.py": "def good():\n    return bad(\n\nclass Kept:\n    def method(self):\n        good()\n\n    def other(self: pass\n",
    "pkg/twice.py": "def f(): pass\n\nif f:\n    def f(): return g()\n\nx = f\n\ndef x(): return f()\n\ndef g(): return (lambda: x())()\n",
    "pkg/latin.py": "# coding: latin-1\nname = '\xe9'\n\ndef caf\xe9(): return name\n\ncaf\xe9()\n".encode("latin-1"),
    "script.py": "import pkg\nfrom pkg import use, Base, late\n\nuse(late.Late())\npkg.late.Later().run()\n",
    "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef base():\n    from pkg import Base\n    return Base()\n",
    "tests/test_it.py": "class Mine:\n    def step(self): pass\n\ndef test_run(base):\n    base.run()\n    base.unknown().step()\n",
    "empty.py": "",
}


def exported(root: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    capsys.readouterr()
    assert main(["graph", "export", "--root", str(root), "--quiet", *options]) == 0
    return capsys.readouterr().out


def both(root: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[str, str]:
    """What is said without an index, and then with one."""
    direct = exported(root, capsys, *options)
    assert not (root / ".contextc").exists()
    assert main(["index", str(root), "--quiet", "--embedder", "none"]) == 0
    return direct, exported(root, capsys, *options)


def programs() -> dict[str, str | bytes]:
    return {
        f"{program.group}_{number}/{name}": text
        for number, program in enumerate(read_programs())
        if number % 3 == 0
        for name, text in program.files.items()
    }


@pytest.mark.parametrize("options", [("--all",), ("--package", "pkg.late"), ("--all", "--kind", "inherit")])
def test_odd_files(write_tree: WriteTree, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    direct, indexed = both(write_tree(ODD), capsys, *options)
    assert direct == indexed
    assert len(json.loads(direct)["edges"]) >= 2


def test_many_programs_in_one_tree(write_tree: WriteTree, capsys: pytest.CaptureFixture[str]) -> None:
    direct, indexed = both(write_tree(programs()), capsys, "--all")
    assert direct == indexed
    assert len(json.loads(direct)["edges"]) > 250


@pytest.mark.parametrize("package", ["click", "networkx.algorithms.flow"])
def test_a_real_package(package: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    shutil.copytree(Path(spec.origin).parent, tmp_path / "pkg", ignore=shutil.ignore_patterns("__pycache__"))
    direct, indexed = both(tmp_path, capsys, "--all")
    assert direct == indexed
    assert len(json.loads(direct)["edges"]) > 500


def test_several_processes_read_what_one_reads(
    write_tree: WriteTree, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_tree(programs())
    said = []
    for count in (1, 3):
        monkeypatch.setattr(parallel, "processes", lambda _count, _least, count=count: count)
        said.append(exported(root, capsys, "--all"))
    assert said[0] == said[1]


def test_an_unknown_package_and_a_tree_without_python(
    write_tree: WriteTree, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_tree({"a.md": "# a\n"})
    assert json.loads(exported(root, capsys, "--all")) == {"functions": [], "edges": []}
    assert main(["graph", "export", "--root", str(root), "--package", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
