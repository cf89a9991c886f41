"""Evidence strength of a pack from its text alone: how much of the question, by rarity, its best pieces hold.

The compiled tier measures strength on the chunks it ranked (``retrieval.search.strength``). Tiers without that step
get the same measure over the pieces they show, so that every tier may abstain by the same floor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from retrieval.pack_records import EvidenceChunk, Plan
from retrieval.search.ports import Reader
from retrieval.text.terms import index_terms, query_terms

_JUDGED = 10  # the first pieces, which the question is judged on
_ALL_OF_TERMS = 4
_RARITY_POWER = 0.7


def shown_strength(reader: Reader, plan: Plan, chunks: Sequence[EvidenceChunk], likeness: float | None = None) -> float:
    """0..1. A term that no piece holds weighs by its rarity in the corpus, and is covered by nothing.

    Args:
        likeness: Cosine similarity of the question and the corpus's nearest chunk, the same for every tier.
    """
    from retrieval.lexical.search import read_postings
    from retrieval.search.strength import COMMON_FACTOR, judged
    from retrieval.text.common_words import common_terms_of

    asked = set(index_terms(plan.question))
    common = common_terms_of(plan.question)
    terms = {term: weight for term, weight in sorted(query_terms(plan.question).items()) if term in asked}
    if not terms or not chunks:
        return 0.0
    total = int(reader.arrays.alive.sum())
    found = {term: len(docs) for term, docs, _ in read_postings(reader.conn, sorted(terms))}
    weight = {
        term: (COMMON_FACTOR if term in common else 1.0)
        * terms[term]
        * max(0.0, math.log((total + 1.0) / (found.get(term, 0) + 0.5))) ** _RARITY_POWER
        for term in terms
    }
    expected = min(1.0, (_ALL_OF_TERMS + max(0, len(terms) - _ALL_OF_TERMS) ** 0.5) / len(terms))
    whole = sum(weight.values()) * expected
    if whole <= 0:
        return 0.0
    best = 0.0
    for chunk in chunks[:_JUDGED]:
        held = set(index_terms(f"{chunk.path} {chunk.symbol}\n{chunk.source}"))
        best = max(best, sum(value for term, value in weight.items() if term in held) / whole)
    return judged(reader, plan, min(1.0, best), likeness, n_terms=len(terms), n_chunks=total)
