"""What does X do: signature, docstring summary, and the statements that decide: returns, raises, notable calls."""

from __future__ import annotations

from collections.abc import Iterator

from agent.answer.offline.bearing import ask_of, say_bearing
from agent.answer.offline.context import (
    Context,
    Draft,
    doc_statements,
    question_terms,
    signature,
    title,
    unique,
    where,
)
from agent.answer.offline.locate import describe_file, hinted_paths, others, place
from agent.answer.offline.passages import related
from agent.answer.offline.tell import MAX_CONDITION
from agent.answer.offline.units import conditions_at
from agent.answer.offline.wording import code, doc_sentences, not_listed, plural, quote
from agent.guard import is_suspicious
from retrieval.records import BlockKind, Confidence, EdgeKind, SymbolRow

MAX_TARGETS = 3
MAX_LEADS = 2  # symbols told at length where something is asked of them
_BESIDES = 1  # words
_WHAT_IT_DOES = frozenset({"work", "do", "explain", "describ", "explan", "mean", "use", "function", "method", "class"})
MAX_OF_KIND = 6
MAX_STATEMENTS = 8
_TELLING = frozenset({BlockKind.RETURN, BlockKind.RAISE, BlockKind.CONTROL, BlockKind.CALL, BlockKind.ASSIGN})
_SAYS_NOTHING = frozenset({"return", "raise", "return None", "pass", "yield", "else:", "try:", "finally:"})
_DECIDING = frozenset({BlockKind.RETURN, BlockKind.RAISE})
MAX_CALLS = 8
MAX_MEMBERS = 15
_DOC_SENTENCES = 3
_LEADING = 3


def answer_explain(context: Context) -> Draft:
    """Empty when the question names nothing that the evidence is about: passages serve such a question better."""
    draft = Draft()
    targets = context.targets if context.names_a_symbol else _leading(context)
    if asks_besides(context):
        if context.names_a_symbol:
            say_bearing(context, ask_of(context), draft, lead=targets[:MAX_LEADS])
            others(context, draft)
        return draft
    for row in targets[:MAX_TARGETS]:
        draft.gap()
        describe(context, row, draft)
    if targets:
        others(context, draft)
        related(context, draft)
        return draft
    for path in hinted_paths(context)[:MAX_TARGETS]:
        draft.gap()
        describe_file(context, path, draft)
    return draft


def asks_besides(context: Context, common: frozenset[str] = frozenset()) -> bool:
    """The question says more than the names of its symbols (and the stems in ``common``): what is asked of them
    decides what is told."""
    mentions = [mention.text for mention in context.pack.plan.mentions if mention.symbols]
    names = (*mentions, *(row.symbol.qualname for row in context.targets))
    named = frozenset().union(*map(question_terms, names))
    besides = question_terms(context.pack.question) - named - _WHAT_IT_DOES - common
    return bool(context.targets) and len(besides) >= _BESIDES


def asks_for_a_spelling(context: Context) -> bool:
    """``what does sortColumn do``, where no definition has the name and lines spell it (a function of a language that
    is not parsed, a key): nothing but the name is asked about, so nothing else is an answer."""
    strong = [mention for mention in context.pack.plan.mentions if context.is_name(mention)]
    if context.targets or len(strong) != 1 or strong[0].text in context.absent:
        return False
    return not question_terms(context.pack.question) - question_terms(strong[0].text) - _WHAT_IT_DOES


def _leading(context: Context) -> tuple[SymbolRow, ...]:
    """Symbols named by a plain word, as far as retrieval found them best, too: a word is often just a word."""
    best = {chunk.qualname for chunk in context.pack.chunks[:_LEADING]}
    return tuple(row for row in context.targets if row.symbol.qualname in best)


def describe(context: Context, row: SymbolRow, draft: Draft) -> None:
    draft.say(where(context, row), signature(context, row), *doc_statements(context, row, _DOC_SENTENCES))
    if row.symbol.kind == "class":
        _bases(context, row, draft)
        _members(context, row, draft)
    elif row.symbol.kind == "module":
        _members(context, row, draft)
    else:
        said = len(draft.lines)
        say_of_kind(context, row, draft, BlockKind.RETURN, "It returns or yields at")
        say_of_kind(context, row, draft, BlockKind.RAISE, "It raises at")
        if len(draft.lines) == said and row.symbol.kind != "variable":  # it works by what it changes
            say_statements(context, row, first_statements(context, row), draft)
        _calls(context, row, draft)


def _bases(context: Context, row: SymbolRow, draft: Draft) -> None:
    if row.symbol.bases:
        cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.name, *row.symbol.bases))
        bases = ", ".join(code(base) for base in row.symbol.bases)
        draft.say(f"{code(row.symbol.name)} derives from {bases} {cited}.")


def _members(context: Context, row: SymbolRow, draft: Draft) -> None:
    """Direct members in source order, public ones first when there are too many."""
    rows = [
        each
        for each in context.reader.symbols_in(row.path)
        if each.symbol.parent == row.symbol.qualname and each.symbol.kind in ("class", "function", "method", "property")
    ]
    members = [each for each in unique(rows) if "#" not in each.symbol.qualname]
    if not members:
        return
    public = [each for each in members if not each.symbol.name.startswith("_")]
    chosen = members if len(members) <= MAX_MEMBERS else (public or members)[:MAX_MEMBERS]
    noun = "method or property" if row.symbol.kind == "class" else "definition"
    many = "methods and properties" if row.symbol.kind == "class" else "definitions"
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.name,))
    draft.say(f"{code(row.symbol.name)} has {plural(len(members), noun, many)} of its own {cited}:")
    for each in chosen:
        draft.say(f"- {_member(context, each)}")
    if len(chosen) < len(members):
        draft.notes.append(f"{len(members) - len(chosen)} members of {row.symbol.qualname} are not listed")


def _member(context: Context, row: SymbolRow) -> str:
    summary = doc_sentences(row.symbol.doc, 1)
    quoted = quote(summary[0]) if summary else None
    if quoted is None:
        return place(context, row)
    from agent.answer.offline.context import find_lines

    span = find_lines(context.book.lines(row.path), summary[0], row.symbol.start_line, row.symbol.end_line)
    if span is None:
        return place(context, row)
    cited = context.book.cite(row.path, *span, names=(row.symbol.name,))
    return f"{code(row.symbol.name)} at line {row.symbol.def_line}: {quoted} {cited}"


def say_of_kind(context: Context, row: SymbolRow, draft: Draft, kind: BlockKind, lead: str) -> None:
    """Each statement of one kind on its own line, folded to one."""
    lines = context.book.lines(row.path)
    found = dict.fromkeys(_spans_of(context, row, kind))
    spans = [span for span in found if " ".join(lines[span[0] - 1 : span[1]]).strip() not in ("return", "raise")]
    if not spans:
        return
    draft.say(f"{lead} {plural(len(spans), 'place')}:")
    blocks = [block for chunk in context.reader.chunks_of_symbol(row.symbol.qualname) for block in chunk.blocks]
    for first, last in spans[:MAX_OF_KIND]:
        conditions = conditions_at(blocks, lines, first, 1)
        before = "".join(f"{code(' '.join(lines[a - 1 : b]), MAX_CONDITION)} → " for a, b in conditions)
        text = " ".join(lines[first - 1 : last])
        cited = "".join(context.book.cite(row.path, *span) for span in ((first, last), *conditions))
        draft.say(f"- {before}{code(text)} {cited}")
    if len(spans) > MAX_OF_KIND:
        draft.notes.append(not_listed(len(spans) - MAX_OF_KIND, f"{kind.value} statements of {row.symbol.name}"))


def say_statements(context: Context, row: SymbolRow, spans: list[tuple[int, int]], draft: Draft) -> None:
    if spans:
        draft.say("Its key statements:")
        for first, last in spans:
            text = " ".join(context.book.lines(row.path)[first - 1 : last])
            draft.say(f"- {code(text)} {context.book.cite(row.path, first, last)}")


def first_statements(context: Context, row: SymbolRow) -> list[tuple[int, int]]:
    """Statements of the definition that say something, in source order: those that call others of this codebase first,
    then returns and raises."""
    lines = context.book.lines(row.path)
    calls = _call_lines(context, row)
    scored: list[tuple[bool, bool, int, int]] = []
    for chunk in context.reader.chunks_of_symbol(row.symbol.qualname):
        for block in chunk.blocks:
            inside = row.symbol.def_line < block.start <= row.symbol.end_line
            if not inside or block.kind not in _TELLING:
                continue
            text = " ".join(lines[block.start - 1 : block.end])
            idle = calls.isdisjoint(range(block.start, block.end + 1))
            if not is_suspicious(text) and text.strip() not in _SAYS_NOTHING:
                scored.append((idle, block.kind not in _DECIDING, block.start, block.end))
    return sorted((first, last) for _, _, first, last in sorted(set(scored))[:MAX_STATEMENTS])


def _call_lines(context: Context, row: SymbolRow) -> frozenset[int]:
    """Lines on which the definition calls others of this codebase, as far as resolution is sure or nearly sure."""
    if context.graph is None:
        return frozenset()
    edges = context.graph.edges_from(row.symbol.qualname, (EdgeKind.CALL,))
    sure = (edge for edge in edges if edge.confidence is not Confidence.POSSIBLE)
    return frozenset(edge.line for edge in sure if context.reader.symbol(edge.dst) is not None)


def _spans_of(context: Context, row: SymbolRow, kind: BlockKind) -> Iterator[tuple[int, int]]:
    """First and last lines of the blocks of ``kind`` inside the definition, nested definitions left out."""
    for chunk in context.reader.chunks_of_symbol(row.symbol.qualname):
        nested_below: int | None = None
        for block in chunk.blocks:
            inside = row.symbol.start_line <= block.start <= row.symbol.end_line
            if nested_below is not None and block.depth <= nested_below and block.kind is not BlockKind.BLANK:
                nested_below = None
            if block.kind is BlockKind.SIGNATURE and inside and block.start > row.symbol.def_line:
                nested_below = block.depth
            elif block.kind is kind and inside and nested_below is None:
                yield block.start, block.end


def _calls(context: Context, row: SymbolRow, draft: Draft) -> None:
    """In-tree callees that resolution is sure or nearly sure of, in source order."""
    if context.graph is None:
        return
    seen: dict[str, tuple[int, str]] = {}
    for edge in context.graph.edges_from(row.symbol.qualname, (EdgeKind.CALL,)):
        if edge.confidence is not Confidence.POSSIBLE and context.reader.symbol(edge.dst) is not None:
            seen.setdefault(edge.dst, (edge.line, edge.path))
    chosen = sorted(seen.items(), key=lambda item: (item[1][0], item[0]))
    if not chosen:
        return
    draft.say(f"It calls {plural(len(chosen), 'definition')} of this codebase:")
    for name, (line, path) in chosen[:MAX_CALLS]:
        cited = context.book.cite(path, line, names=(row.symbol.qualname,), resolved=(name,))
        draft.say(f"- {code(title(name), 200)} at line {line} {cited}")
    if len(chosen) > MAX_CALLS:
        draft.notes.append(not_listed(len(chosen) - MAX_CALLS, f"calls of {row.symbol.name}"))
