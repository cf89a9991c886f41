"""BM25F over the stored postings.

Per term and chunk the field frequencies are normalised by field length, weighted and added up, and only then
saturated (Robertson, Zaragoza and Taylor 2004, "Simple BM25 extension to multiple weighted fields"; normalisation per
field as in Zaragoza et al. 2004, "Microsoft Cambridge at TREC-13")::

    tf'(t, d) = sum over fields f of  weight_f * tf_f(t, d) / (1 - b_f + b_f * length_f(d) / average_length_f)
    score(d)  = sum over terms t of   weight_t * idf(t) * tf'(t, d) * (k1 + 1) / (tf'(t, d) + k1)
    idf(t)    = ln((N + 1) / (n_t + 0.5))

The idf is the one of Lucene and of BM25L (Lv and Zhai 2011): positive however common the term. N and n_t count live
chunks only. With one field of weight 1 this is ``rank_bm25.BM25Okapi`` with the idf of ``rank_bm25.BM25L``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.lexical.postings import is_alive
from retrieval.lexical.reading import PostingsSource, read_postings

__all__ = ["BM25Params", "inverse_frequency", "lexical_scores", "read_postings", "term_idf"]


@dataclass(frozen=True, slots=True)
class BM25Params:
    """Weights and length normalisation per field, in the order of ``fields.FIELDS`` (name, path, doc, body).

    The defaults sit on a plateau of the development benchmark (137 questions, whole chunks in rank order): the sum of
    file and line recall at 1k to 8k tokens moved by at most 3 % for k1 in 0.8..2, for a name weight in 1..5 and for a
    body b in 0.6..0.9, one at a time, so they are not tuned finer than that.
    """

    k1: float = 1.2
    weights: tuple[float, float, float, float] = (3.0, 1.5, 1.0, 1.0)
    b: tuple[float, float, float, float] = (0.5, 0.3, 0.5, 0.75)


@dataclass(frozen=True, slots=True)
class _Norms:
    """What scoring needs of the lengths, good as long as the two arrays it was made from."""

    field_lengths: NDArray[np.uint16]
    alive: NDArray[np.bool_]
    params: BM25Params
    factors: NDArray[np.float32]  # [4, n]: weight_f / (1 - b_f + b_f * length_f / average_f)
    n_alive: int


_last_norms: _Norms | None = None


def lexical_scores(
    source: PostingsSource,
    terms: Mapping[str, float],
    field_lengths: NDArray[np.uint16],
    alive: NDArray[np.bool_],
    params: BM25Params = BM25Params(),
) -> NDArray[np.float32]:
    """BM25F score of every chunk; 0 for chunks that hold none of the terms and for dead ones.

    Args:
        terms: Term -> weight, as ``text.terms.query_terms`` gives them.
        field_lengths: uint16[n, 4], row = chunk id.
        alive: bool[n].

    Returns:
        float32[n]. The same terms give the same bits in whatever order they come.
    """
    n = len(alive)
    scores = np.zeros(n, dtype=np.float32)
    norms = _norms(field_lengths, alive, params)
    if not norms.n_alive:
        return scores
    everything_lives = norms.n_alive == n
    for term, docs, tfs in read_postings(source, sorted(terms)):
        if not everything_lives or (len(docs) and int(docs[-1]) >= n):
            live = is_alive(docs, alive)
            docs, tfs = docs[live], tfs[live]
        if len(docs):
            weight = terms[term] * inverse_frequency(norms.n_alive, len(docs))
            scores[docs] += _saturated(docs, tfs, norms.factors, params.k1, weight)
    return scores


def term_idf(source: PostingsSource, terms: Iterable[str], alive: NDArray[np.bool_]) -> dict[str, float]:
    """Term -> idf over the live chunks; a term that no live chunk holds is absent from the result."""
    n_alive = int(np.count_nonzero(alive))
    found: dict[str, float] = {}
    for term, docs, _ in read_postings(source, sorted(set(terms))):
        frequency = int(np.count_nonzero(is_alive(docs, alive)))
        if frequency:
            found[term] = inverse_frequency(n_alive, frequency)
    return found


def _saturated(
    docs: NDArray[np.int32], tfs: NDArray[np.uint32], factors: NDArray[np.float32], k1: float, weight: float
) -> NDArray[np.float32]:
    """``weight * tf' * (k1 + 1) / (tf' + k1)`` for the postings of one term."""
    body = (tfs >> 24).astype(np.float32)
    total: NDArray[np.float32] = body * factors[3].take(docs)
    elsewhere = np.flatnonzero(tfs & 0x00FFFFFF)  # most postings are of the body alone
    if len(elsewhere):
        rest, ids = tfs[elsewhere], docs[elsewhere]
        extra = (rest & 0xFF).astype(np.float32) * factors[0].take(ids)
        extra += ((rest >> 8) & 0xFF).astype(np.float32) * factors[1].take(ids)
        extra += ((rest >> 16) & 0xFF).astype(np.float32) * factors[2].take(ids)
        total[elsewhere] += extra
    scale = np.float32(weight * (k1 + 1.0))
    return total * scale / (total + np.float32(k1))


def inverse_frequency(n_alive: int, frequency: int) -> float:
    """The idf of a term that ``frequency`` of ``n_alive`` chunks hold."""
    return float(np.log((n_alive + 1.0) / (frequency + 0.5)))


def _norms(field_lengths: NDArray[np.uint16], alive: NDArray[np.bool_], params: BM25Params) -> _Norms:
    """The norms, remembered for the last pair of arrays if neither can change under us."""
    global _last_norms
    last = _last_norms
    if last and last.field_lengths is field_lengths and last.alive is alive and last.params == params:
        return last
    n_alive = int(np.count_nonzero(alive))
    factors = np.empty((4, len(alive)), dtype=np.float32)
    for f in range(4):
        lengths = field_lengths[:, f].astype(np.float32)
        average = float(lengths[alive].mean(dtype=np.float64)) if n_alive else 0.0
        b = params.b[f]
        if average > 0.0:
            factors[f] = params.weights[f] / (1.0 - b + b * lengths / average)
        else:
            factors[f] = params.weights[f]
    norms = _Norms(field_lengths, alive, params, factors, n_alive)
    if not field_lengths.flags.writeable and not alive.flags.writeable:
        _last_norms = norms
    return norms
