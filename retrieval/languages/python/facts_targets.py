"""What binds names inside expressions, and the targets of bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from retrieval.languages.python.facts_frame import Expr, Scope, is_literal
from retrieval.languages.python.facts_operators import Operators
from retrieval.languages.python.facts_ops import ADDED, LOCAL, Op, Put, Use

if TYPE_CHECKING:
    from tree_sitter import Node


class Targets(Operators):
    def _bind_target(self, node: Node, value: Expr, order: int) -> None:
        kind = node.type
        if kind == "identifier":
            name = self._text(node)
            self._bind(self.renamed.get(name, name), value, order)
        elif kind == "attribute":
            self._bind_attribute(node, value, order)
        elif kind == "subscript":
            self._bind_item(node, value, order)
        elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
            parts = [child for child in node.named_children if child.type != "comment"]
            after_star = False
            for position, child in enumerate(parts):
                starred = child.type in ("list_splat_pattern", "list_splat") and bool(child.named_children)
                left = len(parts) - position
                part: Expr = [Op.UNPACK, value, -left if after_star else position]
                if starred:
                    part, after_star = [Op.REST, value, position, left - 1], True
                self._bind_target(child.named_children[0] if starred else child, part if value != 0 else 0, order)
        elif kind in ("parenthesized_expression", "as_pattern_target", "list_splat_pattern", "list_splat"):
            for child in node.named_children:
                self._bind_target(child, value, order)
        else:
            self._scan(node)

    def _bind_attribute(self, node: Node, value: Expr, order: int) -> None:
        chain = self._chain(node)
        if isinstance(chain, list):
            if chain[0] == Op.ATTR:
                self._put(node, Put.ATTRIBUTE, chain[1], chain[2], value)
            return
        if chain == 0:
            return
        owner, _, attribute = chain.rpartition(".")
        method = self.scope
        while method.kind == "l" and method.parent >= 0:
            method = self.scopes[method.parent]
        if "." not in owner and method.kind == "f" and method.params and owner == method.params[0][0]:
            holder = self.scopes[method.parent]
            if holder.kind == "c":
                holder.instance.append([attribute, value, order, self.block, self.scope.index])
                return
        self._reference(owner, node)
        self._put(node, Put.ATTRIBUTE, owner, attribute, value)

    def _bind_item(self, node: Node, value: Expr, order: int) -> None:
        """``d[key] = value`` counts as one more binding of ``d``, to a container of that one item."""
        base, keys = self._subscripted(node)
        self._use(node, "setitem", base)
        if value == 0 or is_literal(value) or len(keys) != 1 or base == 0:
            return
        key = 0 if keys[0].type == "slice" else self._key(keys[0])
        if isinstance(base, str):
            item = self._container([Op.DICT, [[key, value]], ADDED])
            self._bind_deep(base, item, order)
        self._put(node, Put.ITEM, base, key, value)

    def _comprehension(self, node: Node) -> Expr:
        """The targets bind in the enclosing scope, under names that nothing outside the comprehension has."""
        outer = self.renamed
        value = self._comprehended(node)
        self.renamed = outer
        return value

    def _comprehended(self, node: Node) -> Expr:
        body = node.child_by_field_name("body")
        for child in node.named_children:
            if child.type == "for_in_clause":
                left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
                source = self._visit(right) if right is not None else 0
                if right is not None:
                    self._use(right, Use.ITERATE, source)
                if left is not None:
                    self._rename(left)
                    self._bind_target(left, [Op.ITER, source] if source != 0 else 0, node.start_point[0] * 2 + 1)
        for child in node.named_children:
            if child.type == "if_clause":
                self._tested(next((part for part in child.named_children if part.type != "comment"), None))
        if body is None:
            return 0
        if body.type == "pair":
            value = body.child_by_field_name("value")
            key = body.child_by_field_name("key")
            if key is not None:
                self._visit(key)
            inner = self._visit(value) if value is not None else 0
            return self._container([Op.DICT, [[0, inner]]]) if inner != 0 else ["t", "dict"]
        inner = self._visit(body)
        kind = {"list_comprehension": "list", "set_comprehension": "set"}.get(node.type, "generator")
        return ["t", kind] if inner == 0 else self._container([Op.SEQ, kind, [[Op.STAR0, inner]]])

    def _rename(self, target: Node) -> None:
        number = self.scope.serial.get(LOCAL, 0) + 1
        self.scope.serial[LOCAL] = number
        names: list[str] = []
        stack = [target]
        while stack:
            current = stack.pop()
            if current.type == "identifier":
                names.append(self._text(current))
            elif current.type not in ("attribute", "subscript"):
                stack.extend(current.named_children)
        self.renamed = {**self.renamed, **{name: f"{name}{LOCAL}{number}" for name in names}}

    def _walrus(self, node: Node) -> Expr:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        inner = self._visit(value) if value is not None else 0
        if name is not None:
            self._bind(self._text(name), inner, node.start_point[0] * 2 + 1)
        return inner

    def _lambda(self, node: Node) -> Expr:
        parent = self.scope
        number = parent.serial.get("<lambda>", 0) + 1
        parent.serial["<lambda>"] = number
        scope = self._new_scope("l", f"{parent.qualname}.<lambda{number}>", parent.index, node.start_point[0] + 1)
        parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
        params = self._parameters(parameters) if parameters is not None else []
        self._enter(scope, params)
        outer = self.renamed
        self.renamed = {name: local for name, local in outer.items() if name not in scope.bound}
        if body is not None:
            scope.returns.append(self._visit(body))
        self.scope, self.renamed = parent, outer
        return [Op.DEF, scope.index]

    def _enter(self, scope: Scope, params: list[list[Any]]) -> None:
        scope.params = params
        for entry in params:
            scope.bound[entry[0].lstrip("*")] = True
        self.scope = scope

    def _parameters(self, node: Node) -> list[list[Any]]:
        """Annotations and defaults are read in the enclosing scope, as Python evaluates them."""
        found: list[list[Any]] = []
        for child in node.named_children:
            kind = child.type
            if kind == "comment":
                continue
            if kind == "keyword_separator":
                found.append(["*", 0, 0])
                continue
            annotation: Expr = 0
            default: Expr = 0
            target: Node | None = child
            if kind in ("typed_parameter", "typed_default_parameter", "default_parameter"):
                type_node, value = child.child_by_field_name("type"), child.child_by_field_name("value")
                if type_node is not None:
                    annotation = self._annotation(type_node)
                if value is not None:
                    default = self._visit(value)
                    default = 0 if is_literal(default) else default
                target = child.child_by_field_name("name") or (
                    child.named_children[0] if child.named_children else None
                )
            if target is None or target.type not in ("identifier", "list_splat_pattern", "dictionary_splat_pattern"):
                continue
            name = self._text(target).replace(" ", "")
            found.append([name, annotation, default])
        return found
