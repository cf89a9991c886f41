"""Scores that say which older messages a question needs: KEEP or VAULT, and in which order the search looks at them.

A score is an opinion about attention. It is no probability of truth, never enters a request, and decides nothing but
whether a message stays, how it may be written, and when it is tried.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.context_ir.request import Eligible
from retrieval.context_ir.vault import digest_of
from retrieval.pack_records import ContextPack
from retrieval.text.terms import query_terms

EXPLICIT_FROM = 0.85  # guard or salience from here on: explicit tables only
VAULT_BELOW = 0.2  # relevance and guard below it: the message may be set aside
MAX_SCORED_CHARS = 64_000


@dataclass(frozen=True, slots=True)
class Score:
    """Each in 0..1. ``guard``: how much harm a changed form could do. ``salience``: how soon it deserves the search."""

    relevance: float
    guard: float
    salience: float


@dataclass(frozen=True, slots=True)
class ScoreBatch:
    """One entry per candidate, None where there is no score. ``tokens`` and ``cost_usd`` are None when unknown."""

    scores: Sequence[Score | None]
    tokens: int | None = None
    cost_usd: float | None = None
    model: str = ""


class Scorer(Protocol):
    """Scores all candidates in one call. May raise anything: the stage then leaves the request as it is."""

    def score(self, question: str, candidates: Sequence[Eligible]) -> ScoreBatch: ...


@dataclass(frozen=True, slots=True)
class Attention:
    """A valid score, bound to the message it is about: ordinal, role and SHA-256 of its exact text."""

    ordinal: int
    role: str
    sha256: str
    score: Score

    @property
    def explicit_only(self) -> bool:
        return self.score.guard >= EXPLICIT_FROM or self.score.salience >= EXPLICIT_FROM

    @property
    def may_set_aside(self) -> bool:
        return self.score.relevance < VAULT_BELOW and self.score.guard < VAULT_BELOW

    def is_about(self, candidate: Eligible) -> bool:
        return (self.ordinal, self.role, self.sha256) == (candidate.ordinal, candidate.role, digest_of(candidate.text))


def bind(candidates: Sequence[Eligible], batch: ScoreBatch) -> dict[int, Attention]:
    """Attention by ordinal. Candidates without a finite score in 0..1 are left out.

    Raises:
        ValueError: The batch does not have one entry per candidate.
    """
    if len(batch.scores) != len(candidates):
        raise ValueError("the scorer did not answer for every candidate")
    return {
        one.ordinal: Attention(one.ordinal, one.role, digest_of(one.text), score)
        for one, score in zip(candidates, batch.scores, strict=True)
        if score is not None and all(map(_is_share, (score.relevance, score.guard, score.salience)))
    }


def _is_share(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= 1


@dataclass(frozen=True, slots=True)
class PackScorer:
    """The local scorer, from the retrieval scores of the pack for the current question.

    Relevance: the strength of the best evidence whose file the message shows or names, or the share of the question's
    words in the message, whichever is larger. Guard: that share of words. Salience: relevance, scaled by size, so that
    the search meets first what matters and is long.
    """

    pack: ContextPack | None = None

    def score(self, question: str, candidates: Sequence[Eligible]) -> ScoreBatch:
        words = set(query_terms(question))
        strengths: dict[str, float] = {}
        for chunk in self.pack.chunks if self.pack else ():
            strengths[chunk.path] = max(chunk.strength, strengths.get(chunk.path, 0.0))
        longest = max((len(one.text) for one in candidates), default=1) or 1
        scores = [self._one(one.text, words, strengths, longest) for one in candidates]
        return ScoreBatch(scores, tokens=0, cost_usd=0.0, model="local")

    def _one(self, text: str, words: set[str], strengths: Mapping[str, float], longest: int) -> Score | None:
        if len(text) > MAX_SCORED_CHARS:
            return None
        shared = len(words & set(query_terms(text))) / len(words) if words else 1.0
        evidence = max((strength for path, strength in strengths.items() if path in text), default=0.0)
        relevance = min(1.0, max(shared, evidence))
        return Score(relevance, shared, relevance * len(text) / longest)
