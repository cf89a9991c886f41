"""Who calls X, what does X call: complete lists up to a stated limit, with the proving line and its confidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.answer.offline.context import Context, Draft, where
from agent.answer.offline.wording import code, plural
from retrieval.records import Confidence, Edge, EdgeKind, SymbolRow

MAX_LISTED = 60
MAX_POSSIBLE = 20
MAX_TARGETS = 3
_USES = (EdgeKind.CALL, EdgeKind.REFERENCE, EdgeKind.INHERIT)
_VERB = {
    EdgeKind.CALL: "calls it",
    EdgeKind.REFERENCE: "refers to it",
    EdgeKind.INHERIT: "derives from it",
    EdgeKind.IMPORT: "imports it",
}


def answer_callers(context: Context) -> Draft:
    draft = Draft()
    for row in context.meant()[:MAX_TARGETS]:
        draft.gap()
        _callers_of(context, row, draft)
    return draft


def answer_callees(context: Context) -> Draft:
    draft = Draft()
    for row in context.meant()[:MAX_TARGETS]:
        draft.gap()
        _callees_of(context, row, draft)
    return draft


def _callers_of(context: Context, row: SymbolRow, draft: Draft) -> None:
    draft.say(where(context, row))
    if context.graph is None:
        draft.say(_no_graph())
        return
    name = row.symbol.qualname
    if row.symbol.kind == "module":
        edges = context.graph.edges_into(name, (EdgeKind.IMPORT,))
        noun = "import"
    else:
        edges = context.graph.edges_into(name, _USES)
        noun = "call"
    sure = unique_sites(context, (edge for edge in edges if edge.confidence is not Confidence.POSSIBLE))
    proven = {(edge.path, edge.line) for edge in sure}
    possible = unique_sites(
        context,
        (edge for edge in edges if edge.confidence is Confidence.POSSIBLE and (edge.path, edge.line) not in proven),
    )
    uses = sure if row.symbol.kind in ("class", "module") else [edge for edge in sure if edge.kind is EdgeKind.CALL]
    other = [edge for edge in sure if edge not in uses]
    cited = context.book.cite(row.path, row.symbol.def_line, names=(name,))
    if not uses and not other:
        what = f"{noun} of {code(name, 200)}"
        draft.say(f"The graph of the indexed tree holds no certain or likely {what} {cited}.")
        draft.say(f"Inference: nothing in the tree uses {code(name, 200)} by name, unless dynamically or from outside.")
    if uses:
        files = len({edge.path for edge in uses})
        verb = "imported" if noun == "import" else "used" if row.symbol.kind == "class" else "called"
        draft.say(
            f"It is {verb} at {plural(len(uses), 'place')} in {plural(files, 'file')} {cited}:",
            *sites(context, uses[:MAX_LISTED]),
        )
        _cut(draft, len(uses), MAX_LISTED, f"{noun} sites")
    if other:
        draft.gap()
        draft.say(f"It is named without being called at {plural(len(other), 'place')} {cited}:")
        draft.say(*sites(context, other[:MAX_POSSIBLE]))
        _cut(draft, len(other), MAX_POSSIBLE, "references")
    if possible:
        draft.gap()
        draft.say(f"Inference: {plural(len(possible), 'further place')} may mean it, by the name alone:")
        draft.say(*sites(context, possible[:MAX_POSSIBLE]))
        _cut(draft, len(possible), MAX_POSSIBLE, "possible callers")
    omitted = context.graph.callers(name).omitted
    if omitted:
        draft.notes.append(
            f"{plural(omitted, 'unresolved call')} of a {row.symbol.name} left out: too many definitions have the name"
        )


def _callees_of(context: Context, row: SymbolRow, draft: Draft) -> None:
    draft.say(where(context, row))
    if context.graph is None:
        draft.say(_no_graph())
        return
    edges = unique_sites(context, context.graph.edges_from(row.symbol.qualname, (EdgeKind.CALL,)), by="dst")
    known = [edge for edge in edges if context.reader.symbol(edge.dst) is not None]
    unresolved = [edge for edge in edges if edge.dst.startswith("?.")]
    outside = [edge for edge in edges if edge not in known and edge not in unresolved]
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    if not edges:
        draft.say(f"The graph of the indexed tree holds no call made by {code(row.symbol.qualname, 200)} {cited}.")
    for group, what in ((known, "of this codebase"), (outside, "of the standard library or other packages")):
        if group:
            draft.gap()
            draft.say(f"It calls {plural(len({edge.dst for edge in group}), 'definition')} {what} {cited}:")
            draft.say(*(_callee(context, edge) for edge in group[:MAX_LISTED]))
            _cut(draft, len(group), MAX_LISTED, "calls")
    if unresolved:
        draft.gap()
        draft.say(f"{plural(len(unresolved), 'call')} could not be resolved to one definition {cited}:")
        draft.say(*(_unresolved(context, edge) for edge in unresolved[:MAX_POSSIBLE]))
        _cut(draft, len(unresolved), MAX_POSSIBLE, "unresolved calls")


def _callee(context: Context, edge: Edge) -> str:
    name = edge.dst.removeprefix("<builtin>.")
    line = context.book.line(edge.path, edge.line).strip()
    cited = context.book.cite(edge.path, edge.line, names=(edge.src,), resolved=(name,))
    return f"- {code(name, 200)} at line {edge.line}: {code(line)} {cited} ({edge.confidence.value})"


def _unresolved(context: Context, edge: Edge) -> str:
    line = context.book.line(edge.path, edge.line).strip()
    cited = context.book.cite(edge.path, edge.line)
    return f"- line {edge.line}: {code(line)} {cited}"


def unique_sites(context: Context, edges: Iterable[Edge], by: str = "src") -> list[Edge]:
    """One edge for each (line, name), calls before references; code first, then by path and line."""
    order = list(_VERB)

    def key(edge: Edge) -> tuple[bool, str, int, int, str]:
        return (
            not context.book.is_code(edge.path),
            edge.path,
            edge.line,
            order.index(edge.kind) if edge.kind in order else len(order),
            getattr(edge, by),
        )

    seen: dict[tuple[str, int, str], Edge] = {}
    for edge in sorted(edges, key=key):
        seen.setdefault((edge.path, edge.line, getattr(edge, by)), edge)
    return list(seen.values())


def sites(context: Context, edges: Sequence[Edge]) -> list[str]:
    """List lines grouped by file: who, at which line, the line itself, its citation and the confidence."""
    out: list[str] = []
    path = ""
    for edge in edges:  # in the order given: code before the rest
        if edge.path != path:
            path = edge.path
            out.append(f"- {code(path, 300)}:")
        line = context.book.line(edge.path, edge.line).strip()
        cited = context.book.cite(edge.path, edge.line, names=(edge.src,))
        verb = _VERB.get(edge.kind, "uses it")
        if edge.confidence is Confidence.POSSIBLE:
            verb = f"possibly {verb}"
        out.append(
            f"  - {code(edge.src, 200)} {verb} at line {edge.line}: {code(line)} {cited} ({edge.confidence.value})"
        )
    return out


def _cut(draft: Draft, total: int, limit: int, what: str) -> None:
    if total > limit:
        draft.notes.append(f"{total - limit} more {what} are not listed (limit {limit})")


def _no_graph() -> str:
    return "The evidence does not show relations: this index has no graph."
