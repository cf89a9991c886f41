"""Questions without a symbol: the best passages of the pack, summarised in their own words, most relevant first."""

from __future__ import annotations

import re

from agent.answer.offline.context import Context, Draft, find_lines, prose_lines, question_terms
from agent.answer.offline.wording import code, doc_sentences, prose_sentences, quote
from agent.guard import is_suspicious
from retrieval.records import BlockKind, EvidenceChunk, QuestionClass

MAX_PASSAGES = 6
_MAX_SENTENCES = 3  # from one passage of prose
_MAX_LINES = 3  # of code, from one passage
_MIN_SHARED = 2  # terms that such a line has in common with the question
_MAX_CODE = 40_000  # characters of a passage of code that are read
_MAX_PROSE = 8_000  # characters of a passage that are read
_PROSE_KINDS = frozenset({"section", "window"})
_NO_STATEMENTS = (BlockKind.DOCSTRING, BlockKind.COMMENT, BlockKind.SIGNATURE, BlockKind.DECORATOR, BlockKind.IMPORT)
_MARKUP = re.compile(r"[=\-~^\"'#*+.:_`|]{3,}$")
_IMPORT = re.compile(r"\s*(?:from|import)\s|[)\s]*$")
_DEFINITION = re.compile(r"\s*(?:async\s+)?(?:def|class)\s")


def answer_passages(context: Context) -> Draft:
    """Evidence first; one sentence of inference about where to look last."""
    draft = Draft()
    terms = question_terms(context.pack.question)
    told: list[EvidenceChunk] = []
    docs_first = context.pack.plan.question_class is QuestionClass.DOCS
    for chunk in sorted(
        context.pack.chunks, key=lambda each: (docs_first and not _is_prose(each), -each.score, each.number)
    ):
        lines = _prose(context, chunk, terms) if _is_prose(chunk) else _code(context, chunk, terms)
        if lines:
            draft.gap()
            draft.say(*lines)
            told.append(chunk)
        if len(told) == MAX_PASSAGES:
            break
    if told:
        best = told[0]
        draft.gap()
        name = code(best.symbol, 200) if best.symbol else code(best.path, 300)
        draft.say(
            f"Inference: these passages rank highest for the question, {name} first; the answer likely lies in them."
        )
        draft.notes.append("composed without a model: passages are quoted, not interpreted")
    return draft


def related(context: Context, draft: Draft, limit: int = 3) -> None:
    """The best other evidence behind an answer about named symbols."""
    named = {row.symbol.qualname for row in context.targets}
    lines: list[str] = []
    for chunk in sorted(context.pack.chunks, key=lambda each: (-each.score, each.number)):
        owner = chunk.qualname.split("#", 1)[0]
        if any(owner == name or owner.startswith(name + ".") for name in named) or not chunk.qualname:
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
        return [f"{headline}."]
    return [f"{headline}:", *(f"- {code(text)} {context.book.cite(chunk.path, number)}" for number, text in telling)]


def _telling_lines(context: Context, chunk: EvidenceChunk, terms: frozenset[str]) -> list[tuple[int, str]]:
    """At most three lines of code, in order, each with at least two of the question's terms."""
    from retrieval.text.terms import index_terms

    skipped = prose_lines(context, chunk.qualname, _NO_STATEMENTS)
    scored: dict[str, tuple[int, int, str]] = {}
    read = 0
    for number, text in _numbered(chunk):
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
    name = code(chunk.qualname or chunk.symbol or chunk.path, 300)
    line = _first_line(chunk)
    if line is None:
        return None
    if row is not None:
        for sentence in doc_sentences(row.symbol.doc, 1):
            quoted = quote(sentence)
            span = find_lines(context.book.lines(row.path), sentence, row.symbol.start_line, row.symbol.end_line)
            if quoted and span:
                cited = context.book.cite(row.path, *span, names=(chunk.qualname,))
                return f"{name} ({code(f'{chunk.path}:{span[0]}', 300)}): {quoted} {cited}"
    text = context.book.line(chunk.path, line)
    cited = context.book.cite(chunk.path, line, names=(chunk.qualname or chunk.symbol,))
    return f"{name} at {code(f'{chunk.path}:{line}', 300)}: {code(text)} {cited}"


def _first_line(chunk: EvidenceChunk) -> int | None:
    """The line of the definition when shown, else the first line with words, imports last."""
    first: int | None = None
    imports = False
    for number, text in _numbered(chunk):
        if _DEFINITION.match(text):
            return number
        if any(char.isalpha() for char in text) and (first is None or (imports and not _IMPORT.match(text))):
            first, imports = number, bool(_IMPORT.match(text))
    return first


def _prose(context: Context, chunk: EvidenceChunk, terms: frozenset[str]) -> list[str]:
    """The sentences of a passage that share most with the question, in reading order."""
    from retrieval.text.terms import index_terms

    lines = context.book.lines(chunk.path)
    scored: list[tuple[int, int, str, tuple[int, int]]] = []
    for at, (first, last, sentence) in enumerate(_sentences(chunk)):
        span = find_lines(lines, sentence, first, last)
        if quote(sentence) and span and len(sentence.split()) > 3:
            shared = len(terms & frozenset(index_terms(sentence)))
            scored.append((shared, at, sentence, span))
    best = sorted(scored, key=lambda item: (-item[0], item[1]))[:_MAX_SENTENCES]
    out: list[str] = []
    for shared, _, sentence, span in sorted(best, key=lambda item: item[1]):
        if shared or not out:
            cited = context.book.cite(chunk.path, *span)
            lead = f"{code(chunk.path, 300)} says" if not out else "It goes on"
            out.append(f"{lead}: {quote(sentence)} {cited}.")
    return out


def _sentences(chunk: EvidenceChunk) -> list[tuple[int, int, str]]:
    """(first line, last line, sentence) of each paragraph shown; lines of markup separate paragraphs."""
    out: list[tuple[int, int, str]] = []
    paragraph: list[tuple[int, str]] = []
    read = 0

    def flush() -> None:
        if paragraph:
            text = " ".join(line.strip() for _, line in paragraph)
            out.extend((paragraph[0][0], paragraph[-1][0], sentence) for sentence in prose_sentences(text))
            paragraph.clear()

    previous = 0
    for number, text in _numbered(chunk):
        read += len(text)
        if read > _MAX_PROSE:
            break
        stripped = text.strip()
        if not stripped or _MARKUP.match(stripped) or number != previous + 1:
            flush()
        if _MARKUP.match(stripped) or stripped.startswith((".. ", "#", "```", "|")):
            flush()
        elif stripped:
            paragraph.append((number, text))
        previous = number
    flush()
    return out


def _numbered(chunk: EvidenceChunk) -> list[tuple[int, str]]:
    numbers = (number for first, last in chunk.ranges for number in range(first, last + 1))
    return list(zip(numbers, chunk.source.split("\n"), strict=False))
