"""From rows of the database to records: chunks and symbols, with the SQL that selects their columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from retrieval.index.codec import unpack_blocks
from retrieval.records import ChunkKind, ChunkRow, Role, Symbol, SymbolRow

_CHUNK_COLUMNS = (
    "c.id, f.path, f.language, f.role, c.kind, c.symbol, c.qualname, c.start_line, c.end_line, c.part, c.parts, "
    "c.sha256, c.tokens, c.context, c.blocks"
)
CHUNKS = f"SELECT {_CHUNK_COLUMNS} FROM chunks c JOIN files f ON f.id = c.file_id"
SYMBOLS = (
    "SELECT f.path, f.role, s.qualname, s.name, s.kind, s.start_line, s.def_line, s.end_line, s.signature, s.doc, "
    "s.parent, s.decorators, s.bases FROM symbols s JOIN files f ON f.id = s.file_id"
)


def chunk_row(row: Sequence[Any]) -> ChunkRow:
    chunk_id, path, language, role, kind, *names, start, end, part, parts, sha, tokens, context, blocks = row
    symbol, qualname = names
    return ChunkRow(
        chunk_id,
        path,
        language,
        Role(role),
        ChunkKind(kind),
        symbol,
        qualname,
        start,
        end,
        part,
        parts,
        sha,
        tokens,
        context,
        unpack_blocks(blocks, start),
    )


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
