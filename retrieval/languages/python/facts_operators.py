"""Operators, subscripts and literals: what runs special methods, and what may be a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from retrieval.languages.python.facts_expressions import MAX_STRING, Expressions
from retrieval.languages.python.facts_frame import Expr, is_constant, is_literal
from retrieval.languages.python.facts_ops import BINARY, Op

if TYPE_CHECKING:
    from tree_sitter import Node

_QUOTES = (b'"', b"'")
_UNARY = {"-": "neg", "+": "pos", "~": "invert"}
_COMPARISON = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "in": "contains"}
#: Chains of operators longer than this (tables, generated code) are read without keeping what they give.
_MAX_CHAIN = 6
_MAX_DIGITS = 9
#: Longer displays are tables of data: their constants are no keys.
_MAX_CONSTANTS = 40


class Operators(Expressions):
    def _integer(self, node: Node) -> Expr:
        text = self._text(node)
        return [Op.INT, int(text)] if len(text) <= _MAX_DIGITS and text.isdecimal() else ["t", "int"]

    def _string(self, node: Node) -> Expr:
        start, end = node.start_byte, node.end_byte
        quote = self.source[start : start + 1]
        if quote in _QUOTES and node.type == "string":  # without a prefix: text, and no replacement fields
            if end - start > MAX_STRING:
                return ["t", "str"]
            raw = self.source[start:end]
            around = 3 if raw[:3] == quote * 3 else 1
            body = raw[around:-around]
            if raw[-around:] == raw[:around] and b"\\" not in body and len(raw) >= 2 * around:
                return [Op.STR, body.decode("utf-8", "replace")]
        if node.type == "concatenated_string" or node.named_child_count > 3:
            for child in node.named_children:
                if child.type == "interpolation":
                    self._formatted(child)
                else:
                    self._visit(child)
            return ["t", "str"]
        plain = node.end_byte - node.start_byte <= MAX_STRING
        for child in node.named_children:
            if child.type == "interpolation":
                self._formatted(child)
                plain = False
        if b"b" in self.source[node.start_byte : node.start_byte + 2].lower().split(b'"')[0].split(b"'")[0]:
            return ["t", "bytes"]
        text = self._constant(node) if plain else None
        return ["t", "str"] if text is None else [Op.STR, text]

    def _formatted(self, node: Node) -> None:
        """A replacement field of an f-string."""
        methods = {"!r": "repr", "!a": "repr", "!s": "str"}
        method = "format"
        for child in node.named_children:
            if child.type == "type_conversion":
                method = methods.get(self._text(child), "str")
        expression = node.child_by_field_name("expression")
        for child in node.named_children:
            value = self._visit(child)
            if child == expression:
                self._use(child, method, value)

    def _binary(self, node: Node) -> Expr:
        spine: list[Node] = []
        current: Node | None = node
        while current is not None and current.type == "binary_operator":
            spine.append(current)
            current = current.child_by_field_name("left")
        value = self._visit(current) if current is not None else 0
        for depth, part in enumerate(reversed(spine)):
            right_node, operator = part.child_by_field_name("right"), part.child_by_field_name("operator")
            right = self._visit(right_node) if right_node is not None else 0
            method = BINARY.get(operator.type if operator is not None else "", "")
            value = self._operated(part, method, value, right) if depth < _MAX_CHAIN else 0
        return value

    def _operated(self, node: Node, method: str, left: Expr, right: Expr) -> Expr:
        if is_constant(left) and is_constant(right):
            return ["t", "str"] if left[0] in ("'", "t") and left[-1:] != ["int"] and left[0] != "#" else 0
        if method == "mod" and isinstance(left, list) and (left[0] == "'" or left == ["t", "str"]):
            return ["t", "str"]
        self._use(node, method, left, right)
        if method == "add" and (_is_display(left) or _is_display(right)):
            parts = [[Op.STAR, part] for part in (left, right) if part != 0 and not is_constant(part)]
            return self._container([Op.SEQ, "list", parts])
        if method == "or" and any(isinstance(side, list) and side[0] == Op.DICT for side in (left, right)):
            merged = [[[Op.STARSTAR], side] for side in (left, right) if side != 0 and not is_constant(side)]
            return self._container([Op.DICT, merged])
        if method == "mul" and (_is_display(left) or _is_display(right)):
            return self._container([Op.SEQ, "set", [[Op.STAR, left if _is_display(left) else right]]])
        if (left == 0 or is_constant(left)) and (right == 0 or is_constant(right)):
            return 0
        return [Op.OPERATOR, method, left, right]

    def _unary(self, node: Node) -> Expr:
        argument, operator = node.child_by_field_name("argument"), node.child_by_field_name("operator")
        value = self._visit(argument) if argument is not None else 0
        sign = operator.type if operator is not None else ""
        if isinstance(value, list) and value[0] == Op.INT and sign == "-":
            return [Op.INT, -value[1]]
        if value == 0 or is_constant(value):
            return value
        self._use(node, _UNARY.get(sign, ""), value)
        return [Op.OPERATOR, _UNARY.get(sign, ""), value, 0]

    def _comparison(self, node: Node) -> Expr:
        left: Expr = 0
        operator = ""
        for child in node.children:
            if not child.is_named or child.type in ("not in", "is not"):
                operator = f"{operator} {child.type}".strip()
                continue
            if child.type == "comment":
                continue
            right = self._visit(child)
            method = _COMPARISON.get(operator.removeprefix("not "), "")
            if method == "contains":
                self._use(node, method, right)
            elif method:
                self._use(node, method, left, right)
            left, operator = right, ""
        return ["t", "bool"]

    def _subscript(self, node: Node) -> Expr:
        base, keys = self._subscripted(node)
        if base == 0:
            return 0
        self._use(node, "getitem", base)
        if len(keys) != 1:
            return 0
        if keys[0].type == "slice":
            return self._slice(base, keys[0])
        return [Op.ITEM, base, self._key(keys[0])]

    def _subscripted(self, node: Node) -> tuple[Expr, list[Node]]:
        children = [child for child in node.named_children if child.type != "comment"]
        if not children:
            return 0, []
        base = self._visit(children[0])
        for child in children[1:]:
            self._visit(child)
        return base, children[1:]

    def _slice(self, base: Expr, node: Node) -> Expr:
        bounds: list[int | None] = [None, None]
        position = 0
        for child in node.children:
            if child.type == ":":
                position += 1
            elif child.is_named and position < 2:
                value = self._key(child)
                if not (isinstance(value, list) and value[0] == Op.INT):
                    return [Op.SLICE, base, None, None]
                bounds[position] = value[1]
            elif child.is_named:
                return [Op.SLICE, base, None, None]
        return [Op.SLICE, base, *bounds]

    def _sequence(self, node: Node) -> Expr:
        items: list[Expr] = []
        kind = {"expression_list": "tuple"}.get(node.type, node.type)
        for child in node.named_children:
            if child.type == "comment":
                continue
            if child.type == "list_splat":
                inner = self._visit(child.named_children[0]) if child.named_children else 0
                items.append([Op.STAR, inner] if inner != 0 else 0)
            else:
                value = self._visit(child)
                items.append(0 if is_literal(value) else value)
        if len(items) > _MAX_CONSTANTS:
            items = [0 if is_constant(value) else value for value in items]
        if items and not any(items):
            return ["t", kind]
        return self._container([Op.SEQ, kind, items])

    def _dictionary(self, node: Node) -> Expr:
        items: list[Any] = []
        for child in node.named_children:
            if child.type == "pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None:
                    continue
                written = self._visit(key)
                inner = self._visit(value)
                items.append([written if is_constant(written) else self._key(key), 0 if is_literal(inner) else inner])
            elif child.type == "dictionary_splat" and child.named_children:
                inner = self._visit(child.named_children[0])
                if inner != 0:
                    items.append([[Op.STARSTAR], inner])
        if len(items) > _MAX_CONSTANTS:
            items = [[key, 0 if is_constant(value) else value] for key, value in items]
        items = [item for item in items if item[1] != 0 or isinstance(item[0], str)]
        return self._container([Op.DICT, items])

    def _keywords(self, arguments: list[Expr]) -> Expr:
        """``dict(a=x)`` as the display it stands for."""
        items: list[Any] = []
        for argument in arguments:
            if not isinstance(argument, list):
                continue
            if argument[0] == Op.KEYWORD:
                items.append([[Op.STR, argument[1]], argument[2]])
            elif argument[0] == Op.STARSTAR and argument[1] != 0:
                items.append([[Op.STARSTAR], argument[1]])
        return self._container([Op.DICT, items])


def _is_display(value: Expr) -> bool:
    return isinstance(value, list) and (value[0] == Op.SEQ or value in (["t", "list"], ["t", "tuple"]))
