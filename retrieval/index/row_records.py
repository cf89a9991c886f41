"""From rows of the database to records: chunks and symbols, with the SQL that selects their columns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from retrieval.index.codec import StoredBlocks
from retrieval.records import ChunkKind, ChunkRow, Role, Symbol, SymbolRow

_OF_CHUNK = (
    "c.kind, c.symbol, c.qualname, c.start_line, c.end_line, c.part, c.parts, c.sha256, c.tokens, c.context, c.blocks"
)
CHUNKS = f"SELECT c.id, f.path, f.language, f.role, {_OF_CHUNK} FROM chunks c JOIN files f ON f.id = c.file_id"
#: The id of the file in place of what the files say.
CHUNKS_ALONE = f"SELECT c.id, c.file_id, {_OF_CHUNK} FROM chunks c"
SYMBOLS = (
    "SELECT f.path, f.role, s.qualname, s.name, s.kind, s.start_line, s.def_line, s.end_line, s.signature, s.doc, "
    "s.parent, s.decorators, s.bases FROM symbols s JOIN files f ON f.id = s.file_id"
)


_KINDS = {kind.value: kind for kind in ChunkKind}
FileOfChunk = tuple[str, str, Role]
"""Path, language, role."""


def chunk_row(row: Sequence[Any]) -> ChunkRow:
    """Of a row of ``CHUNKS``."""
    chunk_id, path, language, role, kind, *own = row
    blocks = StoredBlocks(own[-1], own[2])
    return ChunkRow._make((chunk_id, path, language, Role(role), _KINDS[kind], *own[:-1], blocks))


def chunk_row_of(row: Sequence[Any], files: Mapping[int, FileOfChunk]) -> ChunkRow:
    """Of a row of ``CHUNKS_ALONE``."""
    chunk_id, file_id, kind, *own = row
    return ChunkRow._make((chunk_id, *files[file_id], _KINDS[kind], *own[:-1], StoredBlocks(own[-1], own[2])))


def symbol_row(row: Sequence[Any]) -> SymbolRow:
    path, role, qualname, name, kind, start, line, end, signature, doc, parent, decorators, bases = row
    symbol = Symbol(
        qualname,
        name,
        kind,
        start,
        line,
        end,
        signature,
        doc,
        parent,
        tuple(json.loads(decorators)),
        tuple(json.loads(bases)),
    )
    return SymbolRow(path, Role(role), symbol)
