"""JSON without spaces, for what the index keeps of files and what its processes send one another.

orjson, several times faster than ``json``, does what it can; where it refuses (lone surrogates, integers beyond 64
bits, deep nesting) ``json`` does, with the same result.
"""

from __future__ import annotations

import json
from typing import Any


def dumps(value: object) -> str:
    """As ``json.dumps`` writes it without spaces and with the letters of all scripts as they are."""
    import orjson

    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def dumps_ascii(value: object) -> str:
    """The same with every other letter escaped."""
    text = dumps(value)
    return text if text.isascii() else json.dumps(value, separators=(",", ":"))


def dump_bytes(value: object) -> bytes:
    """A JSON text of one line, as bytes."""
    import orjson

    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def loads(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: It is none.
    """
    import orjson

    try:
        return orjson.loads(text)
    except ValueError:
        return json.loads(text)
