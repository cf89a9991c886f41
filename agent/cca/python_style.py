"""Demands on Python's expressions and statements: defaults, comparisons, formatting, imports, quotes (PEP 8)."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Sequence
from itertools import pairwise

from agent.cca import checks as c
from agent.cca.python_definitions import Function, functions_of
from agent.cca.python_source import Finding, Source, name_of


def nodes(test: Callable[[ast.AST], bool]) -> Callable[[Source, c.PythonCode], Finding]:
    def find(source: Source, check: c.PythonCode) -> Finding:
        return bool(source.tree.body), [getattr(each, "lineno", 0) for each in ast.walk(source.tree) if test(each)]

    return find


def asserts(source: Source, check: c.PythonCode) -> Finding:
    """Statements ``assert``, those of tests aside: a test asserts."""
    tests = {
        id(inner)
        for each in functions_of(source.tree)
        if each.name.startswith("test")
        for inner in ast.walk(each)
        if isinstance(inner, ast.Assert)
    }
    found = [node for node in ast.walk(source.tree) if isinstance(node, ast.Assert) and id(node) not in tests]
    return bool(source.tree.body), [node.lineno for node in found]


def _is_mutable(node: ast.AST | None) -> bool:
    if isinstance(node, ast.Call):
        return name_of(node.func) in ("list", "dict", "set", "defaultdict", "deque") and not isinstance(
            node.func, ast.Attribute
        )
    return isinstance(node, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def mutable_defaults(source: Source, check: c.PythonCode) -> Finding:
    functions = list(functions_of(source.tree))
    wrong = [
        default.lineno
        for each in functions
        for default in (*each.args.defaults, *each.args.kw_defaults)
        if default is not None and _is_mutable(default)
    ]
    return bool(functions), wrong


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def is_percent(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_text(node.left)


def is_format_call(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
        and _is_text(node.func.value)
    )


def allowed_imports(source: Source, check: c.PythonCode) -> Finding:
    """Absolute imports of other packages than those named; relative ones are of the code's own."""
    allowed = {name.split(".")[0].strip().lower() for name in check.names}
    found = False
    wrong = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            modules = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [] if node.level else [node.module or ""]
        else:
            continue
        found = True
        tops = {module.split(".")[0] for module in modules}
        if any(top.lower() not in allowed and not (check.standard and top in sys.stdlib_module_names) for top in tops):
            wrong.append(node.lineno)
    return found, wrong


def calls(*names: str) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def comments(source: Source, check: c.PythonCode) -> Finding:
    """Lines with a comment; a first line that names an interpreter or a coding is none."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO("\n".join(source.lines)).readline):
        special = token.start[0] <= 2 and token.string.startswith(("#!", "# -*-"))
        if token.type == tokenize.COMMENT and not special:
            found.append(token.start[0])
    return bool(source.tree.body), found


def compares(*values: object) -> Callable[[ast.AST], bool]:
    def test(node: ast.AST) -> bool:
        if not isinstance(node, ast.Compare) or not any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
            return False
        sides = (node.left, *node.comparators)
        return any(isinstance(side, ast.Constant) and any(side.value is value for value in values) for side in sides)

    return test


def is_exception(node: ast.expr | None) -> bool:
    return node is not None and name_of(node) in ("Exception", "BaseException")


def sorted_imports(source: Source, check: c.PythonCode) -> Finding:
    """Within each run of imports without a blank line: by module, or plain imports first and each kind by module."""
    runs: list[list[ast.Import | ast.ImportFrom]] = [[]]
    last = -1
    for node in source.tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            if node.lineno != last + 1:
                runs.append([])
            runs[-1].append(node)
            last = node.end_lineno or node.lineno
    wrong = [run[0].lineno for run in runs if run and not _is_sorted(run)]
    return any(len(run) > 1 for run in runs), wrong


def _is_sorted(run: Sequence[ast.Import | ast.ImportFrom]) -> bool:
    def key(node: ast.Import | ast.ImportFrom) -> str:
        if isinstance(node, ast.Import):
            return node.names[0].name.lower()
        return "." * node.level + (node.module or "").lower()

    names = [key(node) for node in run]
    by_kind = [(isinstance(node, ast.ImportFrom), key(node)) for node in run]
    return names == sorted(names) or by_kind == sorted(by_kind)


def top_blank_lines(source: Source, check: c.PythonCode) -> Finding:
    """Two blank lines between definitions that follow each other at the top; comments in between are not judged."""
    wrong, seen = [], False
    for before, after in pairwise(source.tree.body):
        if not isinstance(before, Function | ast.ClassDef) or not isinstance(after, Function | ast.ClassDef):
            continue
        first = min([after.lineno, *(each.lineno for each in after.decorator_list)])
        between = source.lines[before.end_lineno or before.lineno : first - 1]
        if all(not line.strip() for line in between):
            seen = True
            if len(between) != 2:
                wrong.append(first)
    return seen, wrong


_LITERAL = re.compile(r"[A-Za-z]{0,2}('''|\"\"\"|'|\")")


def quotes(sign: str) -> Callable[[Source, c.PythonCode], Finding]:
    other = "'" if sign == '"' else '"'

    def find(source: Source, check: c.PythonCode) -> Finding:
        joined = [each for each in ast.walk(source.tree) if isinstance(each, ast.JoinedStr)]
        inner = {id(part) for each in joined for part in ast.walk(each) if part is not each}
        texts = [each for each in ast.walk(source.tree) if _is_text(each) and id(each) not in inner]
        wrong, seen = [], False
        for each in texts:
            line = source.lines[getattr(each, "lineno", 1) - 1].encode("utf-8")
            spelled = line[getattr(each, "col_offset", 0) :].decode("utf-8", "replace")
            match = _LITERAL.match(spelled)
            if match is None:
                continue  # a part of an f-string
            seen = True
            end = getattr(each, "end_lineno", 0) == getattr(each, "lineno", 1)
            body = spelled[match.end() : getattr(each, "end_col_offset", 0) - getattr(each, "col_offset", 0)]
            if sign == "'" and len(match[1]) == 3:
                continue  # PEP 257: docstrings stand in double quotes
            if match[1][0] == other and not (end and sign in body):
                wrong.append(getattr(each, "lineno", 1))
        return seen, wrong

    return find
