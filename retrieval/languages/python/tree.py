"""The statements of a Python file as a small tree, built in one pass that never goes into expressions.

Everything else (symbols, chunks, blocks) is read off this tree; tree-sitter nodes are touched again only for the heads
of definitions and for docstrings.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import tree_sitter_python
from tree_sitter import Language, Node, Parser

from retrieval.records import BlockKind, Symbol

#: Statements nested deeper than this are taken as one opaque statement; CPython itself stops at 100 levels of indent.
MAX_DEPTH = 90

_SIMPLE: dict[str, BlockKind] = {
    "import_statement": BlockKind.IMPORT,
    "import_from_statement": BlockKind.IMPORT,
    "future_import_statement": BlockKind.IMPORT,
    "return_statement": BlockKind.RETURN,
    "raise_statement": BlockKind.RAISE,
    "print_statement": BlockKind.CALL,
    "exec_statement": BlockKind.CALL,
    "type_alias_statement": BlockKind.ASSIGN,
    "pass_statement": BlockKind.STATEMENT,
    "break_statement": BlockKind.STATEMENT,
    "continue_statement": BlockKind.STATEMENT,
    "delete_statement": BlockKind.STATEMENT,
    "global_statement": BlockKind.STATEMENT,
    "nonlocal_statement": BlockKind.STATEMENT,
    "assert_statement": BlockKind.STATEMENT,
}
_EXPRESSIONS: dict[str, BlockKind] = {
    "assignment": BlockKind.ASSIGN,
    "augmented_assignment": BlockKind.ASSIGN,
    "yield": BlockKind.RETURN,
    "string": BlockKind.DOCSTRING,
    "concatenated_string": BlockKind.DOCSTRING,
}
_COMPOUND = frozenset(
    {"if_statement", "for_statement", "while_statement", "try_statement", "with_statement", "match_statement"}
)
_CLAUSES = frozenset(
    {"elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause", "case_clause"}
)
_DEFINITIONS = frozenset({"function_definition", "class_definition", "decorated_definition"})


class Statement:
    """A statement with the statements inside it.

    Attributes:
        kind: Block kind of its head rows.
        start, end: 0-based inclusive rows, decorators included; ``def_row`` is the first row without them.
        head_end: Last row of the head (the colon's); ``end`` for a simple statement.
        column: Byte column of the first token.
        node: The tree-sitter node: of the definition without decorators, else of the statement.
        decorators: Decorator nodes in source order.
        body: Statements inside, and the ``else``/``except``/``case`` clauses, in source order.
        is_clause: It is such a clause: part of the statement whose body lists it.
        has_definition: A function or class is defined at some depth inside (not counting itself).
        broken: Rows that the grammar could not make sense of.
        symbol: Set by ``definitions`` for functions and classes.
    """

    __slots__ = (
        "body",
        "broken",
        "column",
        "decorators",
        "def_row",
        "end",
        "has_definition",
        "head_end",
        "is_clause",
        "kind",
        "node",
        "start",
        "symbol",
    )

    def __init__(self, kind: BlockKind, start: int, end: int, column: int, node: Node) -> None:
        self.kind = kind
        self.start = start
        self.def_row = start
        self.end = end
        self.head_end = end
        self.column = column
        self.node = node
        self.decorators: list[Node] = []
        self.body: list[Statement] = []
        self.is_clause = False
        self.has_definition = False
        self.broken = False
        self.symbol: Symbol | None = None

    @property
    def is_definition(self) -> bool:
        return self.kind is BlockKind.SIGNATURE

    @property
    def is_class(self) -> bool:
        return self.kind is BlockKind.SIGNATURE and self.node.type == "class_definition"


@functools.cache
def python_language() -> Language:
    return Language(tree_sitter_python.language())


def parse(source: bytes) -> Node:
    """Root node of the syntax tree. A parser is cheap and must not be shared between threads: each call has its own."""
    return Parser(python_language()).parse(source).root_node


class StatementTree:
    """The statements of one parse.

    Attributes:
        statements: Of the module, in source order.
        comments: ``(row, text)`` of comments between statements and behind them, in no particular order.
    """

    def __init__(self, root: Node, row_offset: int = 0) -> None:
        self._offset = row_offset
        self.comments: list[tuple[int, str]] = []
        self.statements = self._broken(root, 0) if root.is_error else self._statements(root.named_children, 0)

    def _statements(self, nodes: Iterable[Node], depth: int) -> list[Statement]:
        found: list[Statement] = []
        for node in nodes:
            kind = node.type
            if kind == "expression_statement":
                first = node.named_child(0)
                block_kind = _EXPRESSIONS.get(first.type, BlockKind.CALL) if first is not None else BlockKind.CALL
                found.append(self._leaf(node, block_kind))
            elif kind == "comment":
                self._comment(node)
            elif (simple := _SIMPLE.get(kind)) is not None:
                found.append(self._leaf(node, simple))
            elif kind in _DEFINITIONS:
                found.append(self._definition(node, depth))
            elif kind in _COMPOUND or kind in _CLAUSES:
                found.append(self._compound(node, depth))
            elif node.is_error:
                found.extend(self._broken(node, depth))
            else:
                leaf = self._leaf(node, BlockKind.TEXT)
                leaf.broken = True
                found.append(leaf)
        return found

    def _leaf(self, node: Node, kind: BlockKind) -> Statement:
        row, column = node.start_point
        end_row, end_column = node.end_point
        if end_column == 0 and end_row > row:  # the node took the line end with it
            end_row -= 1
        return Statement(kind, row + self._offset, end_row + self._offset, column, node)

    def _comment(self, node: Node) -> None:
        text = node.text
        if text is not None:
            self.comments.append((node.start_point[0] + self._offset, text.decode("utf-8", "replace")))

    def _definition(self, node: Node, depth: int) -> Statement:
        if node.type != "decorated_definition":
            return self._compound(node, depth, BlockKind.SIGNATURE)
        inner: Node | None = None
        decorators: list[Node] = []
        for child in node.named_children:
            kind = child.type
            if kind == "decorator":
                decorators.append(child)
            elif kind == "comment":
                self._comment(child)
            elif kind in _DEFINITIONS:
                inner = child
        if inner is None:  # decorators with nothing behind them: a broken file
            leaf = self._leaf(node, BlockKind.TEXT)
            leaf.broken = True
            return leaf
        statement = self._compound(inner, depth, BlockKind.SIGNATURE)
        statement.start = node.start_point[0] + self._offset
        statement.decorators = decorators
        return statement

    def _compound(self, node: Node, depth: int, kind: BlockKind = BlockKind.CONTROL) -> Statement:
        statement = self._leaf(node, kind)
        if depth >= MAX_DEPTH:
            return statement
        head_end = -1
        last_row = statement.start
        for child in node.children:
            child_kind = child.type
            if child_kind == "block":
                if head_end < 0:
                    head_end = last_row
                statement.body.extend(self._statements(child.named_children, depth + 1))
            elif child_kind in _CLAUSES:
                if head_end < 0:
                    head_end = last_row
                clause = self._compound(child, depth + 1)
                clause.is_clause = True
                statement.body.append(clause)
            elif child_kind == "comment":
                self._comment(child)
            elif child.is_error and child.end_point[0] > child.start_point[0]:
                if head_end < 0:
                    head_end = last_row
                statement.body.extend(self._broken(child, depth + 1))
            elif head_end < 0:
                last_row = max(last_row, child.end_point[0] + self._offset)
        statement.head_end = min(head_end if head_end >= 0 else statement.end, statement.end)
        if statement.body:  # the node may go on over comments behind its last statement
            statement.end = max(statement.head_end, statement.body[-1].end)
            statement.has_definition = any(inner.has_definition or inner.is_definition for inner in statement.body)
        return statement

    def _broken(self, node: Node, depth: int) -> list[Statement]:
        """An ERROR node: whole statements found inside it are kept, the other rows become broken statements."""
        found: list[Statement] = []
        for child in node.children if depth < MAX_DEPTH else ():
            kind = child.type
            if kind == "block":
                found.extend(self._statements(child.named_children, depth + 1))
            elif kind == "comment":
                self._comment(child)
            elif child.is_error:
                found.extend(self._broken(child, depth + 1))
            elif child.is_named and (
                kind in _DEFINITIONS or kind in _COMPOUND or kind in _SIMPLE or kind == "expression_statement"
            ):
                found.extend(self._statements((child,), depth + 1))
            else:
                leaf = self._leaf(child, BlockKind.TEXT)
                leaf.broken = True
                if found and found[-1].broken and leaf.start <= found[-1].end + 1:
                    found[-1].end = found[-1].head_end = max(leaf.end, found[-1].end)
                else:
                    found.append(leaf)
        if not found:
            leaf = self._leaf(node, BlockKind.TEXT)
            leaf.broken = True
            found.append(leaf)
        return found
