"""Building and updating an index: one writer, a build aside for a new index, one transaction for an update."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from retrieval.errors import IndexUnavailableError, UserError
from retrieval.index.changes import Changes, changed_languages, detect, forget_files, languages_to_meta
from retrieval.index.directory import disk_errors, flush_to_disk, prepare_directory, remove_leftovers
from retrieval.index.fill import Filled, fill
from retrieval.index.location import Location
from retrieval.index.lock import writer_lock
from retrieval.index.manifest import Manifest, owner_of, write_manifest
from retrieval.index.report import IndexReport, Progress, silent
from retrieval.index.run import Run, prepare
from retrieval.index.schema import CHUNKER_VERSION, SCHEMA_VERSION, connect_write, create, is_disk_error
from retrieval.index.settings import Overrides, from_meta
from retrieval.index.vector_store import drop_build, drop_other_collections, sync_chroma
from retrieval.index.workers import default_workers
from retrieval.source.git import head_commit
from retrieval.version import PROGRAM


def update_index(
    location: Location,
    overrides: Overrides | None = None,
    *,
    rebuild: bool = False,
    workers: int | None = None,
    progress: Progress = silent,
) -> IndexReport:
    """Bring the index of ``location`` up to date, building it when there is none.

    A reader never sees anything but the last complete state: a new build stands beside the old until its manifest is
    written, an update is one transaction.

    Args:
        rebuild: Build anew even where an update would do, and even where the present index may not be trusted.
        workers: Processes for analysis; None uses the processors this process may use.

    Raises:
        IndexBusyError: Another process is writing this index.
        IndexUnavailableError: The present index is foreign or newer, and ``rebuild`` is not set.
        UserError: The tree or the disk does not allow it.
    """
    began = time.perf_counter()
    prepare_directory(location.index_dir)
    with disk_errors(location.index_dir), writer_lock(location.index_dir):
        run = prepare(location, overrides or Overrides(), rebuild, workers or default_workers(), progress)
        try:
            report = _update(run) if run.live else _build(run)
        except sqlite3.DatabaseError as error:
            if run.live is None or is_disk_error(error):
                raise
            run = replace(run, live=None, notes=(*run.notes, f"The index was damaged ({error}); building it anew."))
            report = _build(run)
    return replace(report, seconds=time.perf_counter() - began, notes=(*run.notes, *report.notes))


def _build(run: Run) -> IndexReport:
    build = secrets.token_hex(8)
    manifest = Manifest(SCHEMA_VERSION, CHUNKER_VERSION, build, owner_of(run.location.index_dir), run.model_id, PROGRAM)
    path = run.location.index_dir / manifest.database
    conn: sqlite3.Connection | None = None
    try:
        conn = create(path)
        changes = Changes(run.walk.files, (), tuple((item, 0, 0) for item in run.walk.skipped))
        filled = _fill(run, conn, build, changes, fresh=True)
        counts = _finish(run, conn, build, 1, filled)
        conn.execute("COMMIT")
        conn.execute("ANALYZE")
        conn.execute("PRAGMA journal_mode=WAL")
        conn.close()
        flush_to_disk(path)
        _sync_chroma(run, build, filled, fresh=True)
        write_manifest(run.location.index_dir, manifest)
    except BaseException:
        if conn is not None:
            conn.close()
        drop_build(run.location.index_dir, build)
        raise
    remove_leftovers(run.location.index_dir, manifest)
    dim = run.embedder.dim if run.embedder else 0
    drop_other_collections(run.location.root, run.location.index_dir, run.settings, build, dim, filled.arrays.n)
    return _report("built", run, filled, counts)


def _update(run: Run) -> IndexReport:
    assert run.live is not None  # noqa: S101
    conn = connect_write(run.location.index_dir / run.live.database)
    try:
        meta = {str(key): str(value) for key, value in conn.execute("SELECT key, value FROM meta")}
        conn.execute("BEGIN IMMEDIATE")
        try:
            forget_files(conn, changed_languages(meta, run.languages))
            changes = detect(conn, run.walk, int(meta["started_ns"]), run.modules)
            filled = _fill(run, conn, run.live.build, changes, fresh=False)
            generation = int(meta["generation"]) + (1 if filled.touched_content else 0)
            counts = _finish(run, conn, run.live.build, generation, filled)
            notes = _sync_or_note(run, meta, filled)
            conn.execute("COMMIT")
        except BaseException:
            conn.execute("ROLLBACK")
            raise
        if filled.touched_content:
            with contextlib.suppress(sqlite3.OperationalError):
                conn.execute("PRAGMA wal_checkpoint(PASSIVE)")
        report = _report("updated" if filled.touched_content else "unchanged", run, filled, counts)
        return replace(report, notes=notes)
    finally:
        conn.close()


def _fill(run: Run, conn: sqlite3.Connection, build: str, changes: Changes, *, fresh: bool) -> Filled:
    return fill(
        conn,
        index_dir=run.location.index_dir,
        build=build,
        changes=changes,
        modules=run.modules,
        context=run.context,
        embedder=run.embedder,
        workers=run.workers,
        progress=run.progress,
        fresh=fresh,
    )


def _sync_chroma(run: Run, build: str, filled: Filled, *, fresh: bool) -> None:
    sync_chroma(
        run.location.root,
        run.location.index_dir,
        run.settings,
        build,
        run.embedder.dim if run.embedder else 0,
        filled.arrays,
        None if fresh else (filled.new_chunk_ids, filled.dead_chunk_ids),
        lambda done, total: run.progress("vectors", done, total),
    )


def _sync_or_note(run: Run, meta: dict[str, str], filled: Filled) -> tuple[str, ...]:
    """Bring Chroma to an update. The exact vectors stand in for a Chroma that fails, so only a user who has just asked
    for it is refused; the next run fills what is missing."""
    assert run.live is not None  # noqa: S101
    try:
        _sync_chroma(run, run.live.build, filled, fresh=False)
    except (UserError, IndexUnavailableError) as error:
        if run.settings != from_meta(meta):
            raise
        return (f"{error.cause} The exact vectors answer meanwhile. {error.mend}",)
    return ()


def _finish(run: Run, conn: sqlite3.Connection, build: str, generation: int, filled: Filled) -> dict[str, int]:
    from retrieval.index.reader import count_rows

    run.progress("save", 0, 1)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    meta = {
        "build": build,
        "generation": str(generation),
        "root": str(run.location.root),
        "checked_at": now,
        "started_ns": str(run.started_ns),
        "commit": head_commit(run.location.root),
        "vcs": run.walk.vcs,
        "program": PROGRAM,
        "embedder": run.model_id,
        "dim": str(run.embedder.dim if run.embedder else 0),
        "chunk_rows": str(filled.arrays.n),
        "dead_chunks": str(int(filled.arrays.n - filled.arrays.alive.sum())),
        "languages": languages_to_meta(run.languages),
        **run.settings.to_meta(),
    }
    if filled.touched_content:
        meta["updated_at"] = now
        meta["content_id"] = _content_id(conn, run.model_id, run.languages)
    conn.executemany("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", sorted(meta.items()))
    run.progress("save", 1, 1)
    return count_rows(conn)


def _content_id(conn: sqlite3.Connection, model_id: str, languages: Mapping[str, str]) -> str:
    """Names what the index holds, not when it was built: the same tree gives the same id on every machine."""
    digest = hashlib.sha256(f"{SCHEMA_VERSION}/{CHUNKER_VERSION}/{model_id}\n".encode())
    for suffix, identity in sorted(languages.items()):
        digest.update(f"{identity} .{suffix}\n".encode())
    for path, sha in conn.execute("SELECT path, sha256 FROM files ORDER BY path"):
        digest.update(f"{sha} {path}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def _report(mode: str, run: Run, filled: Filled, counts: dict[str, int]) -> IndexReport:
    return IndexReport(
        mode=mode,
        added=filled.added,
        changed=filled.changed,
        removed=filled.removed,
        skipped=filled.skipped,
        counts=counts,
        partial=filled.partial,
        lossy=filled.lossy,
        embedder=run.model_id,
        vcs=run.walk.vcs,
    )
