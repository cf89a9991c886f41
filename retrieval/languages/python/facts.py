"""Reads out of one parsed Python file the raw material of the graph: scopes, bindings, calls, names; no resolution.

The result is compact JSON, stored with the file, so that resolving needs no second parse. Its form (``FACTS_VERSION``):

``{"v", "h": digest of what others see, "hp": of its parts, "m": module, "p": 1 for a package's __init__, "S": scopes,
"B": blocks, "I": imports, "C": calls, "R": references, "W": with items, "O": operator uses, "T": stores,
"X": star modules, "all": names of __all__}``

* scope: ``{"k": m|c|f|l, "n": qualname, "p": parent, "l": line, "b": bindings, "a": parameters, "r": returns,
  "y": yields, "ra": return annotation, "dec": decorators, "bases": [expression, line], "ia": instance attributes,
  "g": names declared global, "nl": nonlocal, "mc": metaclass,
  "x": 1 where NotImplementedError is raised}``; empty parts are left out. Index 0 is the module.
* binding: ``[name, expression, order, block]`` (+ scope of the expression, when a ``global`` moved it). The order is
  twice the line where the binding is complete; targets of loops, ``with`` and comprehensions come half a line before.
  A comprehension's target is called ``name~n``, since it hides nothing outside.
  A use at line ``n`` sees bindings of its own scope whose order is below ``2 * n``.
  Parameter: ``[name, annotation, default]`` with ``*`` or ``**`` in front of the name.
* call: ``[line, scope, block, callee, arguments]``; reference and with item: ``[line, scope, block, expression]``.
* operator use: ``[line, scope, block, method without its underscores, operand]`` (+ the other operand), see ``Use``;
  store: ``[line, scope, block, how, owner, key or name, value]``, see ``Put``.
* block: ``parent * 2 + loop``: the conditional and loop bodies, for order within a scope.
* import: ``[line, scope, absolute module, name or ""]``.

Expressions: ``0`` unknown; ``"a.b.c"`` a dotted name; otherwise a list led by its operator, see ``_Op``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from retrieval.compact_json import dumps
from retrieval.languages.python.facts_definitions import Definitions

if TYPE_CHECKING:
    from tree_sitter import Node

    from retrieval.records import Symbol

FACTS_VERSION = 11


def extract_facts(root_node: Node, source: bytes, path: str, module: str, symbols: Sequence[Symbol]) -> str:
    """The facts of one file as JSON.

    Args:
        root_node: The module node of tree-sitter-python's tree.
        source: The bytes that were parsed.
        path: Relative path; only whether it is an ``__init__`` matters.
        module: Dotted module name, unique in the tree.
        symbols: The file's definitions; scopes take their qualified names from them, so both agree on ``#2``.
    """
    from retrieval.languages.python.facts_interface import interface_digest, interface_parts

    facts = read_facts(root_node, source, path, module, symbols)
    facts["hp"] = interface_parts(facts)
    facts["h"] = interface_digest(facts["hp"])
    return dumps(facts)


def read_facts(
    root_node: Node, source: bytes, path: str, module: str, symbols: Sequence[Symbol] = ()
) -> dict[str, Any]:
    """The same as objects, without the digests that only an incremental resolve needs.

    Args:
        symbols: Without them, definitions are numbered in the order of the text.
    """
    is_package = path.rsplit("/", 1)[-1] in ("__init__.py", "__init__.pyi")
    return _Extractor(source, module, is_package, symbols).run(root_node)


class _Extractor(Definitions):
    def __init__(self, source: bytes, module: str, is_package: bool, symbols: Sequence[Symbol]) -> None:
        super().__init__(source, module, is_package, symbols)
        self.handlers = {
            "identifier": self._identifier,
            "attribute": self._attribute,
            "call": self._call,
            "subscript": self._subscript,
            "lambda": self._lambda,
            "string": self._string,
            "concatenated_string": self._string,
            "integer": self._integer,
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
            "binary_operator": self._binary,
            "unary_operator": self._unary,
            "not_operator": self._not,
            "comparison_operator": self._comparison,
            "parenthesized_expression": self._first,
            "await": self._first,
            "named_expression": self._walrus,
            "yield": self._yield,
            "type": self._annotation,
            "expression_statement": self._expression_statement,
            "assignment": self._assignment,
            "augmented_assignment": self._augmented,
            "return_statement": self._return,
            "raise_statement": self._raise,
            "assert_statement": self._assert,
            "delete_statement": self._delete,
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
        if self.uses:
            out["O"] = self.uses
        if self.puts:
            out["T"] = self.puts
        if self.stars:
            out["X"] = self.stars
        if self.dunder_all is not None:
            out["all"] = self.dunder_all
        return out
