"""The Chroma engine: embedded, or a Chroma server that a team shares. Only ids and embeddings go in.

No embedding function is configured, so Chroma downloads no model; telemetry is off; nothing is dialled except the
configured server, and that only when an engine is opened. Chroma's own settings would be read from a ``.env`` in the
current directory, which may be a stranger's repository: that file is kept out of it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import IndexUnavailableError, UserError
from retrieval.vectors.base import REBUILD, Hits, check_matrix, check_query

log = logging.getLogger(__name__)

TOKEN_VARIABLE = "CONTEXTC_CHROMA_TOKEN"  # noqa: S105 (the name of a variable)

_CONNECT_TIMEOUT_S = 5.0
_REQUEST_TIMEOUT_S = 60.0
_SETTINGS: dict[str, Any] = {
    "anonymized_telemetry": False,
    "chroma_otel_collection_endpoint": "",
    "_env_file": None,
}

# Chosen by recall@50 against exact on 12,000 x 256-d: (ef_construction, max_neighbors, ef_search) of Chroma's defaults
# (100, 16, 100) give 0.97 on clustered and 0.58 on uniform vectors, (100, 16, 400) 0.997 and 0.90, (200, 32, 400) 1.00
# and 0.99. Embeddings are clustered; the uniform case is the margin.
_HNSW = {"space": "cosine", "ef_construction": 200, "max_neighbors": 32, "ef_search": 600, "sync_threshold": 10_000}


class ChromaEngine:
    """See ``base.VectorEngine``. Made by ``embedded`` and ``server``."""

    def __init__(self, client: Any, collection: str, dim: int, *, name: str, reason: str, where: str) -> None:
        self.name = name
        self.reason = reason
        self._client = client
        self._dim = dim
        self._where = where
        self._warned = False
        with self._guarded():
            self._collection = client.get_or_create_collection(
                collection, embedding_function=None, configuration={"hnsw": dict(_HNSW)}
            )
            self._batch = int(client.get_max_batch_size())

    def search(self, query: NDArray[np.float32], k: int, alive: NDArray[np.bool_]) -> Hits:
        check_query(query, self._dim)
        held = self.count()
        self._complain_once(held, alive)
        vector = [np.ascontiguousarray(query, dtype=np.float32)]
        wanted = min(k, int(np.count_nonzero(alive)))
        fetch = k + 16  # some slack for ids that are dead in, or newer than, this snapshot
        ids, scores = np.empty(0, np.int64), np.empty(0, np.float32)
        while held and wanted:
            with self._guarded():
                found = self._collection.query(
                    query_embeddings=vector, n_results=min(fetch, held), include=["distances"]
                )
            ids = np.array([int(i) for i in found["ids"][0]], dtype=np.int64)
            scores = 1.0 - np.array(found["distances"][0], dtype=np.float32)
            known = ids < len(alive)
            known[known] = alive[ids[known]]
            ids, scores = ids[known], scores[known]
            if len(ids) >= wanted or fetch >= held:
                break
            fetch *= 4
        order = np.lexsort((ids, -scores))[:k]
        return ids[order], scores[order]

    def add(self, ids: NDArray[np.int64], matrix: NDArray[np.float32]) -> None:
        check_matrix(ids, matrix, self._dim)
        for start in range(0, len(ids), self._batch):
            rows = np.ascontiguousarray(matrix[start : start + self._batch], dtype=np.float32)
            with self._guarded():
                self._collection.upsert(ids=_names(ids[start : start + self._batch]), embeddings=rows)

    def delete(self, ids: NDArray[np.int64]) -> None:
        for start in range(0, len(ids), self._batch):
            with self._guarded():
                self._collection.delete(ids=_names(ids[start : start + self._batch]))

    def sync(self) -> None:
        """Nothing to do: Chroma has written what it has acknowledged."""

    def count(self) -> int:
        with self._guarded():
            return int(self._collection.count())

    def problem(self, alive: NDArray[np.bool_]) -> str:
        return self._disagreement(self.count(), alive)

    def close(self) -> None:
        close = getattr(self._client, "close", None)
        if close is not None:
            close()

    def _disagreement(self, held: int, alive: NDArray[np.bool_]) -> str:
        needed = int(np.count_nonzero(alive))
        return "" if held == needed else f"the Chroma collection {self._where} holds {held} vectors, the index {needed}"

    def _complain_once(self, held: int, alive: NDArray[np.bool_]) -> None:
        """An empty collection is an error. Too few vectors may be a writer at work beside us, hence a warning. Too many
        are none: ``alive`` may be narrowed by a path filter, and dead rows are deleted last."""
        if held >= int(np.count_nonzero(alive)):
            return
        problem = self._disagreement(held, alive)
        if not held:
            raise IndexUnavailableError(f"{problem[0].upper()}{problem[1:]}.", REBUILD)
        if not self._warned:
            self._warned = True
            log.warning("%s; if no other indexer is at work: %s", problem, REBUILD)

    def _guarded(self) -> contextlib.AbstractContextManager[None]:
        return _errors(self.name, self._where)


def embedded(index_dir: Path, collection: str, dim: int, reason: str) -> ChromaEngine:
    """Open (or create) the embedded store in ``index_dir/chroma``."""
    path = index_dir / "chroma"
    with _errors("chroma", str(path)):
        chromadb = _import_chromadb()
        client = chromadb.PersistentClient(path=str(path.resolve()), settings=_settings(chromadb))
    return ChromaEngine(client, collection, dim, name="chroma", reason=reason, where=f"in {path}")


def server(url: str, collection: str, dim: int, reason: str) -> ChromaEngine:
    """Open (or create) a collection on the Chroma server at ``url`` (``http[s]://host[:port]``).

    The token in ``CONTEXTC_CHROMA_TOKEN``, if set, goes along as a bearer token and as ``X-Chroma-Token``.

    Raises:
        UserError: Bad URL, nothing reachable there, not a Chroma server, or the token was refused.
    """
    host, port, tls = _parse(url)
    token = os.environ.get(TOKEN_VARIABLE, "")
    headers = {"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {}
    with _errors("chroma-server", url):
        _check_alive(url, headers)
        chromadb = _import_chromadb()
        client = chromadb.HttpClient(host=host, port=port, ssl=tls, headers=headers, settings=_settings(chromadb))
        session = getattr(getattr(client, "_server", None), "_session", None)
        if session is not None:  # Chroma's own client would wait for ever
            session.timeout = _REQUEST_TIMEOUT_S
    return ChromaEngine(client, collection, dim, name="chroma-server", reason=reason, where=f"at {url}")


def drop_other_collections(engine: ChromaEngine, prefix: str, keep: Collection[str]) -> int:
    """Delete the collections whose name starts with ``prefix``, except those in ``keep``; returns how many."""
    with engine._guarded():
        names = sorted(collection.name for collection in engine._client.list_collections())
        old = [name for name in names if name.startswith(prefix) and name not in keep]
        for name in old:
            engine._client.delete_collection(name)
    return len(old)


def collection_name(prefix: str, build_id: str) -> str:
    """A name that Chroma accepts: 3-512 of ``[a-zA-Z0-9._-]``, alphanumeric at both ends."""
    return f"contextc-{re.sub(r'[^a-zA-Z0-9]', '', prefix)[:64]}-{re.sub(r'[^a-zA-Z0-9]', '', build_id)[:64]}"


def _names(ids: NDArray[np.int64]) -> list[str]:
    return [str(i) for i in ids.tolist()]


def _parse(url: str) -> tuple[str, int, bool]:
    mend = (
        "Give it as http://HOST:PORT or https://HOST:PORT, a token in the environment variable " + TOKEN_VARIABLE + "."
    )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UserError(f"The Chroma URL is not valid: {error}.", mend) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError("The Chroma URL is not valid: it needs a scheme and a host.", mend)
    if parts.username or parts.password or parts.query or parts.path not in ("", "/"):
        raise UserError("The Chroma URL is not valid: it may hold a scheme, a host and a port only.", mend)
    tls = parts.scheme == "https"
    return parts.hostname, port or (443 if tls else 8000), tls


def _check_alive(url: str, headers: dict[str, str]) -> None:
    """One request with a timeout, since Chroma's client has none while it connects."""
    import httpx

    host, port, tls = _parse(url)
    bracketed = f"[{host}]" if ":" in host else host
    beat = f"{'https' if tls else 'http'}://{bracketed}:{port}/api/v2/heartbeat"
    mend = "Start it (`chroma run --path DIR --port PORT`), mend the URL, or use `--vector-store exact`."
    try:
        status = httpx.get(beat, headers=headers, timeout=_CONNECT_TIMEOUT_S).status_code
    except httpx.HTTPError as error:
        raise UserError(f"No Chroma server answers at {url} ({type(error).__name__}).", mend) from None
    if status in (401, 403):
        raise UserError(f"The Chroma server at {url} refuses the token.", f"Set {TOKEN_VARIABLE}.")
    if status != 200:
        raise UserError(f"{url} answers, but not as a Chroma server (HTTP {status}).", mend)


def _import_chromadb() -> Any:
    """Import Chroma without letting it read a ``.env`` of the directory that the user happens to be in."""
    with contextlib.ExitStack() as stack:
        if Path(".env").exists():
            stack.enter_context(contextlib.chdir(Path(__file__).parent))
        import chromadb
    return chromadb


def _settings(chromadb: Any) -> Any:
    return chromadb.Settings(**_SETTINGS)


@contextlib.contextmanager
def _errors(name: str, where: str) -> Iterator[None]:
    """Turn what Chroma throws into one line of cause and one of mend."""
    try:
        yield
    except (UserError, MemoryError):
        raise
    except BaseException as error:
        # Chroma's Rust core panics with a BaseException of its own on a damaged store.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        what = (str(error).strip() or type(error).__name__).split("\n", 1)[0][:300]
        if isinstance(error, ImportError):
            raise UserError(f"Chroma cannot be imported: {what}.", "Run `pip install chromadb`.") from error
        if name == "chroma-server":
            raise UserError(
                f"The Chroma server {where} failed: {what}.", "Check the server, or use `--vector-store exact`."
            ) from error
        raise IndexUnavailableError(f"The Chroma store {where} cannot be used: {what}.", REBUILD) from error
