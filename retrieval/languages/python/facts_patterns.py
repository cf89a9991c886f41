"""``match``: what the names of a pattern hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.languages.python.facts_frame import Expr, is_literal
from retrieval.languages.python.facts_ops import Op
from retrieval.languages.python.facts_targets import Targets

if TYPE_CHECKING:
    from tree_sitter import Node

#: Patterns inside patterns deeper than this bind names without what they hold.
_MAX_DEPTH = 6

_Matched = tuple["Node", Expr]


class Patterns(Targets):
    def _match(self, node: Node) -> Expr:
        values = [self._visit(subject) for subject in node.children_by_field_name("subject")]
        values = [0 if is_literal(value) else value for value in values]
        subject: Expr = values[0] if len(values) == 1 else 0
        if len(values) > 1 and any(values):
            subject = self._container([Op.SEQ, "tuple", values])
        body = node.child_by_field_name("body")
        for case in body.named_children if body is not None else ():
            outer = self.block
            self.blocks.append(outer * 2)
            self.block = len(self.blocks) - 1
            patterns = [child for child in case.named_children if child.type == "case_pattern"]
            self._bind_patterns([(patterns[0], subject)] if len(patterns) == 1 else _unpacked(patterns, subject))
            for child in case.named_children:
                if child.type != "case_pattern":
                    self._visit(child)
            self.block = outer
        return 0

    def _bind_patterns(self, patterns: list[_Matched]) -> None:
        stack = [(node, value, 0) for node, value in reversed(patterns)]
        while stack:
            node, value, depth = stack.pop()
            inner = self._pattern(node, value if depth <= _MAX_DEPTH else 0)
            # Wrappers and alternatives hold the same value: they make no expression deeper.
            depth += node.type not in ("case_pattern", "union_pattern", "keyword_pattern", "as_pattern")
            stack += [(child, held, depth) for child, held in reversed(inner)]

    def _pattern(self, node: Node, value: Expr) -> list[_Matched]:
        """Binds what the pattern itself names; the patterns inside it, each with what it is matched with."""
        kind, children = node.type, [child for child in node.named_children if child.type != "comment"]
        if kind == "dotted_name":
            chain = self._text(node)
            if "." in chain:
                self._reference(chain, node)
            elif chain != "_":
                self._bind(chain, value, node.start_point[0] * 2 + 1)
        elif kind == "splat_pattern":
            for child in children:
                if child.type == "identifier" and self._text(child) != "_":
                    self._bind(self._text(child), value, child.start_point[0] * 2 + 1)
        elif kind == "as_pattern" and children:
            held = _innermost(children[0])
            if held.type == "class_pattern" and held.named_children:
                value = [Op.EXCEPT, self._text(held.named_children[0])]
            if len(children) > 1:
                self._bind_target(children[-1], value, node.start_point[0] * 2 + 1)
            return [(children[0], value)]
        elif kind == "class_pattern" and children:
            name = self._text(children[0])
            self._reference(name, children[0])
            return [(child, self._attribute_of(name, at, child)) for at, child in enumerate(children[1:])]
        elif kind == "dict_pattern":
            return self._items(children, value)
        elif kind in ("list_pattern", "tuple_pattern"):
            return _unpacked(children, value)
        elif kind == "keyword_pattern":
            return [(child, value) for child in children[1:]]
        elif kind in ("case_pattern", "union_pattern"):
            return [(child, value) for child in children]
        return []

    def _attribute_of(self, name: str, position: int, node: Node) -> Expr:
        """What ``key=pattern``, or the pattern at a position, in a pattern of the class ``name`` is matched with."""
        while node.type in ("case_pattern", "as_pattern") and node.named_children:
            node = node.named_children[0]
        if node.type != "keyword_pattern" or not node.named_children:
            return [Op.FIELD, name, position]
        return [Op.ATTR, [Op.EXCEPT, name], self._text(node.named_children[0])]

    def _items(self, children: list[Node], value: Expr) -> list[_Matched]:
        inner: list[_Matched] = []
        key: Expr = 0
        for child in children:
            if child.type == "case_pattern":
                inner.append((child, [Op.ITEM, value, key] if value != 0 and key != 0 else 0))
            elif child.type == "splat_pattern":
                inner.append((child, value))
            else:
                key = self._key(child)
        return inner


def _unpacked(parts: list[Node], value: Expr) -> list[_Matched]:
    inner: list[_Matched] = []
    after_star = False
    for position, child in enumerate(parts):
        left = len(parts) - position
        part: Expr = [Op.UNPACK, value, -left if after_star else position]
        if child.named_children and child.named_children[0].type == "splat_pattern":
            part, after_star = [Op.REST, value, position, left - 1], True
        inner.append((child, part if value != 0 else 0))
    return inner


def _innermost(node: Node) -> Node:
    while node.type in ("case_pattern", "keyword_pattern") and node.named_children:
        node = node.named_children[-1]
    return node
