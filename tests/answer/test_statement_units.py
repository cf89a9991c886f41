"""Statements and the conditions that an answer tells with them, held against Python's own parser on real packages."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from answer_tree import FakeReader

from agent.answer.offline.units import COMMENT, ENTRY, STATEMENTS, Unit, conditions_at, units_of
from retrieval.records import ChunkRow

Headers = tuple[tuple[int, str], ...]
MODULES = ("click.core", "chromadb.api.client", "networkx.classes.graph", "networkx.readwrite.gml", "rank_bm25")
COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)


def source_of(module: str) -> str:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        pytest.skip(f"{module} is not installed")
    return Path(spec.origin).read_text(encoding="utf-8")


def statements_of(tree: ast.AST, above: Headers = ()) -> Iterator[tuple[ast.stmt, Headers]]:
    """Each simple statement with the (line, branch) of every header around it, inside its own definition."""
    for name, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            here = above
            if isinstance(tree, BRANCHES) and name in ("body", "orelse"):
                line = tree.pattern.lineno if isinstance(tree, ast.match_case) else tree.lineno
                is_elif = name == "orelse" and isinstance(child, ast.If) and child.col_offset == tree.col_offset
                here = above if is_elif else (*above, (line, name))
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield from statements_of(child)
            elif isinstance(child, ast.stmt) and not isinstance(child, COMPOUND):
                yield child, here
            else:
                yield from statements_of(child, here)


def units_in(text: str, hidden: frozenset[int] = frozenset()) -> Iterator[Unit]:
    reader = FakeReader({"m.py": text})
    lines = tuple("" if n in hidden else line for n, line in enumerate(text.split("\n"), start=1))
    rows: dict[str, list[ChunkRow]] = {}
    for row in reader.chunks_of("m.py"):
        rows.setdefault(row.qualname, []).append(row)
    for group in rows.values():
        yield from units_of(group, lines)


def hold_against_the_parser(text: str, hidden: frozenset[int] = frozenset()) -> int:
    """How many statements were told under a condition; every one has to be the parser's."""
    lines = text.split("\n")
    expected = {each.lineno: above for each, above in statements_of(ast.parse(text))}
    judged = 0
    for unit in units_in(text, hidden):
        if unit.kind != STATEMENTS or not unit.conditions:
            continue
        opener, header = unit.conditions[0][0], unit.conditions[-1][0]
        said = lines[header - 1].strip()
        for first, _ in unit.spans:
            if first not in expected or said.startswith(("def ", "async def ", "class ", "finally")):
                continue
            judged += 1
            if said.startswith("else"):
                others = [line for line, branch in expected[first] if branch == "orelse" and opener <= line < header]
                assert others or len(unit.conditions) == 1, (first, unit)
            else:
                assert (header, "body") in expected[first], (first, unit, expected[first])
    return judged


@pytest.mark.parametrize("module", MODULES)
def test_a_statement_is_told_under_the_condition_that_the_parser_gives_it(module: str) -> None:
    assert hold_against_the_parser(source_of(module)) > 10


@pytest.mark.parametrize("seed", range(6))
def test_lines_that_are_not_shown_lend_no_statement_a_wrong_condition(seed: int) -> None:
    text = source_of("click.core")
    count = text.count("\n") + 1
    hidden = frozenset(random.Random(seed).sample(range(1, count), count // 3))
    assert hold_against_the_parser(text, hidden) > 10


def test_conditions_of_a_line_are_its_innermost_headers() -> None:
    text = "def f(a, b):\n    if a:\n        for x in b:\n            if not x:\n                raise ValueError(x)\n"
    reader = FakeReader({"m.py": text})
    (row,) = (row for row in reader.chunks_of("m.py") if row.qualname == "m.f")
    lines = text.split("\n")
    assert conditions_at(row.blocks, lines, 5) == ((3, 3), (4, 4))  # the loop binds what the test names
    assert conditions_at(row.blocks, lines, 5, depth=1) == ((3, 3), (4, 4))


def test_an_entry_of_a_parameter_list_keeps_its_default_and_version_notes_are_left_out() -> None:
    text = (
        'def f(rate=4):\n    """Draw it.\n\n    Args:\n        rate (int): How often a second. Defaults to 4.\n\n'
        '    .. versionchanged:: 2.0\n        The charset was removed.\n    """\n    return rate\n'
    )
    units = list(units_in(text))
    assert "rate (int): How often a second. Defaults to 4." in [unit.text for unit in units if unit.kind == ENTRY]
    assert not any("charset" in unit.text for unit in units)


def test_a_short_comment_goes_with_the_statement_below_it_and_a_long_one_stands_for_itself() -> None:
    text = (
        "def f(a):\n    # Too old to be read.\n    if a > 3:\n        return None\n"
        "    # The first one is kept.\n    # All others are dropped, because two of them\n    # would collide.\n    return a\n"
    )
    units = list(units_in(text))
    noted = [unit for unit in units if unit.note]
    assert [unit.note[0] for unit in noted if unit.note and unit.deciding] == ["Too old to be read."]
    comments = [unit.text for unit in units if unit.kind == COMMENT]
    assert comments == ["The first one is kept.", "All others are dropped, because two of them would collide."]
