"""Byte encodings of what the database holds in blobs: file text, per-line token counts, statement blocks."""

from __future__ import annotations

import sqlite3
import struct
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar, overload

from retrieval.records import Block, BlockKind

_BLOCK_KINDS: tuple[BlockKind, ...] = tuple(BlockKind)
_BLOCK_CODE = {kind: code for code, kind in enumerate(_BLOCK_KINDS)}

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _damage_is_named(decode: Callable[_P, _T]) -> Callable[_P, _T]:
    """SQLite keeps no checksums, so a flipped bit can first show in a blob: it is the same damage and says so."""

    @wraps(decode)
    def decoded(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return decode(*args, **kwargs)
        except (zlib.error, struct.error, ValueError, IndexError, TypeError) as error:
            raise sqlite3.DatabaseError(f"stored data cannot be decoded: {error}") from error

    return decoded


def pack_text(text: str) -> bytes:
    """UTF-8 (lone surrogates kept), zlib level 1: text is read back at query time, so speed outweighs size."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


@_damage_is_named
def unpack_text(data: bytes) -> str:
    return zlib.decompress(data).decode("utf-8", "surrogatepass")


def split_lines(text: str) -> list[str]:
    """Lines without their ends; a final ``\\n`` ends the last line and opens no further one."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines] if "\r" in text else lines


def pack_counts(counts: Sequence[int]) -> bytes:
    if counts and max(counts) > 0xFFFF:
        counts = [min(count, 0xFFFF) for count in counts]
    return array("H", counts).tobytes()


@_damage_is_named
def unpack_counts(data: bytes) -> array[int]:
    counts = array("H")
    counts.frombytes(data)
    return counts


def pack_blocks(blocks: Sequence[Block], start_line: int) -> bytes:
    """Four unsigned 32-bit numbers a block, lines relative to the chunk's first."""
    flat = array("I")
    for block in blocks:
        flat.extend((block.start - start_line, block.end - start_line, block.depth, _BLOCK_CODE[block.kind]))
    return flat.tobytes()


@_damage_is_named
def unpack_blocks(data: bytes, start_line: int) -> tuple[Block, ...]:
    new, kinds = tuple.__new__, _BLOCK_KINDS  # a pack reads hundreds: half the time of ``Block(...)``
    return tuple(
        [
            new(Block, (start + start_line, end + start_line, depth, kinds[kind]))
            for start, end, depth, kind in struct.iter_unpack("4I", data)
        ]
    )


class StoredBlocks(Sequence[Block]):
    """Blocks that are unpacked when somebody looks: of the two hundred chunks of a question few are cut.

    Equal to the tuple of the same blocks, and printed as it is.
    """

    __slots__ = ("_blocks", "_data", "_start")

    def __init__(self, data: bytes, start_line: int) -> None:
        self._data = data
        self._start = start_line
        self._blocks: tuple[Block, ...] | None = None

    def _unpacked(self) -> tuple[Block, ...]:
        if self._blocks is None:
            self._blocks = unpack_blocks(self._data, self._start)
        return self._blocks

    def __len__(self) -> int:
        return len(self._unpacked())

    def __iter__(self) -> Iterator[Block]:
        return iter(self._unpacked())

    @overload
    def __getitem__(self, at: int) -> Block: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Block, ...]: ...
    def __getitem__(self, at: int | slice) -> Block | tuple[Block, ...]:
        return self._unpacked()[at]

    def __eq__(self, other: object) -> bool:
        return self._unpacked() == (other._unpacked() if isinstance(other, StoredBlocks) else other)

    def __hash__(self) -> int:
        return hash(self._unpacked())

    def __repr__(self) -> str:
        return repr(self._unpacked())
