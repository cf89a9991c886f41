"""Reads out of one parsed Python file the raw material of the graph: scopes, bindings, calls, names; no resolution.

The result is compact JSON, stored with the file, so that resolving needs no second parse. Its form (``FACTS_VERSION``):

``{"v", "h": digest of what others see, "m": module, "p": 1 for a package's __init__, "S": scopes, "B": blocks,
"I": imports, "C": calls, "R": references, "W": with items, "X": star modules, "all": names of __all__}``

* scope: ``{"k": m|c|f|l, "n": qualname, "p": parent, "l": line, "b": bindings, "a": parameters, "r": returns,
  "y": yields, "ra": return annotation, "dec": decorators, "bases": [expression, line], "ia": instance attributes,
  "g": names declared global, "nl": nonlocal}``; empty parts are left out. Index 0 is the module.
* binding: ``[name, expression, order, block]`` (+ scope of the expression, when a ``global`` moved it). The order is
  twice the line where the binding is complete; targets of loops, ``with`` and comprehensions come half a line before.
  A use at line ``n`` sees bindings of its own scope whose order is below ``2 * n``.
  Parameter: ``[name, annotation, default]`` with ``*`` or ``**`` in front of the name.
* call: ``[line, scope, block, callee, arguments]``; reference and with item: ``[line, scope, block, expression]``.
* block: ``parent * 2 + loop``: the conditional and loop bodies, for order within a scope.
* import: ``[line, scope, absolute module, name or ""]``.

Expressions: ``0`` unknown; ``"a.b.c"`` a dotted name; otherwise a list led by its operator, see ``_Op``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from retrieval.languages.python.facts_annotations import annotation_from_text
from retrieval.languages.python.facts_interface import interface_digest
from retrieval.languages.python.facts_ops import BUILTIN_NAMES, Op

if TYPE_CHECKING:
    from tree_sitter import Node

    from retrieval.records import Symbol

FACTS_VERSION = 1

#: Nesting of expressions and statements beyond this is not followed: no person writes it, and the stack is finite.
_MAX_DEPTH = 150
#: Callees whose string arguments name something.
_STRING_CALLEES = frozenset({"getattr", "setattr", "hasattr", "__import__", "importlib.import_module", "import_module"})
_MAX_STRING = 80

Expr = Any  # 0 | str | list: a JSON value, see the module's docstring


class _Scope:
    __slots__ = (
        "bases",
        "bindings",
        "bound",
        "decorators",
        "globals_",
        "index",
        "instance",
        "kind",
        "line",
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
            ("g", list(self.globals_)),
            ("nl", list(self.nonlocals)),
        ):
            if value:
                out[key] = value
        return out


def extract_facts(root_node: Node, source: bytes, path: str, module: str, symbols: Sequence[Symbol]) -> str:
    """The facts of one file as JSON.

    Args:
        root_node: The module node of tree-sitter-python's tree.
        source: The bytes that were parsed.
        path: Relative path; only whether it is an ``__init__`` matters.
        module: Dotted module name, unique in the tree.
        symbols: The file's definitions; scopes take their qualified names from them, so both agree on ``#2``.
    """
    is_package = path.rsplit("/", 1)[-1] in ("__init__.py", "__init__.pyi")
    return json.dumps(
        _Extractor(source, module, is_package, symbols).run(root_node), separators=(",", ":"), ensure_ascii=False
    )


class _Extractor:
    def __init__(self, source: bytes, module: str, is_package: bool, symbols: Sequence[Symbol]) -> None:
        self.source = source
        self.module = module
        self.is_package = is_package
        self.names = {
            (s.def_line, s.name): s.qualname for s in symbols if s.kind in ("class", "function", "method", "property")
        }
        self.used: dict[str, int] = {}
        self.scopes: list[_Scope] = []
        self.blocks: list[int] = [0]
        self.block = 0
        self.depth = 0
        self.calls: list[list[Any]] = []
        self.refs: dict[tuple[int, str], tuple[int, int]] = {}
        self.imports: list[list[Any]] = []
        self.withs: list[list[Any]] = []
        self.stars: list[list[Any]] = []
        self.dunder_all: list[str] | None = None
        self.scope = self._new_scope("m", module, -1, 1)
        self.handlers: dict[str, Callable[[Node], Expr]] = {
            "identifier": self._identifier,
            "attribute": self._attribute,
            "call": self._call,
            "subscript": self._subscript,
            "lambda": self._lambda,
            "string": self._string,
            "concatenated_string": self._string,
            "integer": lambda _n: ["t", "int"],
            "float": lambda _n: ["t", "float"],
            "true": lambda _n: ["t", "bool"],
            "false": lambda _n: ["t", "bool"],
            "none": lambda _n: 0,
            "comment": lambda _n: 0,
            "list": self._sequence,
            "tuple": self._sequence,
            "set": self._sequence,
            "expression_list": self._sequence,
            "dictionary": self._dictionary,
            "list_comprehension": self._comprehension,
            "set_comprehension": self._comprehension,
            "generator_expression": self._comprehension,
            "dictionary_comprehension": self._comprehension,
            "conditional_expression": self._conditional,
            "boolean_operator": self._boolean,
            "parenthesized_expression": self._first,
            "await": self._first,
            "named_expression": self._walrus,
            "yield": self._yield,
            "type": self._annotation,
            "expression_statement": self._expression_statement,
            "assignment": self._assignment,
            "augmented_assignment": self._augmented,
            "return_statement": self._return,
            "if_statement": self._if,
            "for_statement": self._for,
            "while_statement": self._while,
            "try_statement": self._try,
            "with_statement": self._with,
            "match_statement": self._match,
            "function_definition": self._function,
            "class_definition": self._class,
            "decorated_definition": self._decorated,
            "import_statement": self._import,
            "import_from_statement": self._import_from,
            "future_import_statement": lambda _n: 0,
            "global_statement": self._global,
            "nonlocal_statement": self._nonlocal,
        }

    # ---- frame -----------------------------------------------------------------------------------------------------

    def run(self, root: Node) -> dict[str, Any]:
        self._scan(root)
        out: dict[str, Any] = {
            "v": FACTS_VERSION,
            "m": self.module,
            "p": int(self.is_package),
            "S": [scope.to_json() for scope in self.scopes],
            "B": self.blocks,
            "I": self.imports,
            "C": self.calls,
            "R": self._kept_references(),
        }
        if self.withs:
            out["W"] = self.withs
        if self.stars:
            out["X"] = self.stars
        if self.dunder_all is not None:
            out["all"] = self.dunder_all
        out["h"] = interface_digest(out)
        return out

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _new_scope(self, kind: str, qualname: str, parent: int, line: int) -> _Scope:
        scope = _Scope(len(self.scopes), kind, qualname, parent, line)
        self.scopes.append(scope)
        return scope

    def _visit(self, node: Node) -> Expr:
        handler = self.handlers.get(node.type)
        if handler is None:
            self._scan(node)
            return 0
        if self.depth > _MAX_DEPTH:
            return 0
        self.depth += 1
        try:
            return handler(node)
        finally:
            self.depth -= 1

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

    # ---- names -----------------------------------------------------------------------------------------------------

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

    def _owner_of(self, name: str, scope: _Scope) -> _Scope:
        current = scope
        while current.parent >= 0:
            current = self.scopes[current.parent]
            if current.kind in "fl" and name in current.bound:
                return current
        return scope

    def _bind_target(self, node: Node, value: Expr, order: int) -> None:
        kind = node.type
        if kind == "identifier":
            self._bind(self._text(node), value, order)
        elif kind == "attribute":
            self._bind_attribute(node, value, order)
        elif kind == "subscript":
            self._bind_item(node, value, order)
        elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
            for position, child in enumerate(c for c in node.named_children if c.type != "comment"):
                starred = child.type in ("list_splat_pattern", "list_splat")
                part = 0 if starred or value == 0 else [Op.UNPACK, value, position]
                self._bind_target(child.named_children[0] if starred and child.named_children else child, part, order)
        elif kind in ("parenthesized_expression", "as_pattern_target", "list_splat_pattern", "list_splat"):
            for child in node.named_children:
                self._bind_target(child, value, order)
        else:
            self._scan(node)

    def _bind_attribute(self, node: Node, value: Expr, order: int) -> None:
        chain = self._chain(node)
        if isinstance(chain, list):
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

    def _bind_item(self, node: Node, value: Expr, order: int) -> None:
        """``d[key] = value`` counts as one more binding of ``d``, to a container of that one item."""
        children = node.named_children
        base = self._chain(children[0])
        for child in children[1:]:
            self._visit(child)
        if isinstance(base, str) and value != 0 and len(children) == 2:
            item = self._container([Op.DICT, [[self._key(children[1]), value]]])
            self._bind_deep(base, item, order)

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

    def _reference(self, chain: str, node: Node) -> None:
        key = (self.scope.index, chain)
        if key not in self.refs:
            self.refs[key] = (node.start_point[0] + 1, self.block)

    def _kept_references(self) -> list[list[Any]]:
        """References whose root may name a definition: not builtins, and not plain local values."""
        kept = []
        for (index, chain), (line, block) in self.refs.items():
            root = chain.split(".", 1)[0]
            scope: _Scope | None = self.scopes[index]
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

    # ---- expressions -----------------------------------------------------------------------------------------------

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
                args.append(self._comprehension(arguments))
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
            return 0 if _is_literal(inner) or name is None else [Op.KEYWORD, self._text(name), inner]
        if kind in ("list_splat", "dictionary_splat"):
            inner = self._visit(node.named_children[0]) if node.named_children else 0
            return [Op.STAR if kind == "list_splat" else Op.STARSTAR, inner]
        if kind == "string" and keep_strings:
            text = self._constant(node)
            return [Op.STR, text] if isinstance(text, str) and len(text) <= _MAX_STRING else 0
        if kind == "comment":
            return 0
        inner = self._visit(node)
        return 0 if _is_literal(inner) else inner

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

    def _container(self, value: list[Any]) -> Expr:
        """Containers carry a number, so that a value can name the place that made it."""
        number = self.scope.serial.get("[", 0) + 1
        self.scope.serial["["] = number
        value.append(self.scope.index << 20 | number)
        return value

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
                items.append(0 if _is_literal(value) else value)
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
                if inner != 0 and not _is_literal(inner):
                    items.append([self._key(key), inner])
            elif child.type == "dictionary_splat" and child.named_children:
                inner = self._visit(child.named_children[0])
                if inner != 0:
                    items.append([[Op.STARSTAR], inner])
        return self._container([Op.DICT, items]) if items else ["t", "dict"]

    def _comprehension(self, node: Node) -> Expr:
        """The targets bind in the enclosing scope: they shadow nothing there that matters to a call."""
        body = node.child_by_field_name("body")
        for child in node.named_children:
            if child.type == "for_in_clause":
                left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
                source = self._visit(right) if right is not None else 0
                if left is not None:
                    self._bind_target(left, [Op.ITER, source] if source != 0 else 0, node.start_point[0] * 2 + 1)
        for child in node.named_children:
            if child.type == "if_clause":
                self._scan(child)
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

    def _conditional(self, node: Node) -> Expr:
        parts = [child for child in node.named_children if child.type != "comment"]
        values = [self._visit(child) for child in parts]
        if len(values) != 3:
            return 0
        return _either([values[0], values[2]])

    def _boolean(self, node: Node) -> Expr:
        parts: list[Node] = []
        stack = [node]
        while stack:  # left-deep chains of and/or
            current = stack.pop()
            if current.type == "boolean_operator":
                stack.extend(current.named_children[::-1])
            elif current.type != "comment":
                parts.append(current)
        return _either([self._visit(part) for part in parts])

    def _first(self, node: Node) -> Expr:
        value: Expr = 0
        for child in node.named_children:
            if child.type != "comment":
                value = self._visit(child)
        return value

    def _walrus(self, node: Node) -> Expr:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        inner = self._visit(value) if value is not None else 0
        if name is not None:
            self._bind(self._text(name), inner, node.start_point[0] * 2 + 1)
        return inner

    def _yield(self, node: Node) -> Expr:
        delegated = any(child.type == "from" for child in node.children)
        value = self._first(node)
        scope = self.scope
        scope.yields.append([Op.ITER, value] if delegated and value != 0 else value)
        return 0

    def _lambda(self, node: Node) -> Expr:
        parent = self.scope
        number = parent.serial.get("<lambda>", 0) + 1
        parent.serial["<lambda>"] = number
        scope = self._new_scope("l", f"{parent.qualname}.<lambda{number}>", parent.index, node.start_point[0] + 1)
        parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
        params = self._parameters(parameters) if parameters is not None else []
        self._enter(scope, params)
        if body is not None:
            scope.returns.append(self._visit(body))
        self.scope = parent
        return [Op.DEF, scope.index]

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
            return _either([self._annotation(child) for child in node.named_children])
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

    # ---- statements ------------------------------------------------------------------------------------------------

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
        if left is not None and left.type == "identifier":
            name = self._text(left)
            if name == "__all__" and self.dunder_all is not None and right is not None:
                self.dunder_all.extend(self._strings_in(right))
            self._bind(name, [Op.ALSO, value], node.end_point[0] * 2 + 2)
        elif left is not None:
            self._visit(left)
        return 0

    def _return(self, node: Node) -> Expr:
        value = self._first(node)
        if value != 0 and not _is_literal(value):
            self.scope.returns.append(value)
        return 0

    def _if(self, node: Node) -> Expr:
        condition = node.child_by_field_name("condition")
        if condition is not None:
            self._visit(condition)
        self._in_block(node.child_by_field_name("consequence"))
        for child in node.children_by_field_name("alternative"):
            inner = child.child_by_field_name("condition")
            if inner is not None:
                self._visit(inner)
            self._in_block(child.child_by_field_name("consequence") or child.child_by_field_name("body"))
        return 0

    def _for(self, node: Node) -> Expr:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        source = self._visit(right) if right is not None else 0
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
        condition = node.child_by_field_name("condition")
        if condition is not None:
            self._visit(condition)
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

    def _match(self, node: Node) -> Expr:
        for subject in node.children_by_field_name("subject"):
            self._visit(subject)
        body = node.child_by_field_name("body")
        for case in body.named_children if body is not None else ():
            outer = self.block
            self.blocks.append(outer * 2)
            self.block = len(self.blocks) - 1
            for child in case.named_children:
                if child.type == "case_pattern":
                    self._pattern(child)
                else:
                    self._visit(child)
            self.block = outer
        return 0

    def _pattern(self, node: Node) -> None:
        stack = [node]
        while stack:
            current = stack.pop()
            kind = current.type
            if kind == "dotted_name":
                chain = self._text(current)
                parent = current.parent
                if "." in chain or (parent is not None and parent.type == "class_pattern"):
                    self._reference(chain, current)
                elif chain != "_":
                    self._bind(chain, 0, current.start_point[0] * 2 + 1)
            elif kind == "as_pattern":
                parts = current.named_children
                subject = parts[0].named_children[0] if parts and parts[0].named_children else None
                value: Expr = 0
                if subject is not None and subject.type == "class_pattern" and subject.named_children:
                    value = [Op.EXCEPT, self._text(subject.named_children[0])]
                if len(parts) > 1:
                    self._bind_target(parts[-1], value, current.start_point[0] * 2 + 1)
                stack.extend(parts[:-1][::-1])
            elif kind == "splat_pattern":
                for child in current.named_children:
                    if child.type == "identifier" and self._text(child) != "_":
                        self._bind(self._text(child), 0, child.start_point[0] * 2 + 1)
            elif kind == "keyword_pattern":
                stack.extend(current.named_children[1:][::-1])
            else:
                stack.extend(current.named_children[::-1])

    # ---- definitions -----------------------------------------------------------------------------------------------

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
        if name_node is None or self.depth > _MAX_DEPTH:
            return
        name, line = self._text(name_node), name_node.start_point[0] + 1
        outer = self.scope
        is_class = node.type == "class_definition"
        scope = self._new_scope("c" if is_class else "f", self._qualname(name, line), outer.index, line)
        scope.decorators = decorators
        for value, at in reversed(decorators):
            accessor = isinstance(value, str) and value.endswith((".setter", ".getter", ".deleter"))
            if value != 0 and not accessor:
                self.calls.append([at, outer.index, self.block, value, [[Op.RAW, scope.index]]])
        params: list[list[Any]] = []
        if is_class:
            for base in (node.child_by_field_name("superclasses") or name_node).named_children:
                if base.type == "keyword_argument":
                    keyword_value = base.child_by_field_name("value")
                    if keyword_value is not None:
                        self._visit(keyword_value)
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

    def _enter(self, scope: _Scope, params: list[list[Any]]) -> None:
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
                    default = 0 if _is_literal(default) else default
                target = child.child_by_field_name("name") or (
                    child.named_children[0] if child.named_children else None
                )
            if target is None or target.type not in ("identifier", "list_splat_pattern", "dictionary_splat_pattern"):
                continue
            name = self._text(target).replace(" ", "")
            found.append([name, annotation, default])
        return found

    # ---- imports ---------------------------------------------------------------------------------------------------

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


def _is_literal(value: Expr) -> bool:
    return isinstance(value, list) and value[0] == "t"


def _either(values: list[Expr]) -> Expr:
    useful = [value for value in values if value != 0]
    if not useful:
        return 0
    return useful[0] if len(useful) == 1 else [Op.EITHER, useful]
