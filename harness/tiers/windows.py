"""Fixed windows of a corpus and their vectors: what tier 1 searches. Kept in the user's cache, by content."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from retrieval.chunking.flat import flat_chunks
from retrieval.embed.base import Embedder, embed_batches
from retrieval.index.location import user_cache_dir

if TYPE_CHECKING:
    from retrieval.index.reader import IndexReader

_TEXT_CHARS = 6_000  # characters of a window that reach the embedder


@dataclass(frozen=True, slots=True)
class Windows:
    """All windows of a corpus.

    Attributes:
        places: (path, first line, last line), in the order of the rows.
        vectors: float32[n, dim], unit rows.
    """

    places: tuple[tuple[str, int, int], ...]
    vectors: npt.NDArray[np.float32]


def load_windows(reader: IndexReader, embedder: Embedder, lines: int, overlap: int) -> Windows:
    """Windows of every indexed file and their vectors, from the cache or made now."""
    places, texts = _cut(reader, lines, overlap)
    digest = hashlib.sha256(json.dumps([embedder.model_id, lines, overlap, _TEXT_CHARS]).encode())
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    path = user_cache_dir() / "windows" / f"{digest.hexdigest()[:32]}.npy"
    vectors = _cached(path, len(texts), embedder.dim)
    if vectors is None:
        vectors = np.zeros((len(texts), embedder.dim), np.float32)
        for first, rows in embed_batches(embedder, texts):
            vectors[first : first + len(rows)] = rows
        _store(path, vectors)
    return Windows(tuple(places), vectors)


def _cut(reader: IndexReader, lines: int, overlap: int) -> tuple[list[tuple[str, int, int]], list[str]]:
    places: list[tuple[str, int, int]] = []
    texts: list[str] = []
    for path in reader.paths:
        file = reader.file_text(path)
        for chunk in flat_chunks("\n".join(file.lines), lines, overlap):
            places.append((path, chunk.start_line, chunk.end_line))
            texts.append("\n".join(file.lines[chunk.start_line - 1 : chunk.end_line])[:_TEXT_CHARS])
    return places, texts


def _cached(path: Path, rows: int, dim: int) -> npt.NDArray[np.float32] | None:
    try:
        found = np.load(path, allow_pickle=False)
    except (OSError, ValueError):
        return None
    return found if found.shape == (rows, dim) and found.dtype == np.float32 else None


def _store(path: Path, vectors: npt.NDArray[np.float32]) -> None:
    """Losing the cache costs time only, so every failure is let go."""
    aside = path.with_suffix(f".{os.getpid()}.tmp")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with aside.open("wb") as handle:
            np.save(handle, vectors, allow_pickle=False)
        aside.replace(path)
    with contextlib.suppress(OSError):
        aside.unlink(missing_ok=True)
