"""Expressions: what of them can decide which code a call runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from retrieval.languages.python.facts_annotations import annotation_from_text
from retrieval.languages.python.facts_frame import Expr, Frame, either, is_constant, is_definition, is_literal
from retrieval.languages.python.facts_ops import ADDED, Op, Put, Use

if TYPE_CHECKING:
    from tree_sitter import Node

#: Methods that put their last argument, or all that is in it, into what they are called on.
_ADDING = frozenset({"append", "add", "insert", "appendleft"})
_MERGING = frozenset({"extend", "update", "extendleft"})
# An attribute of an attribute of a name, or a name, of ASCII letters and written without spaces: the text is the chain.
_DOTTED = re.compile(rb"(?!(?:None|True|False)\b)[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
#: Longer strings name nothing.
MAX_STRING = 40


class Expressions(Frame):
    def _identifier(self, node: Node) -> Expr:
        name = self._text(node)
        name = self.renamed.get(name, name)
        self._reference(name, node)
        return name

    def _chain(self, node: Node) -> Expr:
        """A dotted name without noting a reference, or the structured form where the root is not a name."""
        raw = self.source[node.start_byte : node.end_byte]
        dotted = self._dotted.get(raw)
        if dotted is None:
            dotted = self._dotted[raw] = raw.decode() if _DOTTED.fullmatch(raw) else ""
        if dotted:
            root, dot, rest = dotted.partition(".")
            return f"{self.renamed[root]}{dot}{rest}" if root in self.renamed else dotted
        parts: list[str] = []
        while node.type == "attribute":
            attribute = node.child_by_field_name("attribute")
            inner = node.child_by_field_name("object")
            if attribute is None or inner is None:
                return 0
            parts.append(self._text(attribute))
            node = inner
        if node.type == "identifier":
            name = self._text(node)
            parts.append(self.renamed.get(name, name))
            return ".".join(reversed(parts))
        value = self._visit(node)
        for part in reversed(parts):
            value = f"{value}.{part}" if isinstance(value, str) else [Op.ATTR, value, part]
        return value

    def _attribute(self, node: Node) -> Expr:
        chain = self._chain(node)
        if isinstance(chain, str):
            self._reference(chain, node)
        elif chain != 0 and chain[0] == Op.ATTR:
            self.uses.append(
                [node.end_point[0] + 1, self.scope.index, self.block, Use.READ, chain[1], [Op.STR, chain[2]]]
            )
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
                args.extend(self._argument(child) for child in arguments.named_children if child.type != "comment")
        while args and args[-1] == 0:
            args.pop()
        line = function.end_point[0] + 1
        self.calls.append([line, self.scope.index, self.block, callee, args])
        if args:
            self._stores(node, callee, args, line)
        if isinstance(callee, str):
            if callee == "__all__.extend" and self.dunder_all is not None and arguments is not None:
                self.dunder_all.extend(self._strings_in(arguments))
            elif callee in ("eval", "exec") and arguments is not None and arguments.named_children:
                self._snippet(arguments.named_children[0])
            elif callee in ("defaultdict", "collections.defaultdict"):
                return self._container([Op.DICT, [[0, self._made_by(args[0])]] if args else []])
            elif callee == "dict" and any(isinstance(a, list) and a[0] in (Op.KEYWORD, Op.STARSTAR) for a in args):
                return self._keywords(args)
        return [Op.CALL, callee, args]

    def _made_by(self, factory: Expr) -> Expr:
        """What a ``defaultdict`` holds under a key that nothing was stored under."""
        if factory == "dict":
            return self._container([Op.DICT, []])
        if factory in ("list", "set"):
            return self._container([Op.SEQ, factory, []])
        return [Op.CALL, factory, []] if isinstance(factory, str) or is_definition(factory) else 0

    def _stores(self, node: Node, callee: Expr, args: list[Expr], line: int) -> None:
        """Calls that put an argument into what they are called on."""
        if isinstance(callee, str):
            owner, _, method = callee.rpartition(".")
            base: Expr = owner
        elif isinstance(callee, list) and callee[0] == Op.ATTR:
            base, method = callee[1], callee[2]
        else:
            return
        value = args[-1]
        if callee == "setattr" and len(args) == 3 and isinstance(args[1], list) and args[1][0] == Op.STR:
            self._put(node, Put.ATTRIBUTE, args[0], args[1][1], value)
        if base in (0, "") or value == 0 or is_constant(value):
            return
        if method in _ADDING:
            if isinstance(base, str):
                self._bind_deep(base, self._container([Op.SEQ, f"list{ADDED}", [self._placed(base, value)]]), line * 2)
            self._put(node, Put.ITEM, base, 0, value)
        elif method == "setdefault" and len(args) == 2:
            self._put(node, Put.ITEM, base, args[0] if is_constant(args[0]) or isinstance(args[0], str) else 0, value)
        elif method == "send" and len(args) == 1:
            self._put(node, Put.SEND, base, 0, value)
        elif method in _MERGING:
            item: Expr
            if method == "update":
                is_keyword = isinstance(value, list) and value[0] == Op.KEYWORD
                value = self._keywords(args) if is_keyword else [Op.CALL, "dict", [value]]
                item = [Op.DICT, [[[Op.STARSTAR], value]], ADDED]
            else:
                item = [Op.SEQ, f"list{ADDED}", [[Op.STAR, value]]]
            self._put(node, Put.ALL, base, 0, value)
            if isinstance(base, str):
                self._bind_deep(base, self._container(item), line * 2)

    def _placed(self, base: str, value: Expr) -> Expr:
        """An added element: at the first place of what holds nothing yet, else at one that is not known."""
        known = self.scope.serial.get(f"[{base}", 0)
        self.scope.serial[f"[{base}"] = known + 1
        return [Op.STAR0, value] if known else value

    def _snippet(self, node: Node) -> None:
        """Code in a literal handed to ``eval`` or ``exec``, read as if it stood there. It is never run."""
        text = self._constant(node) if node.type == "string" else None
        if not text:
            return
        row = node.start_point[0] + text[: len(text) - len(text.lstrip())].count("\n")
        text = text.strip().replace("\\n", ";").rstrip(";")  # escaped lines stay on the line where they stand
        if "\\" in text:
            return
        from retrieval.languages.python.tree import parse

        source = self.source
        self.source = b"\n" * row + text.encode("utf-8", "surrogatepass")
        root = parse(self.source)
        if not root.has_error:
            self._scan(root)
        self.source = source

    def _argument(self, node: Node) -> Expr:
        kind = node.type
        if kind == "keyword_argument":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            inner = self._visit(value) if value is not None else 0
            return 0 if is_literal(inner) or name is None else [Op.KEYWORD, self._text(name), inner]
        if kind in ("list_splat", "dictionary_splat"):
            inner = self._visit(node.named_children[0]) if node.named_children else 0
            return [Op.STAR if kind == "list_splat" else Op.STARSTAR, inner]
        inner = self._visit(node)
        return 0 if is_literal(inner) else inner

    def _key(self, node: Node) -> Expr:
        """A subscript: a constant, a name or an expression that may give one."""
        kind = node.type
        if kind in ("string", "integer", "unary_operator"):
            value = self._visit(node)
            return value if isinstance(value, list) and value[0] in (Op.STR, Op.INT) else 0
        if kind in ("identifier", "attribute"):
            return self._chain(node)
        if kind == "call":
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if function is not None and function.type == "identifier" and arguments is not None:
                return [Op.CALL, self._text(function), []] if not arguments.named_children else 0
        return 0

    def _keywords(self, arguments: list[Expr]) -> Expr:
        raise NotImplementedError

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

    def _conditional(self, node: Node) -> Expr:
        parts = [child for child in node.named_children if child.type != "comment"]
        values = [self._tested(child) if at == 1 else self._visit(child) for at, child in enumerate(parts)]
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
        return either([self._tested(part) for part in parts[:-1]] + [self._visit(part) for part in parts[-1:]])

    def _tested(self, node: Node | None) -> Expr:
        """The value of an expression whose truth is asked for."""
        value = self._visit(node) if node is not None else 0
        if node is not None and not (isinstance(value, list) and value[0] in (Op.SEQ, Op.DICT, Op.DEF)):
            self._use(node, "bool", value)
        return value

    def _not(self, node: Node) -> Expr:
        self._tested(node.child_by_field_name("argument"))
        return ["t", "bool"]

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
        if delegated:
            return [Op.DELEGATED, value] if value != 0 else 0
        return [Op.SENT, scope.index]

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
