"""From the pieces of texts to what the static embedder sums: distinct pieces and bigrams with their counts and zones.

A text has four segments: where it is (path), what it is called (symbol), what encloses it (context), and its lines, the
form in which the index hands over a chunk. Each of the first three is a zone of its own; the lines are cut into zones
by distance from their beginning. A piece belongs to the first zone it occurs in: a name says more than a body. Zones
make up three groups, the head, the first lines and the rest, which are normalised apart, so that a long body does not
drown the name.
Bigrams are two pieces that follow each other within a segment and are among those the model knows.

Training and run time share this module.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.runs import run_starts

SEGMENTS = 4
_HEAD = SEGMENTS - 1
# Pieces of the last segment before which another zone begins.
_EDGES = np.array([4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384])
ZONES = _HEAD + len(_EDGES) + 1
# Shares of the groups in a text's vector. Chosen on validation projects: shares learned from the training's own mixture
# of pairs, many of which hide the name from the question, gave the name too little.
SHARES = np.array([1.0, 0.7, 0.4])
GROUPS = len(SHARES)
GROUP_OF_ZONE = np.searchsorted([_HEAD, _HEAD + 6], np.arange(ZONES), side="right")
_ZONE_BITS = 5
_FAR = int(_EDGES[-1])
_ZONE_AT = _HEAD + np.searchsorted(_EDGES, np.arange(_FAR + 1), side="right")

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bags:
    """One entry for each distinct piece or bigram of each text, texts in order.

    Attributes:
        rows: Row of the vectors: a piece's id, or for a bigram the number of pieces plus the bigram's place.
        counts: Occurrences in the text, at least 1.
        zones: First zone it occurs in, below ``ZONES``.
        owners: Row of the text; ascending.
    """

    rows: Ids
    counts: Ids
    zones: Ids
    owners: Ids


def segments_of(text: str) -> list[str]:
    """The four segments of an indexed text: its first three lines and the rest."""
    parts = text.split("\n", _HEAD)
    return parts + [""] * (SEGMENTS - len(parts))


def bags(ids: Ids, sizes: Ids, bigrams: Ids, n_pieces: int) -> Bags:
    """Count pieces and bigrams of several texts.

    Args:
        ids: Pieces of all texts one after the other, each below ``n_pieces``.
        sizes: int64[texts, SEGMENTS], how many of ``ids`` belong to each segment.
        bigrams: Known ones as ``first * n_pieces + second``, ascending.
    """
    n_texts = len(sizes)
    places = np.repeat(np.arange(n_texts * SEGMENTS), sizes.ravel())
    owners, segments = np.divmod(places, SEGMENTS)
    body_starts = np.cumsum(sizes.ravel())[_HEAD::SEGMENTS] - sizes[:, _HEAD]
    distances = np.arange(len(ids)) - body_starts[owners]
    zones = np.where(segments < _HEAD, segments, _ZONE_AT[np.minimum(np.maximum(distances, 0), _FAR)])
    rows = ids
    if len(bigrams) and len(ids) > 1:
        keys = ids[:-1] * n_pieces + ids[1:]
        found = np.minimum(np.searchsorted(bigrams, keys), len(bigrams) - 1)
        first = np.flatnonzero((bigrams[found] == keys) & (places[:-1] == places[1:]))
        rows = np.concatenate([ids, n_pieces + found[first]])
        owners, zones = np.concatenate([owners, owners[first]]), np.concatenate([zones, zones[first]])
    n_rows = n_pieces + len(bigrams)
    packed = ((owners * n_rows + rows) << _ZONE_BITS) | zones
    packed.sort()
    keys = packed >> _ZONE_BITS
    firsts = run_starts(keys)
    counts = np.diff(firsts, append=len(keys))
    owners, rows = np.divmod(keys[firsts], n_rows)
    return Bags(rows, counts, packed[firsts] & ((1 << _ZONE_BITS) - 1), owners)
