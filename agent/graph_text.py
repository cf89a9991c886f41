"""Answers of the graph as lines to read, the same for the command line and for tools."""

from __future__ import annotations

from collections.abc import Iterator

from agent.cli.common import plural
from retrieval.graph.answers import GraphAnswer, Relation, Status
from retrieval.graph.lookup import NamedNode
from retrieval.graph.traverse import ImpactItem
from retrieval.records import Edge

_VERB = {
    "call": "calls",
    "reference": "refers to",
    "inherit": "derives from",
    "import": "imports",
    "test": "tests",
    "contain": "contains",
}
_WHAT = {
    Relation.CALLERS: "call",
    Relation.CALLEES: "call",
    Relation.IMPORTERS: "import",
    Relation.IMPACT: "dependent",
    Relation.PATH: "chain",
    Relation.TESTS: "test",
}
_NONE = {
    Relation.CALLERS: "nothing calls it",
    Relation.CALLEES: "it calls nothing",
    Relation.IMPORTERS: "nothing imports it",
    Relation.IMPACT: "nothing depends on it",
    Relation.PATH: "no chain of dependences connects them",
    Relation.TESTS: "no test exercises it",
}
_MAYBE_MEANT = "may belong here too, by override, protocol or the name alone"
_MAYBE = {
    Relation.CALLEES: "could not be resolved",
    Relation.PATH: "near its ends could not be resolved, so that a path may lead through them",
}


def headline(node: NamedNode, each: GraphAnswer) -> str:
    """The symbol, its place, and what was found out."""
    place = f", {node.path}:{node.line}" if node.path else ""
    return f"{node.qualname} ({node.kind}{place}): {_verdict(each)}"


def _verdict(each: GraphAnswer) -> str:
    if each.status is Status.FOUND:
        if each.relation is Relation.PATH:
            return f"a chain of {plural(len(each.items[0].chain), 'step')}"
        files = len({item.chain[0].path for item in each.items})
        return f"{plural(len(each.items), _WHAT[each.relation])} in {plural(files, 'file')}"
    if each.status is Status.NONE:
        return f"none: {_NONE[each.relation]}, and everything that could was read and resolved"
    if each.further:
        near = f"{each.further} steps away: a greater depth shows it"
        return f"unknown: {_NONE[each.relation]} within the steps that were looked at; the nearest is {near}"
    return f"unknown: {_NONE[each.relation]} for certain, but not everything could be resolved or read"


def item_lines(each: GraphAnswer, item: ImpactItem) -> Iterator[tuple[str, Edge | None]]:
    """Lines that tell one result, each with the edge whose source line proves it, if it tells of one."""
    if item.distance == 1 and each.relation is not Relation.PATH:
        edge = item.chain[0]
        member = each.relation in (Relation.IMPACT, Relation.TESTS) and edge.dst != each.symbol
        what = f" {_VERB[edge.kind]} {edge.dst}" if member else ""
        yield f"  {edge.path}:{edge.line}  {item.qualname}{what}  ({_sure(edge)})", edge
        return
    if each.relation is not Relation.PATH:
        yield f"  {item.qualname}  ({item.distance} step{'' if item.distance == 1 else 's'})", None
    for edge in item.chain:
        told = f"{edge.src} {_VERB[edge.kind]} {edge.dst}  ({edge.confidence}, {edge.rule})"
        yield f"    {edge.path}:{edge.line}  {told}", edge


def unresolved_head(each: GraphAnswer) -> str:
    """What the unresolved calls that follow are."""
    return f"{plural(len(each.unresolved), 'call')} {_MAYBE.get(each.relation, _MAYBE_MEANT)}:"


def unresolved_line(each: GraphAnswer, edge: Edge) -> str:
    """Of callees, what is called tells more than who calls: that was asked."""
    name = edge.dst.removeprefix("?.") if each.relation is Relation.CALLEES else edge.src
    return f"  {edge.path}:{edge.line}  {name}  ({_sure(edge)})"


def omitted_line(each: GraphAnswer) -> str:
    return f"{plural(each.omitted, 'unresolved call')} left out: too many definitions share the name."


def _sure(edge: Edge) -> str:
    kind = "" if edge.kind in ("call", "import", "test") else f"{edge.kind}, "
    return f"{kind}{edge.confidence}, {edge.rule}"
