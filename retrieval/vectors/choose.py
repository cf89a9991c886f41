"""Which vector engine an index uses, and why."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import UserError
from retrieval.vectors.base import VectorEngine
from retrieval.vectors.exact import ExactEngine, vectors_path

# Where the exact scan stops being the better engine. Measured by `python -m harness.vector_crossover` (256-d, k=50;
# first = a new process to its first answer, imports included) on 2 cores under a load of 5 to 10, so that only the
# ratios count; on idle cores the scan of 200,000 takes 13 ms:
#
#     chunks   exact: insert   first    warm       Chroma: insert   first   warm
#      5,000        0.02 s    0.009 s   0.2 ms          8.2 s       6.1 s    9 ms
#     20,000        0.04 s    0.006 s   1.2 ms         61   s       3.6 s   52 ms
#    200,000        1.0  s    0.07  s    62 ms      (1 ms of CPU a row: minutes)
#    500,000        2.9  s    0.30  s   199 ms
#
# Each process of a command line pays the import of chromadb (1.3-1.9 s idle) before it asks, more than an exact scan of
# a million rows, and each build pays the inserts. So speed alone would never choose Chroma for a command line; memory
# does: a row is 1 KiB, and every question about 500,000 chunks reads 0.5 GiB through the page cache.
CROSSOVER_CHUNKS = 500_000


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """``name``: exact, chroma or chroma-server; ``reason``: one clause; ``url``: the server's, else ""."""

    name: str
    reason: str
    url: str = ""


def choose_engine(kind: str, n_chunks: int, chroma_url: str | None) -> EngineChoice:
    """Resolve ``--vector-store``: "auto", "exact" or "chroma".

    Raises:
        UserError: Another ``kind``.
    """
    url = (chroma_url or "").strip().rstrip("/")
    if kind not in ("auto", "exact", "chroma"):
        raise UserError(f"There is no vector store named {kind!r}.", "Use --vector-store auto, exact or chroma.")
    if kind == "exact":
        return EngineChoice("exact", "asked for")
    if url:
        return EngineChoice("chroma-server", "a Chroma URL is configured", url)
    if kind == "chroma":
        return EngineChoice("chroma", "asked for")
    if n_chunks <= CROSSOVER_CHUNKS:
        return EngineChoice("exact", f"{n_chunks:,} chunks are below the crossover of {CROSSOVER_CHUNKS:,}")
    return EngineChoice("chroma", f"{n_chunks:,} chunks are above the crossover of {CROSSOVER_CHUNKS:,}")


def open_engine(choice: EngineChoice, index_dir: Path, build_id: str, dim: int, collection: str) -> VectorEngine:
    """Open the store of one build; it is created by the first ``add``.

    Args:
        collection: Digest of the root, so that many roots can share one Chroma server.
    """
    if choice.name == "exact":
        return ExactEngine(vectors_path(index_dir, build_id), dim, choice.reason)
    from retrieval.vectors import chroma

    name = chroma.collection_name(collection, build_id)
    if choice.name == "chroma-server":
        return chroma.server(choice.url, name, dim, choice.reason)
    return chroma.embedded(index_dir, name, dim, choice.reason)


def drop_other_builds(engine: VectorEngine, index_dir: Path, collection: str, keep: Collection[str]) -> None:
    """Remove the vectors of builds that are not in ``keep`` (build ids), in the store that ``engine`` stands for."""
    if engine.name == "exact":
        kept = {vectors_path(index_dir, build_id).name for build_id in keep}
        for path in sorted(index_dir.glob("vectors-*.f32")):
            if path.name not in kept:
                path.unlink(missing_ok=True)
        return
    from retrieval.vectors import chroma

    if isinstance(engine, chroma.ChromaEngine):
        prefix = chroma.collection_name(collection, "")
        chroma.drop_other_collections(engine, prefix, {chroma.collection_name(collection, b) for b in keep})
