"""How well each statement of a piece matches the question: which of its terms it holds, and rank-bm25's verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from retrieval.compile.slicer_atoms import Atom
from retrieval.text.pieces import pieces_of, terms_of_piece
from retrieval.text.probes import TokenProbes, places_of, probes_of
from retrieval.text.terms import folded


def held_terms(runs: Sequence[tuple[Sequence[str], Sequence[Atom]]], terms: Mapping[str, float]) -> list[list[str]]:
    """The question's terms in each atom of each run of lines, with repetitions; the atoms of a run cover its lines.

    Only lines that hold a probe are tokenized, and all runs are looked through at once.
    """
    lines: list[str] = []
    ends: list[int] = []  # of each atom: the lines up to its last
    texts: list[str] = []
    lengths: list[int] = []
    for run, atoms in runs:
        before = len(lines) + 1 - atoms[0].start
        ends += [atom.end + before for atom in atoms]
        lines += run
        text = "\n".join(run)
        shown = run if text.isascii() else folded(text).split("\n")  # to fold ASCII keeps every length
        texts.append(folded(text))
        lengths += [len(line) + 1 for line in shown]
    held: list[list[str]] = [[] for _ in ends]
    at = 0
    for line in sorted(places_of(probes_of(terms), "\n".join(texts), lengths)):
        while ends[at] <= line:
            at += 1
        held[at].append(lines[line])
    pieces = [pieces_of("\n".join(own)) if own else [] for own in held]
    terms_in = _own_terms(set().union(*pieces), terms).__getitem__
    return [[*chain.from_iterable(map(terms_in, own))] if own else [] for own in pieces]


def _own_terms(pieces: Iterable[str], terms: Mapping[str, float]) -> dict[str, tuple[str, ...]]:
    """Of each piece of text: which of its terms are the question's."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(pieces, ())
    for piece in TokenProbes(terms).that_may_hold(found):
        found[piece] = tuple([term for term in terms_of_piece(piece) if term in terms])
    return found


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
    k1, mean = bm25.k1, max(1.0, sum(lengths) / len(lengths))
    scores = [0.0] * len(documents)
    for at, counts in enumerate(bm25.doc_freqs):
        if counts:  # as ``get_batch_scores`` for each term, which makes arrays of a few numbers each
            norm = k1 * (1 - bm25.b + bm25.b * lengths[at] / mean)
            for term, weight in terms.items():
                if term in counts:
                    count = counts[term]
                    scores[at] += weight * (bm25.idf[term] * (count * (k1 + 1) / (count + norm)))
    best = max(scores)
    return [max(0.0, score) / best for score in scores] if best > 0 else [0.0] * len(documents)
