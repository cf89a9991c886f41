"""Embedding through a remote service: cached batch by batch, so that a run cut short resumes where it stopped."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from retrieval.embed.base import Embedder
from retrieval.index.analysis import embed_text
from retrieval.index.codec import split_lines, unpack_text
from retrieval.index.embed_cache import EmbeddingCache
from retrieval.index.report import Progress
from retrieval.source.secrets import redact


def embed_remote(
    conn: sqlite3.Connection,
    embedder: Embedder,
    cache: EmbeddingCache,
    chunk_ids: range,
    keys: Sequence[bytes],
    sink: Callable[[npt.NDArray[np.int64], npt.NDArray[np.float32]], None],
    progress: Progress,
) -> None:
    """Fill the vectors of ``chunk_ids`` (whose cache keys are ``keys``, in order).

    Raises:
        UserError: The service refused or could not be reached after retries; batches done so far stay cached.
    """
    done = 0
    progress("embed", 0, len(keys))
    for start in range(0, len(keys), embedder.batch_size):
        batch_keys = list(keys[start : start + embedder.batch_size])
        ids = np.arange(chunk_ids.start + start, chunk_ids.start + start + len(batch_keys), dtype=np.int64)
        known = cache.get(batch_keys)
        missing = [row for row, key in enumerate(batch_keys) if key not in known]
        if missing:
            texts = [_text_of(conn, int(ids[row])) for row in missing]
            vectors = np.asarray(embedder.embed_documents(texts), np.float16)
            rows = [(batch_keys[row], vectors[position]) for position, row in enumerate(missing)]
            cache.put(rows)
            cache.flush()
            known.update(rows)
        sink(ids, np.stack([known[key] for key in batch_keys]).astype(np.float32))
        done += len(batch_keys)
        progress("embed", done, len(keys))


def _text_of(conn: sqlite3.Connection, chunk_id: int) -> str:
    path, text, start, end, symbol, context = conn.execute(
        "SELECT f.path, f.text, c.start_line, c.end_line, c.symbol, c.context FROM chunks c "
        "JOIN files f ON f.id = c.file_id WHERE c.id = ?",
        (chunk_id,),
    ).fetchone()
    lines = split_lines(unpack_text(text))
    return redact(embed_text(path, symbol, context, "\n".join(lines[start - 1 : end]))).text
