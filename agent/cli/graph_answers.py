"""Answers of the graph, printed as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import click

from agent.cli.common import plural, print_json
from agent.cli.graph_names import nodes_of
from agent.graph_json import answer_to_dict
from agent.guard import strip_controls
from agent.source_lines import SourceLines
from retrieval.graph.answers import GraphAnswer, Relation, Status, answer
from retrieval.graph.lookup import NamedNode
from retrieval.graph.traverse import ImpactItem
from retrieval.index.reader import IndexReader
from retrieval.records import Confidence, Edge

_MAX_UNRESOLVED = 20
_MAX_UNREAD = 10
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


def print_answers(
    reader: IndexReader,
    relation_name: str,
    names: Sequence[str],
    depth: int | None,
    min_confidence: str,
    limit: int,
    every: bool,
    as_json: bool,
) -> None:
    relation, floor = Relation(relation_name), Confidence(min_confidence)
    meant = [nodes_of(reader.conn, name, every) for name in names]
    asked: list[tuple[NamedNode, NamedNode | None]]
    if relation is Relation.PATH:
        asked = list(product(meant[0], meant[1]))
    else:
        asked = [(node, None) for nodes in meant for node in nodes]
    lines = SourceLines(reader)
    found = [
        (
            node,
            answer(
                reader.conn,
                relation,
                node.qualname,
                target=target.qualname if target else "",
                depth=depth,
                min_confidence=floor,
            ),
        )
        for node, target in asked
    ]
    if relation is Relation.PATH:
        # Redefinitions make several pairs; one chain answers for all of them.
        proved = [pair for pair in found if pair[1].items]
        found = (proved or found)[: None if every else 1]
    if as_json:
        print_json({"answers": [answer_to_dict(node, each, lines) for node, each in found]})
        return
    for number, (node, each) in enumerate(found):
        if number:
            click.echo()
        for line in _text(node, each, lines, limit):
            click.echo(strip_controls(line))


# ---- text ------------------------------------------------------------------------------------------------------------


def _text(node: NamedNode, each: GraphAnswer, lines: SourceLines, limit: int) -> Iterator[str]:
    place = f", {node.path}:{node.line}" if node.path else ""
    yield f"{node.qualname} ({node.kind}{place}): {_verdict(each)}"
    for item in each.items[:limit]:
        yield from _item(each, item, lines)
    if len(each.items) > limit:
        yield f"  … and {len(each.items) - limit:,} more (--limit, --json)"
    if each.unresolved:
        yield f"{plural(len(each.unresolved), 'call')} {_MAYBE.get(each.relation, _MAYBE_MEANT)}:"
        for edge in each.unresolved[:_MAX_UNRESOLVED]:
            # Of callees, what is called tells more than who calls: that was asked.
            name = edge.dst.removeprefix("?.") if each.relation is Relation.CALLEES else edge.src
            yield f"  {edge.path}:{edge.line}  {name}  ({_sure(edge)})"
            yield f"      {lines.line(edge.path, edge.line)}"
        if len(each.unresolved) > _MAX_UNRESOLVED:
            yield f"  … and {len(each.unresolved) - _MAX_UNRESOLVED:,} more (--json)"
    if each.omitted:
        yield f"{plural(each.omitted, 'unresolved call')} left out: too many definitions share the name."
    if each.unread:
        yield f"{plural(len(each.unread), 'file')} could hold more:"
        yield from (f"  {unread.path}  ({unread.reason})" for unread in each.unread[:_MAX_UNREAD])
        if len(each.unread) > _MAX_UNREAD:
            yield f"  … and {len(each.unread) - _MAX_UNREAD} more (--json)"


def _verdict(each: GraphAnswer) -> str:
    if each.status is Status.FOUND:
        if each.relation is Relation.PATH:
            return f"a chain of {plural(len(each.items[0].chain), 'step')}"
        files = len({item.chain[0].path for item in each.items})
        return f"{plural(len(each.items), _WHAT[each.relation])} in {plural(files, 'file')}"
    if each.status is Status.NONE:
        return f"none: {_NONE[each.relation]}, and everything that could was read and resolved"
    return f"unknown: {_NONE[each.relation]} for certain, but not everything could be resolved or read"


def _item(each: GraphAnswer, item: ImpactItem, lines: SourceLines) -> Iterator[str]:
    if item.distance == 1 and each.relation is not Relation.PATH:
        edge = item.chain[0]
        member = each.relation in (Relation.IMPACT, Relation.TESTS) and edge.dst != each.symbol
        what = f" {_VERB[edge.kind]} {edge.dst}" if member else ""
        yield f"  {edge.path}:{edge.line}  {item.qualname}{what}  ({_sure(edge)})"
        yield f"      {lines.line(edge.path, edge.line)}"
        return
    if each.relation is not Relation.PATH:
        yield f"  {item.qualname}  ({item.distance} steps)"
    for edge in item.chain:
        yield f"    {edge.path}:{edge.line}  {edge.src} {_VERB[edge.kind]} {edge.dst}  ({edge.confidence}, {edge.rule})"
        yield f"      {lines.line(edge.path, edge.line)}"


def _sure(edge: Edge) -> str:
    kind = "" if edge.kind in ("call", "import", "test") else f"{edge.kind}, "
    return f"{kind}{edge.confidence}, {edge.rule}"
