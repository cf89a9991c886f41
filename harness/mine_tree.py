"""A source tree as questions are mined from it: its lines, its functions, and what may be called by which name."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

MIN_BODY = 4  # lines of a function that is worth asking about
_MAX_GOLD_LINES = 60  # of one definition; of a longer one the first
_MAX_CALLS = 12  # places that call a name by which it still means something

Lines = frozenset[int]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or method. ``doc`` are the lines of its docstring, ``body`` the first line after it."""

    path: str
    name: str
    start: int
    end: int
    doc: tuple[int, int] | None
    node: Function


@dataclass(slots=True)
class Question:
    """``gold``: path -> lines; ``removed``: (path, lines) to be taken out of the tree. Both in the original's lines."""

    kind: str
    text: str
    gold: dict[str, set[int]]
    removed: tuple[str, Lines]


@dataclass(slots=True)
class Tree:
    """A parsed source tree."""

    root: Path
    lines: dict[str, list[str]] = field(default_factory=dict)
    modules: dict[str, ast.Module] = field(default_factory=dict)
    functions: list[Definition] = field(default_factory=list)
    by_name: dict[str, list[Definition]] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def unique(self, name: str) -> Definition | None:
        """The one function of the tree's code with this name."""
        found = self.by_name.get(name, [])
        return found[0] if len(found) == 1 else None


def is_test(path: str) -> bool:
    parts = path.split("/")
    return any(part in {"tests", "test", "testing"} for part in parts[:-1]) or parts[-1].startswith(
        ("test_", "conftest")
    )


def read_tree(root: Path) -> Tree:
    tree = Tree(root)
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root).as_posix()
        if file.suffix not in {".py", ".rst", ".md", ".txt"} or not file.is_file() or ".contextc" in path:
            continue
        try:
            text = file.read_text("utf-8")
            module = ast.parse(text) if file.suffix == ".py" else None
        except (UnicodeDecodeError, SyntaxError, ValueError):
            continue
        if "\r" in text or "\f" in text:
            continue
        tree.lines[path] = text.split("\n")
        if module is None:
            continue
        tree.modules[path] = module
        for node in ast.walk(module):
            if isinstance(node, Function):
                tree.functions.append(_definition(path, node))
            elif isinstance(node, ast.Call):
                tree.calls[called_name(node)] += 1
    for each in tree.functions:
        if not is_test(each.path):
            tree.by_name.setdefault(each.name, []).append(each)
    return tree


def _definition(path: str, node: Function) -> Definition:
    start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    first = node.body[0]
    is_doc = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    doc = (first.lineno, first.end_lineno or first.lineno) if is_doc and len(node.body) > 1 else None
    return Definition(path, node.name, start, node.end_lineno or node.lineno, doc, node)


def called_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def called_in(tree: Tree, nodes: Iterable[ast.AST], outside: Definition, most: int) -> list[Definition]:
    """Functions that ``nodes`` call and that only one function's name can mean, rarest first."""
    names = {called_name(node) for top in nodes for node in ast.walk(top) if isinstance(node, ast.Call)}
    found = [d for name in sorted(names) if tree.calls[name] <= _MAX_CALLS and (d := tree.unique(name))]
    found = [d for d in found if d.node is not outside.node and d.end - d.node.lineno >= MIN_BODY]
    return sorted(found, key=lambda d: (tree.calls[d.name], d.path, d.start))[:most]


def _gold_lines(definition: Definition) -> set[int]:
    """Signature and body without the docstring; of a long definition the first lines."""
    doc = definition.doc or (0, -1)
    lines = [n for n in range(definition.start, definition.end + 1) if not doc[0] <= n <= doc[1]]
    return set(lines[:_MAX_GOLD_LINES])


def gold_of(definitions: Iterable[Definition]) -> dict[str, set[int]]:
    gold: dict[str, set[int]] = {}
    for each in definitions:
        gold.setdefault(each.path, set()).update(_gold_lines(each))
    return gold
