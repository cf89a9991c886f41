"""An exported graph as text: JSON, GraphML, DOT or Mermaid. The same graph gives the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from retrieval.graph.export import GraphExport

#: What XML 1.0 cannot hold, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DOT_STYLE = {"certain": "solid", "likely": "dashed", "possible": "dotted"}
_MERMAID_ARROW = {"certain": "-->", "likely": "-->|likely|", "possible": "-.->|possible|"}


def to_json(graph: GraphExport) -> str:
    """``{"functions": [name, ...], "edges": [{caller, callee, confidence, path, line, rule}, ...]}``, a line each.

    Edges that are no calls say so by ``kind``.
    """
    quoted: dict[str, str] = {}  # names, paths and rules come again and again

    def quote(text: str) -> str:
        found = quoted.get(text)
        if found is None:
            found = quoted[text] = _quoted(text)
        return found

    functions = ",\n".join(f"  {quote(name)}" for name in graph.functions)
    edges = ",\n".join(
        f'  {{"caller": {quote(caller)}, "callee": {quote(callee)}, "confidence": "{confidence}", '
        f'"path": {quote(path)}, "line": {line}, "rule": {quote(rule)}'
        + ("}" if kind == "call" else f', "kind": "{kind}"}}')
        for caller, callee, path, line, kind, confidence, rule in graph.edges
    )
    return f'{{"functions": [{_block(functions)}], "edges": [{_block(edges)}]}}'


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _block(lines: str) -> str:
    return f"\n{lines}\n" if lines else ""


def to_graphml(graph: GraphExport) -> str:
    """A directed multigraph; nodes are named by the dotted name and say whether they lie in the tree."""
    import networkx as nx

    made = nx.MultiDiGraph()
    for name, inside in _nodes(graph):
        made.add_node(_xml(name), place="tree" if inside else "outside")
    for number, edge in enumerate(graph.edges):
        made.add_edge(
            _xml(edge.caller),
            _xml(edge.callee),
            key=number,
            kind=edge.kind,
            confidence=edge.confidence,
            path=_xml(edge.path),
            line=edge.line,
            rule=edge.rule,
        )
    return "\n".join(nx.generate_graphml(made))


def _xml(text: str) -> str:
    return _NOT_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def to_dot(graph: GraphExport) -> str:
    lines = ["digraph calls {", "  rankdir=LR;", "  node [shape=box];"]
    lines += [f"  {_dot(name)}{'' if inside else ' [style=dashed]'};" for name, inside in _nodes(graph)]
    lines += [
        f"  {_dot(edge.caller)} -> {_dot(edge.callee)} "
        f"[style={_DOT_STYLE[edge.confidence]}, tooltip={_dot(f'{edge.path}:{edge.line} {edge.kind}, {edge.rule}')}];"
        for edge in graph.edges
    ]
    return "\n".join([*lines, "}"])


def _dot(text: str) -> str:
    """A quoted identifier: a backslash is an escape in labels, and a line cannot end inside."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def to_mermaid(graph: GraphExport) -> str:
    """A flowchart; several calls of the same kind and confidence between two functions are one arrow."""
    numbers: dict[str, str] = {}
    lines = ["flowchart LR"]
    for name, inside in _nodes(graph):
        number = numbers[name] = f"n{len(numbers) + 1}"
        left, right = ("[", "]") if inside else ("([", "])")
        lines.append(f'  {number}{left}"{_mermaid(name)}"{right}')
    arrows = {
        f"  {numbers[edge.caller]} {_MERMAID_ARROW[edge.confidence]} {numbers[edge.callee]}": None
        for edge in graph.edges
    }
    return "\n".join([*lines, *arrows])


def _mermaid(text: str) -> str:
    """Mermaid's own character codes; ``#`` begins one."""
    return "".join(char if char.isalnum() or char in "._- " else f"#{ord(char)};" for char in text)


def _nodes(graph: GraphExport) -> Iterator[tuple[str, bool]]:
    """Every name with whether it lies in the tree: functions, then what lies outside, each sorted."""
    inside = set(graph.functions)
    yield from ((name, True) for name in graph.functions)
    outside = {end for edge in graph.edges for end in (edge.caller, edge.callee) if end not in inside}
    yield from ((name, False) for name in sorted(outside))


FORMATS: dict[str, Callable[[GraphExport], str]] = {
    "json": to_json,
    "graphml": to_graphml,
    "dot": to_dot,
    "mermaid": to_mermaid,
}
