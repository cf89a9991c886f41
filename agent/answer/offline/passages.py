"""Questions without a symbol: the passage that fits best explained, the others in one line each; documents quoted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from agent.answer.offline.context import (
    Context,
    Draft,
    doc_statements,
    find_lines,
    label,
    prose_lines,
    question_terms,
    signature_end,
    title,
    where,
)
from agent.answer.offline.prose import is_history, numbered, sentences_of
from agent.answer.offline.wording import code, doc_sentences, plural, quote
from agent.guard import is_suspicious
from retrieval.records import (
    BlockKind,
    ChunkRow,
    Confidence,
    Edge,
    EdgeKind,
    EvidenceChunk,
    QuestionClass,
    Role,
    SymbolRow,
)

MAX_PASSAGES = 5
MAX_DOCUMENTS = 4
MAX_STATEMENTS = 8
MAX_CALLS = 8
MAX_CALLERS = 3
MAX_MEMBERS = 6
_MAX_SENTENCES = 3  # from one passage of prose
_MAX_ENTRIES = 6  # from one section about a version
_MAX_CHANGELOGS = 3  # documents looked through for a version
_MAX_LINES = 2  # of code, from one passage
_MIN_SHARED = 2  # terms that such a line has in common with the question
_MAX_CODE = 40_000  # characters of a passage of code that are read
_LEAD_DOC_SENTENCES = 3
_PLACE_BONUS = 1.0  # of the best score, for a question where something is: as _NAME_BONUS
_OWN_NAME_BONUS = 0.4  # where is: the definition itself, rather than the members of what has the name
_NEAR_BONUS = 0.12  # of the best score, for each piece of evidence that it calls or is called by, up to three
_RELATED_CHUNKS = 14
_TRIVIAL_LINES = 3  # of a body without its docstring
_TRIVIAL_FACTOR = 0.75
_NAME_BONUS = 0.5  # of the best score: the share of the question that name and docstring hold
_HISTORY_FACTOR = 0.6  # a changelog, unless changes are asked for
_LEAD_FACTOR = {"test": 0.5, "example": 0.7, "doc": 0.6}
_WEAK_DOCUMENT = 0.35  # of the best score: a document below is not quoted behind code
_ASKS_CHANGES = re.compile(
    r"\b(?:change(?:s|d|log)?|new in|history|news|version|release[sd]?|deprecated)\b", re.IGNORECASE
)
_VERSION = re.compile(r"(?<![\d.])\d{1,4}(?:\.\d{1,4}){1,3}(?![\d.]*\w)")
_PROSE_KINDS = frozenset({"section", "window"})
_NO_STATEMENTS = (BlockKind.DOCSTRING, BlockKind.COMMENT, BlockKind.SIGNATURE, BlockKind.DECORATOR, BlockKind.IMPORT)
_TELLING = frozenset({BlockKind.RETURN, BlockKind.RAISE, BlockKind.CONTROL, BlockKind.CALL, BlockKind.ASSIGN})
_SAYS_NOTHING = frozenset({"return", "raise", "return None", "pass", "yield", "else:", "try:", "finally:"})
_DECIDING = frozenset({BlockKind.RETURN, BlockKind.RAISE})
_IMPORT = re.compile(r"\s*(?:from|import)\s|[)\s]*$")
_DEFINITION = re.compile(r"\s*(?:async\s+)?(?:def|class)\s")


def answer_passages(context: Context) -> Draft:
    """Evidence first; one sentence of inference about what fits best last."""
    draft = Draft()
    terms = question_terms(context.pack.question)
    docs_first = context.pack.plan.question_class is QuestionClass.DOCS or _is_how_to(context)
    near = _neighbours(context)
    chunks = sorted(context.pack.chunks, key=lambda each: (-_fitness(context, each, terms, near), each.number))
    documents = [chunk for chunk in chunks if _is_prose(chunk)]
    version = _VERSION.search(context.pack.question[:2_000])
    headed = _version_sections(context, documents, version[0]) if version and docs_first else []
    for section in headed[:MAX_DOCUMENTS]:
        draft.gap()
        draft.say(*_prose(context, section, terms, _MAX_ENTRIES))
    told: list[EvidenceChunk] = []
    if docs_first and not headed:
        enough = _WEAK_DOCUMENT * max((chunk.score for chunk in documents), default=0.0)
        for chunk in documents:
            if len(told) < MAX_DOCUMENTS and chunk.score >= enough:
                _say(draft, _prose(context, chunk, terms), told, chunk)
    if headed:
        return draft
    if not told:
        for chunk in chunks:
            row = context.reader.symbol(chunk.qualname) if chunk.qualname and not _is_prose(chunk) else None
            if row is not None and row.symbol.kind != "module":
                explain_lead(context, row, terms, draft)
                told.append(chunk)
                break
    best = told[0] if told else None
    _rest(context, chunks, terms, told, draft)
    best = best or (told[0] if told else None)
    if best is not None:
        draft.gap()
        name = code(best.symbol, 200) if best.symbol else code(best.path, 300)
        draft.say(f"Inference: {name} fits the question best; the others follow by rank.")
        draft.notes.append("composed without a model: passages are quoted, not interpreted")
    return draft


def _is_how_to(context: Context) -> bool:
    """ "How do I …" asks as a user of the software: its documents answer, if there are some beside a changelog."""
    plan = context.pack.plan
    return plan.wants_docs and any(_is_prose(chunk) and not is_history(chunk.path) for chunk in context.pack.chunks)


def _rest(
    context: Context,
    chunks: list[EvidenceChunk],
    terms: frozenset[str],
    told: list[EvidenceChunk],
    draft: Draft,
) -> None:
    """What else ranks high: code in a line each, then the best document quoted."""
    docs_first = context.pack.plan.question_class is QuestionClass.DOCS or _is_how_to(context)
    names = {chunk.qualname for chunk in told if chunk.qualname}
    best = max((chunk.score for chunk in context.pack.chunks), default=0.0)
    limit = MAX_PASSAGES if not docs_first or not told else 2
    others: list[tuple[EvidenceChunk, list[str]]] = []
    for chunk in chunks:
        fresh = chunk not in told and not _is_prose(chunk) and (not chunk.qualname or chunk.qualname not in names)
        if fresh and len(others) < limit:
            lines = _code(context, chunk, terms)
            if lines:
                others.append((chunk, lines))
                names.add(chunk.qualname)
    if others:
        draft.gap()
        if told:
            draft.say("Other code that ranks high:")
        for chunk, lines in others:
            draft.say(*lines)
            told.append(chunk)
    if docs_first:
        return
    for chunk in chunks:
        if _is_prose(chunk) and chunk.score >= best * _WEAK_DOCUMENT and not is_history(chunk.path):
            before = len(told)
            _say(draft, _prose(context, chunk, terms), told, chunk)
            if len(told) > before:
                return


def _say(draft: Draft, lines: list[str], told: list[EvidenceChunk], chunk: EvidenceChunk) -> None:
    if lines:
        draft.gap()
        draft.say(*lines)
        told.append(chunk)


def _version_sections(context: Context, documents: Sequence[EvidenceChunk], version: str) -> list[ChunkRow]:
    """Sections whose heading has the version, or one that begins with it, of the documents in the evidence."""
    heading = re.compile(rf"(?<![\d.]){re.escape(version)}(?!\d)")
    paths = list(dict.fromkeys(chunk.path for chunk in documents))[:_MAX_CHANGELOGS]
    rows = [row for path in paths for row in context.reader.chunks_of(path)]
    found = [row for row in rows if heading.search(row.symbol.rsplit(" > ", 1)[-1])]
    # The version itself before its patches: "3.1.0" and "3.1" before "3.1.2".
    return sorted(
        found, key=lambda row: (row.path, not re.search(rf"{re.escape(version)}(?:\.0)?(?![\d.])", row.symbol))
    )


def _neighbours(context: Context) -> dict[str, int]:
    """Of each definition in the evidence: how many of the others it calls or is called by."""
    if context.graph is None:
        return {}
    ranked = sorted(context.pack.chunks, key=lambda each: (-each.score, each.number))
    names = list(dict.fromkeys(chunk.qualname for chunk in ranked if chunk.qualname))[:_RELATED_CHUNKS]
    pairs: set[tuple[str, str]] = set()
    for name in names:
        for edge in context.graph.edges_from(name, (EdgeKind.CALL,)):
            if edge.dst in names and edge.dst != name and edge.confidence is not Confidence.POSSIBLE:
                pairs.update(((name, edge.dst), (edge.dst, name)))
    return {name: sum(pair[0] == name for pair in pairs) for name in names}


def _fitness(context: Context, chunk: EvidenceChunk, terms: frozenset[str], near: Mapping[str, int]) -> float:
    """The rank's score, raised by how much of the question the name and the docstring hold and by calls to and from
    other evidence; tests stand behind what they test, and what says little of itself explains little."""
    from retrieval.text.terms import index_terms

    best = max((each.score for each in context.pack.chunks), default=1.0) or 1.0
    score = chunk.score / abs(best)
    row = context.reader.symbol(chunk.qualname) if chunk.qualname else None
    summary = " ".join(doc_sentences(row.symbol.doc, 2)) if row is not None else ""
    held = terms & frozenset(index_terms(f"{chunk.path} {chunk.symbol} {summary}"))
    locates = context.pack.plan.question_class is QuestionClass.LOCATE
    score += (_PLACE_BONUS if locates else _NAME_BONUS) * len(held) / max(1, len(terms))
    if locates and row is not None:
        own = frozenset(index_terms(row.symbol.name))
        score += _OWN_NAME_BONUS * len(terms & own) / max(1, len(terms))
    elif not locates:
        score += _NEAR_BONUS * min(near.get(chunk.qualname, 0), 3)
    if score <= 0:
        return score
    if row is not None and _explains_little(context, row):
        score *= _TRIVIAL_FACTOR
    if is_history(chunk.path) and not _ASKS_CHANGES.search(context.pack.question[:2_000]):
        score *= _HISTORY_FACTOR
    wants = context.pack.plan.wants_tests if chunk.role == "test" else context.pack.plan.wants_docs
    return score if wants and chunk.role in ("test", "doc") else score * _LEAD_FACTOR.get(chunk.role, 1.0)


def _explains_little(context: Context, row: SymbolRow) -> bool:
    """A class that says nothing of itself, or a body of a line or two."""
    if row.symbol.kind == "class":
        return not row.symbol.doc
    return _body_lines(context, row) < _TRIVIAL_LINES


def _body_lines(context: Context, row: SymbolRow) -> int:
    told = prose_lines(context, row.symbol.qualname)
    return sum(number not in told for number in range(signature_end(context, row) + 1, row.symbol.end_line + 1))


# -------------------------------------------------------------------------------------------------------- the lead


def explain_lead(context: Context, row: SymbolRow, terms: frozenset[str], draft: Draft) -> None:
    """The definition that fits best: what it says of itself, its key statements, what it calls, who calls it."""
    draft.say(where(context, row), *doc_statements(context, row, _LEAD_DOC_SENTENCES))
    if row.symbol.kind == "class":
        _members(context, row, terms, draft)
        return
    statements = _key_statements(context, row, terms)
    if statements:
        draft.say("Its key statements:")
        for first, last in statements:
            text = " ".join(context.book.lines(row.path)[first - 1 : last])
            draft.say(f"- {code(text)} {context.book.cite(row.path, first, last)}")
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


def _key_statements(context: Context, row: SymbolRow, terms: frozenset[str]) -> list[tuple[int, int]]:
    """At most eight statements: those that share words with the question or call others, then returns and raises."""
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
    chosen = [item for item in sorted(set(scored)) if item[0] < 0 or not item[1]][:MAX_STATEMENTS]
    return sorted((first, last) for _, _, first, last in chosen)


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
        draft.notes.append(f"{len(calls) - MAX_CALLS} more calls of {row.symbol.name} are not listed")


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


# ------------------------------------------------------------------------------------------------- other passages


def related(context: Context, draft: Draft, limit: int = 3) -> None:
    """The best other evidence behind an answer about named symbols; tests only when asked for."""
    named = {title(row.symbol.qualname) for row in context.targets}
    lines: list[str] = []
    for chunk in sorted(context.pack.chunks, key=lambda each: (-each.score, each.number)):
        owner = title(chunk.qualname)
        if any(owner == name or owner.startswith(name + ".") for name in named) or not chunk.qualname:
            continue
        if chunk.role == Role.TEST.value and not context.pack.plan.wants_tests:
            continue
        entry = _headline(context, chunk)
        if entry and len(lines) < limit:
            lines.append(f"- {entry}")
    if lines:
        draft.gap()
        draft.say("Also retrieved for this question:", *lines)


def _is_prose(chunk: EvidenceChunk) -> bool:
    return chunk.kind in _PROSE_KINDS and chunk.language != "python"


def _code(context: Context, chunk: EvidenceChunk, terms: frozenset[str]) -> list[str]:
    """The headline, then the statements shown that share most with the question."""
    headline = _headline(context, chunk)
    if headline is None:
        return []
    telling = _telling_lines(context, chunk, terms)
    if not telling:
        return [f"- {headline}"]
    return [
        f"- {headline}:",
        *(f"  - {code(text)} {context.book.cite(chunk.path, number)}" for number, text in telling),
    ]


def _telling_lines(context: Context, chunk: EvidenceChunk, terms: frozenset[str]) -> list[tuple[int, str]]:
    """A few lines of code, in order, each with at least two of the question's terms."""
    from retrieval.text.terms import index_terms

    skipped = prose_lines(context, chunk.qualname, _NO_STATEMENTS)
    scored: dict[str, tuple[int, int, str]] = {}
    read = 0
    for number, text in numbered(chunk):
        read += len(text)
        if read > _MAX_CODE:
            break
        stripped = text.strip()
        if number in skipped or stripped.startswith(("#", "@")) or _DEFINITION.match(text) or _IMPORT.match(text):
            continue
        shared = len(terms & frozenset(index_terms(stripped)))
        if shared >= _MIN_SHARED and not is_suspicious(stripped):
            scored.setdefault(stripped, (-shared, number, context.book.line(chunk.path, number)))
    return sorted((number, text) for _, number, text in sorted(scored.values())[:_MAX_LINES])


def _headline(context: Context, chunk: EvidenceChunk) -> str | None:
    """Name, place and the docstring's first sentence, else the first line shown that says something."""
    row = context.reader.symbol(chunk.qualname) if chunk.qualname else None
    name = code(title(chunk.qualname or chunk.symbol or chunk.path), 300)
    line = _first_line(chunk)
    if line is None:
        return None
    if row is not None:
        for sentence in doc_sentences(row.symbol.doc, 1):
            quoted = quote(sentence)
            span = find_lines(context.book.lines(row.path), sentence, row.symbol.start_line, row.symbol.end_line)
            if quoted and span:
                cited = _both(context.book.cite(row.path, *span, names=(chunk.qualname,)), context, row)
                return f"{name} at {code(f'{chunk.path}:{row.symbol.def_line}', 300)}: {quoted} {cited}"
    text = context.book.line(chunk.path, line)
    cited = context.book.cite(chunk.path, line, names=(chunk.qualname or chunk.symbol,))
    return f"{name} at {code(f'{chunk.path}:{line}', 300)}: {code(text)} {cited}"


def _both(cited: str, context: Context, row: SymbolRow) -> str:
    """The citation of a quote, and of the line of the definition that the sentence names."""
    place = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    return cited if place == cited else f"{place}{cited}"


def _first_line(chunk: EvidenceChunk) -> int | None:
    """The line of the definition when shown, else the first line with words, imports last."""
    first: int | None = None
    imports = False
    for number, text in numbered(chunk):
        if _DEFINITION.match(text):
            return number
        if any(char.isalpha() for char in text) and (first is None or (imports and not _IMPORT.match(text))):
            first, imports = number, bool(_IMPORT.match(text))
    return first


def _prose(
    context: Context, chunk: EvidenceChunk | ChunkRow, terms: frozenset[str], limit: int = _MAX_SENTENCES
) -> list[str]:
    """The sentences of a passage that share most with the question, in reading order."""
    from retrieval.text.terms import index_terms

    lines = context.book.lines(chunk.path)
    scored: list[tuple[int, int, str, tuple[int, int]]] = []
    # All of the section is read, not only what the pack shows of it: a cut paragraph has no whole sentences.
    section_lines = enumerate(lines[chunk.start_line - 1 : chunk.end_line], start=chunk.start_line)
    for at, (first, last, sentence) in enumerate(sentences_of(section_lines)):
        span = find_lines(lines, sentence, first, last)
        if quote(sentence) and span and len(sentence.split()) > 3 and not sentence.endswith(":"):
            shared = len(terms & frozenset(index_terms(sentence)))
            scored.append((shared, at, sentence, span))
    best = sorted(scored, key=lambda item: (-item[0], item[1]))[:limit]
    out: list[str] = []
    section = f" ({code(chunk.symbol, 120)})" if chunk.symbol else ""
    for shared, _, sentence, span in sorted(best, key=lambda item: item[1]):
        if shared or not out or limit > _MAX_SENTENCES:
            cited = context.book.cite(chunk.path, *span, names=(chunk.symbol,) if not out else ())
            lead = f"{code(chunk.path, 300)}{section} says" if not out else "It goes on"
            out.append(f"{lead}: {quote(sentence)} {cited}.")
    return out
