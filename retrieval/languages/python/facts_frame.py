"""The state of one extraction: scopes, blocks, bindings and references, and the walk over nodes of no interest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from retrieval.languages.python.facts_ops import BUILTIN_NAMES, Op

if TYPE_CHECKING:
    from tree_sitter import Node

    from retrieval.records import Symbol

#: Nesting of expressions and statements beyond this is not followed: no person writes it, and the stack is finite.
MAX_DEPTH = 150

Expr = Any  # 0 | str | list: a JSON value, see ``facts``


class Scope:
    __slots__ = (
        "abstract",
        "bases",
        "bindings",
        "bound",
        "decorators",
        "globals_",
        "index",
        "instance",
        "kind",
        "line",
        "metaclass",
        "nonlocals",
        "params",
        "parent",
        "qualname",
        "return_annotation",
        "returns",
        "serial",
        "yields",
    )

    def __init__(self, index: int, kind: str, qualname: str, parent: int, line: int) -> None:
        self.index, self.kind, self.qualname, self.parent, self.line = index, kind, qualname, parent, line
        self.bindings: list[list[Any]] = []
        self.bound: dict[str, bool] = {}  # name -> bound to a plain value only (parameter, local variable)
        self.params: list[list[Any]] = []
        self.returns: list[Expr] = []
        self.yields: list[Expr] = []
        self.return_annotation: Expr = 0
        self.decorators: list[list[Any]] = []
        self.bases: list[list[Any]] = []
        self.instance: list[list[Any]] = []
        self.metaclass: Expr = 0
        self.abstract = False
        self.globals_: dict[str, None] = {}
        self.nonlocals: dict[str, None] = {}
        self.serial: dict[str, int] = {}

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"k": self.kind, "n": self.qualname, "p": self.parent, "l": self.line}
        for key, value in (
            ("b", self.bindings),
            ("a", self.params),
            ("r", self.returns),
            ("y", self.yields),
            ("ra", self.return_annotation),
            ("dec", self.decorators),
            ("bases", self.bases),
            ("ia", self.instance),
            ("mc", self.metaclass),
            ("g", list(self.globals_)),
            ("nl", list(self.nonlocals)),
            ("x", int(self.abstract)),
        ):
            if value:
                out[key] = value
        return out


class Frame:
    def __init__(self, source: bytes, module: str, is_package: bool, symbols: Sequence[Symbol]) -> None:
        self.source = source
        self._texts: dict[bytes, str] = {}
        self._dotted: dict[bytes, str] = {}
        self.module = module
        self.is_package = is_package
        self.names = {
            (s.def_line, s.name): s.qualname for s in symbols if s.kind in ("class", "function", "method", "property")
        }
        self.used: dict[str, int] = {}
        self.scopes: list[Scope] = []
        self.blocks: list[int] = [0]
        self.block = 0
        self.depth = 0
        self.calls: list[list[Any]] = []
        self.refs: dict[tuple[int, str], tuple[int, int]] = {}
        #: Targets of the comprehensions around, as they are called in the facts.
        self.renamed: dict[str, str] = {}
        self.imports: list[list[Any]] = []
        self.withs: list[list[Any]] = []
        self.uses: list[list[Any]] = []
        self.puts: list[list[Any]] = []
        self.stars: list[list[Any]] = []
        self.dunder_all: list[str] | None = None
        self.scope = self._new_scope("m", module, -1, 1)
        self.handlers: dict[str, Callable[[Node], Expr]] = {}

    def _text(self, node: Node) -> str:
        raw = self.source[node.start_byte : node.end_byte]
        text = self._texts.get(raw)
        if text is None:  # names come again and again: one string for each, here and in all that is made of them
            text = self._texts[raw] = raw.decode("utf-8", "replace")
        return text

    def _new_scope(self, kind: str, qualname: str, parent: int, line: int) -> Scope:
        scope = Scope(len(self.scopes), kind, qualname, parent, line)
        self.scopes.append(scope)
        return scope

    def _visit(self, node: Node) -> Expr:
        handler = self.handlers.get(node.type)
        if handler is None:
            self._scan(node)
            return 0
        if self.depth > MAX_DEPTH:
            return 0
        self.depth += 1
        value = handler(node)
        self.depth -= 1
        return value

    def _scan(self, node: Node) -> None:
        """Visits what a node of no interest holds; a loop, because operators nest thousands deep in real files."""
        handlers = self.handlers
        stack = node.named_children[::-1]
        while stack:
            current = stack.pop()
            if current.type in handlers:
                self._visit(current)
            else:
                stack.extend(current.named_children[::-1])

    def _in_block(self, node: Node | None, loop: bool = False) -> None:
        if node is None:
            return
        outer = self.block
        self.blocks.append(outer * 2 + int(loop))
        self.block = len(self.blocks) - 1
        self._scan(node)
        self.block = outer

    def _bind(self, name: str, value: Expr, order: int, plain: bool = True) -> None:
        scope = self.scope
        entry: list[Any] = [name, value, order, self.block]
        if name in scope.globals_:
            entry = [name, value, order, max(self.block, 1), scope.index]
            scope = self.scopes[0]
        elif name in scope.nonlocals:
            entry.append(scope.index)
            scope = self._owner_of(name, scope)
        scope.bindings.append(entry)
        scope.bound[name] = scope.bound.get(name, True) and plain

    def _owner_of(self, name: str, scope: Scope) -> Scope:
        current = scope
        while current.parent >= 0:
            current = self.scopes[current.parent]
            if current.kind in "fl" and name in current.bound:
                return current
        return scope

    def _bind_deep(self, base: str, item: Expr, order: int) -> None:
        if "." not in base:
            if base in self.scope.bound or self.scope.kind in "mc":
                self._bind(base, [Op.ALSO, item], order)
            return
        owner, _, attribute = base.rpartition(".")
        scope = self.scope
        if "." not in owner and scope.kind == "f" and scope.params and owner == scope.params[0][0]:
            holder = self.scopes[scope.parent]
            if holder.kind == "c":
                holder.instance.append([attribute, [Op.ALSO, item], order, self.block, scope.index])

    def _use(self, node: Node, use: str, operand: Expr, other: Expr = 0) -> None:
        """A place that runs a special method of its operand."""
        if operand != 0 and not is_constant(operand):
            entry = [node.start_point[0] + 1, self.scope.index, self.block, use, operand]
            self.uses.append([*entry, other] if other != 0 and not is_constant(other) else entry)
        elif other != 0 and not is_constant(other):
            self.uses.append([node.start_point[0] + 1, self.scope.index, self.block, use, 0, other])

    def _put(self, node: Node, how: str, owner: Expr, key: Expr, value: Expr) -> None:
        """A place that stores a value in something that another name may hold, too."""
        if owner != 0 and not is_constant(owner):
            self.puts.append([node.start_point[0] + 1, self.scope.index, self.block, how, owner, key, value])

    def _reference(self, chain: str, node: Node) -> None:
        key = (self.scope.index, chain)
        if key not in self.refs:
            self.refs[key] = (node.start_point[0] + 1, self.block)

    def _kept_references(self) -> list[list[Any]]:
        """References whose root may name a definition: not builtins, and not plain local values."""
        kept = []
        for (index, chain), (line, block) in self.refs.items():
            root = chain.split(".", 1)[0]
            scope: Scope | None = self.scopes[index]
            first = True
            while scope is not None:
                if root in scope.bound and (first or scope.kind != "c"):
                    break
                first = False
                scope = self.scopes[scope.parent] if scope.parent >= 0 else None
            if scope is None:
                if root in BUILTIN_NAMES or not self.stars:
                    continue
            elif scope.kind in "fl" and scope.bound[root] and "." not in chain:
                continue
            kept.append([line, index, block, chain])
        return kept

    def _container(self, value: list[Any]) -> Expr:
        """Containers carry a number, so that a value can name the place that made it."""
        number = self.scope.serial.get("[", 0) + 1
        self.scope.serial["["] = number
        value.append(self.scope.index << 20 | number)
        return value


def is_literal(value: Expr) -> bool:
    return isinstance(value, list) and value[0] == "t"


def is_constant(value: Expr) -> bool:
    """A literal, kept or not: nothing that code could be reached through."""
    return isinstance(value, list) and value[0] in ("t", "#", "'")


def is_definition(value: Expr) -> bool:
    return isinstance(value, list) and value[0] == Op.DEF


def either(values: list[Expr]) -> Expr:
    useful = [value for value in values if value != 0]
    if not useful:
        return 0
    return useful[0] if len(useful) == 1 else [Op.EITHER, useful]
