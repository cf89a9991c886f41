"""The terms of all chunks of a file at once: the same counts as ``fields.count_terms``, in arrays.

A token's terms are looked up once in a process and numbered; counting is then a sort of numbers in numpy instead of a
dictionary for each chunk, and what travels between processes is a few arrays a file.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.lexical.fields import FIELDS, MAX_LENGTH, MAX_TF, body_of, name_of
from retrieval.records import Chunk
from retrieval.runs import run_starts
from retrieval.text.pieces import pieces_of, terms_of_piece

#: Pieces and terms that a process remembers; more are data, not names.
_MAX_PIECES = 1 << 18
_MAX_TERMS = 1 << 20
_FIELD_BITS = 2
_TERM_BITS = 32
_ZERO = np.zeros(1, np.int64)


@dataclass(frozen=True, slots=True)
class FileTerms:
    """Postings of the chunks of one file, by chunk and within a chunk in no order that means anything.

    Attributes:
        names: The distinct terms of the file.
        terms: uint32[p], place in ``names``.
        packed: uint32[p], see ``fields.TermCounts``.
        sizes: int64[chunks], postings of each chunk.
        lengths: int64[chunks, 4], terms per field, at most ``MAX_LENGTH``.
    """

    names: list[str]
    terms: NDArray[np.uint32]
    packed: NDArray[np.uint32]
    sizes: NDArray[np.int64]
    lengths: NDArray[np.int64]


class _Terms(dict[str, int]):
    """Numbers terms as they come; ``names`` has them by number."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self.names)
        self.names.append(term)
        return number


class _Pieces(dict[str, int]):
    """Numbers pieces of text as they come, with the numbers of their terms: those of piece ``i`` are
    ``flat[starts[i]:starts[i] + counts[i]]``."""

    def __init__(self) -> None:
        super().__init__()
        self.starts = array("q")
        self.counts = array("q")
        self.flat = array("q")
        self.terms = _Terms()

    def __missing__(self, piece: str) -> int:
        number = self[piece] = len(self.starts)
        terms = terms_of_piece(piece)
        self.starts.append(len(self.flat))
        self.counts.append(len(terms))
        self.flat.extend(map(self.terms.__getitem__, terms))
        return number


class TermCounter:
    """Counts terms, file by file; remembers what the terms of a token are."""

    def __init__(self) -> None:
        self._pieces = _Pieces()

    def count(self, path: str, chunks: Sequence[Chunk], texts: Sequence[str]) -> FileTerms:
        """Count the terms of a file's chunks.

        Args:
            texts: The lines of each chunk.
        """
        if len(self._pieces) > _MAX_PIECES or len(self._pieces.terms) > _MAX_TERMS:
            self._pieces = _Pieces()
        number = self._pieces.__getitem__
        where = list(map(number, pieces_of(path)))
        tokens: list[int] = []
        ends: list[int] = []
        for chunk, text in zip(chunks, texts, strict=True):
            tokens.extend(map(number, pieces_of(name_of(chunk))))
            ends.append(len(tokens))
            tokens.extend(where)
            ends.append(len(tokens))
            if chunk.doc:
                tokens.extend(map(number, pieces_of(chunk.doc)))
            ends.append(len(tokens))
            tokens.extend(map(number, pieces_of(body_of(chunk, text))))
            ends.append(len(tokens))
        sizes = np.array(ends, np.int64)
        sizes[1:] -= sizes[:-1].copy()
        return self._counted(np.array(tokens, np.int64), sizes)

    def _counted(self, pieces: NDArray[np.int64], sizes: NDArray[np.int64]) -> FileTerms:
        """
        Args:
            sizes: int64[chunks * 4], how many of ``pieces`` each field has.
        """
        known = self._pieces
        if not len(pieces):
            nothing = np.zeros(0, np.uint32)
            return FileTerms([], nothing, nothing, sizes[:: len(FIELDS)], sizes.reshape(-1, len(FIELDS)))
        counts = np.frombuffer(known.counts, np.int64).take(pieces)
        ends = counts.cumsum()
        total = int(ends[-1])
        # the terms of all pieces, one after the other
        at = (np.frombuffer(known.starts, np.int64).take(pieces) - ends + counts).repeat(counts)
        at += np.arange(total)
        keys = np.frombuffer(known.flat, np.int64).take(at)
        fields = np.diff(np.concatenate([_ZERO, ends])[np.concatenate([_ZERO, sizes.cumsum()])])
        lengths = np.minimum(fields, MAX_LENGTH).reshape(-1, len(FIELDS))
        places = np.arange(len(sizes))
        keys <<= _FIELD_BITS
        keys |= (((places >> _FIELD_BITS) << (_TERM_BITS + _FIELD_BITS)) | (places & 3)).repeat(fields)
        keys.sort()
        firsts = run_starts(keys)
        tfs = np.minimum(np.diff(firsts, append=total), MAX_TF)
        keys = keys.take(firsts)
        tfs <<= (keys & 3) << 3
        keys >>= _FIELD_BITS
        firsts = run_starts(keys)
        packed = np.add.reduceat(tfs, firsts).astype(np.uint32)
        keys = keys.take(firsts)
        postings = np.bincount(keys >> _TERM_BITS, minlength=len(lengths))
        keys &= (1 << _TERM_BITS) - 1
        all_names = known.terms.names
        used = np.zeros(len(all_names), np.bool_)
        used[keys] = True
        numbers = used.nonzero()[0]
        place = np.empty(len(used), np.uint32)
        place[numbers] = np.arange(len(numbers), dtype=np.uint32)
        names = list(map(all_names.__getitem__, numbers.tolist()))
        return FileTerms(names, place.take(keys), packed, postings, lengths)
