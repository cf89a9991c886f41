"""How well each statement of a piece matches the question: which of its terms it holds, and rank-bm25's verdict."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

from retrieval.compile.slicer_atoms import Atom
from retrieval.text.terms import index_terms

_MIN_PROBE = 3


def probes_of(terms: Mapping[str, float]) -> tuple[str, ...]:
    """Substrings of which at least one occurs in a lower-cased text that holds one of the terms.

    A term is a stem: its last character may differ from the text's. Compounds are found through their parts, which
    stand among the terms of the question themselves.
    """
    return tuple(sorted({term[:-1] if len(term) > _MIN_PROBE else term for term in terms}))


def held_terms(
    lines: Sequence[str], atoms: Sequence[Atom], terms: Mapping[str, float], probes: Sequence[str]
) -> list[list[str]]:
    """The question's terms in each atom, with repetitions. Only lines that hold a probe are tokenized.

    Args:
        lines: Of the piece; the first is the first atom's first.
    """
    lowered = [line.lower() for line in lines]
    starts = list(accumulate((len(line) + 1 for line in lowered), initial=0))
    text = "\n".join(lowered)
    hits: set[int] = set()
    for probe in probes:
        at = text.find(probe)
        while at >= 0:
            line = bisect_right(starts, at) - 1
            hits.add(line)
            at = text.find(probe, starts[line + 1])
    documents: list[list[str]] = [[] for _ in atoms]
    index, offset = 0, atoms[0].start
    for line in sorted(hits):
        while atoms[index].end < line + offset:
            index += 1
        documents[index] += [term for term in index_terms(lines[line]) if term in terms]
    return documents


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
    from rank_bm25 import BM25Okapi

    bm25 = BM25Okapi(documents)
    bm25.doc_len = list(lengths)
    bm25.avgdl = max(1.0, sum(lengths) / len(lengths))
    total = sum(weight * bm25.get_scores([term]) for term, weight in terms.items() if term in bm25.idf)
    scores: list[float] = total.tolist()
    best = max(scores)
    return [max(0.0, score) / best for score in scores] if best > 0 else [0.0] * len(documents)
