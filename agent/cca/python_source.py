"""Python in an answer: the fences that parse, as syntax trees, and what the checks of ``python_checks.py`` share."""

from __future__ import annotations

import ast
import textwrap
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from agent.cca.views import Fence, View

_MAX_PARSED = 200_000  # characters of a fence
PYTHON = frozenset({"python", "py", "python3", "py3"})
"""What fences of Python are marked with."""
_CODE_STATEMENTS = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.With, ast.Try,
    ast.If, ast.For, ast.AnnAssign,
)  # fmt: skip
Finding = tuple[bool, Sequence[int]]
"""(whether the code holds anything that the demand is about, the lines that break it)."""


@dataclass(frozen=True, slots=True)
class Source:
    """Python of one fence; ``lines`` as they are parsed, dedented."""

    fence: Fence
    lines: tuple[str, ...]
    tree: ast.Module


def python_of(view: View) -> tuple[Source, ...]:
    """The fences that are Python and parse: those named so, and unnamed ones that hold more than an expression."""
    found = []
    for fence in view.fences:
        if fence.language not in PYTHON and fence.language:
            continue
        text = textwrap.dedent(view.of(fence.span))
        if len(text) > _MAX_PARSED:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                tree = ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
        if fence.language or any(isinstance(each, _CODE_STATEMENTS) for each in tree.body):
            found.append(Source(fence, tuple(text.split("\n")), tree))
    return tuple(found)


def name_of(node: ast.AST) -> str:
    """The last part of a dotted name; "" of anything else."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
