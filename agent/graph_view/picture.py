"""What a picture of a neighbourhood shows: nodes with their place and lines, edges with their call sites."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from agent.graph_view.layout import positions, steps_from
from agent.source_lines import SourceLines
from retrieval.graph.export import ExportEdge, GraphExport
from retrieval.index.reader import IndexReader
from retrieval.records import Symbol

MAX_NODES = 160
_MAX_LINES = 60  # of a definition
_AROUND = 2  # lines above and below a call site
_RANK = {"certain": 0, "likely": 1, "possible": 2}


def picture(reader: IndexReader, centre: Collection[str], title: str, graph: GraphExport) -> dict[str, Any]:
    """JSON data for the page; nodes beyond ``MAX_NODES`` are left out, the furthest and least sure first."""
    steps = steps_from(centre, {(edge.caller, edge.callee) for edge in graph.edges})
    best: dict[str, int] = {}
    for edge in graph.edges:
        for end in (edge.caller, edge.callee):
            best[end] = min(best.get(end, 9), _RANK[edge.confidence])
    inside = set(graph.functions)
    order = sorted(steps, key=lambda name: (abs(steps[name]), best.get(name, 9), name not in inside, name))
    kept = set(order[:MAX_NODES])
    edges = [edge for edge in graph.edges if edge.caller in kept and edge.callee in kept]
    places = positions(
        {name: step for name, step in steps.items() if name in kept},
        {(edge.caller, edge.callee) for edge in edges},
        {name: _width(name) for name in kept},
    )
    lines = SourceLines(reader)
    return {
        "title": title,
        "omitted": len(steps) - len(kept),
        "nodes": [_node(reader, lines, name, name in inside, name in centre, places[name]) for name in sorted(kept)],
        "edges": _edges(edges, lines),
    }


def _node(
    reader: IndexReader, lines: SourceLines, name: str, inside: bool, is_centre: bool, place: tuple[int, int]
) -> dict[str, Any]:
    row = reader.symbol(name) if inside else None
    node: dict[str, Any] = {
        "id": name,
        "label": short(name),
        "kind": row.symbol.kind if row else ("lambda" if inside else "external"),
        "centre": is_centre,
        "width": _width(name),
        "x": place[0],
        "y": place[1],
    }
    if row is not None:
        node |= {
            "path": row.path,
            "line": row.symbol.def_line,
            "role": row.role.value,
            "source": _definition(lines, row.path, row.symbol),
        }
    return node


def short(name: str) -> str:
    """The last two parts of a name."""
    return ".".join(name.split(".")[-2:])


def _width(name: str) -> int:
    """Pixels of a box around the label in 13 px letters."""
    return max(70, round(len(short(name)) * 7.6) + 22)


def _definition(lines: SourceLines, path: str, symbol: Symbol) -> list[list[Any]]:
    last = min(symbol.end_line, symbol.start_line + _MAX_LINES - 1)
    if symbol.kind == "module":
        last = min(last, symbol.start_line + _AROUND)
    found = _numbered(lines, path, symbol.start_line, last)
    return [*found, [0, f"… {symbol.end_line - last} more lines"]] if symbol.end_line > last else found


def _numbered(lines: SourceLines, path: str, first: int, last: int) -> list[list[Any]]:
    text = lines.of(path)
    return [[number, text[number - 1]] for number in range(max(1, first), min(last, len(text)) + 1)]


def _edges(edges: Collection[ExportEdge], lines: SourceLines) -> list[dict[str, Any]]:
    """One for each pair of names and kind, with all its sites; its confidence is the best of them."""
    grouped: dict[tuple[str, str, str], list[ExportEdge]] = {}
    for edge in edges:
        grouped.setdefault((edge.caller, edge.callee, edge.kind), []).append(edge)
    return [
        {
            "id": f"e{number}",
            "source": source,
            "target": target,
            "kind": kind,
            "confidence": min((edge.confidence for edge in sites), key=_RANK.__getitem__),
            "sites": [_site(edge, lines) for edge in sorted(sites, key=lambda each: (each.path, each.line))],
        }
        for number, ((source, target, kind), sites) in enumerate(grouped.items())
    ]


def _site(edge: ExportEdge, lines: SourceLines) -> Mapping[str, Any]:
    return {
        "path": edge.path,
        "line": edge.line,
        "confidence": edge.confidence,
        "rule": edge.rule,
        "source": _numbered(lines, edge.path, edge.line - _AROUND, edge.line + _AROUND),
    }
