"""Answers of the graph, printed as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import click

from agent.cli.common import plural, print_json
from agent.cli.graph_names import nodes_of
from agent.graph_json import answer_to_dict
from agent.graph_text import (
    headline,
    item_lines,
    omitted_line,
    unresolved_head,
    unresolved_line,
)
from agent.guard import strip_controls
from agent.source_lines import SourceLines
from retrieval.graph.answers import GraphAnswer, Relation, answer
from retrieval.graph.lookup import NamedNode
from retrieval.index.reader import IndexReader
from retrieval.records import Confidence

_MAX_UNRESOLVED = 20
_MAX_UNREAD = 10


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


def _text(node: NamedNode, each: GraphAnswer, lines: SourceLines, limit: int) -> Iterator[str]:
    yield headline(node, each)
    for item in each.items[:limit]:
        for told, edge in item_lines(each, item):
            yield told
            if edge is not None:
                yield f"      {lines.line(edge.path, edge.line)}"
    if len(each.items) > limit:
        yield f"  … and {len(each.items) - limit:,} more (--limit, --json)"
    if each.unresolved:
        yield unresolved_head(each)
        for edge in each.unresolved[:_MAX_UNRESOLVED]:
            yield unresolved_line(each, edge)
            yield f"      {lines.line(edge.path, edge.line)}"
        if len(each.unresolved) > _MAX_UNRESOLVED:
            yield f"  … and {len(each.unresolved) - _MAX_UNRESOLVED:,} more (--json)"
    if each.omitted:
        yield omitted_line(each)
    if each.unread:
        yield f"{plural(len(each.unread), 'file')} could hold more:"
        yield from (f"  {unread.path}  ({unread.reason})" for unread in each.unread[:_MAX_UNREAD])
        if len(each.unread) > _MAX_UNREAD:
            yield f"  … and {len(each.unread) - _MAX_UNREAD} more (--json)"
