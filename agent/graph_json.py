"""Answers of the graph as programs read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent.source_lines import SourceLines
from retrieval.graph.answers import GraphAnswer
from retrieval.graph.lookup import NamedNode
from retrieval.graph.traverse import ImpactItem
from retrieval.records import Edge

#: The text of a line of an indexed file, by path and number.
LineOf = Callable[[str, int], str]


def answer_to_dict(node: NamedNode, each: GraphAnswer, lines: SourceLines, limit: int | None = None) -> dict[str, Any]:
    """JSON-ready: every item with the chain of lines that proves it, and what could not be told.

    Args:
        limit: How many results and unresolved places are listed; ``total`` counts all results.
    """
    kept = len(each.unresolved) if limit is None else limit
    return {
        **summary_to_dict(node, each),
        "results": [item_to_dict(item, lines.line) for item in each.items[:limit]],
        "unresolved": [unresolved_to_dict(edge, lines.line) for edge in each.unresolved[:kept]],
        "unresolved_omitted": each.omitted + max(0, len(each.unresolved) - kept),
        "unread": [{"path": unread.path, "reason": unread.reason} for unread in each.unread],
        "further": each.further,
    }


def summary_to_dict(node: NamedNode, each: GraphAnswer) -> dict[str, Any]:
    return {
        "relation": each.relation.value,
        "symbol": {"qualname": node.qualname, "kind": node.kind, "path": node.path, "line": node.line},
        "status": each.status.value,
        "total": len(each.items),
    }


def item_to_dict(item: ImpactItem, line_of: LineOf) -> dict[str, Any]:
    chain = [_edge_to_dict(edge, line_of) for edge in item.chain]
    return {"name": item.qualname, "distance": item.distance, "chain": chain}


def unresolved_to_dict(edge: Edge, line_of: LineOf) -> dict[str, Any]:
    return {**_edge_to_dict(edge, line_of), "candidates": list(edge.candidates)}


def _edge_to_dict(edge: Edge, line_of: LineOf) -> dict[str, Any]:
    return {
        "from": edge.src,
        "to": edge.dst,
        "kind": edge.kind.value,
        "confidence": edge.confidence.value,
        "rule": edge.rule,
        "path": edge.path,
        "line": edge.line,
        "text": line_of(edge.path, edge.line),
    }
