"""Second try at a file with syntax errors: parse it definition by definition, told apart by their indentation.

One half-written line can make the parser close a class early or swallow what follows. Cut at the lines where ``def``,
``class`` and decorators stand in their column, the damage stays inside the piece that has it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.chunking.lines import indent_of, is_blank
from retrieval.languages.python.tree import Statement, StatementTree, parse
from retrieval.records import BlockKind

_OPENING = re.compile(r"[ \t\ufeff]*(?:@|(?:async[ \t]+)?def[ \t]|class[ \t])")
_DECORATOR = re.compile(r"[ \t]*@")
_CLASS = re.compile(r"[ \t]*class[ \t]")
#: Classes nested deeper than this are not taken apart.
_MAX_NESTING = 8


def damage(statements: Sequence[Statement]) -> int:
    """Rows whose place in the structure is lost: broken ones, and those indented although at module level."""
    total = 0
    for statement in statements:
        rows = statement.end - statement.start + 1
        if statement.column > 0 and statement.kind is not BlockKind.TEXT:
            total += rows
        else:
            total += _broken_rows(statement)
    return total


def _broken_rows(statement: Statement) -> int:
    if statement.broken:
        return statement.end - statement.start + 1
    if not statement.node.has_error:
        return 0
    if statement.body:
        return sum(_broken_rows(inner) for inner in statement.body)
    return statement.end - statement.start + 1


class Salvage:
    """Statements of a broken file, piece by piece.

    Attributes:
        statements, comments: As in ``StatementTree``.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self.comments: list[tuple[int, str]] = []
        self.statements = self._pieces(0, len(lines) - 1, 0, 0)

    def _pieces(self, start: int, end: int, column: int, nesting: int) -> list[Statement]:
        """Statements of rows ``start..end``, whose definitions stand at ``column``."""
        cuts = self._cuts(start, end, column)
        found: list[Statement] = []
        for first, after in zip([start, *cuts], [*cuts, end + 1], strict=True):
            if first < after:
                found.extend(self._piece(first, after - 1, column, nesting))
        return found

    def _cuts(self, start: int, end: int, column: int) -> list[int]:
        """Rows on which a definition starts, with its decorators."""
        cuts: list[int] = []
        decorated = False
        for row in range(start, end + 1):
            line = self._lines[row]
            if indent_of(line.lstrip("\ufeff")) != column or not _OPENING.match(line):
                continue
            if not decorated:
                cuts.append(row)
            decorated = _DECORATOR.match(line) is not None
        return cuts

    def _piece(self, start: int, end: int, column: int, nesting: int) -> list[Statement]:
        tree = self._wrap("\n".join(self._lines[start : end + 1]) + "\n", start, column)
        if nesting < _MAX_NESTING and any(statement.node.has_error for statement in tree.statements):
            row = start
            while row < end and _DECORATOR.match(self._lines[row]):
                row += 1
            if _CLASS.match(self._lines[row]) and indent_of(self._lines[row]) == column:
                whole = self._class(start, row, end, nesting)
                if whole:
                    return whole
        self.comments.extend(tree.comments)
        return tree.statements

    def _class(self, start: int, class_row: int, end: int, nesting: int) -> list[Statement]:
        """A broken class as its head with the members that can be told apart; [] when it has none or no good head."""
        column = indent_of(self._lines[class_row])
        members = -1
        last = end
        for row in range(class_row + 1, end + 1):
            line = self._lines[row]
            if is_blank(line) or line.lstrip().startswith("#"):
                continue
            if members < 0 and indent_of(line) > column and _OPENING.match(line):
                members = indent_of(line)
            if members >= 0 and indent_of(line) <= column and line.strip()[0] not in ")]}\"'":
                last = row - 1
                break
        if members < 0:
            return []
        body_row = class_row
        while body_row < end and not self._lines[body_row].partition("#")[0].rstrip().endswith(":"):
            body_row += 1
        header = "\n".join([*self._lines[start : body_row + 1], " " * (column + 1) + "pass"])
        tree = self._wrap(header, start, column)
        if len(tree.statements) != 1 or not tree.statements[0].is_class or tree.statements[0].node.has_error:
            return []
        statement = tree.statements[0]
        statement.body = self._pieces(body_row + 1, last, members, nesting + 1)
        statement.head_end = body_row
        statement.end = max([body_row, *(inner.end for inner in statement.body)])
        statement.has_definition = any(inner.has_definition or inner.is_definition for inner in statement.body)
        rest = self._pieces(last + 1, end, column, nesting) if last < end else []
        return [statement, *rest]

    def _wrap(self, text: str, row: int, column: int) -> StatementTree:
        """Parse rows that stand at ``column``: indented ones as the body of an ``if``."""
        if column == 0:
            return StatementTree(parse(text.encode("utf-8", "surrogatepass")), row)
        tree = StatementTree(parse(b"if 1:\n" + text.encode("utf-8", "surrogatepass")), row - 1)
        opened: list[Statement] = []
        for statement in tree.statements:
            if statement.start < row and statement.kind is BlockKind.CONTROL:
                opened.extend(statement.body)
            elif statement.start >= row:
                opened.append(statement)
            elif statement.end >= row:  # the made-up first line is inside an error
                statement.start = statement.def_row = row
                opened.append(statement)
        tree.statements = opened
        return tree
