"""Flat JSON record arrays read without loss: key order, null and bool, number lexemes, exact strings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from json.encoder import encode_basestring

from retrieval.context_ir.settings import MAX_FIELDS, MAX_RECORDS

Scalar = str | bytes | bool | None
"""A JSON scalar. A number is the bytes of its lexeme, so that it never meets a float and never equals a string."""

_BLANK = " \t\n\r"
_SURROGATE = re.compile("[\ud800-\udfff]")


class NotRecordsError(ValueError):
    """The text is not what the format holds."""


@dataclass(frozen=True, slots=True)
class Records:
    """A homogeneous array of flat objects: ``keys`` in order, one tuple of values per row."""

    keys: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]


def _number(lexeme: str) -> bytes:
    return lexeme.encode("ascii")


def _no_constant(name: str) -> None:
    raise NotRecordsError(name)


_DECODER = json.JSONDecoder(
    object_pairs_hook=tuple, parse_int=_number, parse_float=_number, parse_constant=_no_constant
)


def load_json(text: str) -> object:
    """JSON with objects as tuples of pairs, arrays as lists, numbers as the bytes of their lexemes.

    Raises:
        NotRecordsError: Not JSON, NaN or infinity, or nested too deeply to read.
    """
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise NotRecordsError(type(error).__name__) from None


def parse_records(text: str) -> Records:
    """The records of ``text``, which is one JSON array of objects with equal ordered keys and scalar values.

    Raises:
        NotRecordsError: It is something else, has fewer than 2 or more than 1,024 records, or more than 32 fields.
    """
    if text.lstrip(_BLANK)[:1] != "[" or "{" not in text:
        raise NotRecordsError("no array of objects")
    array = load_json(text)
    if not isinstance(array, list) or not 2 <= len(array) <= MAX_RECORDS:
        raise NotRecordsError("no array of 2 to 1,024 records")
    first = array[0]
    if not isinstance(first, tuple) or not 1 <= len(first) <= MAX_FIELDS:
        raise NotRecordsError("no record of 1 to 32 fields")
    keys = tuple(pair[0] for pair in first)
    if len(set(keys)) != len(keys):
        raise NotRecordsError("a key occurs twice")
    rows: list[tuple[Scalar, ...]] = []
    for item in array:
        if not isinstance(item, tuple) or len(item) != len(keys):
            raise NotRecordsError("records differ")
        names, values = zip(*item, strict=True)
        if names != keys or not all(value is None or isinstance(value, (str, bytes, bool)) for value in values):
            raise NotRecordsError("records differ or are not flat")
        rows.append(values)
    return Records(keys, tuple(rows))


def record_offsets(text: str) -> Iterator[tuple[int, int]]:
    """Character offsets of each record of an array that ``parse_records`` accepts."""
    at = text.index("[") + 1
    while True:
        while text[at] in _BLANK or text[at] == ",":
            at += 1
        if text[at] == "]":
            return
        _, end = _DECODER.raw_decode(text, at)
        yield at, end
        at = end


def dump_scalar(value: Scalar) -> str:
    """One JSON scalar; a lone surrogate is written as its escape, because no UTF-8 request can carry it raw."""
    if isinstance(value, str):
        return dump_string(value)
    if isinstance(value, bytes):
        return value.decode("ascii")
    return "null" if value is None else ("true" if value else "false")


def dump_string(text: str) -> str:
    quoted = encode_basestring(text)
    return quoted if text.isascii() else _SURROGATE.sub(_escape, quoted)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


class _Dumped(dict[Scalar, str]):
    """Values repeat in columns; each is written out once."""

    def __missing__(self, value: Scalar) -> str:
        self[value] = text = dump_scalar(value)
        return text


def dump_rows(rows: Iterable[Iterable[Scalar]]) -> str:
    dumped = _Dumped().__getitem__
    return "[" + ",".join(["[" + ",".join(map(dumped, row)) + "]" for row in rows]) + "]"


def dump_strings(items: tuple[str, ...] | list[str]) -> str:
    return "[" + ",".join(map(dump_string, items)) + "]"
