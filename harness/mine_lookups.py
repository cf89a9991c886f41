"""Look-ups mined from a source tree: questions that name a thing, whose answers need no prose.

* *message*: a quoted error message; gold: the function that raises it;
* *callers*: who calls a function; gold: the lines of the calls (tests left out);
* *file*: what a named file does; gold: the file.

Nothing is taken out of the tree for them: to be found by their words is what these questions are for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.mine_tree import Definition, Question, Tree, called_name, gold_of, is_test

_MIN_MESSAGE = 16  # characters of a literal that is looked for
_MAX_MESSAGE = 90
_MOST_PLACES = 5  # calls of a function that is asked about
_MIN_FILE_LINES = 40
_FIRST_LINES = 60


def message_questions(tree: Tree) -> Iterator[Question]:
    found: dict[str, list[Definition]] = {}
    for each in tree.functions:
        if is_test(each.path):
            continue
        for node in ast.walk(each.node):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                text = _literal(node.exc.args[0])
                if _MIN_MESSAGE <= len(text) <= _MAX_MESSAGE and " " in text and '"' not in text:
                    found.setdefault(text, []).append(each)
    for text, places in found.items():
        if len(places) == 1:
            yield Question("message", f'Where is the error "{text}" raised?', gold_of(places), _nothing(places[0]))


def caller_questions(tree: Tree) -> Iterator[Question]:
    places: dict[str, dict[str, set[int]]] = {}
    for each in tree.functions:
        if is_test(each.path):
            continue
        for node in ast.walk(each.node):
            if isinstance(node, ast.Call):
                places.setdefault(called_name(node), {}).setdefault(each.path, set()).add(node.lineno)
    for name, calls in places.items():
        callee = tree.unique(name)
        if callee is None or not 1 <= sum(map(len, calls.values())) <= _MOST_PLACES or len(name) < 4:
            continue
        if set(calls) != {callee.path}:
            yield Question("callers", f"Who calls {name}?", calls, _nothing(callee))


def file_questions(tree: Tree) -> Iterator[Question]:
    for path, lines in tree.lines.items():
        if not path.endswith(".py") or is_test(path) or path.endswith("__init__.py") or len(lines) < _MIN_FILE_LINES:
            continue
        tail = "/".join(path.split("/")[-2:])
        if sum(other.endswith(f"/{tail}") or other == tail for other in tree.lines) == 1:
            gold = {path: set(range(1, min(len(lines), _FIRST_LINES) + 1))}
            yield Question("file", f"What does {tail} do?", gold, (path, frozenset()))


def _literal(node: ast.expr) -> str:
    """The constant text of a message, "" when it has none; of a formatted one the longest constant part."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.strip() if "%" not in node.value and "{" not in node.value else ""
    if isinstance(node, ast.JoinedStr):
        parts = [str(part.value).strip() for part in node.values if isinstance(part, ast.Constant)]
        return max(parts, key=len, default="")
    return ""


def _nothing(definition: Definition) -> tuple[str, frozenset[int]]:
    return definition.path, frozenset()
