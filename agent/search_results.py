"""A ranked list of files for a query, each with the lines of it to read first, and its form for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.session import Session
from retrieval.pack_records import Candidate


@dataclass(frozen=True, slots=True)
class Shown:
    """A candidate and the lines of it that are worth reading first; ``tokens`` is their upper bound."""

    candidate: Candidate
    start_line: int
    end_line: int
    tokens: int


def search_tree(session: Session, query: str, k: int, paths: Sequence[str] = ()) -> list[Shown]:
    """The ``k`` best places for ``query``, best first, within the globs ``paths`` (``!GLOB`` leaves paths out).

    Raises:
        UserError: A glob is none.
    """
    from retrieval.search.filters import PathFilters
    from retrieval.search.windows import shown_ranges

    filters = PathFilters.from_patterns(paths)
    found = session.searcher.search(session.plan(query), k, filters, objective="files").candidates
    ranges = shown_ranges(session.reader, query, found)
    return [Shown(candidate, *shown) for candidate, shown in zip(found, ranges, strict=True)]


def brief_row(item: Shown) -> dict[str, Any]:
    """JSON-ready: place, symbol, score and the names of the legs."""
    candidate, chunk = item.candidate, item.candidate.chunk
    return {
        "path": chunk.path,
        "start_line": item.start_line,
        "end_line": item.end_line,
        "symbol": chunk.symbol,
        "score": round(candidate.score, 6),
        "legs": [hit.leg for hit in candidate.legs],
    }


def full_row(item: Shown) -> dict[str, Any]:
    """JSON-ready: everything that ranking knows of the place."""
    candidate, chunk = item.candidate, item.candidate.chunk
    return {
        **brief_row(item),
        "legs": [{"leg": hit.leg, "rank": hit.rank, "score": round(hit.score, 6)} for hit in candidate.legs],
        "chunk": {"start_line": chunk.start_line, "end_line": chunk.end_line, "tokens": chunk.tokens},
        "qualname": chunk.qualname,
        "kind": chunk.kind.value,
        "language": chunk.language,
        "role": chunk.role.value,
        "tokens": item.tokens,
        "strength": round(candidate.strength, 4),
        "features": {name: round(value, 6) for name, value in candidate.features},
        "reason": candidate.reason,
    }
