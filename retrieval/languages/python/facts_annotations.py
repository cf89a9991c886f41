"""Quoted annotations: the text is parsed, never evaluated."""

from __future__ import annotations

import re
from typing import Any

from retrieval.languages.python.facts_ops import Op

_MAX_LENGTH = 200
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*\Z")


def annotation_from_text(text: str) -> tuple[Any, tuple[str, ...]]:
    """The expression of a quoted annotation and the dotted names in it; ``(0, ())`` for what is not a type."""
    text = text.strip()
    if not text or len(text) > _MAX_LENGTH:
        return 0, ()
    if _DOTTED.match(text):
        return text, (text,)
    import ast

    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0, ()
    names: list[str] = []
    return _convert(tree.body, names), tuple(names)


def _convert(node: Any, names: list[str]) -> Any:
    import ast

    if isinstance(node, ast.Name | ast.Attribute):
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return 0
        chain = ".".join([node.id, *reversed(parts)])
        names.append(chain)
        return chain
    if isinstance(node, ast.Subscript):
        base = _convert(node.value, names)
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        args = [_convert(item, names) for item in items]
        return [Op.GENERIC, base, args] if base != 0 else 0
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        both = [_convert(node.left, names), _convert(node.right, names)]
        useful = [value for value in both if value != 0]
        return (useful[0] if len(useful) == 1 else [Op.EITHER, useful]) if useful else 0
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        value, inner = annotation_from_text(node.value)
        names.extend(inner)
        return value
    return 0
