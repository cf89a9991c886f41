"""Holds an answer against the facts of its question; deterministic, linear in the answer's length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from agent.answer.citations import blank_citations
from harness.questions.patterns import compile_bounded
from harness.questions.phrases import occurs, words_of
from harness.questions.records import Check, Cite, FactVerdict, FactVerdicts, Question, Range


class Cited(Protocol):
    """A citation of an answer, for example ``agent.answer.records.Citation``."""

    @property
    def path(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def symbol(self) -> str: ...


Located = Mapping[tuple[str, str], Sequence[Range]]


def check_facts(
    answer_text: str, citations: Sequence[Cited], question: Question, located: Located | None = None
) -> FactVerdicts:
    """Which facts of the question the answer states.

    Args:
        located: Lines of ``(path, symbol)`` pairs, as ``gold.GoldFinder.located`` gives them: a citation of any of them
            then counts as citing the symbol. Without it the symbols that the citations name decide.
    """
    text = blank_citations(answer_text)
    words = words_of(text)

    def stated(check: Check) -> bool:
        return (
            (not check.any_of or any(occurs(phrase, words) for phrase in check.any_of))
            and all(any(occurs(phrase, words) for phrase in group) for group in check.all_of)
            and (not check.regex or compile_bounded(check.regex).search(text) is not None)
            and (check.cites is None or _cited(check.cites, citations, located or {}))
        )

    return FactVerdicts(
        tuple(FactVerdict(fact, stated(fact.check)) for fact in question.must),
        tuple(FactVerdict(fact, stated(fact.check)) for fact in question.must_not),
    )


def _cited(cite: Cite, citations: Sequence[Cited], located: Located) -> bool:
    at_path = [citation for citation in citations if citation.path == cite.path]
    if cite.symbol is None:
        return bool(at_path)
    ranges = located.get((cite.path, cite.symbol), ())
    return any(
        any(first <= citation.end and last >= citation.start for first, last in ranges)
        or _within(citation.symbol, cite.symbol)
        for citation in at_path
    )


def _within(names: str, symbol: str) -> bool:
    """Whether one of the names is the symbol or a definition inside it (``Flask.run`` is inside ``Flask``)."""
    return any(
        name == symbol or name.startswith(symbol + ".") or name.endswith("." + symbol) or f".{symbol}." in name
        for name in (part.strip() for part in names.split(","))
    )
