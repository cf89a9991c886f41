"""Functions, classes, imports, and the scopes they open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from retrieval.languages.python.facts_frame import MAX_DEPTH, Expr
from retrieval.languages.python.facts_ops import Op
from retrieval.languages.python.facts_statements import Statements

if TYPE_CHECKING:
    from tree_sitter import Node


def _is_marker(decorator: Expr) -> bool:
    """Decorators that declare what a definition is; applying them calls nothing worth an edge."""
    return isinstance(decorator, str) and (
        decorator in ("staticmethod", "classmethod", "property")
        or decorator.endswith((".setter", ".getter", ".deleter"))
    )


class Definitions(Statements):
    def _qualname(self, name: str, line: int) -> str:
        given = self.names.get((line, name))
        if given is not None:
            return given
        base = f"{self.scope.qualname}.{name}"
        count = self.used.get(base, 0) + 1
        self.used[base] = count
        return base if count == 1 else f"{base}#{count}"

    def _decorated(self, node: Node) -> Expr:
        decorators = []
        for child in node.named_children:
            if child.type == "decorator" and child.named_children:
                inner = child.named_children[0]
                value = self._chain(inner) if inner.type in ("identifier", "attribute") else self._visit(inner)
                decorators.append([value, child.start_point[0] + 1])
        definition = node.child_by_field_name("definition")
        if definition is not None:
            self._define(definition, decorators)
        return 0

    def _function(self, node: Node) -> Expr:
        self._define(node, [])
        return 0

    def _class(self, node: Node) -> Expr:
        self._define(node, [])
        return 0

    def _define(self, node: Node, decorators: list[list[Any]]) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or self.depth > MAX_DEPTH:
            return
        name, line = self._text(name_node), name_node.start_point[0] + 1
        outer = self.scope
        is_class = node.type == "class_definition"
        scope = self._new_scope("c" if is_class else "f", self._qualname(name, line), outer.index, line)
        scope.decorators = decorators
        for applied, (value, at) in enumerate(reversed(decorators)):
            if value != 0 and not _is_marker(value):
                self.calls.append([at, outer.index, self.block, value, [[Op.RAW, scope.index, applied]]])
        params: list[list[Any]] = []
        if is_class:
            for base in (node.child_by_field_name("superclasses") or name_node).named_children:
                if base.type == "keyword_argument":
                    keyword_value = base.child_by_field_name("value")
                    if keyword_value is not None:
                        inner = self._visit(keyword_value)
                        keyword = base.child_by_field_name("name")
                        if keyword is not None and self._text(keyword) == "metaclass":
                            scope.metaclass = inner
                elif base.type != "comment":
                    value = self._annotation(base) if base.type == "subscript" else self._visit(base)
                    scope.bases.append([value, base.start_point[0] + 1])
        else:
            parameters = node.child_by_field_name("parameters")
            params = self._parameters(parameters) if parameters is not None else []
            returned = node.child_by_field_name("return_type")
            if returned is not None:
                scope.return_annotation = self._annotation(returned)
        self._bind(name, [Op.DEF, scope.index], line * 2, plain=False)
        block = self.block
        self.block = 0
        self._enter(scope, params)
        self.depth += 1
        if body is not None:
            self._scan(body)
        self.depth -= 1
        self.scope, self.block = outer, block

    def _import(self, node: Node) -> Expr:
        line = node.start_point[0] + 1
        for child in node.named_children:
            if child.type == "dotted_name":
                module = self._text(child)
                root = module.split(".", 1)[0]
                self.imports.append([line, self.scope.index, module, ""])
                self._bind(root, [Op.MODULE, root], line * 2, plain=False)
            elif child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                if name is not None and alias is not None:
                    module = self._text(name)
                    self.imports.append([line, self.scope.index, module, ""])
                    self._bind(self._text(alias), [Op.MODULE, module], line * 2, plain=False)
        return 0

    def _import_from(self, node: Node) -> Expr:
        line = node.start_point[0] + 1
        module_node = node.child_by_field_name("module_name")
        if module_node is None:
            return 0
        module = self._absolute(self._text(module_node))
        if any(child.type == "wildcard_import" for child in node.named_children):
            self.imports.append([line, self.scope.index, module, "*"])
            self.stars.append([module, line])
            return 0
        for child in node.children_by_field_name("name"):
            name: Node | None = child
            alias: Node | None = child
            if child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is None or alias is None:
                continue
            imported = self._text(name)
            self.imports.append([child.start_point[0] + 1, self.scope.index, module, imported])
            self._bind(self._text(alias), [Op.FROM, module, imported], line * 2, plain=False)
        return 0

    def _absolute(self, written: str) -> str:
        """``..x`` seen from this module; levels past the top stop at the top."""
        bare = written.lstrip(". \t\\\r\n")
        level = written[: len(written) - len(bare)].count(".")
        if level == 0:
            return bare
        parts = self.module.split(".")
        keep = len(parts) - level + (1 if self.is_package else 0)
        base = parts[: max(keep, 0)]
        return ".".join([*base, bare] if bare else base)

    def _global(self, node: Node) -> Expr:
        for child in node.named_children:
            if child.type == "identifier":
                self.scope.globals_[self._text(child)] = None
        return 0

    def _nonlocal(self, node: Node) -> Expr:
        for child in node.named_children:
            if child.type == "identifier":
                self.scope.nonlocals[self._text(child)] = None
        return 0
