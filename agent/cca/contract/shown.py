"""The keys of an object that a sentence shows: ``in the format {"name": "Ann", "age": <int>}``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agent.cca import checks as c

_I = re.IGNORECASE
_MAX_CHARS = 2_000
_MAX_KEYS = 60
_KEY = re.compile(r"\s*(?:\"([^\"\n]{1,60})\"|'([^'\n]{1,60})'|“([^”\n]{1,60})”|([A-Za-z_]\w{0,60}))\s*:")
_NAME = re.compile(r"[A-Za-z_][\w-]*(?: [\w-]+){0,3}")
_GENERIC = frozenset(
    ["key", "key1", "key2", "name1", "value", "value1", "x", "y", "k", "v", "field", "field1", "foo", "bar", "id1"]
)
_EXAMPLE = re.compile(
    r"(?:\be\.g\.?,?|\bfor example,?|\bfor instance,?|\bsuch as|\bsay|\blike so"
    r"|\bexample[\w ]{0,20}:?)\W*$",
    _I,
)
_LIKE = re.compile(r"\blike(?: this| so)?\W*$", _I)
_PLACEHOLDER = re.compile(
    r"\.\.\.|…|<[^<>]{1,80}>|\b(?:string|str|int|integer|number|float|bool|boolean|list"
    r"|array|object)\b|\[\s*\]|\"\"|\b0\b",
    _I,
)
_MAPS = re.compile(r"\b(?:mapping|maps?|keyed|keys are|each key|key is|per|for each|for every)\b", _I)
_TOLD = re.compile(
    r"^\W*(?:[\w ]{1,24}: )?(?:(?:please|always|only|you must|you should|must|should|then|and|now|finally|the|your"
    r"|final) )*"
    r"(?:(?:return|respond|output|reply|answer|provide|give|format|present|structure|produce|use|follow|write"
    r"|report|print|emit)\b"
    r"|(?:outputs?|responses?|answers?|repl(?:y|ies)|results?)\b.{0,40}\b(?:must|should|shall|is|are|has to|needs"
    r" to)\b)"
    r"[^{]{0,120}\b(?:formats?|form|structure|schema|shape|template|as|object|dict\w*|json|following|this)\b[^{]{0,40}$",
    _I,
)
_HEDGED = re.compile(
    r"\b(?:if|when|unless|otherwise|input|given|where|each|every|or|tool|function|call"
    r"|argument\w*|parameter\w*|api|request)\b",
    _I,
)


@dataclass(frozen=True, slots=True)
class Shown:
    """``array``: a list of such objects. ``quoted``: its keys stand in double quotes, as in JSON."""

    keys: tuple[str, ...]
    array: bool
    quoted: bool
    start: int
    end: int


def shown_object(text: str, at: int = 0) -> Shown | None:
    """The first object that is shown at or behind ``at``; None where none is, it is cut, or stands for any keys."""
    start = text.find("{", at)
    if start < 0 or text[start : start + 2] in ("{{", "{%") or len(text) - start > _MAX_CHARS:
        return None
    found, quoted, end = _scan(text, start)
    if end < 0 or not found or text.find("{", end) >= 0:
        return None
    if not all(_NAME.fullmatch(key) for key in found) or all(key.lower() in _GENERIC for key in found):
        return None
    before = text[:start].rstrip()
    return Shown(tuple(dict.fromkeys(found)), before.endswith("["), quoted, start, end)


def _scan(text: str, start: int) -> tuple[list[str], bool, int]:
    """Keys at the first level, whether they are quoted, and where the object ends; -1 where it is not closed."""
    depth, at, quoted, opened = 0, start, True, False
    keys: list[str] = []
    while at < len(text):
        char = text[at]
        if char in "{[(":
            depth += 1
            opened = char == "{" and depth == 1
        elif char in "}])":
            depth -= 1
            if depth == 0:
                return keys, quoted, at + 1
        elif char == "," and depth == 1:
            opened = True
        if opened:
            opened = False
            key = _KEY.match(text, at + 1)
            if key and len(keys) < _MAX_KEYS:
                keys.append(next(group for group in key.groups() if group).strip())
                quoted = quoted and key[1] is not None
                at = key.end()
                continue
        if char == '"':
            closing = text.find('"', at + 1)
            at = closing if closing > 0 else at
        at += 1
    return keys, quoted, -1


def keys_shown(text: str) -> Shown | None:
    """The keys that an answer is to have by the object that is shown: not those of a mere example."""
    shown = shown_object(text)
    if shown is None:
        return None
    before = text[: shown.start].rstrip("[ ")
    if _EXAMPLE.search(before) or _MAPS.search(text):
        return None
    return None if _LIKE.search(before) and not _PLACEHOLDER.search(text[shown.start : shown.end]) else shown


def object_shown(text: str) -> Any | None:
    """``Return the results in the format: {"name": ..., "age": ...}``, where JSON is not named."""
    shown = keys_shown(text)
    if shown is None or not shown.quoted or text[shown.end :].strip(" .`\"'])"):
        return None
    before = text[: shown.start].rstrip("[` \"'")
    if not _TOLD.match(before) or _HEDGED.search(before):
        return None
    return c.AllOf(checks=(c.Valid(format="json"), c.Keys(keys=shown.keys)))
