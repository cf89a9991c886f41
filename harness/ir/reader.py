"""An independent reader of visible context: it follows what a legend says, and imports nothing of the compiler.

It never opens the vault. What a message does not show, it does not know.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_FIRST_LINE = re.compile(r"TTIR/1 ([a-z-]+) m=(\d+) source=(a_[0-9a-f]+)")
_HEADER = re.compile(r"\[(\d+)\] (.*?)(:\d+(?:-\d+)?)( .*)?", re.DOTALL)
_SAME_LINES = re.compile(r"(\d+)-(\d+) =\[(\d+):(\d+)\]")
_LINE = re.compile(r"(\d+) (.*)", re.DOTALL)


class Number(str):
    """A number as written; it equals nothing but a number written alike."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and str.__eq__(self, other)

    def __hash__(self) -> int:
        return hash(("number", str(self)))


@dataclass(frozen=True, slots=True)
class Seen:
    """What one message shows: ``records`` (lists of key and value, in order) or ``text``; neither when set aside."""

    format: str
    records: list[list[tuple[str, Any]]] | None = None
    text: str | None = None


def read(content: str) -> Seen:
    """What a message shows: records of a JSON array or a table, else its text."""
    first, _, rest = content.partition("\n")
    match = _FIRST_LINE.fullmatch(first)
    if match is None:
        records = _records(content)
        return Seen("plain", records, None if records is not None else content)
    _, _, body = rest.partition("\n")
    name = match[1]
    if name == "vault":
        return Seen(name)
    if name == "defs":
        return Seen(name, None, _evidence(body))
    if name == "template":
        head, _, spans = body.partition("\n")
        return Seen(name, None, _lines(_json(head), spans))
    parsed = _json(body)
    if name in ("table", "table-dict"):
        return Seen(name, _rows(parsed))
    if name == "spans":
        words = parsed["dict"]
        items = [words[int(item)] if isinstance(item, Number) else item for item in parsed["spans"]]
        return Seen(name, None, "\n".join(items) + parsed["end"])
    raise ValueError(name)


def _json(text: str) -> Any:
    return json.loads(text, parse_int=Number, parse_float=Number)


def _records(text: str) -> list[list[tuple[str, Any]]] | None:
    if text.lstrip()[:1] != "[":
        return None
    try:
        array = json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    if not isinstance(array, list) or not array or not all(isinstance(item, _Pairs) for item in array):
        return None
    return [list(item) for item in array]


class _Pairs(list[tuple[str, Any]]):
    pass


def _rows(parsed: Any) -> list[list[tuple[str, Any]]]:
    words = parsed.get("dict", {})
    found = []
    for row in parsed["rows"]:
        values = [
            words[str(at)][int(value)] if str(at) in words and isinstance(value, Number) else value
            for at, value in enumerate(row)
        ]
        found.append(list(zip(parsed["keys"], values, strict=True)))
    return found


def _lines(head: Any, spans: str) -> str:
    parts = head["parts"]
    lines = []
    for row in spans.split("\n"):
        slots = [row] if len(parts) == 2 else row.split(head["sep"])
        line = parts[0]
        for slot, part in zip(slots, parts[1:], strict=True):
            line += slot + part
        lines.append(line)
    return "\n".join(lines) + str(head["end"])


def _evidence(body: str) -> str:
    shown: dict[str, dict[int, str]] = {}
    out: list[str] = []
    here: dict[int, str] | None = None
    before = 0
    path = symbol_head = ""
    for line in body.split("\n"):
        header = _HEADER.fullmatch(line)
        if header:
            number, where, lines, rest = header[1], header[2], header[3], header[4] or ""
            path = path if where == "^" else where
            head, dot, tail = _symbol(rest)
            if dot and head == "^":
                rest = f" {symbol_head}.{tail}"
            else:
                symbol_head = head if dot else ""
            here, before = shown.setdefault(number, {}), 0
            out.append(f"[{number}] {path}{lines}{rest}")
            continue
        same = _SAME_LINES.fullmatch(line)
        plain = _LINE.fullmatch(line)
        if here is None or not (same or plain):
            here, before = (None if line == "" else here), 0
            out.append(line)
            continue
        first = int(same[1]) if same else int(plain[1]) if plain else 0
        if before:
            for number in range(before + 1, first):
                here[number] = ""
                out.append(f"{number} ")
        if same:
            for step in range(int(same[2]) - first + 1):
                out.append(f"{first + step} {shown[same[3]][int(same[4]) + step]}")
            before = int(same[2])
        elif plain:
            here[first] = plain[2]
            out.append(line)
            before = first
    return "\n".join(out)


def _symbol(rest: str) -> tuple[str, str, str]:
    """Qualifier, dot and what follows of the symbol in the rest of a header."""
    name, blank, tail = rest[1:].partition(" ")
    head, dot, last = name.rpartition(".")
    if not dot or "(" in name or ")" in name or not last:
        return "", "", ""
    return head, dot, last + blank + tail
