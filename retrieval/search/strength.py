"""Absolute evidence strength, 0..1, comparable across questions: what abstention is decided on.

Scores that are normalised per question always have a best chunk, also when the repository knows nothing of the subject.
Strength is measured before any normalisation, by two things. Coverage: how much of what the question says, weighted by
how rare each term is in this repository, do the best chunks contain? A term that occurs nowhere weighs as much as the
rarest one and is covered by nothing, so that "Kubernetes ingress" stays uncovered however well "configure" is.
Likeness: the cosine similarity of the question and the chunk nearest to it in meaning, which knows that "give up once
ten minutes have passed" is about ``stop_after_delay``. The more chunks, the nearer the nearest is by chance::

    log-odds = intercept + coverage_weight * coverage + likeness_weight * likeness + size_weight * ln(chunks)

a logistic regression over 971 questions written by hand about 29 projects, each asked of its own project and of others
(``python -m harness.abstention``, ``docs/abstention.md``). Cosines are those of the embedder in the package; with
another one, or none, coverage alone decides.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from retrieval.pack_records import Mention, Plan
from retrieval.search.fusion import Ids
from retrieval.search.legs import Mask
from retrieval.search.ports import Reader
from retrieval.text.common_words import common_terms_of
from retrieval.text.frames import subject_of
from retrieval.text.terms import index_terms

if TYPE_CHECKING:
    from retrieval.lexical.reading import PostingsSource

MIN_STRENGTH = 0.45
"""Below it, the repository probably does not hold what is asked about."""

_JUDGED_CHUNKS = 10  # the best chunks that a question is judged on
_ABSENT_NAME_FACTOR = 0.5  # an identifier that occurs nowhere is the subject that is missing
_ALL_OF_TERMS = 4  # of up to this many terms all must be covered; of each further n, the root of n
COMMON_FACTOR = 0.3  # of a word of everyday English ("stages", "finished"), which says little of the subject
_RARITY_POWER = 0.7  # of the idf: how much more a rare term counts than a common one

_FEW_TERMS = 2
_HOW_TO = re.compile(r"\s*how\s+(?:do|can|should|to)\b", re.IGNORECASE)
_INTERCEPT = -3.8
_COVERAGE_WEIGHT = 5.0
_LIKENESS_WEIGHT = 17.5
_SIZE_WEIGHT = -0.73
SIZES = (5.0, 9.0)  # ln of the chunks; below and beyond, the size says no more


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
    alive: Mask,
    postings: PostingsSource,
    likeness: float | None = None,
) -> Strength:
    """Strength of the ranked chunks ``ids`` (best first) as evidence for the question.

    Args:
        likeness: Cosine similarity of the nearest chunk, by an embedder whose scale is known; None without one.
    """
    if not len(ids):
        return Strength(0.0, ())
    subject = subject_of(plan.question)
    asked = set(index_terms(subject))
    common = common_terms_of(subject)
    # Compounds that the tokenizer only guesses ("url for" -> "urlfor") are no loss when they do not occur.
    informative = sorted(term for term in terms if term in asked)
    weights, present = _presence(postings, informative, ids, alive)
    told = [terms[term] * (COMMON_FACTOR if term in common else 1.0) for term in informative]
    share = weights**_RARITY_POWER * np.asarray(told, np.float64)
    total = float(share.sum())
    if total <= 0:
        return Strength(0.0, (0.0,) * len(ids))
    coverage = np.minimum((share / (total * _expected_share(len(informative)))) @ present, 1.0)
    overall = float(coverage[:_JUDGED_CHUNKS].max())
    overall = judged(reader, plan, overall, likeness, n_terms=len(informative), n_chunks=int(np.count_nonzero(alive)))
    return Strength(overall, tuple(round(float(c), 4) for c in coverage))


def judged(
    reader: Reader, plan: Plan, coverage: float, likeness: float | None, *, n_terms: int, n_chunks: int
) -> float:
    """Strength, 0..1, of evidence that covers so much of a question of ``n_terms`` terms; see ``measure_strength``."""
    overall = coverage
    if likeness is not None:
        both = with_likeness(coverage, likeness, n_chunks)
        overall = max(coverage, both) if _judged_by_words(plan.question, plan.mentions, n_terms) else both
    if absent_names(reader, plan.mentions):
        overall *= _ABSENT_NAME_FACTOR
    return round(overall, 4)


def _judged_by_words(question: str, mentions: Iterable[Mention], n_terms: int) -> bool:
    """Whether coverage alone is evidence enough: of a name that is found, whatever is said besides, and where the
    meaning has little to go by ("how do I install it")."""
    named = any(mention.symbols and mention.how != "word" for mention in mentions)
    return named or (n_terms <= _FEW_TERMS and bool(_HOW_TO.match(question[:100])))


def with_likeness(coverage: float, likeness: float, n_chunks: int) -> float:
    """The chance, 0..1, that a tree of ``n_chunks`` holds an answer; 0 where no word of the question occurs."""
    if coverage <= 0:
        return 0.0
    size = min(max(math.log(max(1, n_chunks)), SIZES[0]), SIZES[1])
    odds = _INTERCEPT + _COVERAGE_WEIGHT * coverage + _LIKENESS_WEIGHT * likeness + _SIZE_WEIGHT * size
    return 1.0 / (1.0 + math.exp(-odds))


def _expected_share(n_terms: int) -> float:
    """The share of ``n_terms`` question terms that good evidence covers: all of a few, not all of a long question."""
    expected = _ALL_OF_TERMS + float(max(0, n_terms - _ALL_OF_TERMS)) ** 0.5
    return float(min(1.0, expected / max(1, n_terms)))


def absent_names(reader: Reader, mentions: Iterable[Mention]) -> tuple[str, ...]:
    """Mentioned identifiers that nothing defines and no text of the repository contains, in order.

    A name from another package that the repository uses (``run_simple``) has no definition but occurs: not absent. Of a
    dotted name the last part counts.
    """
    from retrieval.lexical.search import read_postings

    unresolved = {m.text: _whole_term(m.text) for m in mentions if not m.symbols and m.how != "word"}
    if not unresolved:
        return ()
    known = {term for term, _, _ in read_postings(reader.conn, sorted(set(unresolved.values())))}
    return tuple(text for text, term in unresolved.items() if term not in known)


def _whole_term(name: str) -> str:
    terms = index_terms(name.rsplit(".", 1)[-1])
    return terms[0] if terms else name


def _presence(
    postings: PostingsSource, terms: list[str], ids: Ids, alive: Mask
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """(idf float64[t], present bool[t, len(ids)]); an absent term has the idf of a frequency of 0."""
    from retrieval.lexical.search import read_postings

    n_alive = int(np.count_nonzero(alive))
    row = {term: at for at, term in enumerate(terms)}
    marks = np.zeros(len(alive), bool)
    weights = np.full(len(terms), np.log((n_alive + 1.0) / 0.5))
    present = np.zeros((len(terms), len(ids)), bool)
    for term, docs, _ in read_postings(postings, terms):
        at = row[term]
        weights[at] = np.log((n_alive + 1.0) / (len(docs) + 0.5))
        marks[docs[docs < len(marks)]] = True
        present[at] = marks[ids]
        marks[docs[docs < len(marks)]] = False
    return np.maximum(weights, 0.0), present
