"""Questions without a symbol: the passage that fits best explained, the others in one line each; documents quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.answer.offline.asked import Asked
from agent.answer.offline.bearing import OTHER_LINES, ask_of, say_bearing
from agent.answer.offline.context import Context, Draft, find_lines, title
from agent.answer.offline.fitness import fitness, neighbours
from agent.answer.offline.places import is_prose
from agent.answer.offline.prose import is_history, numbered, sentences_of
from agent.answer.offline.wording import code, doc_sentences, quote
from retrieval.pack_records import EvidenceChunk, QuestionClass
from retrieval.records import ChunkRow, Role, SymbolRow

MAX_DOCUMENTS = 4
_BEHIND_DOCUMENTS = 2  # definitions
_MAX_SENTENCES = 3  # from one passage of prose
_MAX_ENTRIES = 6  # from one section about a version
_MAX_CHANGELOGS = 3  # documents looked through for a version
_WEAK_DOCUMENT = 0.35  # of the best score: a document below is not quoted behind code
_VERSION = re.compile(r"(?<![\d.])\d{1,4}(?:\.\d{1,4}){1,3}(?![\d.]*\w)")
_IMPORT = re.compile(r"\s*(?:from|import)\s|[)\s]*$")
_DEFINITION = re.compile(r"\s*(?:async\s+)?(?:def|class)\s")


def answer_passages(context: Context) -> Draft:
    """Evidence first; one sentence of inference about what fits best last."""
    draft = Draft()
    asking = ask_of(context)
    docs_first = context.pack.plan.question_class is QuestionClass.DOCS or _is_how_to(context)
    near = neighbours(context)
    chunks = [chunk for chunk in context.pack.chunks if is_prose(chunk)]
    documents = sorted(chunks, key=lambda each: (-fitness(context, each, asking, near), each.number))
    version = _VERSION.search(context.pack.question[:2_000])
    headed = _version_sections(context, documents, version[0]) if version and docs_first else []
    for section in headed[:MAX_DOCUMENTS]:
        draft.gap()
        draft.say(*_prose(context, section, asking, _MAX_ENTRIES))
    if headed:
        return draft
    told: list[EvidenceChunk] = []
    if docs_first:
        enough = _WEAK_DOCUMENT * max((chunk.score for chunk in documents), default=0.0)
        for chunk in documents:
            if len(told) < MAX_DOCUMENTS and chunk.score >= enough:
                _say(draft, _prose(context, chunk, asking), told, chunk)
    draft.gap()
    places = say_bearing(context, asking, draft, others=_BEHIND_DOCUMENTS if told else len(OTHER_LINES))
    if not docs_first:
        best = max((chunk.score for chunk in context.pack.chunks), default=0.0)
        for chunk in documents:
            if chunk.score >= best * _WEAK_DOCUMENT and not is_history(chunk.path):
                _say(draft, _prose(context, chunk, asking), told, chunk)
                if told:
                    break
    fits = (told[0].symbol or told[0].path) if told and docs_first else places[0].symbol if places else ""
    fits = fits or (told[0].symbol or told[0].path if told else places[0].path if places else "")
    if fits:
        draft.gap()
        draft.say(f"Inference: {code(fits, 200)} fits the question best; the others follow by rank.")
        draft.notes.append("composed without a model: passages are quoted, not interpreted")
    return draft


def _is_how_to(context: Context) -> bool:
    """ "How do I …" asks as a user of the software: its documents answer, if there are some beside a changelog."""
    plan = context.pack.plan
    return plan.wants_docs and any(is_prose(chunk) and not is_history(chunk.path) for chunk in context.pack.chunks)


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


def _prose(context: Context, chunk: EvidenceChunk | ChunkRow, asking: Asked, limit: int = _MAX_SENTENCES) -> list[str]:
    """The sentences of a passage that share most with the question, in reading order."""
    from retrieval.text.terms import index_terms

    lines = context.book.lines(chunk.path)
    scored: list[tuple[float, int, str, tuple[int, int]]] = []
    # All of the section is read, not only what the pack shows of it: a cut paragraph has no whole sentences.
    section_lines = enumerate(lines[chunk.start_line - 1 : chunk.end_line], start=chunk.start_line)
    for at, (first, last, sentence) in enumerate(sentences_of(section_lines)):
        span = find_lines(lines, sentence, first, last)
        if quote(sentence) and span and len(sentence.split()) > 3 and not sentence.endswith(":"):
            shared = max(part.share(index_terms(sentence)) for part in asking.parts)
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
