"""What ``contextc graph`` answers, as tools: callers, callees, impact, path_between, tests_for.

Each says "found" with the lines that prove it, "none" only when everything that could hold one was read and resolved,
and "unknown" with the places that may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Annotated, Literal

from pydantic import Field

from agent.graph_json import item_to_dict, summary_to_dict, unresolved_to_dict
from agent.graph_text import (
    headline,
    item_lines,
    omitted_line,
    unresolved_head,
    unresolved_line,
)
from agent.tools.context import ToolContext
from agent.tools.find import Offset
from agent.tools.paging import LazyItems, window
from agent.tools.records import Item, Line, Outcome
from agent.tools.symbols import Name
from retrieval.errors import UserError
from retrieval.graph.answers import GraphAnswer, Relation, Unread, answer
from retrieval.graph.export import plain
from retrieval.graph.lookup import NamedNode, look_up
from retrieval.graph.traverse import ImpactItem
from retrieval.records import Confidence, Edge

Sure = Annotated[
    Literal["certain", "likely", "possible"], Field(description="Leave out edges that are less sure than this.")
]
Symbol = Annotated[
    Name,
    Field(
        description="A name (run), the end of a qualified name (Flask.run), a whole one, or a file (for its module)."
    ),
]
Depth = Annotated[int, Field(ge=0, le=50)]

_MAX_MEANINGS_SHOWN = 12
_MAX_REDEFINITIONS = 8


def callers(
    context: ToolContext, symbol: Symbol, depth: Depth = 0, min_confidence: Sure = "possible", offset: Offset = 0
) -> Outcome:
    """Tell what calls a function or method (of a class: what instantiates it), with the line that proves each call.

    Args:
        depth: Steps to follow; 0 for direct calls.
    """
    return _relation(context, Relation.CALLERS, symbol, depth, min_confidence, offset)


def callees(
    context: ToolContext, symbol: Symbol, depth: Depth = 0, min_confidence: Sure = "possible", offset: Offset = 0
) -> Outcome:
    """Tell what a function or method calls, with the line of each call.

    Args:
        depth: Steps to follow; 0 for direct calls.
    """
    return _relation(context, Relation.CALLEES, symbol, depth, min_confidence, offset)


def impact(
    context: ToolContext, symbol: Symbol, depth: Depth = 0, min_confidence: Sure = "possible", offset: Offset = 0
) -> Outcome:
    """Tell what depends on a symbol, directly or over other definitions: what may break when it changes.

    Args:
        depth: Steps to follow; 0 for 3.
    """
    return _relation(context, Relation.IMPACT, symbol, depth, min_confidence, offset)


def tests_for(
    context: ToolContext, symbol: Symbol, depth: Depth = 0, min_confidence: Sure = "possible", offset: Offset = 0
) -> Outcome:
    """Tell which tests exercise a symbol, directly first, then over calls between.

    Args:
        depth: Steps to follow; 0 for 4.
    """
    return _relation(context, Relation.TESTS, symbol, depth, min_confidence, offset)


def path_between(
    context: ToolContext,
    source: Name,
    target: Name,
    depth: Depth = 0,
    min_confidence: Sure = "possible",
    offset: Offset = 0,
) -> Outcome:
    """Tell how one symbol reaches another: the shortest, surest chain of calls and other dependences.

    Args:
        source: Where the chain starts: a name, the end of a qualified name, or a whole one.
        target: Where it ends.
        depth: Longest chain; 0 for 8.
    """
    pairs = list(product(_nodes(context, source), _nodes(context, target)))
    answers: list[tuple[NamedNode, GraphAnswer]] = []
    for start, end in pairs[:_MAX_REDEFINITIONS]:
        found = _ask(context, Relation.PATH, start, end.qualname, depth, min_confidence)
        answers.append((start, found))
        if found.items:  # one chain answers for all redefinitions
            answers = answers[-1:]
            break
    return _outcome(context, answers[:1], offset)


def _relation(
    context: ToolContext, relation: Relation, symbol: str, depth: int, min_confidence: Sure, offset: int
) -> Outcome:
    nodes = _nodes(context, symbol)[:_MAX_REDEFINITIONS]
    answers = [(node, _ask(context, relation, node, "", depth, min_confidence)) for node in nodes]
    return _outcome(context, answers, offset)


def _ask(
    context: ToolContext, relation: Relation, node: NamedNode, target: str, depth: int, min_confidence: Sure
) -> GraphAnswer:
    context.check()
    floor = Confidence(min_confidence)
    conn = context.reader.conn
    return answer(conn, relation, node.qualname, target=target, depth=depth or None, min_confidence=floor)


def _nodes(context: ToolContext, name: str) -> tuple[NamedNode, ...]:
    """The definitions of a name with one meaning.

    Raises:
        UserError: It has none, or several.
    """
    found = look_up(context.reader.conn, name)
    shown = name[:200]
    if not found.nodes:
        near = f"The nearest names: {', '.join(found.nearest)}." if found.nearest else "Look for it: search"
        raise UserError(f"The call graph knows nothing called {shown!r}.", near)
    if found.meanings > 1:
        names = list(dict.fromkeys(plain(node.qualname) for node in found.nodes))
        more = f" and {len(names) - _MAX_MEANINGS_SHOWN} more" if len(names) > _MAX_MEANINGS_SHOWN else ""
        listed = ", ".join(names[:_MAX_MEANINGS_SHOWN]) + more
        raise UserError(f"{shown!r} can mean {found.meanings} definitions.", f"Name one of them: {listed}")
    return found.nodes


def _outcome(context: ToolContext, answers: Sequence[tuple[NamedNode, GraphAnswer]], offset: int) -> Outcome:
    heads = tuple(headline(node, each) for node, each in answers)
    items = LazyItems([make for _, each in answers for make in _items(context, each)])
    data = {"answers": [summary_to_dict(node, each) for node, each in answers]}
    return Outcome(heads, **window(items, offset), data=data)


def _items(context: ToolContext, each: GraphAnswer) -> Iterator[Callable[[], Item]]:
    """Makers, since an impact can have thousands of results of which a page shows twenty."""

    def line_of(path: str, number: int) -> str:
        return context.line(path, number, "").text

    def told(text: str, edge: Edge | None) -> list[Line]:
        return [Line(text)] if edge is None else [Line(text), context.line(edge.path, edge.line)]

    def found(item: ImpactItem) -> Item:
        context.check()
        lines = [line for text, edge in item_lines(each, item) for line in told(text, edge)]
        return Item(tuple(lines), item_to_dict(item, line_of))

    def unresolved(number: int, edge: Edge) -> Item:
        head = [Line(unresolved_head(each))] if number == 0 else []
        lines = head + told(unresolved_line(each, edge), edge)
        return Item(tuple(lines), {"unresolved": True, **unresolved_to_dict(edge, line_of)})

    def unread(number: int, file: Unread) -> Item:
        head = [Line(f"{len(each.unread)} files could hold more:")] if number == 0 else []
        lines = [*head, Line(f"  {file.path}  ({file.reason})")]
        return Item(tuple(lines), {"unread": file.path, "reason": file.reason})

    yield from (partial(found, item) for item in each.items)
    yield from (partial(unresolved, number, edge) for number, edge in enumerate(each.unresolved))
    if each.omitted:
        yield lambda: Item((Line(omitted_line(each)),), {"unresolved_omitted": each.omitted})
    yield from (partial(unread, number, file) for number, file in enumerate(each.unread))
