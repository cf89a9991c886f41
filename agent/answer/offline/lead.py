"""The definition that an answer leads with: what it says of itself, its key statements, its calls and its callers."""

from __future__ import annotations

from agent.answer.offline.context import Context, Draft, doc_statements, find_lines, label, where
from agent.answer.offline.wording import code, doc_sentences, not_listed, plural, quote
from agent.guard import is_suspicious
from retrieval.records import BlockKind, Confidence, Edge, EdgeKind, SymbolRow

MAX_STATEMENTS = 8
MAX_CALLS = 8
MAX_CALLERS = 3
MAX_MEMBERS = 6
_LEAD_DOC_SENTENCES = 3
_TELLING = frozenset({BlockKind.RETURN, BlockKind.RAISE, BlockKind.CONTROL, BlockKind.CALL, BlockKind.ASSIGN})
_SAYS_NOTHING = frozenset({"return", "raise", "return None", "pass", "yield", "else:", "try:", "finally:"})
_DECIDING = frozenset({BlockKind.RETURN, BlockKind.RAISE})


def explain_lead(context: Context, row: SymbolRow, terms: frozenset[str], draft: Draft) -> None:
    """The definition that fits best: what it says of itself, its key statements, what it calls, who calls it."""
    draft.say(where(context, row), *doc_statements(context, row, _LEAD_DOC_SENTENCES))
    if row.symbol.kind == "class":
        _members(context, row, terms, draft)
        return
    say_statements(context, row, _key_statements(context, row, terms), draft)
    _calls(context, row, draft)
    _callers(context, row, draft)


def _members(context: Context, row: SymbolRow, terms: frozenset[str], draft: Draft) -> None:
    """Methods whose name or summary shares words with the question."""
    from retrieval.text.terms import index_terms

    scored: list[tuple[int, int, SymbolRow]] = []
    for each in context.reader.symbols_in(row.path):
        if each.symbol.parent == row.symbol.qualname and each.symbol.kind in ("method", "property"):
            summary = " ".join(doc_sentences(each.symbol.doc, 1))
            shared = len(terms & frozenset(index_terms(f"{each.symbol.name} {summary}")))
            if shared and "#" not in each.symbol.qualname:
                scored.append((-shared, each.symbol.start_line, each))
    if scored:
        draft.say(f"Of its methods, {plural(len(scored), 'shares', 'share')} words with the question:")
        for _, _, each in sorted(scored, key=lambda item: item[:2])[:MAX_MEMBERS]:
            draft.say(f"- {summary_of(context, each)}")


def say_statements(context: Context, row: SymbolRow, spans: list[tuple[int, int]], draft: Draft) -> None:
    if spans:
        draft.say("Its key statements:")
        for first, last in spans:
            text = " ".join(context.book.lines(row.path)[first - 1 : last])
            draft.say(f"- {code(text)} {context.book.cite(row.path, first, last)}")


def statements_of(context: Context, row: SymbolRow) -> list[tuple[int, int]]:
    """The first statements of the definition that say something, in source order."""
    scored = _scored_statements(context, row, frozenset())
    return sorted((first, last) for _, _, first, last in scored)[:MAX_STATEMENTS]


def _key_statements(context: Context, row: SymbolRow, terms: frozenset[str]) -> list[tuple[int, int]]:
    """At most eight statements: those that share words with the question or call others, then returns and raises."""
    scored = _scored_statements(context, row, terms)
    chosen = [item for item in scored if item[0] < 0 or not item[1]][:MAX_STATEMENTS]
    return sorted((first, last) for _, _, first, last in chosen)


def _scored_statements(context: Context, row: SymbolRow, terms: frozenset[str]) -> list[tuple[int, bool, int, int]]:
    """(minus the shared words and calls, decides nothing, first line, last line), best first."""
    from retrieval.text.terms import index_terms

    lines = context.book.lines(row.path)
    calls = _call_lines(context, row)
    scored: list[tuple[int, bool, int, int]] = []
    for chunk in context.reader.chunks_of_symbol(row.symbol.qualname):
        for block in chunk.blocks:
            inside = row.symbol.def_line < block.start <= row.symbol.end_line
            if not inside or block.kind not in _TELLING:
                continue
            text = " ".join(lines[block.start - 1 : block.end])
            shared = len(terms & frozenset(index_terms(text[:2_000])))
            shared += not calls.isdisjoint(range(block.start, block.end + 1))
            if not is_suspicious(text) and text.strip() not in _SAYS_NOTHING:
                scored.append((-shared, block.kind not in _DECIDING, block.start, block.end))
    return sorted(set(scored))


def _call_lines(context: Context, row: SymbolRow) -> frozenset[int]:
    """Lines on which the definition calls others of this codebase, as far as resolution is sure or nearly sure."""
    if context.graph is None:
        return frozenset()
    edges = context.graph.edges_from(row.symbol.qualname, (EdgeKind.CALL,))
    sure = (edge for edge in edges if edge.confidence is not Confidence.POSSIBLE)
    return frozenset(edge.line for edge in sure if context.reader.symbol(edge.dst) is not None)


def _calls(context: Context, row: SymbolRow, draft: Draft) -> None:
    """In-tree callees that resolution is sure or nearly sure of, each with its summary."""
    if context.graph is None:
        return
    calls: dict[str, Edge] = {}
    for edge in sorted(context.graph.edges_from(row.symbol.qualname, (EdgeKind.CALL,)), key=lambda each: each.line):
        if edge.confidence is not Confidence.POSSIBLE and context.reader.symbol(edge.dst) is not None:
            calls.setdefault(edge.dst, edge)
    if not calls:
        return
    draft.say(f"It calls {plural(len(calls), 'definition')} of this codebase:")
    for name, edge in list(calls.items())[:MAX_CALLS]:
        cited = context.book.cite(edge.path, edge.line, names=(row.symbol.qualname,), resolved=(name,))
        target = context.reader.symbol(name)
        summary = _summary(context, target) if target is not None else ""
        tail = f": {summary}" if summary else ""
        draft.say(f"- {code(label(context, name), 200)} at line {edge.line} {cited}{tail}")
    if len(calls) > MAX_CALLS:
        draft.notes.append(not_listed(len(calls) - MAX_CALLS, f"calls of {row.symbol.name}"))


def _callers(context: Context, row: SymbolRow, draft: Draft) -> None:
    if context.graph is None:
        return
    edges = [
        edge
        for edge in context.graph.edges_into(row.symbol.qualname, (EdgeKind.CALL,))
        if edge.confidence is not Confidence.POSSIBLE and context.book.is_code(edge.path)
    ]
    callers = list({edge.src: edge for edge in reversed(edges)}.values())[::-1][:MAX_CALLERS]
    if callers:
        draft.say("It is called by:")
        for edge in callers:
            cited = context.book.cite(edge.path, edge.line, names=(edge.src,))
            place = code(f"{edge.path}:{edge.line}", 300)
            draft.say(f"- {code(label(context, edge.src), 200)} at {place} {cited}")


def _summary(context: Context, row: SymbolRow) -> str:
    """The docstring's first sentence, quoted and cited; "" when it cannot be."""
    for sentence in doc_sentences(row.symbol.doc, 1):
        quoted = quote(sentence)
        span = find_lines(context.book.lines(row.path), sentence, row.symbol.start_line, row.symbol.end_line)
        if quoted and span:
            return f"{quoted} {context.book.cite(row.path, *span, names=(row.symbol.name,))}"
    return ""


def summary_of(context: Context, row: SymbolRow) -> str:
    """``` `Flask.run` at `src/flask/app.py:546`: “Runs the application.” [1:560]```"""
    name = code(label(context, row.symbol.qualname), 200)
    place = code(f"{row.path}:{row.symbol.def_line}", 300)
    summary = _summary(context, row)
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    return f"{name} at {place}: {summary}{cited}" if summary else f"{name} at {place} {cited}"
