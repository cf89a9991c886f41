"""What a user can set about an index. Stored in the index, so that later updates keep to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from retrieval.errors import UserError


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """Settings of a build.

    Attributes:
        max_file_bytes: Larger files are skipped with the reason "huge".
        embedder: Spec for ``load_embedder``: ``default``, ``none``, ``openai:MODEL`` …
        vector_store: ``auto``, ``exact`` or ``chroma``.
        chroma_url: A Chroma server; "" for embedded.
    """

    max_file_bytes: int = 1_048_576
    embedder: str = "default"
    vector_store: str = "auto"
    chroma_url: str = ""

    def to_meta(self) -> dict[str, str]:
        return {
            "set.max_file_bytes": str(self.max_file_bytes),
            "set.embedder": self.embedder,
            "set.vector_store": self.vector_store,
            "set.chroma_url": self.chroma_url,
        }


def from_meta(meta: Mapping[str, str]) -> IndexSettings:
    default = IndexSettings()
    return IndexSettings(
        max_file_bytes=int(meta.get("set.max_file_bytes", default.max_file_bytes)),
        embedder=meta.get("set.embedder", default.embedder),
        vector_store=meta.get("set.vector_store", default.vector_store),
        chroma_url=meta.get("set.chroma_url", default.chroma_url),
    )


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the user asked for on this call; None leaves a setting as the index has it."""

    max_file_bytes: int | None = None
    embedder: str | None = None
    vector_store: str | None = None
    chroma_url: str | None = None

    def apply(self, settings: IndexSettings) -> IndexSettings:
        changes = {
            name: value
            for name in ("max_file_bytes", "embedder", "vector_store", "chroma_url")
            if (value := getattr(self, name)) is not None
        }
        if changes.get("max_file_bytes", 1) <= 0:
            raise UserError(
                f"--max-file-bytes must be positive, not {changes['max_file_bytes']}.", "Give a number of bytes."
            )
        return replace(settings, **changes)
