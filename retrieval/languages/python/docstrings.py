"""Docstrings and comments as plain text, without evaluating any code."""

from __future__ import annotations

import re
import unicodedata

from tree_sitter import Node

_LITERAL = re.compile(r"([A-Za-z]{0,3})(\"\"\"|'''|\"|')")
_ESCAPE = re.compile(
    r"\\(\n|[\\'\"abfnrtv]|[0-7]{1,3}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|N\{[^{}]{1,99}\})"
)
_SINGLE = {"\n": "", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
#: Comments that talk to tools.
_DIRECTIVE = re.compile(r"(?:noqa|type:|pylint:|pragma|fmt:|isort:|ruff:|nosec|mypy:|flake8:|yapf:|-\*-|vim?:|!/)")


def _unescape(match: re.Match[str]) -> str:
    body = match.group(1)
    if body in _SINGLE:
        return _SINGLE[body]
    head = body[0]
    if head in "\\'\"":
        return body
    if head == "N":
        try:
            return unicodedata.lookup(body[2:-1])
        except KeyError:
            return match.group(0)
    code = int(body, 8) if head in "01234567" else int(body[1:], 16)
    return chr(code) if code <= 0x10FFFF else match.group(0)


def string_value(node: Node) -> str | None:
    """The value of a ``string`` or ``concatenated_string`` node; None for bytes and f-strings."""
    if node.type == "concatenated_string":
        parts = [string_value(child) for child in node.named_children if child.type != "comment"]
        return None if None in parts else "".join(part for part in parts if part is not None)
    raw = node.text
    if raw is None or node.type != "string":
        return None
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    opening = _LITERAL.match(text)
    if opening is None:
        return None
    prefix, quote = opening.group(1).lower(), opening.group(2)
    if "b" in prefix or "f" in prefix or "t" in prefix:
        return None
    body = text[opening.end() :]
    if body.endswith(quote):
        body = body[: -len(quote)]
    return body if "r" in prefix or "\\" not in body else _ESCAPE.sub(_unescape, body)


def clean(doc: str) -> str:
    """Dedent a docstring as ``inspect.cleandoc`` does (lines end at ``\\n``, tabs become 8 columns)."""
    lines = doc.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    lines = [lines[0].lstrip(), *(line[margin:] for line in lines[1:])]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def comment_text(comment: str) -> str:
    """The words of a ``#`` comment; "" for directives to tools and for rules made of punctuation."""
    words = comment.lstrip("#").lstrip(":").strip()
    if not words or _DIRECTIVE.match(words) or not any(char.isalnum() for char in words):
        return ""
    return words.strip("#-=* ")
