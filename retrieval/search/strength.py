"""Absolute evidence strength, 0..1, comparable across questions: what abstention is decided on.

Scores that are normalised per question always have a best chunk, also when the repository knows nothing of the subject.
Strength is measured before any normalisation: how much of what the question says, weighted by how rare each term is
in this repository, do the best chunks contain? A term that occurs nowhere weighs as much as the rarest one and is
covered by nothing, so that "Kubernetes ingress" stays uncovered however well "configure" is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.records import Plan
from retrieval.search.fusion import Ids, LegResult
from retrieval.search.legs import Mask
from retrieval.search.ports import Reader
from retrieval.text.terms import index_terms

MIN_STRENGTH = 0.30  # below it, the repository probably does not hold what is asked about

_JUDGED_CHUNKS = 10  # the best chunks that a question is judged on
_BEST_SHARE, _UNION_SHARE = 0.5, 0.5  # weight of the best chunk's coverage and of the joint coverage


@dataclass(frozen=True, slots=True)
class Strength:
    """``overall`` for the question, ``per_chunk`` in the order of the ids that were given."""

    overall: float
    per_chunk: tuple[float, ...]


def measure_strength(
    reader: Reader,
    plan: Plan,
    terms: Mapping[str, float],
    ids: Ids,
    results: Sequence[LegResult],
    alive: Mask,
) -> Strength:
    """Strength of the ranked chunks ``ids`` (best first) as evidence for the question."""
    if not len(ids):
        return Strength(0.0, ())
    asked = set(index_terms(plan.question))
    # Compounds that the tokenizer only guesses ("url for" -> "urlfor") are no loss when they do not occur.
    informative = sorted(term for term in terms if term in asked)
    weights, present = _presence(reader, informative, ids, alive)
    total = float(weights @ np.asarray([terms[t] for t in informative], np.float64)) if informative else 0.0
    if total <= 0:
        return Strength(0.0, (0.0,) * len(ids))
    share = weights * np.asarray([terms[t] for t in informative], np.float64) / total
    coverage = share @ present
    first = present[:, :_JUDGED_CHUNKS]
    overall = _BEST_SHARE * float(coverage[:_JUDGED_CHUNKS].max()) + _UNION_SHARE * float(share @ first.any(axis=1))
    named = [mention for mention in plan.mentions if mention.how != "word"]
    if named and not any(mention.symbols for mention in named):
        overall *= 0.5
    return Strength(round(overall, 4), tuple(round(float(c), 4) for c in coverage))


def _presence(
    reader: Reader, terms: list[str], ids: Ids, alive: Mask
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """(idf float64[t], present bool[t, len(ids)]); an absent term has the idf of a frequency of 0."""
    from retrieval.lexical.search import read_postings

    n_alive = int(np.count_nonzero(alive))
    row = {term: at for at, term in enumerate(terms)}
    weights = np.full(len(terms), np.log((n_alive + 1.0) / 0.5))
    present = np.zeros((len(terms), len(ids)), bool)
    for term, docs, _ in read_postings(reader.conn, terms):
        at = row[term]
        weights[at] = np.log((n_alive + 1.0) / (len(docs) + 0.5))
        present[at] = np.isin(ids, docs)
    return np.maximum(weights, 0.0), present
