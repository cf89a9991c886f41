"""Answers of the graph as programs read them."""

from __future__ import annotations

from typing import Any

from agent.source_lines import SourceLines
from retrieval.graph.answers import GraphAnswer
from retrieval.graph.lookup import NamedNode
from retrieval.records import Edge


def answer_to_dict(node: NamedNode, each: GraphAnswer, lines: SourceLines) -> dict[str, Any]:
    """JSON-ready: every item with the chain of lines that proves it, and what could not be told."""
    return {
        "relation": each.relation.value,
        "symbol": {"qualname": node.qualname, "kind": node.kind, "path": node.path, "line": node.line},
        "status": each.status.value,
        "total": len(each.items),
        "results": [
            {
                "name": item.qualname,
                "distance": item.distance,
                "chain": [_edge(edge, lines) for edge in item.chain],
            }
            for item in each.items
        ],
        "unresolved": [{**_edge(edge, lines), "candidates": list(edge.candidates)} for edge in each.unresolved],
        "unresolved_omitted": each.omitted,
        "unread": [{"path": unread.path, "reason": unread.reason} for unread in each.unread],
    }


def _edge(edge: Edge, lines: SourceLines) -> dict[str, Any]:
    return {
        "from": edge.src,
        "to": edge.dst,
        "kind": edge.kind.value,
        "confidence": edge.confidence.value,
        "rule": edge.rule,
        "path": edge.path,
        "line": edge.line,
        "text": lines.line(edge.path, edge.line),
    }
