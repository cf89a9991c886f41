"""The calls that lead from one definition to others that the pack shows, in source order, each with its line."""

from __future__ import annotations

from collections.abc import Mapping

from agent.answer.offline.context import Context, label
from agent.answer.offline.wording import code
from retrieval.records import Confidence, Edge, EdgeKind

MAX_STEPS = 9
_MAX_DEPTH = 3
_WIDTH = 6  # calls of one definition that are followed


def call_flow(context: Context, start: str, limit: int = MAX_STEPS) -> list[str]:
    """List lines: calls from ``start`` to definitions of the pack, and theirs below them, until ``limit``."""
    if context.graph is None or not start:
        return []
    shown = {name for chunk in context.pack.chunks for name in (chunk.qualname, *chunk.qualname.split(", ")) if name}
    out: list[str] = []
    seen = {start}

    def follow(name: str, depth: int) -> None:
        edges = [edge for edge in _calls(context, name) if edge.dst in shown and edge.dst not in seen]
        for edge in edges[:_WIDTH]:
            if edge.dst in seen or len(out) >= limit:
                continue
            seen.add(edge.dst)
            cited = context.book.cite(edge.path, edge.line, names=(edge.src,), resolved=(edge.dst,))
            line = code(context.book.line(edge.path, edge.line), 120)
            who = f"{code(label(context, edge.src), 200)} calls {code(label(context, edge.dst), 200)}"
            out.append(f"{'  ' * depth}- {who} at line {edge.line}: {line} {cited}")
            if depth + 1 < _MAX_DEPTH:
                follow(edge.dst, depth + 1)

    follow(start, 0)
    return out


def _calls(context: Context, name: str) -> list[Edge]:
    """Sure and nearly sure calls, one for each callee, by line; of a class those of its methods."""
    if context.graph is None:
        return []
    names = [name]
    row = context.reader.symbol(name)
    if row is not None and row.symbol.kind == "class":
        names += [each.symbol.qualname for each in context.reader.symbols_in(row.path) if each.symbol.parent == name]
    found: dict[str, Edge] = {}
    for source in names:
        for edge in sorted(context.graph.edges_from(source, (EdgeKind.CALL,)), key=lambda each: each.line):
            if edge.confidence is not Confidence.POSSIBLE and context.reader.symbol(edge.dst) is not None:
                found.setdefault(edge.dst, edge)
    # Making an object calls its class and the ``__init__``: that is one step.
    return [edge for name, edge in found.items() if not _is_making(name, edge, found)]


def _is_making(name: str, edge: Edge, found: Mapping[str, Edge]) -> bool:
    holder = found.get(name.removesuffix(".__init__")) if name.endswith(".__init__") else None
    return holder is not None and (holder.path, holder.line) == (edge.path, edge.line)
