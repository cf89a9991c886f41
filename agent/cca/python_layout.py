"""Demands on the layout of Python: where and how it imports, commas, semicolons, comments, the guard of a script."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Callable, Iterator
from itertools import pairwise

from agent.cca import checks as c
from agent.cca.python_definitions import Function
from agent.cca.python_flow import own_nodes
from agent.cca.python_source import Finding, Source, name_of
from agent.cca.python_style import nodes

_IMPORT = (ast.Import, ast.ImportFrom)
_SPACE = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT})
_TOOLS = ("#!", "# -*-", "# type:", "# noqa", "# pragma", "# pylint", "# ruff", "# mypy", "# fmt")


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def future_annotations(source: Source, check: c.PythonCode) -> Finding:
    """Of what is a file: it imports or defines something."""
    body = source.tree.body
    files = any(isinstance(each, (*_IMPORT, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for each in body)
    first = next((each for each in body if not _is_docstring(each)), None)
    right = (
        isinstance(first, ast.ImportFrom)
        and first.module == "__future__"
        and any(name.name == "annotations" for name in first.names)
    )
    return files, [] if right or first is None else [first.lineno]


def imports_at_top(source: Source, check: c.PythonCode) -> Finding:
    """Behind no other statement but a docstring and another block of imports, and in no function."""
    wrong, other, seen = [], False, False
    for each in source.tree.body:
        if isinstance(each, _IMPORT):
            seen = True
            if other:
                wrong.append(each.lineno)
        elif not _is_docstring(each) and not _holds_imports(each):
            other = True
    inner = [
        node.lineno
        for function in ast.walk(source.tree)
        if isinstance(function, Function)
        for node in own_nodes(function)
        if isinstance(node, _IMPORT)
    ]
    return seen or bool(inner), wrong + inner


def _holds_imports(node: ast.stmt) -> bool:
    """``try: import …`` and ``if TYPE_CHECKING:``."""
    return isinstance(node, ast.Try | ast.If) and bool(node.body) and isinstance(node.body[0], _IMPORT)


def one_import_a_line(source: Source, check: c.PythonCode) -> Finding:
    found = [node for node in ast.walk(source.tree) if isinstance(node, _IMPORT)]
    return bool(found), [node.lineno for node in found if isinstance(node, ast.Import) and len(node.names) > 1]


def import_groups(source: Source, check: c.PythonCode) -> Finding:
    """The standard library, then other packages, then the code's own, a blank line between groups."""
    found = [node for node in source.tree.body if isinstance(node, _IMPORT)]
    wrong = []
    for before, after in pairwise(found):
        one, other = _group(before), _group(after)
        apart = after.lineno - (before.end_lineno or before.lineno) > 1
        if other < one or (other > one and not apart):
            wrong.append(after.lineno)
    return len(found) > 1, wrong


def _group(node: ast.Import | ast.ImportFrom) -> int:
    if isinstance(node, ast.ImportFrom) and node.level:
        return 3
    module = (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
    top = module.split(".")[0]
    return 0 if top == "__future__" else 1 if top in sys.stdlib_module_names else 2


def _tokens(source: Source) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO("\n".join(source.lines)).readline)


def no_semicolons(source: Source, check: c.PythonCode) -> Finding:
    return bool(source.tree.body), [each.start[0] for each in _tokens(source) if each.string == ";"]


def no_backslashes(source: Source, check: c.PythonCode) -> Finding:
    """No line is continued by a backslash; in texts it may stand."""
    inside: set[int] = set()
    for each in _tokens(source):
        if each.type == tokenize.STRING:
            inside.update(range(each.start[0], each.end[0]))
    wrong = [at for at, line in enumerate(source.lines, 1) if line.rstrip().endswith("\\") and at not in inside]
    commented = {each.start[0] for each in _tokens(source) if each.type == tokenize.COMMENT}
    return bool(source.tree.body), [at for at in wrong if at not in commented]


def trailing_commas(source: Source, check: c.PythonCode) -> Finding:
    """Calls, definitions and collections whose closing bracket has a line of its own end in a comma.

    One item alone, a generator, a subscript and a bracket around an expression need none.
    """
    seen, wrong = False, []
    stack: list[dict[str, object]] = []
    before: tokenize.TokenInfo | None = None
    for token in _tokens(source):
        if token.type in _SPACE:
            continue
        if token.string in ("(", "[", "{") and token.type == tokenize.OP:
            named = before is not None and (before.type == tokenize.NAME or before.string in (")", "]"))
            word = before is not None and before.string in (
                "in",
                "and",
                "or",
                "not",
                "if",
                "return",
                "else",
                "is",
                "yield",
            )
            stack.append(
                {
                    "line": token.start[0],
                    "call": named and not word,
                    "sign": token.string,
                    "comma": False,
                    "for": False,
                    "names": False,
                    "from": 0,
                }
            )
        elif token.string in (")", "]", "}") and token.type == tokenize.OP and stack:
            opened = stack.pop()
            apart = before is not None and before.end[0] < token.start[0] and before.string not in ("(", "[", "{")
            listed = bool(opened["comma"]) or (opened["call"] and opened["sign"] == "(" and opened["names"])
            subscript = opened["sign"] == "[" and opened["call"]
            if apart and listed and not opened["for"] and not subscript:
                seen = True
                if before is not None and before.string != ",":
                    wrong.append(before.end[0])
        elif stack and token.type == tokenize.OP and token.string == ",":
            stack[-1]["comma"] = True
        elif stack and token.string == "for" and token.type == tokenize.NAME:
            stack[-1]["for"] = True
        elif stack and token.string == "=" and token.type == tokenize.OP:
            stack[-1]["names"] = True
        before = token
    return seen, wrong


def main_guard(source: Source, check: c.PythonCode) -> Finding:
    """What defines something and runs something at its top, or has a ``main``, ends with the guard."""
    body = source.tree.body
    defines = [each for each in body if isinstance(each, Function)]
    runs = any(isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) for each in body)
    guards = [each for each in body if isinstance(each, ast.If) and "__main__" in ast.dump(each.test)]
    scripts = bool(guards) or (bool(defines) and (runs or any(each.name == "main" for each in defines)))
    if not scripts:
        return False, []
    return True, [] if guards and body[-1] is guards[-1] else [body[-1].lineno]


def _comments(source: Source) -> Iterator[tuple[tokenize.TokenInfo, bool]]:
    """(comment, whether code stands before it on its line), what is written for tools left out."""
    for each in _tokens(source):
        if each.type == tokenize.COMMENT and not each.string.startswith(_TOOLS):
            yield each, bool(each.line[: each.start[1]].strip())


def no_inline_comments(source: Source, check: c.PythonCode) -> Finding:
    return bool(source.tree.body), [each.start[0] for each, behind in _comments(source) if behind]


def comment_capital(source: Source, check: c.PythonCode) -> Finding:
    """The first line of a block of comments; what begins with a name of code may be as it is."""
    found, last, wrong = False, -1, []
    for each, _ in _comments(source):
        text = each.string.lstrip("#: ")
        first = each.start[0] != last + 1
        last = each.start[0]
        found = found or bool(text)
        if first and text[:1].islower() and text.split(" ")[0].isalpha():
            wrong.append(each.start[0])
    return found, wrong


def method_blank_lines(source: Source, check: c.PythonCode) -> Finding:
    """One blank line between methods that follow each other."""
    seen, wrong = False, []
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for before, after in pairwise(node.body):
            if isinstance(before, Function) and isinstance(after, Function):
                first = min([after.lineno, *(each.lineno for each in after.decorator_list)])
                between = source.lines[before.end_lineno or before.lineno : first - 1]
                if all(not line.strip() for line in between):
                    seen = True
                    if len(between) != 1:
                        wrong.append(first)
    return seen, wrong


FINDERS: dict[str, Callable[[Source, c.PythonCode], Finding]] = {
    "future_annotations": future_annotations,
    "imports_at_top": imports_at_top,
    "one_import_a_line": one_import_a_line,
    "import_groups": import_groups,
    "no_semicolons": no_semicolons,
    "no_backslashes": no_backslashes,
    "trailing_commas": trailing_commas,
    "main_guard": main_guard,
    "no_inline_comments": no_inline_comments,
    "comment_capital": comment_capital,
    "method_blank_lines": method_blank_lines,
    "no_import_alias": nodes(lambda node: isinstance(node, _IMPORT) and any(name.asname for name in node.names)),
    "no_from_imports": nodes(lambda node: isinstance(node, ast.ImportFrom) and node.module != "__future__"),
    "no_module_all": nodes(
        lambda node: isinstance(node, ast.Assign) and any(name_of(target) == "__all__" for target in node.targets)
    ),
}
