"""What an index says about its tree, comparable between two indexes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from retrieval.index.location import Location, locate
from retrieval.index.reader import IndexReader


def place(root: Path) -> Location:
    return locate(root, explicit=True)


def snapshot(root: Path) -> dict[str, Any]:
    """Everything an index says about its tree, without ids."""
    with IndexReader.open(place(root)) as reader:
        chunks = [
            (c.path, c.start_line, c.end_line, c.kind, c.symbol, c.qualname, c.sha256, c.blocks)
            for path in reader.paths
            for c in reader.chunks_of(path)
        ]
        symbols = sorted((row.path, row.symbol.qualname) for path in reader.paths for row in reader.symbols_in(path))
        edges = sorted(
            reader.conn.execute(
                "SELECT s.name, d.name, e.kind, e.confidence, e.line, e.rule FROM edges e "
                "JOIN nodes s ON s.id = e.src JOIN nodes d ON d.id = e.dst"
            ).fetchall()
        )
        return {"chunks": chunks, "symbols": symbols, "edges": edges, "content": reader.meta["content_id"]}
