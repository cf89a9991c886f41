"""Line numbers of keys in a TOML text, which the standard parser does not give. Only asked for when they are shown."""

from __future__ import annotations

import re
import tomllib

_TRIPLES = ('"""', "'''")
_STRING_OR_COMMENT = re.compile(r'''"""|\'{3}|"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+\'?|#''')
_HEADER = re.compile(r"[ \t]*\[{1,2}([^\[\]\n]{1,300})\]{1,2}[ \t\r]*(?:#.*)?$")
# Possessive, so that a hostile line costs its length and no more.
_KEY = re.compile(r"""[ \t]*+((?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[A-Za-z0-9_-]++|[ \t]*+\.[ \t]*+)++)[ \t]*+=""")
_MAX_KEYS = 10_000


def line_of(text: str, keys: tuple[str, ...]) -> int:
    """The line (from 1) that gives ``keys`` its value, else that of the nearest table or key around it; at least 1."""
    known = key_lines(text)
    for end in range(len(keys), 0, -1):
        if keys[:end] in known:
            return known[keys[:end]]
    return 1


def key_lines(text: str) -> dict[tuple[str, ...], int]:
    """First line of each key and table that stands at the start of a line. Linear in the length of ``text``."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    quote = ""
    for number, line in enumerate(text.split("\n"), start=1):
        value_at = 0
        if not quote and len(found) < _MAX_KEYS:
            header = _HEADER.match(line)
            if header is not None:
                table = _path(f"[{header.group(1)}]")
                found.setdefault(table, number)
                continue
            key = _KEY.match(line)
            if key is not None:
                value_at = key.end()
                path = (*table, *_path(f"{key.group(1)} = 0"))
                for end in range(len(table) + 1, len(path) + 1):
                    found.setdefault(path[:end], number)
        quote = _open_behind(line, value_at, quote)
    return found


def _open_behind(line: str, start: int, quote: str) -> str:
    """The triple quote that is open behind ``line``, given the one that is open at ``start``."""
    while True:
        if quote:
            closed = line.find(quote, start)
            if closed < 0:
                return quote
            quote, start = "", closed + len(quote)
        match = _STRING_OR_COMMENT.search(line, start)
        if match is None or match.group() == "#":
            return ""
        start = match.end()
        if match.group() in _TRIPLES:
            quote = match.group()


def _path(statement: str) -> tuple[str, ...]:
    """The keys that a one-line TOML document of one key or table is made of."""
    try:
        value: object = tomllib.loads(statement)
    except tomllib.TOMLDecodeError:
        return ()
    keys: list[str] = []
    while isinstance(value, dict) and value:
        name, value = next(iter(value.items()))
        keys.append(name)
    return tuple(keys)
