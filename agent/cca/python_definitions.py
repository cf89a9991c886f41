"""Demands on Python's definitions: docstrings, annotations, sizes, names (PEP 8, PEP 257)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from agent.cca import checks as c
from agent.cca.python_source import Finding, Source, name_of

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions_of(tree: ast.AST, *, overrides: bool = True) -> Iterator[Function]:
    """Functions and methods; without ``overrides`` no methods of classes with bases, whose names others chose."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.ClassDef) and node.bases and not overrides:
            continue
        if isinstance(node, Function):
            yield node
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _is_elided(node: Function | ast.ClassDef) -> bool:
    only = node.body[0] if len(node.body) == 1 else None
    return isinstance(only, ast.Expr) and isinstance(only.value, ast.Constant) and only.value.value is ...


def _is_public(node: Function | ast.ClassDef) -> bool:
    return not node.name.startswith(("_", "test")) and not any(name_of(each) == "overload" for each in _marks(node))


def _marks(node: Function | ast.ClassDef) -> list[ast.expr]:
    return [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]


def function_docstrings(source: Source, check: c.PythonCode) -> Finding:
    inner = {id(each) for outer in functions_of(source.tree) for each in functions_of(outer) if each is not outer}
    public = [
        each
        for each in functions_of(source.tree)
        if _is_public(each)
        and not _is_elided(each)
        and id(each) not in inner
        and not any(name_of(mark) in ("setter", "deleter", "override") for mark in _marks(each))
    ]
    return bool(public), [each.lineno for each in public if ast.get_docstring(each, clean=False) is None]


def class_docstrings(source: Source, check: c.PythonCode) -> Finding:
    public = [
        each
        for each in ast.walk(source.tree)
        if isinstance(each, ast.ClassDef) and _is_public(each) and not _is_elided(each)
    ]
    return bool(public), [each.lineno for each in public if ast.get_docstring(each, clean=False) is None]


def annotated(source: Source, check: c.PythonCode) -> Finding:
    functions = [each for each in functions_of(source.tree) if not check.public or _is_public(each)]
    return bool(functions), [each.lineno for each in functions if not _is_annotated(each)]


def _is_annotated(node: Function) -> bool:
    arguments = [*node.args.posonlyargs, *node.args.args]
    if arguments and arguments[0].arg in ("self", "cls", "mcs", "_"):
        arguments = arguments[1:]
    arguments += node.args.kwonlyargs
    arguments += [each for each in (node.args.vararg, node.args.kwarg) if each is not None]
    complete = all(each.annotation is not None for each in arguments)
    return complete and (node.returns is not None or (node.name == "__init__" and bool(arguments)))


def argument_count(source: Source, check: c.PythonCode) -> Finding:
    functions = list(functions_of(source.tree))
    most = check.most or 0

    def number(node: Function) -> int:
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        return len(arguments) - (bool(arguments) and arguments[0].arg in ("self", "cls"))

    return bool(functions), [each.lineno for each in functions if number(each) > most]


def function_lines(source: Source, check: c.PythonCode) -> Finding:
    functions = list(functions_of(source.tree))
    most = check.most or 0
    long = [each.lineno for each in functions if (each.end_lineno or each.lineno) - each.lineno + 1 > most]
    return bool(functions), long


_SNAKE = re.compile(r"_{0,2}[a-z0-9][a-z0-9_]*|_+")
_GIVEN_NAMES = re.compile(
    r"(?:visit|depart|generic_visit|do)_\w+|(?:setUp|tearDown)(?:Class|Module|TestData)?|runTest|addCleanup|assert[A-Z]\w+"
)
_CAMEL = re.compile(r"_{0,2}[a-z][a-z0-9]*[A-Z]\w*")
_CAPWORDS = re.compile(r"_{0,2}[A-Z][A-Za-z0-9]*")


def snake_functions(source: Source, check: c.PythonCode) -> Finding:
    functions = list(functions_of(source.tree, overrides=False))
    wrong = [
        each.lineno
        for each in functions
        if not _SNAKE.fullmatch(each.name) and not _GIVEN_NAMES.fullmatch(each.name) and each.name.isascii()
    ]
    return bool(functions), wrong


def snake_variables(source: Source, check: c.PythonCode) -> Finding:
    names = [
        (each.id, each.lineno)
        for each in ast.walk(source.tree)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
    for function in functions_of(source.tree, overrides=False):
        every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        names += [(each.arg, each.lineno) for each in every]
    return bool(names), [line for name, line in names if _CAMEL.fullmatch(name)]


def capwords_classes(source: Source, check: c.PythonCode) -> Finding:
    classes = [each for each in ast.walk(source.tree) if isinstance(each, ast.ClassDef)]
    return bool(classes), [each.lineno for each in classes if not _CAPWORDS.fullmatch(each.name)]
