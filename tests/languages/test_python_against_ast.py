"""Definitions of real source, held against CPython's own parser."""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from pathlib import Path

import click
import networkx
import pytest

from retrieval.languages.registry import analyze


def _sources() -> list[Path]:
    found = sorted(Path(click.__file__).parent.glob("*.py"))
    packages = Path(networkx.__file__).parent
    for folder in ("classes", "drawing", "utils", "algorithms/flow", "algorithms/isomorphism"):
        found += sorted((packages / folder).glob("*.py"))
    return found


SOURCES = _sources()


def _definitions(tree: ast.AST, prefix: str = "m") -> list[tuple[str, int, int, int, str, str]]:
    """(dotted name, first line with decorators, line of the name, last line, docstring, kind) of every def and class."""
    found = []
    in_class = isinstance(tree, ast.ClassDef)

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                start = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                kind = "class" if isinstance(child, ast.ClassDef) else "method" if in_class else "function"
                name = f"{prefix}.{child.name}"
                found.append((name, start, child.lineno, child.end_lineno, ast.get_docstring(child) or "", kind))
                found.extend(_definitions(child, name))
            elif not isinstance(child, ast.expr):
                visit(child)

    visit(tree)
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_definitions_equal_those_of_ast(path: Path) -> None:
    text = path.read_text("utf-8")
    analysis = analyze("m.py", text, "python", "m")
    assert not analysis.partial
    expected = Counter(
        (name, start, line, end, doc[:2000], kind)
        for name, start, line, end, doc, kind in _definitions(ast.parse(text))
    )
    actual = Counter(
        (
            ".".join(part.partition("#")[0] for part in symbol.qualname.split(".")),
            symbol.start_line,
            symbol.def_line,
            symbol.end_line,
            symbol.doc,
            "method" if symbol.kind == "property" else symbol.kind,
        )
        for symbol in analysis.symbols
        if symbol.kind in ("class", "function", "method", "property")
    )
    assert actual == expected
    names = [symbol.qualname for symbol in analysis.symbols]
    assert len(names) == len(set(names))
    assert analysis.symbols[0].doc == (ast.get_docstring(ast.parse(text)) or "")[:2000]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_top_level_names_equal_those_of_ast(path: Path) -> None:
    """Module variables and class attributes: every plain name that an assignment statement binds."""
    text = path.read_text("utf-8")
    expected: Counter[tuple[str, int]] = Counter()

    def targets(node: ast.expr, prefix: str) -> None:
        if isinstance(node, ast.Name):
            expected[f"{prefix}.{node.id}", node.lineno] += 1
        elif isinstance(node, ast.Tuple | ast.List):
            for element in node.elts:
                targets(element, prefix)
        elif isinstance(node, ast.Starred):
            targets(node.value, prefix)

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                functions(child, f"{prefix}.{child.name}")
            elif isinstance(child, ast.ClassDef):
                visit(child, f"{prefix}.{child.name}")
            elif isinstance(child, ast.Assign):
                for target in child.targets:
                    targets(target, prefix)
            elif isinstance(child, ast.AnnAssign):
                targets(child.target, prefix)
            elif not isinstance(child, ast.expr):
                visit(child, prefix)

    def functions(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                visit(child, f"{prefix}.{child.name}")
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                functions(child, f"{prefix}.{child.name}")
            elif not isinstance(child, ast.expr):
                functions(child, prefix)

    visit(ast.parse(text), "m")
    actual = Counter(
        (".".join(part.partition("#")[0] for part in symbol.qualname.split(".")), symbol.def_line)
        for symbol in analyze("m.py", text, "python", "m").symbols
        if symbol.kind in ("variable", "attribute")
    )
    assert actual == expected


def test_signatures_equal_unparsed_ones() -> None:
    """A signature, parsed again, is the one that ast reads in the file."""
    checked = 0
    for path in SOURCES:
        text = path.read_text("utf-8")
        by_line = {
            node.lineno: node
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        for symbol in analyze("m.py", text, "python", "m").symbols:
            if symbol.kind not in ("class", "function", "method", "property") or symbol.signature.endswith("…"):
                continue
            assert "\n" not in symbol.signature
            again = ast.parse(symbol.signature + ": pass").body[0]
            original = by_line[symbol.def_line]
            if isinstance(original, ast.ClassDef):
                assert isinstance(again, ast.ClassDef)
                assert [ast.dump(base) for base in again.bases] == [ast.dump(base) for base in original.bases]
                assert symbol.bases == tuple(ast.unparse(base) for base in original.bases)
            else:
                assert isinstance(again, ast.FunctionDef | ast.AsyncFunctionDef)
                assert ast.dump(again.args) == ast.dump(original.args)
                assert (again.returns is None) == (original.returns is None)
            checked += 1
    assert checked > 500


@pytest.mark.parametrize(
    "literal",
    [
        '"""One.\n\n    Two\n        three.\n    """',
        "'single'",
        '"""\\n escaped \\x41 \\u00e9 \\101 \\N{BULLET} \\q \\\\ """',
        'r"""raw \\n stays"""',
        'u"old"',
        '"a" "b" \\\n    "c"',
        '"""tab\n\tindented\n\t\tmore"""',
        '"""ends with a backslash \\\n    and goes on"""',
        '""""quoted" inside"""',
        '"""   \n\n   padded\n\n   """',
        "'''emoji 🎉 and \u2028 separator'''",
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")
def test_docstrings_read_like_ast(literal: str) -> None:
    text = f"def f():\n    {literal}\n    return 1\n"
    expected = ast.get_docstring(ast.parse(text).body[0])
    assert analyze("m.py", text, "python", "m").symbols[1].doc == expected
    assert inspect.cleandoc(expected or "") == expected


@pytest.mark.parametrize("literal", ['b"bytes"', 'f"{x}"', '"%s" % x', "1"])
def test_other_first_statements_are_no_docstring(literal: str) -> None:
    assert analyze("m.py", f"def f():\n    {literal}\n", "python", "m").symbols[1].doc == ""
