"""What the lexical leg counts of a chunk: the terms of four fields, packed into one integer per term."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from retrieval.records import Chunk
from retrieval.text.terms import term_frequencies

FIELDS = ("name", "path", "doc", "body")
MAX_TF = 255  # BM25 saturates long before
MAX_LENGTH = 65_535  # field lengths are stored as uint16


@dataclass(frozen=True, slots=True)
class TermCounts:
    """The term frequencies of one chunk.

    Attributes:
        packed: Term -> four uint8 frequencies in one uint32, field ``i`` of ``FIELDS`` in bits ``8 * i``.
        lengths: Terms per field, repetitions included.
    """

    packed: dict[str, int]
    lengths: tuple[int, int, int, int]


def count_terms(path: str, chunk: Chunk, text: str) -> TermCounts:
    """Count the terms of a chunk whose lines are ``text``.

    name: qualified name and heading or symbol; path: the file's path; doc: docstring and comments; body: the lines
    and the inherited context (enclosing class or function header).
    """
    return pack_fields(
        term_frequencies(name_of(chunk)),
        _path_frequencies(path),
        term_frequencies(chunk.doc) if chunk.doc else {},
        term_frequencies(body_of(chunk, text)),
    )


def name_of(chunk: Chunk) -> str:
    """Text of the field ``name``."""
    return chunk.qualname if chunk.qualname.endswith(chunk.symbol) else f"{chunk.qualname} {chunk.symbol}"


def body_of(chunk: Chunk, text: str) -> str:
    """Text of the field ``body``."""
    return f"{text}\n{chunk.context}" if chunk.context else text


def pack_fields(name: dict[str, int], path: dict[str, int], doc: dict[str, int], body: dict[str, int]) -> TermCounts:
    """Pack the frequencies of the four fields (term -> count each)."""
    packed = {term: (tf if tf < MAX_TF else MAX_TF) << 24 for term, tf in body.items()}
    have = packed.get
    for shift, field in ((0, name), (8, path), (16, doc)):
        for term, tf in field.items():
            packed[term] = have(term, 0) | (tf if tf < MAX_TF else MAX_TF) << shift
    lengths = tuple(min(sum(field.values()), MAX_LENGTH) for field in (name, path, doc, body))
    return TermCounts(packed, (lengths[0], lengths[1], lengths[2], lengths[3]))


@lru_cache(maxsize=256)
def _path_frequencies(path: str) -> dict[str, int]:
    return term_frequencies(path)
