"""Which vector engine an index uses, and why."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import UserError
from retrieval.vectors.base import VectorEngine
from retrieval.vectors.exact import ExactEngine, vectors_path

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
