"""Demands on Python's names and annotations (PEP 8, PEP 484, PEP 585, PEP 604)."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from agent.cca import checks as c
from agent.cca.python_definitions import Function, functions_of
from agent.cca.python_source import Finding, Source, name_of

_GENERICS = frozenset({"List", "Dict", "Tuple", "Set", "FrozenSet", "Type", "Deque", "DefaultDict"})
_UPPER = re.compile(r"_{0,2}[A-Z][A-Z0-9_]*")
_PLAIN = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set)
_CUSTOM = re.compile(r"\w*(?:Error|Exception)")


def _from_typing(source: Source, names: frozenset[str]) -> Finding:
    """``typing``'s names: imported, as attributes of the module, or written with brackets behind them."""
    wrong = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and node.module == "typing":
            hit = any(name.name in names for name in node.names)
        elif isinstance(node, ast.Attribute):
            hit = node.attr in names and name_of(node.value) in ("typing", "t")
        else:
            hit = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in names
        if hit:
            wrong.append(getattr(node, "lineno", 0))
    return bool(source.tree.body), wrong


def annotations_of(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, Function) and node.returns is not None:
            yield node.returns


def no_any(source: Source, check: c.PythonCode) -> Finding:
    hints = list(annotations_of(source.tree))
    wrong = [
        each.lineno
        for hint in hints
        if any(
            name_of(node) == "Any"
            or (isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\bAny\b", node.value))
            for node in ast.walk(hint)
        )
        for each in (hint,)
    ]
    return bool(source.tree.body), wrong


def returns_annotated(source: Source, check: c.PythonCode) -> Finding:
    functions = list(functions_of(source.tree))
    return bool(functions), [each.lineno for each in functions if each.returns is None]


def parameters_annotated(source: Source, check: c.PythonCode) -> Finding:
    seen, wrong = False, []
    for node in functions_of(source.tree):
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        every = [each for each in every if each.arg not in ("self", "cls", "mcs", "_")]
        seen = seen or bool(every)
        if any(each.annotation is None for each in every):
            wrong.append(node.lineno)
    return seen, wrong


def no_annotations(source: Source, check: c.PythonCode) -> Finding:
    return bool(source.tree.body), [each.lineno for each in annotations_of(source.tree)]


def bound_names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Variables and arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno


def no_single_letters(source: Source, check: c.PythonCode) -> Finding:
    allowed = {"_", *check.names}
    names = list(bound_names(source.tree))
    types = {
        target.id
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and name_of(node.value.func) == "TypeVar"
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return bool(names), [line for name, line in names if len(name) == 1 and name not in allowed | types]


def upper_constants(source: Source, check: c.PythonCode) -> Finding:
    """Literals at the top of what is a module: nothing runs at its top. What is bound twice is no constant."""
    body = source.tree.body
    if any(isinstance(each, ast.For | ast.While | ast.AugAssign | ast.With | ast.Delete) for each in body):
        return False, []
    simple = [
        (target.id, each.lineno, each.value)
        for each in body
        if isinstance(each, ast.Assign | ast.AnnAssign)
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
        if isinstance(target, ast.Name)
    ]
    names = [name for name, _, _ in simple]
    defines = any(isinstance(each, Function | ast.ClassDef) for each in body)
    runs = any(isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) for each in body)
    if runs and not defines:
        return False, []
    written = {node.names[0] for node in ast.walk(source.tree) if isinstance(node, ast.Global)}
    found = [
        (name, line)
        for name, line, value in simple
        if _is_literal(value) and names.count(name) == 1 and not name.startswith("__") and name not in written
    ]
    return bool(found), [line for name, line in found if not _UPPER.fullmatch(name)]


def _is_literal(node: ast.expr | None) -> bool:
    return isinstance(node, _PLAIN) and not (isinstance(node, ast.Constant) and node.value is None)


def error_names(source: Source, check: c.PythonCode) -> Finding:
    """Classes whose base is an exception, by its name."""
    classes = [node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef)]
    errors: set[str] = set()
    for node in classes:
        if any(_CUSTOM.fullmatch(name_of(base)) or name_of(base) in errors for base in node.bases):
            errors.add(node.name)
    found = [node for node in classes if node.name in errors]
    return bool(found), [node.lineno for node in found if not node.name.endswith("Error")]


def test_names(source: Source, check: c.PythonCode) -> Finding:
    """Functions that assert something and that nothing calls are tests, and so are those of test cases."""
    called = {name_of(node.func) for node in ast.walk(source.tree) if isinstance(node, ast.Call)}
    tests = [
        node
        for node in functions_of(source.tree)
        if node.name.startswith("test")
        or (_asserts(node) and node.name not in called and not node.decorator_list and not node.name.startswith("_"))
    ]
    return bool(tests), [node.lineno for node in tests if not node.name.startswith("test_")]


def _asserts(node: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Assert) or (isinstance(each, ast.Attribute) and each.attr == "raises")
        for each in ast.walk(node)
    )


def plain_tests(source: Source, check: c.PythonCode) -> Finding:
    """No classes of tests."""
    classes = [node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef)]
    wrong = [
        node.lineno
        for node in classes
        if node.name.startswith("Test") or any(name_of(base).endswith("TestCase") for base in node.bases)
    ]
    tests = any(each.name.startswith("test") for each in functions_of(source.tree))
    return bool(wrong) or tests, wrong


def bool_names(source: Source, check: c.PythonCode) -> Finding:
    """Functions that are annotated to return ``bool`` begin with one of the names."""
    starts = tuple(f"{name.rstrip('_*.…')}_" for name in check.names) or ("is_", "has_", "can_", "should_")
    found = [
        each
        for each in functions_of(source.tree)
        if each.returns is not None and name_of(each.returns) == "bool" and not each.name.startswith("__")
    ]
    return bool(found), [each.lineno for each in found if not each.name.lstrip("_").startswith(starts)]


FINDERS: dict[str, Callable[[Source, c.PythonCode], Finding]] = {
    "union_operator": lambda source, check: _from_typing(source, frozenset({"Optional", "Union"})),
    "no_optional": lambda source, check: _from_typing(source, frozenset({"Optional"})),
    "builtin_generics": lambda source, check: _from_typing(source, _GENERICS),
    "no_any": no_any,
    "returns_annotated": returns_annotated,
    "parameters_annotated": parameters_annotated,
    "no_annotations": no_annotations,
    "no_single_letters": no_single_letters,
    "upper_constants": upper_constants,
    "error_names": error_names,
    "test_names": test_names,
    "plain_tests": plain_tests,
    "bool_names": bool_names,
}
