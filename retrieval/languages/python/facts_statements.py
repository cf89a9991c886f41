"""Statements: bindings, results, and the blocks that order them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.languages.python.facts_frame import Expr, is_literal
from retrieval.languages.python.facts_ops import BINARY, Op, Use
from retrieval.languages.python.facts_patterns import Patterns

if TYPE_CHECKING:
    from tree_sitter import Node


class Statements(Patterns):
    def _expression_statement(self, node: Node) -> Expr:
        for child in node.named_children:
            self._visit(child)
        return 0

    def _assignment(self, node: Node) -> Expr:
        left = node.child_by_field_name("left")
        right = node.child_by_field_name("right")
        annotation = node.child_by_field_name("type")
        value = self._visit(right) if right is not None else 0
        if annotation is not None:
            declared = self._annotation(annotation)
            if declared != 0:
                value = [Op.DECLARED, declared, value]
        if left is None:
            return value
        if left.type == "identifier" and self.scope.index == 0 and self._text(left) == "__all__" and right is not None:
            self.dunder_all = self._strings_in(right)
        if (
            annotation is not None
            and right is None
            and self.scope.kind != "c"
            and left.type == "identifier"
            and not (isinstance(value, list))
        ):
            return 0
        self._bind_target(left, value, node.end_point[0] * 2 + 2)
        return value

    def _augmented(self, node: Node) -> Expr:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self._visit(right) if right is not None else 0
        operator = node.child_by_field_name("operator")
        method = BINARY.get(operator.type[:-1] if operator is not None else "", "")
        if method and left is not None and left.type in ("identifier", "attribute"):
            self._use(node, f"i{method}", self._chain(left))
        if left is not None and left.type == "identifier":
            name = self._text(left)
            if name == "__all__" and self.dunder_all is not None and right is not None:
                self.dunder_all.extend(self._strings_in(right))
            self._bind(name, [Op.ALSO, value], node.end_point[0] * 2 + 2)
        elif left is not None:
            self._visit(left)
            chain = self._chain(left) if left.type == "attribute" and value != 0 and not is_literal(value) else 0
            if isinstance(chain, str):
                self._bind_deep(chain, value, node.end_point[0] * 2 + 2)
        return 0

    def _return(self, node: Node) -> Expr:
        value = self._first(node)
        if value != 0 and not is_literal(value):
            self.scope.returns.append(value)
        return 0

    def _raise(self, node: Node) -> Expr:
        for position, child in enumerate(node.named_children):
            value = self._visit(child)
            if position == 0:
                raised = value[1] if isinstance(value, list) and value[0] == Op.CALL else value
                self.scope.abstract |= raised == "NotImplementedError"
                if isinstance(value, str):
                    self._use(node, Use.RAISE, value)
        return 0

    def _assert(self, node: Node) -> Expr:
        for position, child in enumerate(child for child in node.named_children if child.type != "comment"):
            if position:
                self._visit(child)
            else:
                self._tested(child)
        return 0

    def _delete(self, node: Node) -> Expr:
        stack = list(node.named_children)
        while stack:
            child = stack.pop(0)
            if child.type == "expression_list":
                stack = [*child.named_children, *stack]
            elif child.type == "subscript":
                base, _keys = self._subscripted(child)
                self._use(child, "delitem", base)
            elif child.type != "comment":
                self._visit(child)
        return 0

    def _if(self, node: Node) -> Expr:
        self._tested(node.child_by_field_name("condition"))
        self._in_block(node.child_by_field_name("consequence"))
        for child in node.children_by_field_name("alternative"):
            self._tested(child.child_by_field_name("condition"))
            self._in_block(child.child_by_field_name("consequence") or child.child_by_field_name("body"))
        return 0

    def _for(self, node: Node) -> Expr:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        source = self._visit(right) if right is not None else 0
        if right is not None:
            self._use(right, Use.ITERATE, source)
        outer = self.block
        self.blocks.append(outer * 2 + 1)
        self.block = len(self.blocks) - 1
        if left is not None:
            self._bind_target(left, [Op.ITER, source] if source != 0 else 0, node.start_point[0] * 2 + 1)
        body = node.child_by_field_name("body")
        if body is not None:
            self._scan(body)
        self.block = outer
        self._in_block(node.child_by_field_name("alternative"))
        return 0

    def _while(self, node: Node) -> Expr:
        self._tested(node.child_by_field_name("condition"))
        self._in_block(node.child_by_field_name("body"), loop=True)
        self._in_block(node.child_by_field_name("alternative"))
        return 0

    def _try(self, node: Node) -> Expr:
        for child in node.named_children:
            if child.type == "finally_clause":
                self._scan(child)
            elif child.type in ("except_clause", "except_group_clause"):
                self._except(child)
            else:
                self._in_block(child)
        return 0

    def _except(self, node: Node) -> None:
        outer = self.block
        self.blocks.append(outer * 2)
        self.block = len(self.blocks) - 1
        for child in node.named_children:
            if child.type == "as_pattern":
                parts = child.named_children
                value = self._visit(parts[0]) if parts else 0
                if len(parts) > 1 and value != 0:
                    self._bind_target(parts[-1], [Op.EXCEPT, value], node.start_point[0] * 2 + 1)
            else:
                self._visit(child)
        self.block = outer

    def _with(self, node: Node) -> Expr:
        for clause in node.named_children:
            if clause.type != "with_clause":
                continue
            for item in clause.named_children:
                value_node = item.child_by_field_name("value") if item.type == "with_item" else None
                if value_node is None:
                    continue
                target = None
                if value_node.type == "as_pattern":
                    parts = value_node.named_children
                    value_node, target = parts[0], (parts[-1] if len(parts) > 1 else None)
                value = self._visit(value_node)
                if value != 0:
                    self.withs.append([node.start_point[0] + 1, self.scope.index, self.block, value])
                if target is not None:
                    self._bind_target(target, [Op.ENTER, value] if value != 0 else 0, node.start_point[0] * 2 + 1)
        body = node.child_by_field_name("body")
        if body is not None:
            self._scan(body)
        return 0
