"""Expressions: what of them can decide which code a call runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.languages.python.facts_annotations import annotation_from_text
from retrieval.languages.python.facts_frame import Expr, Frame, either, is_literal
from retrieval.languages.python.facts_ops import Op

if TYPE_CHECKING:
    from tree_sitter import Node

#: Callees whose string arguments name something.
_STRING_CALLEES = frozenset({"getattr", "setattr", "hasattr", "__import__", "importlib.import_module", "import_module"})
_MAX_STRING = 80


class Expressions(Frame):
    def _identifier(self, node: Node) -> Expr:
        name = self._text(node)
        self._reference(name, node)
        return name

    def _chain(self, node: Node) -> Expr:
        """A dotted name without noting a reference, or the structured form where the root is not a name."""
        parts: list[str] = []
        while node.type == "attribute":
            attribute = node.child_by_field_name("attribute")
            inner = node.child_by_field_name("object")
            if attribute is None or inner is None:
                return 0
            parts.append(self._text(attribute))
            node = inner
        if node.type == "identifier":
            parts.append(self._text(node))
            return ".".join(reversed(parts))
        value = self._visit(node)
        for part in reversed(parts):
            value = f"{value}.{part}" if isinstance(value, str) else [Op.ATTR, value, part]
        return value

    def _attribute(self, node: Node) -> Expr:
        chain = self._chain(node)
        if isinstance(chain, str):
            self._reference(chain, node)
        return chain

    def _call(self, node: Node) -> Expr:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if function is None:
            return 0
        callee = self._chain(function)
        args: list[Expr] = []
        if arguments is not None:
            if arguments.type == "generator_expression":
                args.append(self._visit(arguments))
            else:
                keep_strings = isinstance(callee, str) and callee in _STRING_CALLEES
                for child in arguments.named_children:
                    args.append(self._argument(child, keep_strings))
        while args and args[-1] == 0:
            args.pop()
        line = function.end_point[0] + 1
        self.calls.append([line, self.scope.index, self.block, callee, args])
        if isinstance(callee, str) and args and callee.endswith((".append", ".add", ".insert", ".appendleft")):
            self._bind_deep(callee.rpartition(".")[0], self._container([Op.SEQ, "list", [args[-1]]]), line * 2)
        if isinstance(callee, str) and callee == "__all__.extend" and self.dunder_all is not None and arguments:
            self.dunder_all.extend(self._strings_in(arguments))
        return [Op.CALL, callee, args]

    def _argument(self, node: Node, keep_strings: bool) -> Expr:
        kind = node.type
        if kind == "keyword_argument":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            inner = self._visit(value) if value is not None else 0
            return 0 if is_literal(inner) or name is None else [Op.KEYWORD, self._text(name), inner]
        if kind in ("list_splat", "dictionary_splat"):
            inner = self._visit(node.named_children[0]) if node.named_children else 0
            return [Op.STAR if kind == "list_splat" else Op.STARSTAR, inner]
        if kind == "string" and keep_strings:
            text = self._constant(node)
            return [Op.STR, text] if isinstance(text, str) and len(text) <= _MAX_STRING else 0
        if kind == "comment":
            return 0
        inner = self._visit(node)
        return 0 if is_literal(inner) else inner

    def _subscript(self, node: Node) -> Expr:
        children = node.named_children
        if not children:
            return 0
        base = self._visit(children[0])
        for child in children[1:]:
            self._visit(child)
        if base == 0 or len(children) != 2:
            return 0
        return [Op.ITEM, base, self._key(children[1])]

    def _key(self, node: Node) -> Expr:
        kind = node.type
        if kind == "string":
            value = self._constant(node)
            return [Op.STR, value] if isinstance(value, str) and len(value) <= _MAX_STRING else 0
        if kind == "integer":
            text = self._text(node)
            return [Op.INT, int(text)] if text.isdecimal() and len(text) < 7 else 0
        if kind == "identifier":
            return self._text(node)
        return 0

    def _constant(self, node: Node) -> str | None:
        parts = []
        for child in node.named_children:
            if child.type == "interpolation":
                return None
            if child.type == "string_content":
                parts.append(self._text(child))
        return "".join(parts)

    def _strings_in(self, node: Node) -> list[str]:
        found: list[str] = []
        stack = node.named_children[::-1]
        while stack:
            current = stack.pop()
            if current.type == "string":
                text = self._constant(current)
                if text:
                    found.append(text)
            else:
                stack.extend(current.named_children[::-1])
        return found

    def _string(self, node: Node) -> Expr:
        if node.type == "concatenated_string" or node.named_child_count > 3:
            self._scan(node)
        else:
            for child in node.named_children:
                if child.type == "interpolation":
                    self._scan(child)
        return ["t", "str"]

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
        if not any(items):
            return ["t", kind]
        return self._container([Op.SEQ, kind, items])

    def _dictionary(self, node: Node) -> Expr:
        items: list[Expr] = []
        for child in node.named_children:
            if child.type == "pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None:
                    continue
                self._visit(key)
                inner = self._visit(value)
                if inner != 0 and not is_literal(inner):
                    items.append([self._key(key), inner])
            elif child.type == "dictionary_splat" and child.named_children:
                inner = self._visit(child.named_children[0])
                if inner != 0:
                    items.append([[Op.STARSTAR], inner])
        return self._container([Op.DICT, items]) if items else ["t", "dict"]

    def _conditional(self, node: Node) -> Expr:
        parts = [child for child in node.named_children if child.type != "comment"]
        values = [self._visit(child) for child in parts]
        if len(values) != 3:
            return 0
        return either([values[0], values[2]])

    def _boolean(self, node: Node) -> Expr:
        parts: list[Node] = []
        stack = [node]
        while stack:  # left-deep chains of and/or
            current = stack.pop()
            if current.type == "boolean_operator":
                stack.extend(current.named_children[::-1])
            elif current.type != "comment":
                parts.append(current)
        return either([self._visit(part) for part in parts])

    def _first(self, node: Node) -> Expr:
        value: Expr = 0
        for child in node.named_children:
            if child.type != "comment":
                value = self._visit(child)
        return value

    def _yield(self, node: Node) -> Expr:
        delegated = any(child.type == "from" for child in node.children)
        value = self._first(node)
        scope = self.scope
        scope.yields.append([Op.ITER, value] if delegated and value != 0 else value)
        return 0

    def _annotation(self, node: Node) -> Expr:
        """A type expression: names, ``X[Y]``, ``X | Y`` and quoted forms of these."""
        kind = node.type
        if kind in ("type", "parenthesized_expression", "constrained_type", "splat_type"):
            return self._annotation(node.named_children[0]) if node.named_children else 0
        if kind in ("identifier", "attribute"):
            return self._visit(node)
        if kind == "member_type":
            chain = self._text(node)
            self._reference(chain, node)
            return chain
        if kind in ("binary_operator", "union_type"):
            return either([self._annotation(child) for child in node.named_children])
        if kind in ("generic_type", "subscript"):
            children = node.named_children
            base = self._annotation(children[0]) if children else 0
            args: list[Expr] = []
            for child in children[1:]:
                parts = child.named_children if child.type in ("type_parameter", "tuple") else [child]
                args.extend(self._annotation(part) for part in parts)
            return [Op.GENERIC, base, args] if base != 0 else 0
        if kind == "string":
            text = self._constant(node)
            value, names = annotation_from_text(text or "")
            for name in names:
                self._reference(name, node)
            return value
        return 0
