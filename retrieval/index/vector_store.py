"""The vectors of a build: always in the exact file, and in Chroma too when that is the engine in use.

The exact file costs one kilobyte a chunk and is what Chroma is filled from, so that a lost or half-written Chroma
collection is mended by copying, and changing engines embeds nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from retrieval.embed.base import Embedder
from retrieval.errors import IndexUnavailableError, UserError
from retrieval.index.arrays import ChunkArrays
from retrieval.index.manifest import remove
from retrieval.index.settings import IndexSettings, from_meta
from retrieval.vectors.base import VectorEngine
from retrieval.vectors.choose import EngineChoice, choose_engine, open_engine
from retrieval.vectors.exact import ExactEngine, vectors_path

if TYPE_CHECKING:
    from retrieval.index.reader import IndexReader

_COPY_ROWS = 8192


@dataclass(frozen=True, slots=True)
class VectorSink:
    """Receives rows while a build is filled."""

    engine: ExactEngine

    def __call__(self, ids: npt.NDArray[np.int64], matrix: npt.NDArray[np.float32]) -> None:
        self.engine.add(ids, matrix)

    def close(self) -> None:
        self.engine.sync()
        self.engine.close()


def vector_sink(index_dir: Path, build: str, dim: int) -> VectorSink:
    return VectorSink(ExactEngine(vectors_path(index_dir, build), dim))


def collection_of(root: Path) -> str:
    """Names a root among others on one Chroma server."""
    return hashlib.sha256(str(root).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def choice_of(settings: IndexSettings, n_chunks: int) -> EngineChoice:
    return choose_engine(settings.vector_store, n_chunks, settings.chroma_url)


def sync_chroma(
    root: Path,
    index_dir: Path,
    settings: IndexSettings,
    build: str,
    dim: int,
    arrays: ChunkArrays,
    changed: tuple[range, tuple[int, ...]] | None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> None:
    """Bring the Chroma collection of a build to ``arrays``; does nothing when the exact engine is in use.

    Args:
        changed: (new ids, dead ids) of an update; None copies every live row.
    """
    choice = choice_of(settings, int(arrays.alive.sum()))
    if choice.name == "exact" or not dim:
        return
    engine = open_engine(choice, index_dir, build, dim, collection_of(root))
    try:
        alive = np.flatnonzero(arrays.alive)
        before = len(alive) - (len(changed[0]) - len(changed[1])) if changed else -1
        if changed is not None and engine.count() == before:
            ids, dead = np.asarray(changed[0], np.int64), np.asarray(changed[1], np.int64)
        else:
            ids, dead = alive.astype(np.int64), np.flatnonzero(~arrays.alive).astype(np.int64)
        stored = ExactEngine(vectors_path(index_dir, build), dim)
        for start in range(0, len(ids), _COPY_ROWS):
            part = ids[start : start + _COPY_ROWS]
            engine.add(part, stored.rows(part))
            progress(start + len(part), len(ids))
        if len(dead):
            engine.delete(dead)
        engine.sync()
    finally:
        engine.close()


def open_vectors(reader: IndexReader, embedder: Embedder | None, warn: Callable[[str], None]) -> VectorEngine | None:
    """The engine for searching an open index; None when it has no vectors.

    A Chroma collection that is empty or unreachable does not stop a search: the exact file answers, with a warning.
    """
    if embedder is None or reader.manifest.embedder == "none":
        return None
    choice = choice_of(from_meta(reader.meta), _live_chunks(reader))
    dim = int(reader.meta["dim"])
    build = reader.manifest.build
    if choice.name != "exact":
        try:
            engine = open_engine(choice, reader.index_dir, build, dim, collection_of(reader.root))
            problem = engine.problem(reader.arrays.alive)
            if not problem:
                return engine
            engine.close()
            warn(f"{problem[0].upper()}{problem[1:]}; using the exact vectors. Mend it: contextc index --rebuild")
        except (UserError, IndexUnavailableError) as error:
            warn(f"{error.cause} Using the exact vectors. {error.mend}")
    return ExactEngine(vectors_path(reader.index_dir, build), dim, choice.reason)


def stored_rows(reader: IndexReader) -> Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float32]] | None:
    """Reads the vectors of chunks from the exact file, which every engine has beside it; None without vectors."""
    if reader.manifest.embedder == "none":
        return None
    return ExactEngine(vectors_path(reader.index_dir, reader.manifest.build), int(reader.meta["dim"])).rows


def _live_chunks(reader: IndexReader) -> int:
    return int(reader.meta.get("chunk_rows", 0)) - int(reader.meta.get("dead_chunks", 0))


def describe_vectors(reader: IndexReader) -> dict[str, Any]:
    """For status and doctor: ``engine``, ``reason``, ``rows`` and ``problem`` ("" for none)."""
    if reader.manifest.embedder == "none":
        return {"engine": "none", "reason": "indexed without an embedder", "rows": 0, "problem": ""}
    choice = choice_of(from_meta(reader.meta), _live_chunks(reader))
    result: dict[str, Any] = {"engine": choice.name, "reason": choice.reason, "rows": 0, "problem": ""}
    try:
        engine = open_engine(
            choice, reader.index_dir, reader.manifest.build, int(reader.meta["dim"]), collection_of(reader.root)
        )
        try:
            result["rows"] = engine.count()
            result["problem"] = engine.problem(reader.arrays.alive)
        finally:
            engine.close()
    except (UserError, IndexUnavailableError) as error:
        result["problem"] = error.cause
    return result


def drop_build(index_dir: Path, build: str) -> None:
    """Remove every file of a build. Its collection on a Chroma server goes with the next build's sync."""
    for path in sorted(index_dir.glob(f"index-{build}.sqlite*")):
        remove(path)
    remove(vectors_path(index_dir, build))


def drop_other_collections(root: Path, index_dir: Path, settings: IndexSettings, build: str, dim: int, n: int) -> None:
    """Remove the collections that earlier builds of this root left in Chroma; failure costs disk space only."""
    from retrieval.vectors.choose import drop_other_builds

    choice = choice_of(settings, n)
    if choice.name == "exact":
        shutil.rmtree(index_dir / "chroma", ignore_errors=True)
        return
    with contextlib.suppress(UserError, IndexUnavailableError):
        engine = open_engine(choice, index_dir, build, dim, collection_of(root))
        try:
            drop_other_builds(engine, index_dir, collection_of(root), [build])
        finally:
            engine.close()
