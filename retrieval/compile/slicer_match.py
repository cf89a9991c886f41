"""How well each statement of a piece matches the question: which of its terms it holds, and rank-bm25's verdict."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

from retrieval.compile.slicer_atoms import Atom
from retrieval.text.probes import TokenProbes, probes_of
from retrieval.text.terms import folded, terms_of, tokens_of


class HeldTerms:
    """Finds the terms of one question in runs of lines. Only lines that hold a probe are tokenized."""

    def __init__(self, terms: Mapping[str, float]) -> None:
        self._probes = probes_of(terms)
        self._of_token = _OfToken(terms)

    def documents(self, lines: Sequence[str], atoms: Sequence[Atom]) -> list[list[str]]:
        """The question's terms in each atom, with repetitions. The first line is the first atom's first."""
        text = folded("\n".join(lines))
        starts = list(accumulate([len(line) + 1 for line in text.split("\n")], initial=0))
        hits: set[int] = set()
        for probe in self._probes:
            at = text.find(probe)
            while at >= 0:
                line = bisect_right(starts, at)
                hits.add(line - 1)
                at = text.find(probe, starts[line])
        documents: list[list[str]] = [[] for _ in atoms]
        index, offset = 0, atoms[0].start
        for line in sorted(hits):
            while atoms[index].end < line + offset:
                index += 1
            documents[index] += self._held(lines[line])
        return documents

    def _held(self, line: str) -> list[str]:
        of_token = self._of_token
        return [term for token in tokens_of(line) for term in of_token[token]]


class _OfToken(dict[str, tuple[str, ...]]):
    """Token -> the question's terms among its own, found out once."""

    def __init__(self, terms: Mapping[str, float]) -> None:
        super().__init__()
        self._terms = terms
        self._probes = TokenProbes(terms)

    def __missing__(self, token: str) -> tuple[str, ...]:
        own: tuple[str, ...] = ()
        if self._probes.may_hold(token):
            own = tuple([term for term in terms_of(token) if term in self._terms])
        self[token] = own
        return own


def match_documents(
    documents: Sequence[Sequence[str]], lengths: Sequence[int], terms: Mapping[str, float]
) -> list[float]:
    """BM25 (rank-bm25's Okapi variant) for the weighted terms, scaled so that the best document has 1.

    Args:
        documents: The question's terms that each document holds; other terms cannot score and are left out.
        lengths: Length of each whole document, in any unit.
    """
    if not any(documents):
        return [0.0] * len(documents)
    import numpy as np
    from rank_bm25 import BM25Okapi

    bm25 = BM25Okapi(documents)
    bm25.doc_len = np.asarray(lengths)
    bm25.avgdl = max(1.0, sum(lengths) / len(lengths))
    holders: dict[str, list[int]] = {}
    for at, document in enumerate(documents):
        for term in document:
            holders.setdefault(term, []).append(at)
    scores = [0.0] * len(documents)
    for term, weight in terms.items():
        places = list(dict.fromkeys(holders.get(term, ())))  # the term gives nothing to the others
        for at, score in zip(places, bm25.get_batch_scores([term], places) if places else (), strict=True):
            scores[at] += weight * score
    best = max(scores)
    return [max(0.0, score) / best for score in scores] if best > 0 else [0.0] * len(documents)
