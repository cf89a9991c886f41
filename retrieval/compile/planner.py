"""Stage 1: from a question to a plan. Reads nothing but the question and the symbol table; linear in the question."""

from __future__ import annotations

import re

from retrieval.compile.classify import asks_for_docs, asks_for_tests, classify
from retrieval.compile.mentions import find_mentions, resolve_mentions
from retrieval.errors import UserError
from retrieval.pack_records import GRAPH_CLASSES, Plan, QuestionClass
from retrieval.records import SymbolLookup
from retrieval.search.weights import leg_weights

MAX_QUESTION_CHARS = 8_000  # what the plan and the legs work on; the plan carries the same cut
_MAX_ASPECTS = 6
_MIN_ASPECT_WORDS = 3
_MAX_ASPECT_CHARS = 300

# Where one question becomes two: sentence ends, semicolons, and conjunctions that open another question or clause.
_ASPECT_BREAK = re.compile(
    r"[?;\n]|(?<=[a-z)])\.(?=\s)"
    r"|,? \b(?:and|or|but|then|while|whereas)\b(?= (?:how|what|where|why|which|who|when|does|do|is|are)\b)"
    r"|,? \b(?:interacts? with|compared (?:to|with)|versus|vs|as opposed to|rather than|instead of|so that|in order to|"
    r"(?:when|while|if|once|before|after|given) (?=(?:the|an?|it|its|they|that)\b))",
    re.IGNORECASE,
)


def plan(question: str, lookup: SymbolLookup) -> Plan:
    """Plan the retrieval for ``question``.

    Raises:
        UserError: the question is empty or holds no letter or digit.

    Only the first 8,000 characters are read; a longer question is cut at a space and ``notes`` says so. Weights assume
    that every leg can run; ``Searcher`` drops the vector leg when the index has no vectors.
    """
    notes: list[str] = []
    text = question
    if len(question) > MAX_QUESTION_CHARS:
        text = question[:MAX_QUESTION_CHARS]
        text = text[: max(text.rfind(" "), MAX_QUESTION_CHARS // 2)]
        notes.append(f"question cut from {len(question):,} to its first {len(text):,} characters")
    text = text.replace("\x00", " ").strip()
    if not any(character.isalnum() for character in text):
        raise UserError("The question is empty.", 'Ask in words, for example: contextc ask "Where are errors raised?"')
    mentions, hints = resolve_mentions(find_mentions(text), lookup, asks_for_tests(text))
    kind = classify(text, mentions, hints)
    resolved = any(mention.symbols for mention in mentions)
    available = ["lexical", "vector"]
    if kind in GRAPH_CLASSES and resolved:
        available.append("graph")
    elif kind in GRAPH_CLASSES:
        notes.append(f"{kind.value} question without a name that resolves: the graph starts from the best text hits")
    if kind is QuestionClass.ERROR and any(hint.line for hint in hints):
        notes.append("traceback frames are shown with their lines")
    return Plan(
        question=text,
        question_class=kind,
        mentions=mentions,
        file_hints=hints,
        aspects=aspects_of(text),
        leg_weights=leg_weights(kind, available),
        wants_tests=kind is QuestionClass.TESTS or asks_for_tests(text),
        wants_docs=kind is QuestionClass.DOCS or asks_for_docs(text),
        notes=tuple(notes),
    )


def aspects_of(text: str) -> tuple[str, ...]:
    """The separate parts of a compound question, in order; empty when it has only one part."""
    parts: list[str] = []
    for piece in _ASPECT_BREAK.split(text):
        part = " ".join(piece.split()).strip(" ,.:")[:_MAX_ASPECT_CHARS]
        if len(part.split()) >= _MIN_ASPECT_WORDS and part not in parts:
            parts.append(part)
        if len(parts) == _MAX_ASPECTS:
            break
    return tuple(parts) if len(parts) > 1 else ()
