"""Reading an index: one open generation, with everything a stage asks for by path, chunk id or symbol name."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from retrieval.errors import IndexUnavailableError
from retrieval.index.arrays import ChunkArrays, load_arrays
from retrieval.index.codec import split_lines, unpack_counts, unpack_text
from retrieval.index.location import Location
from retrieval.index.manifest import Manifest, read_manifest
from retrieval.index.opening import checked_meta
from retrieval.index.row_records import CHUNKS, CHUNKS_ALONE, SYMBOLS, FileOfChunk, chunk_row, chunk_row_of, symbol_row
from retrieval.index.schema import connect_read, has_log, is_disk_error
from retrieval.records import ChunkRow, FileText, Role, SymbolRow
from retrieval.source.secrets import RULES_ID

_ROLE_ORDER = (
    "CASE f.role WHEN 'code' THEN 0 WHEN 'config' THEN 1 WHEN 'example' THEN 2 WHEN 'doc' THEN 3 WHEN 'test' THEN 4 "
    "ELSE 5 END"
)
_MAX_NAMESAKES = 1000
#: Characters of file texts that are kept, about three bytes each with what lines cost.
_CACHED_CHARS = 12_000_000
_CACHED_ROWS = 8192
_SQL_VARIABLES = 500


class IndexReader:
    """A read-only view of one generation; safe to keep open while another process updates the index."""

    def __init__(self, location: Location, manifest: Manifest, conn: sqlite3.Connection) -> None:
        self.root: Path = location.root
        self.index_dir: Path = location.index_dir
        self.manifest = manifest
        self.conn = conn
        self.meta: Mapping[str, str] = checked_meta(conn, location.index_dir, manifest)
        self._texts: dict[str, FileText] = {}
        self._text_chars: dict[str, int] = {}
        self._chars_kept = 0
        self._rows: dict[int, ChunkRow] = {}

    # ---------------------------------------------------------------------------------------------------- life cycle

    @classmethod
    def open(cls, location: Location) -> IndexReader:
        """Open the live build.

        Raises:
            IndexUnavailableError: No index, foreign, newer, older or damaged; the message names the mending command.
        """
        immutable = not os.access(location.index_dir, os.W_OK)
        for attempt in (1, 2):
            manifest = read_manifest(location.index_dir)
            path = location.index_dir / manifest.database
            try:
                if not path.is_file() or path.is_symlink():
                    raise FileNotFoundError(path)
                conn = connect_read(path, immutable)
                conn.execute("BEGIN")  # one snapshot for everything this reader returns
                return cls(location, manifest, conn)
            except (sqlite3.Error, FileNotFoundError) as error:
                # On a full disk there is no room for WAL's shared memory either. Nothing in the log: read without.
                immutable |= isinstance(error, sqlite3.Error) and is_disk_error(error) and not has_log(path)
                # A new build may have been swapped in between reading the manifest and opening its file.
                if attempt == 2:
                    raise IndexUnavailableError(
                        f"The index in {location.index_dir} is damaged ({error}).",
                        f"Rebuild it: contextc index --rebuild {location.root}",
                    ) from error
        raise AssertionError("unreachable")

    def close(self) -> None:
        self.conn.close()

    def __enter__(self) -> IndexReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -------------------------------------------------------------------------------------------------------- chunks

    @cached_property
    def arrays(self) -> ChunkArrays:
        return load_arrays(self.conn)

    @cached_property
    def _files(self) -> dict[int, FileOfChunk]:
        rows = self.conn.execute("SELECT id, path, language, role FROM files")
        return {file_id: (path, language, Role(role)) for file_id, path, language, role in rows}

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Every indexed path, sorted."""
        return tuple(sorted([path for path, _, _ in self._files.values()]))

    @cached_property
    def _paths_by_name(self) -> dict[str, list[str]]:
        """Last part of a path -> the paths that end with it, sorted."""
        found: dict[str, list[str]] = {}
        for path in self.paths:
            found.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        return found

    def path_of_file_id(self, file_id: int) -> str:
        return self._files[int(file_id)][0]

    def chunk(self, chunk_id: int) -> ChunkRow:
        return self.chunks((chunk_id,))[0]

    def chunks(self, chunk_ids: Iterable[int]) -> list[ChunkRow]:
        """Rows in the order of ``chunk_ids``. Raises KeyError for an id that is not alive."""
        wanted = [int(chunk_id) for chunk_id in chunk_ids]
        missing = [chunk_id for chunk_id in dict.fromkeys(wanted) if chunk_id not in self._rows]
        found = {chunk_id: self._rows[chunk_id] for chunk_id in wanted if chunk_id in self._rows}
        for start in range(0, len(missing), _SQL_VARIABLES):
            part = missing[start : start + _SQL_VARIABLES]
            marks = ",".join("?" * len(part))
            for row in self.conn.execute(f"{CHUNKS_ALONE} WHERE c.id IN ({marks})", part):
                found[row[0]] = chunk_row_of(row, self._files)
        if len(self._rows) > _CACHED_ROWS:
            self._rows.clear()
        self._rows.update(found)
        return [found[chunk_id] for chunk_id in wanted]

    def chunks_of(self, path: str) -> tuple[ChunkRow, ...]:
        rows = self.conn.execute(f"{CHUNKS} WHERE f.root_id = 0 AND f.path = ? ORDER BY c.start_line, c.id", (path,))
        return tuple(map(chunk_row, rows))

    def chunk_at(self, path: str, line: int) -> ChunkRow | None:
        """The chunk that holds ``line``, None between chunks (blank lines) and outside the file."""
        row = self.conn.execute(
            f"{CHUNKS} WHERE f.root_id = 0 AND f.path = ? AND c.start_line <= ? AND c.end_line >= ? "
            "ORDER BY c.start_line DESC LIMIT 1",
            (path, line, line),
        ).fetchone()
        return chunk_row(row) if row else None

    def chunks_of_symbol(self, qualname: str) -> tuple[ChunkRow, ...]:
        """The parts of a definition by line; of a class its header first. Falls back to the lines that hold it."""
        rows = self.conn.execute(
            f"{CHUNKS} WHERE c.qualname = ? AND c.qualname != '' ORDER BY c.start_line, c.id", (qualname,)
        ).fetchall()
        if rows:
            return tuple(map(chunk_row, rows))
        symbol = self.symbol(qualname)
        holder = self.chunk_at(symbol.path, symbol.symbol.def_line) if symbol else None
        return (holder,) if holder else ()

    def chunk_text(self, row: ChunkRow) -> str:
        return "\n".join(self.file_text(row.path).lines[row.start_line - 1 : row.end_line])

    # --------------------------------------------------------------------------------------------------------- files

    def file_text(self, path: str) -> FileText:
        """The text of an indexed file as it was when indexed. Raises KeyError for a path that is not indexed."""
        cached = self._texts.pop(path, None)
        if cached is not None:
            self._texts[path] = cached  # the last one used: the first is the first to go
            return cached
        row = self.conn.execute(
            "SELECT language, role, sha256, text, line_tokens, clean FROM files WHERE root_id = 0 AND path = ?", (path,)
        ).fetchone()
        if row is None:
            raise KeyError(path)
        language, role, sha256, packed, counts, clean = row
        unpacked = unpack_text(packed)
        lines = tuple(split_lines(unpacked))
        text = FileText(path, language, Role(role), sha256, lines, unpack_counts(counts), clean == RULES_ID)
        self._keep(text, len(unpacked))
        return text

    def _keep(self, text: FileText, chars: int) -> None:
        """Remember a text; those not used for longest make room."""
        while self._texts and self._chars_kept + chars > _CACHED_CHARS:
            oldest = next(iter(self._texts))
            self._texts.pop(oldest)
            self._chars_kept -= self._text_chars.pop(oldest)
        self._texts[text.path], self._text_chars[text.path] = text, chars
        self._chars_kept += chars

    def file_sha256(self, path: str) -> str | None:
        row = self.conn.execute("SELECT sha256 FROM files WHERE root_id = 0 AND path = ?", (path,)).fetchone()
        return str(row[0]) if row else None

    def paths_matching(self, hint: str) -> tuple[str, ...]:
        """Paths equal to ``hint`` or ending with ``/hint``; a bare stem (no dot, no slash) matches file stems."""
        hint = hint.strip().removeprefix("./").strip("/")
        if not hint:
            return ()
        ending = "/" + hint
        namesakes = self._paths_by_name.get(hint.rsplit("/", 1)[-1], ())
        exact = [path for path in namesakes if path == hint or path.endswith(ending)]
        if not exact and "/" not in hint and "." not in hint:
            exact = [path for path in self.paths if path.rsplit("/", 1)[-1].split(".", 1)[0] == hint]
        return tuple(exact)

    # ------------------------------------------------------------------------------------------------------- symbols

    def symbol(self, qualname: str) -> SymbolRow | None:
        row = self.conn.execute(f"{SYMBOLS} WHERE s.qualname = ?", (qualname,)).fetchone()
        return symbol_row(row) if row else None

    def symbols_named(self, name: str) -> tuple[SymbolRow, ...]:
        """Definitions of that simple name, at most ``_MAX_NAMESAKES``: a name of more points nowhere."""
        return self._symbols("s.name = ?", (name,))

    def symbols_ending(self, dotted: str) -> tuple[SymbolRow, ...]:
        """Definitions whose qualified name is ``dotted`` or ends with ``.dotted`` (redefinitions ``#n`` included)."""
        name = dotted.rsplit(".", 1)[-1]
        # SQL narrows down by substring, without LIKE's wildcards; the exact end is checked here.
        rows = self._symbols("s.name = ? AND instr('.' || s.qualname, ?) > 0", (name, f".{dotted}"))

        def matches(row: SymbolRow) -> bool:
            plain = row.symbol.qualname.split("#", 1)[0]
            return plain == dotted or plain.endswith("." + dotted)

        found = tuple(filter(matches, rows))
        if found or "." not in dotted:
            return found
        module = self.symbol(dotted)
        return (module,) if module else ()

    def _symbols(self, where: str, values: tuple[str, ...]) -> tuple[SymbolRow, ...]:
        """Code before tests, then path, then line."""
        order = f"ORDER BY {_ROLE_ORDER}, f.path, s.start_line, s.id LIMIT {_MAX_NAMESAKES}"
        return tuple(map(symbol_row, self.conn.execute(f"{SYMBOLS} WHERE {where} {order}", values)))

    def symbols_in(self, path: str) -> tuple[SymbolRow, ...]:
        rows = self.conn.execute(f"{SYMBOLS} WHERE f.root_id = 0 AND f.path = ? ORDER BY s.start_line, s.id", (path,))
        return tuple(map(symbol_row, rows))

    def children_of(self, qualname: str) -> tuple[SymbolRow, ...]:
        rows = self.conn.execute(f"{SYMBOLS} WHERE s.parent = ? ORDER BY s.start_line, s.id", (qualname,))
        return tuple(map(symbol_row, rows))

    def similar_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """The nearest simple names in the tree, nearest first (for "did you mean")."""
        import difflib

        low, high = len(name) - 3, len(name) + 3
        names = [
            str(row[0])
            for row in self.conn.execute(
                "SELECT DISTINCT name FROM symbols WHERE length(name) BETWEEN ? AND ? ORDER BY name", (low, high)
            )
        ]
        folded = {other.lower(): other for other in reversed(names)}
        close = difflib.get_close_matches(name.lower()[:80], list(folded)[:20_000], n=limit, cutoff=0.72)
        return tuple(folded[other] for other in close)

    def counts(self) -> dict[str, int]:
        """How many files, lines, chunks, symbols and edges the index holds, and how many paths it skipped."""
        return count_rows(self.conn)


def count_rows(conn: sqlite3.Connection) -> dict[str, int]:
    """Sizes of the tables a user cares about: files, lines, chunks, symbols, edges, skipped."""
    one = "SELECT (SELECT count(*) FROM files), (SELECT coalesce(sum(n_lines), 0) FROM files), "
    two = "(SELECT count(*) FROM chunks), (SELECT count(*) FROM symbols), (SELECT count(*) FROM edges), "
    row = conn.execute(f"{one}{two}(SELECT count(*) FROM skipped)").fetchone()
    return dict(zip(("files", "lines", "chunks", "symbols", "edges", "skipped"), row, strict=True))
