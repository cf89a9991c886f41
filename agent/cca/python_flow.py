"""Demands on Python's statements: errors, nesting, recursion, asynchrony, stubs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from agent.cca import checks as c
from agent.cca.python_definitions import Function, functions_of
from agent.cca.python_source import Finding, Source, name_of
from agent.cca.python_style import nodes

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function or a handler, without what is defined in it."""
    stack = list(ast.iter_child_nodes(node))
    while stack:
        each = stack.pop()
        yield each
        if not isinstance(each, _INNER):
            stack.extend(ast.iter_child_nodes(each))


def raise_from(source: Source, check: c.PythonCode) -> Finding:
    seen, wrong = False, []
    for handler in ast.walk(source.tree):
        if not isinstance(handler, ast.ExceptHandler):
            continue
        for node in own_nodes(handler):
            if not isinstance(node, ast.Raise) or node.exc is None or name_of(node.exc) == (handler.name or "-"):
                continue
            seen = True
            if node.cause is None:
                wrong.append(node.lineno)
    return seen, wrong


def no_silent_except(source: Source, check: c.PythonCode) -> Finding:
    handlers = [node for node in ast.walk(source.tree) if isinstance(node, ast.ExceptHandler)]
    return bool(handlers), [node.lineno for node in handlers if all(_is_nothing(each) for each in node.body)]


def _is_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...
    )


def no_recursion(source: Source, check: c.PythonCode) -> Finding:
    """A function that calls itself by its name, a method through ``self``."""
    functions = list(functions_of(source.tree))
    wrong = []
    for function in functions:
        for node in own_nodes(function):
            if not isinstance(node, ast.Call) or name_of(node.func) != function.name:
                continue
            if isinstance(node.func, ast.Name) or name_of(getattr(node.func, "value", node)) in ("self", "cls"):
                wrong.append(node.lineno)
    return bool(functions), wrong


def no_nested_functions(source: Source, check: c.PythonCode) -> Finding:
    functions = list(functions_of(source.tree))
    wrong = [node.lineno for each in functions for node in own_nodes(each) if isinstance(node, Function)]
    return bool(functions), wrong


def no_nested_comprehensions(source: Source, check: c.PythonCode) -> Finding:
    found = [node for node in ast.walk(source.tree) if isinstance(node, _COMPREHENSIONS)]
    wrong = [
        node.lineno
        for node in found
        if len(node.generators) > 1
        or any(isinstance(each, _COMPREHENSIONS) for each in ast.walk(node) if each is not node)
    ]
    return bool(source.tree.body), wrong


def nesting(source: Source, check: c.PythonCode) -> Finding:
    """Blocks within each other in a function, an ``elif`` counting with its ``if``."""
    most = check.most or 0
    functions = list(functions_of(source.tree))
    wrong: list[int] = []
    stack: list[tuple[ast.AST, int]] = [(each, 0) for function in functions for each in function.body]
    while stack:
        node, depth = stack.pop()
        depth += isinstance(node, _BLOCKS)
        if depth > most and isinstance(node, _BLOCKS):
            wrong.append(getattr(node, "lineno", 0))
        if isinstance(node, _INNER):
            continue
        chained = node.orelse if isinstance(node, ast.If) and len(node.orelse) == 1 else []
        for each in ast.iter_child_nodes(node):
            elif_ = isinstance(each, ast.If) and each in chained
            stack.append((each, depth - 1 if elif_ else depth))
    return bool(functions), wrong


def no_else_after_return(source: Source, check: c.PythonCode) -> Finding:
    found = [node for node in ast.walk(source.tree) if isinstance(node, ast.If)]
    leaves = (ast.Return, ast.Raise, ast.Continue, ast.Break)
    return bool(found), [node.lineno for node in found if node.orelse and isinstance(node.body[-1], leaves)]


def async_only(source: Source, check: c.PythonCode) -> Finding:
    functions = list(functions_of(source.tree))
    return bool(functions), [each.lineno for each in functions if isinstance(each, ast.FunctionDef)]


def no_stubs(source: Source, check: c.PythonCode) -> Finding:
    """Bodies of nothing but ``pass``, ``...`` or ``raise NotImplementedError``; abstract methods aside."""
    abstract = {
        id(each)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ClassDef) and any(name_of(base) in ("Protocol", "ABC") for base in node.bases)
        for each in node.body
    }
    functions = [each for each in functions_of(source.tree) if id(each) not in abstract and not each.decorator_list]
    return bool(functions), [each.lineno for each in functions if _is_stub(each)]


def _is_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    only = body[0] if len(body) == 1 else None
    if isinstance(only, ast.Raise) and only.exc is not None:
        return name_of(only.exc.func if isinstance(only.exc, ast.Call) else only.exc) == "NotImplementedError"
    return only is not None and _is_nothing(only)


def no_star_arguments(source: Source, check: c.PythonCode) -> Finding:
    functions = list(functions_of(source.tree))
    return bool(functions), [each.lineno for each in functions if each.args.vararg or each.args.kwarg]


def _is_endless(node: ast.AST) -> bool:
    return isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)


def usage_example(source: Source, check: c.PythonCode) -> Finding:
    """Outside of what is defined, one of the functions or classes is called."""
    defined = {node.name: node.lineno for node in source.tree.body if isinstance(node, (*_INNER[:2], ast.ClassDef))}
    called = {
        name_of(node.func)
        for statement in source.tree.body
        if not isinstance(statement, (*_INNER[:2], ast.ClassDef))
        for node in ast.walk(statement)
        if isinstance(node, ast.Call)
    }
    shown = any(isinstance(node, ast.Expr) and ">>>" in ast.dump(node) for node in ast.walk(source.tree))  # a doctest
    return bool(defined), [] if shown or called & set(defined) else sorted(defined.values())[:1]


FINDERS: dict[str, Callable[[Source, c.PythonCode], Finding]] = {
    "usage_example": usage_example,
    "raise_from": raise_from,
    "no_silent_except": no_silent_except,
    "no_recursion": no_recursion,
    "no_nested_functions": no_nested_functions,
    "no_nested_comprehensions": no_nested_comprehensions,
    "no_comprehensions": nodes(lambda node: isinstance(node, _COMPREHENSIONS)),
    "no_ternary": nodes(lambda node: isinstance(node, ast.IfExp)),
    "no_classes": nodes(lambda node: isinstance(node, ast.ClassDef)),
    "no_named_lambda": nodes(
        lambda node: isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Lambda)
    ),
    "no_fstrings": nodes(lambda node: isinstance(node, ast.JoinedStr)),
    "no_async": nodes(lambda node: isinstance(node, ast.AsyncFunctionDef | ast.AsyncFor | ast.AsyncWith | ast.Await)),
    "no_endless_loops": nodes(_is_endless),
    "nesting": nesting,
    "no_else_after_return": no_else_after_return,
    "async_only": async_only,
    "no_stubs": no_stubs,
    "no_star_arguments": no_star_arguments,
}
