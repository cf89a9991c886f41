"""What one run of the indexer knows before it writes: settings, embedder, the walk, and whether a build is live."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from retrieval.embed.base import Embedder
from retrieval.embed.load import load_embedder
from retrieval.errors import IndexUnavailableError
from retrieval.index.directory import remove_leftovers
from retrieval.index.location import Location, user_cache_dir
from retrieval.index.manifest import Manifest, read_manifest
from retrieval.index.opening import checked_meta
from retrieval.index.report import Progress
from retrieval.index.schema import connect_write, is_disk_error
from retrieval.index.settings import IndexSettings, Overrides, from_meta
from retrieval.index.workers import AnalysisContext
from retrieval.languages.plugin import identities
from retrieval.languages.python.modules import module_names
from retrieval.source.walk import WalkLimits, WalkResult, walk

#: A build with more dead chunk rows than this share is built anew, which renumbers its chunks.
_MAX_DEAD_SHARE = 0.3
_MIN_DEAD = 2000


@dataclass(frozen=True, slots=True)
class Run:
    """``languages`` says which plugin reads a file suffix (``retrieval.languages.plugin``): identity by suffix."""

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
    languages: dict[str, str]

    @property
    def model_id(self) -> str:
        return self.embedder.model_id if self.embedder else "none"

    @property
    def context(self) -> AnalysisContext:
        return AnalysisContext(self.location.root, self.limits, self.settings.embedder, user_cache_dir())


def prepare(location: Location, overrides: Overrides, rebuild: bool, workers: int, progress: Progress) -> Run:
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
    remove_leftovers(location.index_dir, live)
    languages, faults = identities(file.path for file in found.files)
    return Run(
        location, settings, embedder, found, modules, limits, started_ns, workers, progress, live,
        (*notes, *faults), languages,
    )  # fmt: skip


def _rebuild_reason(
    live: Manifest | None, meta: dict[str, str], settings: IndexSettings, model_id: str, rebuild: bool
) -> str:
    if live is None:
        return ""
    if rebuild:
        return "Rebuilding as asked."
    if live.outdated:
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
        if isinstance(error, sqlite3.Error) and is_disk_error(error):
            raise  # a full disk damages nothing
        raise IndexUnavailableError(
            f"The index in {location.index_dir} is damaged ({error}).",
            f"Rebuild it: contextc index --rebuild {location.root}",
        ) from error
