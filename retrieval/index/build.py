"""Building and updating an index: one writer, a build aside for a new index, one transaction for an update."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from retrieval.embed.base import Embedder
from retrieval.embed.load import load_embedder
from retrieval.errors import IndexUnavailableError, UserError
from retrieval.index.changes import Changes, detect
from retrieval.index.fill import Filled, fill
from retrieval.index.location import MANIFEST_NAME, Location, remove, user_cache_dir
from retrieval.index.lock import writer_lock
from retrieval.index.manifest import Manifest, owner_of, read_manifest, write_manifest
from retrieval.index.opening import checked_meta
from retrieval.index.report import IndexReport, Progress, silent
from retrieval.index.schema import CHUNKER_VERSION, SCHEMA_VERSION, connect_write, create
from retrieval.index.settings import IndexSettings, Overrides, from_meta
from retrieval.index.vector_store import drop_build, drop_other_collections, sync_chroma
from retrieval.index.workers import AnalysisContext, default_workers
from retrieval.languages.python.modules import module_names
from retrieval.source.git import head_commit
from retrieval.source.walk import WalkLimits, WalkResult, walk

PROGRAM = "contextc 0.1.0"
#: A build with more dead chunk rows than this share is built anew, which renumbers its chunks.
_MAX_DEAD_SHARE = 0.3
_MIN_DEAD = 2000


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
    _prepare_directory(location.index_dir)
    with _disk_errors(location.index_dir), writer_lock(location.index_dir):
        run = _prepare(location, overrides or Overrides(), rebuild, workers or default_workers(), progress)
        try:
            report = _update(run) if run.live else _build(run)
        except sqlite3.DatabaseError as error:
            if run.live is None or _is_disk_error(error):
                raise
            run = replace(run, live=None, notes=(*run.notes, f"The index was damaged ({error}); building it anew."))
            report = _build(run)
    return replace(report, seconds=time.perf_counter() - began, notes=(*run.notes, *report.notes))


@dataclass(frozen=True, slots=True)
class _Run:
    location: Location
    settings: IndexSettings
    embedder: Embedder | None
    walk: WalkResult
    modules: dict[str, str]
    limits: WalkLimits
    started_ns: int
    workers: int
    progress: Progress
    live: Manifest | None
    notes: tuple[str, ...]

    @property
    def model_id(self) -> str:
        return self.embedder.model_id if self.embedder else "none"

    @property
    def context(self) -> AnalysisContext:
        return AnalysisContext(self.location.root, self.limits, self.settings.embedder, user_cache_dir())


def _prepare(location: Location, overrides: Overrides, rebuild: bool, workers: int, progress: Progress) -> _Run:
    live: Manifest | None = None
    meta: dict[str, str] = {}
    notes: list[str] = []
    try:
        live = read_manifest(location.index_dir)
        meta = _read_meta(location, live)
    except IndexUnavailableError as error:
        if error.kind == "missing":
            pass
        elif rebuild or error.rebuildable:
            notes.append(f"{error.cause} Building it anew.")
        else:
            raise
        live = None
    settings = overrides.apply(from_meta(meta))
    embedder = load_embedder(settings.embedder)
    reason = _rebuild_reason(live, meta, settings, embedder.model_id if embedder else "none", rebuild)
    if live and reason:
        notes.append(reason)
        live = None
    started_ns = time.time_ns()
    limits = WalkLimits(max_file_bytes=settings.max_file_bytes)
    found = walk(location.root, limits)
    modules = module_names(file.path for file in found.files if file.path.endswith((".py", ".pyi")))
    _remove_leftovers(location.index_dir, live)
    return _Run(location, settings, embedder, found, modules, limits, started_ns, workers, progress, live, tuple(notes))


def _rebuild_reason(
    live: Manifest | None, meta: dict[str, str], settings: IndexSettings, model_id: str, rebuild: bool
) -> str:
    if live is None:
        return ""
    if rebuild:
        return "Rebuilding as asked."
    if live.chunker != CHUNKER_VERSION:
        return "This contextc cuts files differently from the one that made the index; building it anew."
    if live.embedder != model_id:
        return f"The embedder changed from {live.embedder} to {model_id}; building the index anew."
    if settings.max_file_bytes != from_meta(meta).max_file_bytes:
        return "The size limit of files changed; building the index anew."
    dead, total = int(meta.get("dead_chunks", 0)), int(meta.get("chunk_rows", 0))
    if dead > _MIN_DEAD and dead > total * _MAX_DEAD_SHARE:
        return "Many chunks were replaced since the last build; building the index anew."
    return ""


def _read_meta(location: Location, manifest: Manifest) -> dict[str, str]:
    path = location.index_dir / manifest.database
    try:
        if not path.is_file():
            raise FileNotFoundError(path)
        conn = connect_write(path)
        try:
            return checked_meta(conn, location.index_dir, manifest)
        finally:
            conn.close()
    except (sqlite3.DatabaseError, FileNotFoundError) as error:
        raise IndexUnavailableError(
            f"The index in {location.index_dir} is damaged ({error}).",
            f"Rebuild it: contextc index --rebuild {location.root}",
        ) from error


# --- build, update ---


def _build(run: _Run) -> IndexReport:
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
        _flush_to_disk(path)
        _sync_chroma(run, build, filled, fresh=True)
        write_manifest(run.location.index_dir, manifest)
    except BaseException:
        if conn is not None:
            conn.close()
        drop_build(run.location.index_dir, build)
        raise
    _remove_leftovers(run.location.index_dir, manifest)
    dim = run.embedder.dim if run.embedder else 0
    drop_other_collections(run.location.root, run.location.index_dir, run.settings, build, dim, filled.arrays.n)
    return _report("built", run, filled, counts)


def _update(run: _Run) -> IndexReport:
    assert run.live is not None  # noqa: S101
    conn = connect_write(run.location.index_dir / run.live.database)
    try:
        meta = {str(key): str(value) for key, value in conn.execute("SELECT key, value FROM meta")}
        changes = detect(conn, run.walk, int(meta["started_ns"]), run.modules)
        conn.execute("BEGIN IMMEDIATE")
        try:
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


def _fill(run: _Run, conn: sqlite3.Connection, build: str, changes: Changes, *, fresh: bool) -> Filled:
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


def _sync_chroma(run: _Run, build: str, filled: Filled, *, fresh: bool) -> None:
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


def _sync_or_note(run: _Run, meta: dict[str, str], filled: Filled) -> tuple[str, ...]:
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


def _finish(run: _Run, conn: sqlite3.Connection, build: str, generation: int, filled: Filled) -> dict[str, int]:
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
        **run.settings.to_meta(),
    }
    if filled.touched_content:
        meta["updated_at"] = now
        meta["content_id"] = _content_id(conn, run.model_id)
    conn.executemany("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", sorted(meta.items()))
    run.progress("save", 1, 1)
    return count_rows(conn)


def _content_id(conn: sqlite3.Connection, model_id: str) -> str:
    """Names what the index holds, not when it was built: the same tree gives the same id on every machine."""
    digest = hashlib.sha256(f"{SCHEMA_VERSION}/{CHUNKER_VERSION}/{model_id}\n".encode())
    for path, sha in conn.execute("SELECT path, sha256 FROM files ORDER BY path"):
        digest.update(f"{sha} {path}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def _report(mode: str, run: _Run, filled: Filled, counts: dict[str, int]) -> IndexReport:
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


# --- files ---


def _prepare_directory(index_dir: Path) -> None:
    if index_dir.is_symlink():
        raise UserError(f"{index_dir} is a symbolic link, which contextc does not follow.", f"Remove it: {index_dir}")
    if index_dir.exists() and not index_dir.is_dir():
        raise UserError(f"{index_dir} is not a folder, and the index belongs there.", f"Remove it: {index_dir}")
    try:
        index_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileExistsError), (index_dir / ".gitignore").open("x", encoding="utf-8") as ignore:
            ignore.write("*\n")
    except OSError as error:
        raise UserError(
            f"Cannot write the index directory {index_dir} ({error.strerror}).",
            "Make it writable, or set CONTEXTC_CACHE_DIR to a folder that is.",
        ) from None


def _remove_leftovers(index_dir: Path, live: Manifest | None) -> None:
    """Remove builds that no manifest names. While there is no live one to keep, the manifest's own is kept too."""
    keep = live.build if live else ""
    if not keep:
        with contextlib.suppress(IndexUnavailableError):
            keep = read_manifest(index_dir).build
    builds = {path.name.split("-", 1)[1].split(".", 1)[0] for path in index_dir.glob("index-*.sqlite*")}
    for build in sorted(builds - {keep}):
        drop_build(index_dir, build)
    for aside in sorted(index_dir.glob(f"{MANIFEST_NAME}.*")):
        remove(aside)


def _flush_to_disk(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextlib.contextmanager
def _disk_errors(index_dir: Path) -> Iterator[None]:
    mend = "Free some space and run the same command again; the last complete index is untouched."
    try:
        yield
    except sqlite3.DatabaseError as error:
        if _is_disk_error(error):
            raise UserError(f"The disk that holds {index_dir} is full ({error}).", mend) from error
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise UserError(f"The disk that holds {index_dir} is full.", mend) from error
        raise


def _is_disk_error(error: sqlite3.Error) -> bool:
    return isinstance(error, sqlite3.OperationalError) and ("full" in str(error) or "disk I/O" in str(error))


def describe_settings(settings: IndexSettings) -> Sequence[str]:
    """One line per setting that is not the default, for status."""
    default = IndexSettings()
    return [
        f"{name}={getattr(settings, name)}"
        for name in ("max_file_bytes", "embedder", "vector_store", "chroma_url")
        if getattr(settings, name) != getattr(default, name)
    ]
