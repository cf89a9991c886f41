"""What the offline answerer asks of an index and its graph: ``IndexReader`` and ``SymbolGraph`` satisfy it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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


class Reach(Protocol):
    """A symbol that depends on another. ``chain`` leads from ``qualname`` to that other, one edge a step."""

    @property
    def qualname(self) -> str: ...
    @property
    def distance(self) -> int: ...
    @property
    def chain(self) -> tuple[Edge, ...]: ...


class Callers(Protocol):
    @property
    def omitted(self) -> int:
        """Unresolved calls left out because too many definitions share the name."""
        ...


class Graph(Protocol):
    """Edges with their proving lines. Every result is ordered and complete up to the limit given."""

    def edges_into(self, qualname: str, kinds: Collection[EdgeKind]) -> tuple[Edge, ...]:
        """Edges that end at ``qualname``, and unresolved calls that may mean it."""
        ...

    def edges_from(self, qualname: str, kinds: Collection[EdgeKind]) -> tuple[Edge, ...]: ...
    def callers(self, qualname: str) -> Callers: ...
    def impact(self, qualname: str, depth: int, limit: int) -> Sequence[Reach]: ...
    def tests_for(self, qualname: str, limit: int) -> Sequence[Reach]: ...
    def path_between(self, source: str, target: str) -> tuple[Edge, ...]: ...
