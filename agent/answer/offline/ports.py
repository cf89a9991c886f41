"""What the offline answerer asks of an index (``IndexReader`` satisfies it) and of its graph (see ``graph_port``)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from retrieval.records import ChunkRow, Edge, EdgeKind, FileText, SymbolLookup, SymbolRow


class Reader(SymbolLookup, Protocol):
    def file_text(self, path: str) -> FileText:
        """Raises KeyError for a path that is not indexed."""
        ...

    def symbol(self, qualname: str) -> SymbolRow | None: ...
    def symbols_in(self, path: str) -> tuple[SymbolRow, ...]: ...
    def chunks_of_symbol(self, qualname: str) -> tuple[ChunkRow, ...]: ...
    def similar_names(self, name: str, limit: int = 5) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Reach:
    """A symbol that depends on another. ``chain`` leads from ``symbol`` to that other, one edge a step."""

    symbol: str
    chain: tuple[Edge, ...]

    @property
    def distance(self) -> int:
        return len(self.chain)


class Graph(Protocol):
    """Edges with their proving lines. Every result is ordered and complete up to the limit given."""

    def edges_into(self, qualname: str, kinds: Collection[EdgeKind]) -> tuple[Edge, ...]:
        """Edges that end at ``qualname``, and unresolved ones that have it among their candidates."""
        ...

    def edges_from(self, qualname: str, kinds: Collection[EdgeKind]) -> tuple[Edge, ...]: ...
    def impact(self, qualname: str, max_distance: int, limit: int) -> tuple[Reach, ...]: ...
    def tests_for(self, qualname: str, limit: int) -> tuple[Reach, ...]: ...
    def path_between(self, source: str, target: str) -> tuple[Edge, ...]: ...
