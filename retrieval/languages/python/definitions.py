"""Symbols of a Python file: every definition once, with its decorators, under a unique qualified name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from retrieval.languages.python.docstrings import clean, comment_text, string_value
from retrieval.languages.python.tree import Statement
from retrieval.records import BlockKind, Symbol

MAX_DOC_CHARS = 2_000
MAX_SIGNATURE_CHARS = 400
MAX_VALUE_CHARS = 120

_PROPERTY = re.compile(r"(?:^|[._])(?:property|setter|getter|deleter)$|property$", re.IGNORECASE)
_OPEN_BREAK = re.compile(r"([(\[{])[ \t\r\f]*\n\s*")
_CLOSE_BREAK = re.compile(r"[ \t\r\f]*\n\s*(?=[)\]}])")
_LAST_COMMA = re.compile(r",[ \t\r\f]*\n\s*(?=\)$|\)[ \t]*->)")
_BREAK = re.compile(r"[ \t\r\f\\]*\n\s*")
_TARGET_LISTS = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "parenthesized_expression"}
)


def document(statements: Sequence[Statement]) -> str:
    """The docstring that a body opens with, dedented; "" for none."""
    if not statements:
        return ""
    first = statements[0]
    if first.kind is not BlockKind.DOCSTRING:
        return ""
    literal = first.node.named_child(0)
    value = string_value(literal) if literal is not None else None
    return clean(value) if value else ""


def fold(text: str, limit: int = MAX_SIGNATURE_CHARS) -> str:
    """Put code on one line: breaks after an opening and before a closing bracket vanish, others become one space.

    Spaces inside a line stay, since they may stand in a string.
    """
    text = text[: limit * 8]
    if "\n" in text:
        text = _CLOSE_BREAK.sub("", _OPEN_BREAK.sub(r"\1", text))
        text = _BREAK.sub(" ", text)
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _source(node: Node, end_byte: int | None = None) -> str:
    """Text of a node, up to ``end_byte`` of the file, without the comments in it."""
    raw = node.text or b""
    if end_byte is not None:
        raw = raw[: end_byte - node.start_byte]
    if b"#" in raw:
        raw = _without_comments(node, raw)
    return raw.decode("utf-8", "replace")


def _without_comments(node: Node, raw: bytes) -> bytes:
    """Blank out the comment nodes that lie in ``raw``, the first bytes of ``node``."""
    base, limit = node.start_byte, node.start_byte + len(raw)
    pending, pieces = [node], []
    while pending:
        current = pending.pop()
        if current.start_byte >= limit:
            continue
        if current.type == "comment":
            pieces.append((current.start_byte - base, current.end_byte - base))
        elif current.type not in ("block", "string"):
            pending.extend(current.children)
    for start, end in sorted(pieces, reverse=True):
        raw = raw[:start] + raw[end:]
    return raw


def _head(statement: Statement) -> str:
    node = statement.node
    fields = (
        ("return_type", "parameters", "name")
        if node.type == "function_definition"
        else ("superclasses", "type_parameters", "name")
    )
    for field in fields:
        last = node.child_by_field_name(field)
        if last is not None:
            return fold(_LAST_COMMA.sub("", _source(node, last.end_byte)))
    return fold(_source(node).partition("\n")[0])


def _bases(node: Node) -> tuple[str, ...]:
    arguments = node.child_by_field_name("superclasses")
    if arguments is None:
        return ()
    return tuple(
        fold(_source(child), MAX_VALUE_CHARS)
        for child in arguments.named_children
        if child.type not in ("comment", "keyword_argument", "dictionary_splat")
    )


def _identifiers(target: Node) -> Iterator[Node]:
    pending = [target]
    while pending:
        node = pending.pop()
        kind = node.type
        if kind == "identifier":
            yield node
        elif kind in _TARGET_LISTS:
            pending.extend(reversed(node.named_children))


def assigned_names(statement: Statement) -> list[tuple[str, int]]:
    """``(name, 0-based row offset inside the statement)`` of plain names that an assignment statement binds."""
    node = statement.node
    if node.type == "type_alias_statement":
        left = node.child_by_field_name("left")
        name = re.match(r"\w+", _source(left)) if left is not None else None
        return [(name.group(), 0)] if name else []
    assignment: Node | None = node.named_child(0)
    names: list[tuple[str, int]] = []
    while assignment is not None and assignment.type == "assignment":
        left = assignment.child_by_field_name("left")
        if left is not None:
            for found in _identifiers(left):
                names.append(
                    ((found.text or b"").decode("utf-8", "replace"), found.start_point[0] - node.start_point[0])
                )
        assignment = assignment.child_by_field_name("right")
    return names


class _Collector:
    def __init__(self, comments: dict[int, str]) -> None:
        self.symbols: list[Symbol] = []
        self._comments = comments
        self._seen: dict[str, int] = {}

    def unique(self, qualname: str) -> str:
        count = self._seen.get(qualname, 0) + 1
        self._seen[qualname] = count
        return qualname if count == 1 else f"{qualname}#{count}"

    def visit(self, statements: Sequence[Statement], parent: str, scope: str) -> None:
        for index, statement in enumerate(statements):
            if statement.is_definition:
                self._define(statement, parent, scope)
            elif statement.body:
                if scope != "function" or statement.has_definition:
                    self.visit(statement.body, parent, scope)
            elif statement.kind is BlockKind.ASSIGN and scope != "function":
                follower = statements[index + 1] if index + 1 < len(statements) else None
                self._assign(statement, follower, parent, scope)

    def _define(self, statement: Statement, parent: str, scope: str) -> None:
        name_node = statement.node.child_by_field_name("name")
        if name_node is None or not name_node.text:
            return
        name = name_node.text.decode("utf-8", "replace")
        qualname = self.unique(f"{parent}.{name}")
        decorators = tuple(fold(_source(node)[1:], MAX_VALUE_CHARS) for node in statement.decorators)
        if statement.is_class:
            kind = "class"
        elif scope != "class":
            kind = "function"
        else:
            kind = "property" if any(_PROPERTY.search(name) for name in decorators) else "method"
        symbol = Symbol(
            qualname=qualname,
            name=name,
            kind=kind,
            start_line=statement.start + 1,
            def_line=statement.def_row + 1,
            end_line=statement.end + 1,
            signature=_head(statement),
            doc=document(statement.body)[:MAX_DOC_CHARS],
            parent=parent,
            decorators=decorators,
            bases=_bases(statement.node) if kind == "class" else (),
        )
        statement.symbol = symbol
        self.symbols.append(symbol)
        if statement.has_definition or kind == "class":
            self.visit(statement.body, qualname, "class" if kind == "class" else "function")

    def _assign(self, statement: Statement, follower: Statement | None, parent: str, scope: str) -> None:
        names = assigned_names(statement)
        if not names:
            return
        doc = ""
        if follower is not None and follower.kind is BlockKind.DOCSTRING:
            doc = document((follower,))[:MAX_DOC_CHARS]
        if not doc:
            doc = self._comments.get(statement.start - 1, "")[:MAX_DOC_CHARS]
        head = statement.node.start_byte + 8 * MAX_VALUE_CHARS  # a literal may be huge
        signature = fold(_source(statement.node, head), MAX_VALUE_CHARS)
        for name, row in names:
            symbol = Symbol(
                qualname=self.unique(f"{parent}.{name}"),
                name=name,
                kind="attribute" if scope == "class" else "variable",
                start_line=statement.start + 1,
                def_line=statement.start + row + 1,
                end_line=statement.end + 1,
                signature=signature,
                doc=doc,
                parent=parent,
            )
            if statement.symbol is None:
                statement.symbol = symbol
            self.symbols.append(symbol)


def collect_symbols(
    statements: Sequence[Statement], module: str, n_lines: int, comments: Sequence[tuple[int, str]]
) -> tuple[Symbol, ...]:
    """All definitions of a file: the module first, the others in source order. Sets ``symbol`` on the statements.

    Args:
        comments: ``(row, text)``; a run of ``#:`` comments documents the assignment below it, as in Sphinx.
    """
    collector = _Collector(_comment_docs(comments))
    collector.unique(module)
    collector.symbols.append(
        Symbol(
            qualname=module,
            name=module.rpartition(".")[2],
            kind="module",
            start_line=1,
            def_line=1,
            end_line=max(1, n_lines),
            signature="",
            doc=document(statements)[:MAX_DOC_CHARS],
            parent="",
        )
    )
    collector.visit(statements, module, "module")
    return tuple(collector.symbols)


def _comment_docs(comments: Sequence[tuple[int, str]]) -> dict[int, str]:
    """Text of each run of ``#:`` comments, keyed by the run's last row."""
    docs: dict[int, str] = {}
    for row, comment in sorted(comments):
        if comment.startswith("#:"):
            before = docs.pop(row - 1, "")
            docs[row] = f"{before} {comment_text(comment)}".strip()
    return docs
