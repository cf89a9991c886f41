"""Demands on Python's docstrings (PEP 257, the Google style): their quotes, first line, sections, width."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from agent.cca import checks as c
from agent.cca.python_definitions import Function, functions_of
from agent.cca.python_flow import own_nodes
from agent.cca.python_source import Finding, Source, name_of

_TYPED = re.compile(r"^\s*(?::type\b|:rtype:|:param \w[\w.\[\]]* \w+:|\*{0,2}\w+ \([^()\n]{1,80}\):|\w+ : \w)", re.M)
_SECTION = re.compile(
    r"^\s*(Args|Arguments|Parameters|Returns?|Yields?|Raises)\b:?\s*$|^\s*:(param|returns?|raises?)\b", re.M
)
_PERIOD = re.compile(r"[.!?…][\"'”’)`\]]{0,2}$")


@dataclass(frozen=True, slots=True)
class _Docstring:
    """``spelled``: its lines as they stand in the source. ``text``: its value."""

    owner: ast.AST
    line: int
    text: str
    spelled: tuple[str, ...]

    @property
    def summary(self) -> str:
        """The first paragraph, on one line."""
        return " ".join(self.text.strip().split("\n\n")[0].split())


def _docstrings(source: Source) -> list[_Docstring]:
    found = []
    for node in ast.walk(source.tree):
        if not isinstance(node, Function | ast.ClassDef | ast.Module) or not node.body:
            continue
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            spelled = source.lines[first.lineno - 1 : first.end_lineno or first.lineno]
            found.append(_Docstring(node, first.lineno, first.value.value, tuple(spelled)))
    return found


def _each(test: Callable[[_Docstring, c.PythonCode], bool]) -> Callable[[Source, c.PythonCode], Finding]:
    """Each docstring passes the test."""

    def find(source: Source, check: c.PythonCode) -> Finding:
        found = [each for each in _docstrings(source) if each.text.strip()]
        return bool(found), [each.line for each in found if not test(each, check)]

    return find


def _starts_otherwise(each: _Docstring, check: c.PythonCode) -> bool:
    text = " ".join(each.text.split()).lower()
    return not any(re.match(rf"{re.escape(name.lower())}(?!\w)", text) for name in check.names)


def _quoted(each: _Docstring, check: c.PythonCode) -> bool:
    return re.search(r"[A-Za-z]{0,2}\"\"\"", each.spelled[0]) is not None


def _sections(text: str) -> set[str]:
    return {(match[1] or match[2]).lower().rstrip("s") for match in _SECTION.finditer(text)}


def _arguments_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    every += [each for each in (node.args.vararg, node.args.kwarg) if each is not None]
    return [each.arg for each in every if each.arg not in ("self", "cls")]


def _returns(node: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Return) and each.value is not None and not _is_none(each.value) for each in own_nodes(node)
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _raised(node: ast.AST) -> bool:
    """Something is raised by name; a bare ``raise`` passes on what came."""
    found = [each.exc for each in own_nodes(node) if isinstance(each, ast.Raise) and each.exc is not None]
    names = [name_of(each.func if isinstance(each, ast.Call) else each) for each in found]
    return any(name[:1].isupper() and name != "NotImplementedError" for name in names)


def _with_section(
    needs: Callable[[ast.FunctionDef | ast.AsyncFunctionDef], bool], names: tuple[str, ...]
) -> Callable[[Source, c.PythonCode], Finding]:
    """Functions that need it and have a docstring have one of these sections in it."""

    def find(source: Source, check: c.PythonCode) -> Finding:
        seen, wrong = False, []
        for each in functions_of(source.tree):
            text = ast.get_docstring(each, clean=False)
            if text is None or not needs(each) or each.name.startswith("__"):
                continue
            seen = True
            if not _sections(text) & set(names):
                wrong.append(each.lineno)
        return seen, wrong

    return find


def module_docstring(source: Source, check: c.PythonCode) -> Finding:
    """Of what is a module: it defines and imports something."""
    kinds = [type(each) for each in source.tree.body]
    defines = any(issubclass(kind, Function | ast.ClassDef) for kind in kinds)
    imports = any(issubclass(kind, ast.Import | ast.ImportFrom) for kind in kinds)
    bare = defines and imports and ast.get_docstring(source.tree) is None
    return defines and imports, [1] if bare else []


def no_docstrings(source: Source, check: c.PythonCode) -> Finding:
    return bool(source.tree.body), [each.line for each in _docstrings(source)]


def summary_first(each: _Docstring, check: c.PythonCode) -> bool:
    """The summary stands on the line of the opening quotes."""
    return not each.text.startswith("\n") and bool(each.text.split("\n")[0].strip())


FINDERS: dict[str, Callable[[Source, c.PythonCode], Finding]] = {
    "docstring_quotes": _each(_quoted),
    "docstring_period": _each(lambda each, check: _PERIOD.search(each.summary) is not None),
    "docstring_no_period": _each(lambda each, check: not each.summary.endswith(".")),
    "docstring_capital": _each(lambda each, check: not each.text.strip()[0].islower()),
    "docstring_one_line": _each(lambda each, check: "\n" not in each.text.strip()),
    "docstring_lines": _each(lambda each, check: len(each.spelled) <= (check.most or 0)),
    "docstring_width": _each(lambda each, check: all(len(line) <= (check.most or 0) for line in each.spelled)),
    "docstring_starts_not": _each(_starts_otherwise),
    "docstring_no_types": _each(lambda each, check: _TYPED.search(each.text) is None),
    "docstring_summary_first": _each(summary_first),
    "docstring_arguments": _with_section(
        lambda node: bool(_arguments_of(node)), ("arg", "argument", "parameter", "param")
    ),
    "docstring_returns": _with_section(_returns, ("return", "yield")),
    "docstring_raises": _with_section(_raised, ("raise",)),
    "module_docstring": module_docstring,
    "no_docstrings": no_docstrings,
}
