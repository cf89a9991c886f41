"""Who calls X, what does X call: complete lists up to a stated limit, with the proving line and its confidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from agent.answer.offline.context import Context, Draft, label, title, where
from agent.answer.offline.settings import answer_settings
from agent.answer.offline.wording import code, not_listed, plural
from retrieval.records import Confidence, Edge, EdgeKind, SymbolRow

MAX_LISTED = 50
MAX_POSSIBLE = 10
MAX_OUTSIDE = 10  # callees outside the codebase
MAX_REPEATS = 4  # calls of one callee that are cited
MAX_TARGETS = 6
MAX_FILES = 6  # named when a list is cut
_NOUNS: dict[tuple[EdgeKind, ...], str] = {(EdgeKind.IMPORT,): "import", (EdgeKind.INHERIT,): "subclass"}
_ASKS_SUBCLASSES = re.compile(r"\b(?:subclass\w*|inherits?|inherited|extends?|derived?s?)\b", re.IGNORECASE)
_ASKS_IMPORTERS = re.compile(r"\bimport(?:s|ed|ers?)?\b", re.IGNORECASE)
_VALUES = frozenset({"variable", "attribute"})
_THROUGH = frozenset({"override", "protocol"})  # rules of possible calls that know more than the name
_DECORATED = "decorated"  # the rule of calls of what a decorator made of a definition
_USES = (EdgeKind.CALL, EdgeKind.REFERENCE, EdgeKind.INHERIT)
_VERB = {
    EdgeKind.CALL: "calls it",
    EdgeKind.REFERENCE: "refers to it",
    EdgeKind.INHERIT: "derives from it",
    EdgeKind.IMPORT: "imports it",
}


def answer_callers(context: Context) -> Draft:
    """Certain and likely uses of each definition meant; calls that may mean any of them once, at the end."""
    rows = context.meant()
    if rows and all(row.symbol.kind in _VALUES for row in rows):
        return answer_settings(context)  # the graph has no edges to values: the lines that spell the name tell
    draft = Draft()
    possible: dict[tuple[str, int], Edge] = {}
    proven: set[tuple[str, int]] = set()
    silent: list[SymbolRow] = []
    shown = rows[:MAX_TARGETS]
    for row in shown:
        edges = context.graph.edges_into(row.symbol.qualname, _kinds(context, row)) if context.graph else ()
        sure = [edge for edge in edges if edge.confidence is not Confidence.POSSIBLE]
        proven.update((edge.path, edge.line) for edge in sure)
        for edge in edges:
            if edge.confidence is Confidence.POSSIBLE:
                possible.setdefault((edge.path, edge.line), edge)
        if not sure and len(shown) > 1 and context.graph is not None:
            silent.append(row)
            continue
        draft.gap()
        _callers_of(context, row, sure, draft, behind=any(map(is_behind_decorator, edges)))
    if silent:
        draft.gap()
        draft.say("No certain or likely use is known of:")
        draft.say(*(f"- {_place(context, row)}" for row in silent))
    if len(rows) > len(shown):
        draft.notes.append(f"{len(rows) - len(shown)} more definitions of the name are not listed")
    possible_uses(context, [edge for key, edge in possible.items() if key not in proven], draft)
    if context.graph is not None and rows:
        omitted = context.graph.callers(rows[0].symbol.qualname).omitted
        if omitted:
            draft.notes.append(
                f"{plural(omitted, 'unresolved call')} of a {rows[0].symbol.name} left out: "
                "too many definitions have the name"
            )
    return draft


def answer_callees(context: Context) -> Draft:
    draft = Draft()
    for row in context.meant()[:MAX_TARGETS]:
        draft.gap()
        _callees_of(context, row, draft)
    return draft


def _kinds(context: Context, row: SymbolRow) -> tuple[EdgeKind, ...]:
    """Every use, unless the question asks for subclasses or importers alone."""
    question = context.pack.question[:2_000]
    if row.symbol.kind == "module" or _ASKS_IMPORTERS.search(question):
        return (EdgeKind.IMPORT,)
    return (EdgeKind.INHERIT,) if row.symbol.kind == "class" and _ASKS_SUBCLASSES.search(question) else _USES


def _place(context: Context, row: SymbolRow) -> str:
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    name = code(title(row.symbol.qualname), 200)
    return f"{name} ({row.symbol.kind}) at {code(f'{row.path}:{row.symbol.def_line}', 300)} {cited}"


def is_behind_decorator(edge: Edge) -> bool:
    """A call, by name, of what a decorator made of the definition: whether that runs it is the decorator's affair."""
    return edge.confidence is Confidence.POSSIBLE and edge.rule == _DECORATED


def _callers_of(context: Context, row: SymbolRow, edges: Sequence[Edge], draft: Draft, behind: bool) -> None:
    draft.say(where(context, row))
    if context.graph is None:
        draft.say(_no_graph())
        return
    name = row.symbol.qualname
    kinds = _kinds(context, row)
    noun = _NOUNS.get(kinds, "call")
    sure = unique_sites(context, edges)
    whole = row.symbol.kind in ("class", "module") or noun != "call"
    uses = sure if whole else [edge for edge in sure if edge.kind is EdgeKind.CALL]
    other = [edge for edge in sure if edge not in uses]
    cited = context.book.cite(row.path, row.symbol.def_line, names=(name,))
    if not uses and not other:
        what = f"{noun} of {code(title(name), 200)}"
        draft.say(f"The graph of the indexed tree holds no certain or likely {what} {cited}.")
        if not behind:
            draft.say(f"Inference: nothing in the tree uses {code(title(name), 200)} by name, unless dynamically.")
    if uses:
        used = "used" if row.symbol.kind == "class" else "called"
        verb = {"import": "imported", "subclass": "subclassed"}.get(noun, used)
        draft.say(
            f"It is {verb} at {plural(len(uses), 'place')} in {plural(_files(uses), 'file')} {cited}:",
            *sites(context, uses[:MAX_LISTED]),
        )
        command = f"contextc graph {'importers' if noun == 'import' else 'callers'} {title(name)}"
        _cut(draft, uses, MAX_LISTED, f"{noun} sites", "" if noun == "subclass" else command)
    if other:
        draft.gap()
        draft.say(f"It is named without being called at {plural(len(other), 'place')} {cited}:")
        draft.say(*sites(context, other[:MAX_POSSIBLE]))
        _cut(draft, other, MAX_POSSIBLE, "references")


def possible_uses(context: Context, edges: Sequence[Edge], draft: Draft, limit: int = MAX_POSSIBLE) -> None:
    """Calls behind a decorator and calls by name alone: how many, in which files, and the first few."""
    every = unique_sites(context, edges)
    behind = [edge for edge in every if is_behind_decorator(edge)]
    found = [edge for edge in every if not is_behind_decorator(edge)]
    if behind:
        draft.gap()
        draft.say(
            f"Behind its decorator it is called at {plural(len(behind), 'place')} in {plural(_files(behind), 'file')}:"
        )
        draft.say(*sites(context, behind[:MAX_LISTED], "calls it behind its decorator"))
        _cut(draft, behind, MAX_LISTED, "calls behind a decorator")
    if not found:
        return
    draft.gap()
    shown = found[:limit]
    first = f"; the first {len(shown)}" if len(shown) < len(found) else ""
    places = f"{plural(len(found), 'further place')} in {plural(_files(found), 'file')}"
    alone = all(edge.rule not in _THROUGH for edge in found)
    why = "by the name alone" if alone else "by the name, an override or a protocol"
    draft.say(f"Inference: {places} may mean it, {why}{first}:")
    draft.say(*sites(context, shown))
    _cut(draft, found, limit, "possible callers")


def _files(edges: Sequence[Edge]) -> int:
    return len({edge.path for edge in edges})


def _callees_of(context: Context, row: SymbolRow, draft: Draft) -> None:
    draft.say(where(context, row))
    if context.graph is None:
        draft.say(_no_graph())
        return
    edges = unique_sites(context, context.graph.edges_from(row.symbol.qualname, (EdgeKind.CALL,)), by="dst")
    known = _by_callee(edge for edge in edges if context.reader.symbol(edge.dst) is not None)
    unresolved = [edge for edge in edges if edge.dst.startswith("?.")]
    outside = _by_callee(
        edge for edge in edges if context.reader.symbol(edge.dst) is None and not edge.dst.startswith("?.")
    )
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    if not edges:
        draft.say(
            f"The graph of the indexed tree holds no call made by {code(title(row.symbol.qualname), 200)} {cited}."
        )
    groups = (
        (known, MAX_LISTED, "of this codebase"),
        (outside, MAX_OUTSIDE, "of the standard library or other packages"),
    )
    for group, limit, what in groups:
        if group:
            draft.gap()
            draft.say(f"It calls {plural(len(group), 'definition')} {what} {cited}:")
            draft.say(*(_callee(context, calls) for calls in list(group.values())[:limit]))
            if len(group) > limit:
                told = f"{not_listed(len(group) - limit, f'definitions {what}')} (limit {limit})"
                draft.notes.append(f"{told}; all: contextc graph callees {title(row.symbol.qualname)}")
    if unresolved:
        draft.gap()
        draft.say(f"{plural(len(unresolved), 'call')} could not be resolved to one definition {cited}:")
        draft.say(*(_unresolved(context, edge) for edge in unresolved[:MAX_POSSIBLE]))
        _cut(draft, unresolved, MAX_POSSIBLE, "unresolved calls")


def _by_callee(edges: Iterable[Edge]) -> dict[str, list[Edge]]:
    """Calls grouped by what they call, in order of the first call."""
    groups: dict[str, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(edge.dst, []).append(edge)
    return groups


def _callee(context: Context, calls: Sequence[Edge]) -> str:
    """One callee: its first call in full, the lines of the others."""
    edge = calls[0]
    name = edge.dst.removeprefix("<builtin>.")
    line = context.book.line(edge.path, edge.line).strip()
    cited = "".join(
        context.book.cite(each.path, each.line, names=(each.src,), resolved=(name,)) for each in calls[:MAX_REPEATS]
    )
    sure = "" if edge.confidence is Confidence.CERTAIN else f" ({edge.confidence.value})"
    times = "" if len(calls) == 1 else f", {len(calls)} times"
    return f"- {code(title(name), 200)} at line {edge.line}{times}: {code(line)} {cited}{sure}"


def _unresolved(context: Context, edge: Edge) -> str:
    line = context.book.line(edge.path, edge.line).strip()
    cited = context.book.cite(edge.path, edge.line)
    return f"- line {edge.line}: {code(line)} {cited}"


def unique_sites(context: Context, edges: Sequence[Edge], by: str = "src") -> list[Edge]:
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
    derived = {(edge.path, edge.line) for edge in edges if edge.kind is EdgeKind.INHERIT}
    for edge in sorted(edges, key=key):
        if edge.kind is EdgeKind.REFERENCE and (edge.path, edge.line) in derived:
            continue  # the base in "class B(A):" is no second use of A
        seen.setdefault((edge.path, edge.line, getattr(edge, by)), edge)
    return list(seen.values())


def sites(context: Context, edges: Sequence[Edge], verb_of_all: str = "") -> list[str]:
    """List lines grouped by file: who, at which line, the line itself, its citation and the confidence."""
    out: list[str] = []
    path = ""
    for edge in edges:  # in the order given: code before the rest
        if edge.path != path:
            path = edge.path
            out.append(f"- {code(path, 300)}:")
        line = context.book.line(edge.path, edge.line).strip()
        cited = context.book.cite(edge.path, edge.line, names=(edge.src,))
        verb = verb_of_all or _VERB.get(edge.kind, "uses it")
        if edge.confidence is Confidence.POSSIBLE and not verb_of_all:
            verb = f"possibly {verb}"
        sure = f" ({edge.confidence.value})" if edge.confidence is Confidence.LIKELY else ""
        name = code(label(context, edge.src), 200)
        out.append(f"  - {name} {verb} at line {edge.line}: {code(line)} {cited}{sure}")
    return out


def _cut(draft: Draft, edges: Sequence[Edge], limit: int, what: str, command: str = "") -> None:
    """Says how many are left out, in which files all of them are, and what lists them."""
    if len(edges) <= limit:
        return
    files = Counter(edge.path for edge in edges)
    told = ", ".join(f"{path} ({count})" for path, count in files.most_common(MAX_FILES))
    more = f" and {plural(len(files) - MAX_FILES, 'more file')}" if len(files) > MAX_FILES else ""
    every = f"; all of them: {command}" if command else ""
    draft.notes.append(f"{not_listed(len(edges) - limit, what)} (limit {limit}); all by file: {told}{more}{every}")


def _no_graph() -> str:
    return "The evidence does not show relations: this index has no graph."
