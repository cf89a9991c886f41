"""Writing analysed files into a build: rows, postings, per-chunk arrays and vectors, all under dense chunk ids."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from retrieval.index.analysis import AnalyzedFile, SymbolValues
from retrieval.index.arrays import ChunkArrays, extended
from retrieval.index.codec import pack_counts
from retrieval.index.line_counts import LineCounts
from retrieval.lexical.postings import PostingsWriter
from retrieval.records import Role

VectorSink = Callable[[npt.NDArray[np.int64], npt.NDArray[np.float32]], None]
_VECTOR_BATCH = 4096

_FILE_COLUMNS = (
    "sha256", "size", "mtime_ns", "language", "role", "module", "encoding", "partial", "exact_tokens", "clean",
    "n_lines", "text", "line_tokens", "facts",
)  # fmt: skip


class BuildWriter:
    """Adds and removes files inside the caller's transaction.

    Chunk ids continue from ``arrays.n``, and the id of a removed chunk is never used again in the same build, so that
    every store (arrays, postings, vectors) can treat an id as a row.
    """

    def __init__(
        self, conn: sqlite3.Connection, arrays: ChunkArrays, postings: PostingsWriter, vectors: VectorSink | None
    ) -> None:
        self._conn = conn
        self._base = arrays
        self._postings = postings
        self._vectors = vectors
        self._next_id = arrays.n
        self._dead: list[int] = []
        self._rows: list[tuple[int, Role, str, int, int, int]] = []
        self._lengths: list[npt.NDArray[np.int64]] = []
        self._buffer: list[npt.NDArray[np.float16]] = []
        self._buffer_start = arrays.n
        self.embed_keys: list[bytes] = []
        self.changed_file_ids: list[int] = []

    @property
    def dead_chunk_ids(self) -> list[int]:
        return self._dead

    @property
    def new_chunk_ids(self) -> range:
        return range(self._base.n, self._next_id)

    def remove(self, path: str, *, keep_file: bool = False) -> int | None:
        """Drop what the index holds of ``path``; returns its file id. The file row and its edges go too unless
        ``keep_file``, which a changed file uses to keep its id."""
        row = self._conn.execute("SELECT id FROM files WHERE root_id = 0 AND path = ?", (path,)).fetchone()
        if row is None:
            return None
        file_id = int(row[0])
        self._dead.extend(i for (i,) in self._conn.execute("SELECT id FROM chunks WHERE file_id = ?", (file_id,)))
        self._conn.execute("DELETE FROM chunks WHERE file_id = ?", (file_id,))
        self._conn.execute("DELETE FROM symbols WHERE file_id = ?", (file_id,))
        if not keep_file:
            self._conn.execute("DELETE FROM edges WHERE file_id = ?", (file_id,))
            self._conn.execute("DELETE FROM files WHERE id = ?", (file_id,))
        return file_id

    def add(self, file: AnalyzedFile, counts: LineCounts) -> None:
        """Store a file, replacing what was there under its path."""
        file_id = self.remove(file.path, keep_file=True)
        values = (
            file.sha256, file.size, file.mtime_ns, file.language, file.role.value, file.module, file.encoding,
            int(file.partial), int(counts.exact), file.clean, file.n_lines, file.text, pack_counts(counts.tokens),
            file.facts,
        )  # fmt: skip
        if file_id is None:
            columns = ("path", *_FILE_COLUMNS)
            sql = f"INSERT INTO files({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
            file_id = self._conn.execute(sql, (file.path, *values)).lastrowid
            assert file_id is not None  # noqa: S101
        else:
            sql = f"UPDATE files SET {', '.join(f'{column} = ?' for column in _FILE_COLUMNS)} WHERE id = ?"
            self._conn.execute(sql, (*values, file_id))
        self.changed_file_ids.append(file_id)
        self._add_chunks(file_id, file, counts.tokens)
        self._add_symbols(file_id, file.symbols)
        if file.vectors is not None and self._vectors is not None:
            self._buffer.append(file.vectors)
            if sum(len(part) for part in self._buffer) >= _VECTOR_BATCH:
                self._flush_vectors()

    def _add_chunks(self, file_id: int, file: AnalyzedFile, line_tokens: Sequence[int]) -> None:
        self._postings.add_file(self._next_id, file.terms)
        self._lengths.append(file.terms.lengths)
        rows = []
        for item in file.chunks:
            tokens = sum(line_tokens[item.start_line - 1 : item.end_line])
            rows.append(
                (
                    self._next_id,
                    file_id,
                    item.kind,
                    item.symbol,
                    item.qualname,
                    item.start_line,
                    item.end_line,
                    item.part,
                    item.parts,
                    item.sha256,
                    tokens,
                    item.context,
                    item.blocks,
                )
            )
            self._rows.append((file_id, file.role, item.kind, item.start_line, item.end_line, tokens))
            self.embed_keys.append(item.embed_key)
            self._next_id += 1
        self._conn.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def _add_symbols(self, file_id: int, symbols: Sequence[SymbolValues]) -> None:
        sql = (
            "INSERT OR IGNORE INTO symbols(file_id, qualname, name, kind, start_line, def_line, end_line, signature, "
            "doc, parent, decorators, bases) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        rows = [(file_id, *values) for values in symbols]
        before = self._conn.total_changes
        self._conn.executemany(sql, rows)
        if self._conn.total_changes - before == len(rows):
            return
        # A module and an attribute of its package can share a dotted name; both stay findable.
        self._conn.execute("DELETE FROM symbols WHERE file_id = ?", (file_id,))
        for _, qualname, *rest in rows:
            name, repeat = qualname, 1
            while self._conn.execute(sql, (file_id, name, *rest)).rowcount != 1:
                repeat += 1
                name = f"{qualname}#{repeat}"

    def _flush_vectors(self) -> None:
        if not self._buffer or self._vectors is None:
            return
        matrix = np.concatenate(self._buffer).astype(np.float32)
        ids = np.arange(self._buffer_start, self._buffer_start + len(matrix), dtype=np.int64)
        self._vectors(ids, matrix)
        self._buffer_start += len(matrix)
        self._buffer.clear()

    def finish(self) -> ChunkArrays:
        """Write what is buffered; the arrays, not stored yet, with centrality as it was (0 for new chunks)."""
        self._postings.close()
        self._flush_vectors()
        return extended(self._base, self._dead, self._rows, self._lengths)
