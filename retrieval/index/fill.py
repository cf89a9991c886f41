"""Putting changed files into a build: analysis, rows, vectors, edges and centrality, in that order."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from retrieval.embed.base import Embedder
from retrieval.index.analysis import AnalyzedFile, Job
from retrieval.index.arrays import ChunkArrays, empty_arrays, load_arrays, store_arrays
from retrieval.index.changes import Changes, store_skipped
from retrieval.index.embed_cache import EmbeddingCache
from retrieval.index.embedding import embed_remote
from retrieval.index.line_counts import bound_lines, count_lines
from retrieval.index.memory import give_back
from retrieval.index.report import Progress
from retrieval.index.schema import INDEXES
from retrieval.index.vector_store import vector_sink
from retrieval.index.workers import AnalysisContext, analyze_files
from retrieval.index.writer import BuildWriter
from retrieval.lexical.postings import BASE_SEGMENT, DELTA_SEGMENT, PostingsWriter, compact
from retrieval.source.walk import Skipped

#: An update of at most this many bytes counts the tokens of new lines by the cheap upper bound: loading the tokenizer
#: costs more than everything else such an update does.
_ESTIMATE_BYTES = 200_000
#: Centrality of the whole graph is computed anew once this share of the files changed since; until then new versions
#: of a definition keep the old one's.
_CENTRALITY_SHARE = 0.02
#: A build of this many chunks needs the tokenizer's memory for the graph; a smaller one has room, and may be one of
#: several in a process.
_LARGE_CHUNKS = 10_000
_COMPACT_DEAD_SHARE = 0.2
_COMPACT_MIN_DEAD = 200


@dataclass(frozen=True, slots=True)
class Filled:
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    partial: tuple[str, ...]
    lossy: tuple[str, ...]
    arrays: ChunkArrays
    new_chunk_ids: range
    dead_chunk_ids: tuple[int, ...]

    @property
    def touched_content(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.new_chunk_ids)


def fill(
    conn: sqlite3.Connection,
    *,
    index_dir: Path,
    build: str,
    changes: Changes,
    modules: Mapping[str, str],
    context: AnalysisContext,
    embedder: Embedder | None,
    workers: int,
    progress: Progress,
    fresh: bool,
) -> Filled:
    """Apply ``changes`` inside the caller's transaction (or to a new build, ``fresh``)."""
    arrays = empty_arrays() if fresh else load_arrays(conn)
    stored = {} if fresh else dict(conn.execute("SELECT path, sha256 FROM files"))
    sink = vector_sink(index_dir, build, embedder.dim) if embedder else None
    writer = BuildWriter(conn, arrays, PostingsWriter(conn, BASE_SEGMENT if fresh else DELTA_SEGMENT), sink)
    cache = EmbeddingCache(context.cache_dir, embedder.model_id, embedder.dim) if embedder else None
    old_centrality = _centrality_of(conn, arrays, [file.path for file in changes.suspects]) if not fresh else {}

    added: list[str] = []
    changed: list[str] = []
    partial: list[str] = []
    lossy: list[str] = []
    removed = list(changes.removed)
    skipped = list(changes.skipped)
    for path in changes.removed:
        writer.remove(path)
    jobs = [Job(file.path, file.size, file.mtime_ns, modules.get(file.path, "")) for file in changes.suspects]
    small = not fresh and sum(job.size for job in jobs) <= _ESTIMATE_BYTES
    stats = {file.path: file for file in changes.suspects}
    progress("read", 0, len(jobs))
    for done, result in enumerate(analyze_files(jobs, context, embedder, workers), start=1):
        if isinstance(result, Skipped):
            file = stats[result.path]
            skipped.append((result, file.size, file.mtime_ns))
            if result.path in stored:
                writer.remove(result.path)
                removed.append(result.path)
        elif _unchanged(conn, result, stored):
            conn.execute(
                "UPDATE files SET size = ?, mtime_ns = ? WHERE root_id = 0 AND path = ?",
                (result.size, result.mtime_ns, result.path),
            )
        else:
            (changed if result.path in stored else added).append(result.path)
            partial.extend([result.path] if result.partial else [])
            lossy.extend([result.path] if "fallback" in result.encoding else [])
            counts = bound_lines(result.text, conn, result.path) if small else count_lines(result.text)
            writer.add(result, counts)
            if cache is not None and result.vectors is not None and result.fresh:
                cache.put((result.chunks[row].embed_key, result.vectors[row]) for row in result.fresh)
        progress("read", done, len(jobs))
    arrays = writer.finish()
    if fresh:
        for statement in INDEXES:
            conn.execute(statement)
    if embedder is not None and not embedder.local and sink is not None and cache is not None:
        embed_remote(conn, embedder, cache, writer.new_chunk_ids, writer.embed_keys, sink, progress)
    if cache is not None:
        cache.close()
    if sink is not None:
        sink.close()
    if fresh and arrays.n >= _LARGE_CHUNKS:
        give_back()
    if writer.changed_file_ids or removed or fresh:
        arrays = _relate(conn, writer, arrays, old_centrality, progress, fresh=fresh)
    if not fresh:
        _compact_when_due(conn, arrays)
    store_skipped(conn, sorted(skipped, key=lambda item: item[0].path))
    return Filled(
        added=tuple(added),
        changed=tuple(changed),
        removed=tuple(sorted(removed)),
        skipped=tuple(sorted((item for item, _, _ in skipped), key=lambda item: item.path)),
        partial=tuple(partial),
        lossy=tuple(lossy),
        arrays=arrays,
        new_chunk_ids=writer.new_chunk_ids,
        dead_chunk_ids=tuple(writer.dead_chunk_ids),
    )


def _unchanged(conn: sqlite3.Connection, file: AnalyzedFile, stored: Mapping[str, str]) -> bool:
    if stored.get(file.path) != file.sha256:
        return False
    row = conn.execute(
        "SELECT module, language, role FROM files WHERE root_id = 0 AND path = ?", (file.path,)
    ).fetchone()
    return tuple(row) == (file.module, file.language, file.role.value)


def _centrality_of(conn: sqlite3.Connection, arrays: ChunkArrays, paths: list[str]) -> dict[str, float]:
    values: dict[str, float] = {}
    for path in paths:
        query = "SELECT c.id, c.qualname FROM chunks c JOIN files f ON f.id = c.file_id WHERE f.path = ?"
        values.update(
            (qualname, float(arrays.centrality[chunk_id])) for chunk_id, qualname in conn.execute(query, (path,))
        )
    return values


def _relate(
    conn: sqlite3.Connection,
    writer: BuildWriter,
    arrays: ChunkArrays,
    old_centrality: Mapping[str, float],
    progress: Progress,
    *,
    fresh: bool,
) -> ChunkArrays:
    """Resolve edges of what changed, then give every chunk its centrality."""
    from retrieval.graph.centrality import centrality
    from retrieval.graph.resolve import resolve_tree

    resolve_tree(conn, None if fresh else writer.changed_file_ids, lambda done, total: progress("graph", done, total))
    n_files = int(conn.execute("SELECT count(*) FROM files").fetchone()[0])
    since = int(_meta(conn, "changed_since_centrality", "0")) + len(writer.changed_file_ids)
    whole = fresh or since > max(20, n_files * _CENTRALITY_SHARE)
    values = centrality(conn) if whole else old_centrality
    column = np.array(arrays.centrality)
    first = 0 if whole else writer.new_chunk_ids.start
    for chunk_id, qualname in conn.execute(
        "SELECT id, qualname FROM chunks WHERE id >= ? AND qualname != ''", (first,)
    ):
        column[chunk_id] = values.get(qualname, 0.0)
    _set_meta(conn, "changed_since_centrality", 0 if whole else since)
    arrays = ChunkArrays(**{**{name: getattr(arrays, name) for name in ChunkArrays.__slots__}, "centrality": column})
    store_arrays(conn, arrays)
    return arrays


def _meta(conn: sqlite3.Connection, key: str, default: str) -> str:
    row = conn.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else default


def _compact_when_due(conn: sqlite3.Connection, arrays: ChunkArrays) -> None:
    """Drop postings of dead chunks once enough have died since the last time; their ids stay dead in the arrays."""
    dead = arrays.n - int(arrays.alive.sum())
    since = dead - int(_meta(conn, "dead_at_compaction", "0"))
    if since > _COMPACT_MIN_DEAD and since > arrays.n * _COMPACT_DEAD_SHARE:
        compact(conn, arrays.alive)
        _set_meta(conn, "dead_at_compaction", dead)


def _set_meta(conn: sqlite3.Connection, key: str, value: int) -> None:
    conn.execute("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", (key, str(value)))
