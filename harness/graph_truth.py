"""Calls that really happened: the test suite of a pinned package run under ``harness.graph_trace``.

The pairs are kept in the cache beside the virtual environment they were seen in, so that a suite runs once for each
version of the tracer.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness import corpora
from retrieval.errors import UserError

_TRACER = Path(__file__).with_name("graph_trace.py")
_SUITE_LIMIT_S = 1_200
_STEP_NAMES = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


@dataclass(frozen=True, slots=True)
class Suite:
    """What a package's tests need beside the package: pinned requirements, and arguments for pytest."""

    requirements: tuple[str, ...]
    pytest: tuple[str, ...] = ("tests",)


SUITES = {
    "flask": Suite(("pytest==8.4.2", "asgiref==3.13.0", "greenlet==3.5.6", "python-dotenv==1.2.4", "werkzeug==3.1.9")),
    "click": Suite(("pytest==8.4.2",)),
    "requests": Suite(
        ("pytest==8.4.2", "pytest-httpbin==2.1.0", "httpbin==0.10.4", "trustme==1.2.1", "PySocks==1.7.1"),
        # What asks for hosts beyond loopback waits for its time-out, which tells nothing about calls.
        ("tests", "-k", "not TestTimeout"),
    ),
}


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A definition: where it begins (its first decorator's line), and its own name (``<lambda>``, ``<module>``)."""

    path: str
    line: int
    name: str


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """``caller`` called ``callee``, first seen at ``line`` of the caller's file."""

    caller: Place
    callee: Place
    line: int


@dataclass(frozen=True, slots=True)
class Observed:
    """What one suite showed.

    Attributes:
        tree: The source tree that was traced.
        outcome: pytest's last line.
        resumed: Pairs left out because a generator was first stepped by a function that does not name it.
    """

    tree: Path
    pairs: tuple[Pair, ...]
    outcome: str
    resumed: int


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, lambda, class or module as ``ast`` sees it; ``names`` leads from the module to it."""

    place: Place
    kind: str  # function | method | property | lambda | class | module
    names: tuple[str, ...]
    is_generator: bool = False
    nested: bool = False
    def_line: int = 0  # of the name, where decorators stand above it


class Source:
    """The definitions of one file, by place, and the function around each generator expression."""

    def __init__(self, path: str, text: str) -> None:
        self.definitions: dict[tuple[int, str], Definition] = {}
        self._around: dict[tuple[int, str], Definition] = {}
        self._lambdas: dict[tuple[str, ...], int] = {}
        self._path = path
        module = Definition(Place(path, 1, "<module>"), "module", ())
        self.definitions[1, "<module>"] = module
        self._visit(ast.parse(text), module)

    def find(self, line: int, name: str) -> Definition | None:
        if name == "<module>":
            return self.definitions[1, name]
        return self._around.get((line, name)) if name in _STEP_NAMES else self.definitions.get((line, name))

    def _visit(self, node: ast.AST, around: Definition) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for outside in _evaluated_outside(child):
                    self._visit_one(outside, around)
                inner = self._define(child, around)
                for statement in child.body:
                    self._visit_one(statement, inner)
            else:
                self._visit_one(child, around)

    def _visit_one(self, node: ast.AST, around: Definition) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._visit(ast.Module([node], []), around)
        elif isinstance(node, ast.Lambda):
            for default in (*node.args.defaults, *(each for each in node.args.kw_defaults if each)):
                self._visit_one(default, around)
            number = self._lambdas[around.names] = self._lambdas.get(around.names, 0) + 1
            names = (*around.names, f"<lambda{number}>")
            inner = Definition(Place(self._path, node.lineno, "<lambda>"), "lambda", names, def_line=node.lineno)
            self.definitions.setdefault((node.lineno, "<lambda>"), inner)
            self._visit_one(node.body, inner)
        else:
            if isinstance(node, ast.GeneratorExp):
                self._around.setdefault((node.lineno, "<genexpr>"), around)
            self._visit(node, around)

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, around: Definition) -> Definition:
        line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        names = (*around.names, node.name)
        if isinstance(node, ast.ClassDef):
            made = Definition(Place(self._path, line, node.name), "class", names, def_line=node.lineno)
        else:
            decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
            kind = "method" if around.kind == "class" else "function"
            kind = "property" if decorators & {"property", "cached_property", "setter", "getter"} else kind
            steps = isinstance(node, ast.AsyncFunctionDef) or any(map(_is_yield, _own_nodes(node)))
            nested = around.kind in ("function", "method", "property", "lambda")
            made = Definition(Place(self._path, line, node.name), kind, names, steps, nested, node.lineno)
        self.definitions[line, node.name] = made
        return made


def _evaluated_outside(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[ast.AST]:
    """Decorators, bases and defaults run in the scope around a definition."""
    yield from node.decorator_list
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from node.keywords
    else:
        yield node.args


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own_nodes(child)


def _is_yield(node: ast.AST) -> bool:
    return isinstance(node, ast.Yield | ast.YieldFrom)


class Sources:
    """The files of a tree, parsed when first asked for."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self._known: dict[str, Source] = {}

    def of(self, path: str) -> Source:
        if path not in self._known:
            self._known[path] = Source(path, (self.tree / path).read_text(encoding="utf-8"))
        return self._known[path]

    def find(self, place: Place) -> Definition | None:
        """None for what is no definition in the text: made by ``exec``, or compiled from a template."""
        return None if not place.path.endswith(".py") else self.of(place.path).find(place.line, place.name)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(path.relative_to(self.tree).as_posix() for path in self.tree.rglob("*.py")))


def observe(name: str, fresh: bool = False) -> Observed:
    """The pairs that the suite of ``name`` calls, from the cache unless ``fresh``.

    Raises:
        UserError: There is no such suite, or its environment cannot be installed or its tests not be run.
    """
    suite = SUITES.get(name)
    if suite is None:
        raise UserError(f"There is no test suite for {name!r}.", f"Known ones: {', '.join(SUITES)}.")
    corpus = corpora.CORPORA[name]
    tree = corpora.fetch(name)
    folder = corpora.corpora_dir() / "traced" / corpus.folder
    key = _key(suite)
    kept = folder / f"pairs-{key}.json"
    if fresh or not kept.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        python = environment(folder / f"venv-{key}", (f"{name}=={corpus.version}", *suite.requirements))
        kept.write_text(json.dumps(_run(tree, python, suite)), encoding="utf-8")
    data = json.loads(kept.read_text(encoding="utf-8"))
    return _observed(tree, data["pairs"], data["outcome"])


def _key(suite: Suite) -> str:
    """Changes with the tracer, the requirements and the interpreter."""
    digest = hashlib.sha256(_TRACER.read_bytes())
    digest.update(repr((suite, sys.version_info[:2])).encode())
    return digest.hexdigest()[:12]


def environment(folder: Path, requirements: Sequence[str]) -> Path:
    """The interpreter of a virtual environment with ``requirements``; made aside, so that a broken one never stays."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            reason = (done.stderr.strip().split("\n") or [""])[-1]
            raise UserError(f"Cannot install {' '.join(requirements)}: {reason}", "Check that pip reaches an index.")
    return python


def _run(tree: Path, python: Path, suite: Suite) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "tree"
        shutil.copytree(tree, work, ignore=shutil.ignore_patterns(".contextc"))
        shutil.copy(_TRACER, folder)
        out = Path(folder) / "pairs.json"
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
        environment |= {
            "PYTHONPATH": os.pathsep.join((str(work / "src"), folder)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "CONTEXTC_TRACE_ROOT": str(work),
            "CONTEXTC_TRACE_OUT": str(out),
        }
        command = [str(python), "-m", "pytest", "-q", "-p", "graph_trace", "-p", "no:cacheprovider", *suite.pytest]
        try:
            done = subprocess.run(
                command, cwd=work, env=environment, capture_output=True, text=True, check=False, timeout=_SUITE_LIMIT_S
            )
        except subprocess.TimeoutExpired as error:
            raise UserError(f"The tests ran longer than {_SUITE_LIMIT_S} s.", "Run it on an idle machine.") from error
        lines = (done.stdout + done.stderr).strip().split("\n")
        if not out.is_file():
            raise UserError(f"The tests did not run: {lines[-1]}", f"Try it by hand: {' '.join(command)}")
        return {"pairs": json.loads(out.read_text(encoding="utf-8")), "outcome": done.stdout.strip().split("\n")[-1]}


def _observed(tree: Path, rows: Sequence[Sequence[object]], outcome: str) -> Observed:
    sources = Sources(tree)
    pairs: dict[tuple[Place, Place], int] = {}
    resumed = 0
    for path, line, name, callee_path, callee_line, callee_name, at, stepped, named in rows:
        caller = sources.find(Place(str(path), int(str(line)), str(name)))
        callee = sources.find(Place(str(callee_path), int(str(callee_line)), str(callee_name)))
        if caller is None or callee is None:
            continue
        if stepped and not named:
            resumed += 1
            continue
        key = (caller.place, callee.place)
        pairs[key] = min(pairs.get(key, sys.maxsize), int(str(at)))
    found = tuple(sorted(Pair(caller, callee, line) for (caller, callee), line in pairs.items()))
    return Observed(tree, found, outcome, resumed)
