"""Which piece of evidence fits a question best: what an answer without a named symbol leads with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from agent.answer.offline.asked import Asked
from agent.answer.offline.context import Context, prose_lines, signature_end
from agent.answer.offline.prose import is_history
from agent.answer.offline.wording import doc_sentences
from retrieval.pack_records import QuestionClass
from retrieval.records import Confidence, EdgeKind, SymbolRow

_PLACE_BONUS = 1.0  # of the best score, for a question where something is: as _NAME_BONUS
_OWN_NAME_BONUS = 0.4  # where is: the definition itself, rather than the members of what has the name
_NEAR_BONUS = 0.12  # of the best score, for each piece of evidence that it calls or is called by, up to three
_RELATED_CHUNKS = 14
_TRIVIAL_LINES = 3  # of a body without its docstring
_TRIVIAL_FACTOR = 0.75
_NAME_BONUS = 0.5  # of the best score: the share of the question that name and docstring hold
_HISTORY_FACTOR = 0.6  # a changelog, unless changes are asked for
_LEAD_FACTOR = {"test": 0.5, "example": 0.7, "doc": 0.6}
_ASKS_CHANGES = re.compile(
    r"\b(?:change(?:s|d|log)?|new in|history|news|version|release[sd]?|deprecated)\b", re.IGNORECASE
)


class Piece(Protocol):
    """What is judged: an evidence chunk, or a definition that several of them show."""

    @property
    def path(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def qualname(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def score(self) -> float: ...


def neighbours(context: Context) -> dict[str, int]:
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


def fitness(context: Context, chunk: Piece, asked: Asked, near: Mapping[str, int]) -> float:
    """The rank's score, raised by how much of the question the name and the docstring hold and by calls to and from
    other evidence; tests stand behind what they test, and what says little of itself explains little."""
    from retrieval.text.terms import index_terms

    best = max((each.score for each in context.pack.chunks), default=1.0) or 1.0
    score = chunk.score / abs(best)
    row = context.reader.symbol(chunk.qualname) if chunk.qualname else None
    summary = " ".join(doc_sentences(row.symbol.doc, 2)) if row is not None else ""
    held = frozenset(index_terms(f"{chunk.path} {chunk.symbol} {summary}"))
    share = asked.whole.share(held)
    locates = context.pack.plan.question_class is QuestionClass.LOCATE
    score += (_PLACE_BONUS if locates else _NAME_BONUS) * share
    if locates and row is not None:
        score += _OWN_NAME_BONUS * asked.whole.share(index_terms(row.symbol.name))
    elif not locates:
        score += _NEAR_BONUS * min(near.get(chunk.qualname, 0), 3)
    if score <= 0:
        return score
    if row is not None and _explains_little(context, row):
        score *= _TRIVIAL_FACTOR
    if is_history(chunk.path) and not asks_for_changes(context):
        score *= _HISTORY_FACTOR
    wants = context.pack.plan.wants_tests if chunk.role == "test" else context.pack.plan.wants_docs
    return score if wants and chunk.role in ("test", "doc") else score * _LEAD_FACTOR.get(chunk.role, 1.0)


def asks_for_changes(context: Context) -> bool:
    return bool(_ASKS_CHANGES.search(context.pack.question[:2_000]))


def _explains_little(context: Context, row: SymbolRow) -> bool:
    """A class that says nothing of itself, or a body of a line or two."""
    if row.symbol.kind == "class":
        return not row.symbol.doc
    return _body_lines(context, row) < _TRIVIAL_LINES


def _body_lines(context: Context, row: SymbolRow) -> int:
    told = prose_lines(context, row.symbol.qualname)
    return sum(number not in told for number in range(signature_end(context, row) + 1, row.symbol.end_line + 1))
