"""Graph proximity: the best chunks lend support to what they call, inherit from or refer to, and to their callers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from retrieval.records import EdgeKind
from retrieval.search.config import RankingConfig
from retrieval.search.fusion import Ids, Scores
from retrieval.search.legs import Mask
from retrieval.search.links import LinkReader

_IN_KINDS = (EdgeKind.CALL, EdgeKind.INHERIT)
_MAX_PAIRS = 300  # neighbours on each side, of all seeds together
_IN_SHARE = 0.5  # a caller of a good chunk is worth less than what the chunk itself uses
_MAX_PARTS = 3  # chunks of one neighbour


def proximity_support(
    links: LinkReader, ids: Ids, fused: Scores, alive: Mask, config: RankingConfig
) -> Mapping[int, float]:
    """Chunk id -> support 0..1 of the neighbours of the best ``config.proximity_seeds`` chunks of the pool.

    A neighbour's support is the best seed's score times the edge's confidence, divided by the root of the seed's number
    of neighbours on that side: who calls fifty things says little about each.
    """
    if not len(ids):
        return {}
    seeds = ids[np.argsort(-fused, kind="stable")[: config.proximity_seeds]]
    score_of = dict(zip(ids.tolist(), fused.tolist(), strict=True))
    worth: dict[str, float] = {}
    for chunk_id, qualname in zip(seeds.tolist(), links.qualnames(seeds.tolist()), strict=True):
        if qualname:
            worth[qualname] = max(worth.get(qualname, 0.0), score_of[chunk_id])
    names = sorted(worth)
    support: dict[str, float] = {}

    def lend(seed: str, neighbour: str, weight: float, fan: int, share: float) -> None:
        value = share * worth[seed] * weight / max(1.0, fan / 4.0) ** 0.5
        support[neighbour] = max(support.get(neighbour, 0.0), value)

    for seed, own in links.uses(names, _MAX_PAIRS).items():
        for used, weight in own.items():
            lend(seed, used, weight, len(own), 1.0)
    users = links.users(names, _IN_KINDS, _MAX_PAIRS)
    fans = Counter(seed for seed, _, _ in users)
    for seed, user, weight in users:
        lend(seed, user, weight, fans[seed], _IN_SHARE)
    found: dict[int, float] = {}
    for name, chunk_ids in links.chunk_ids(sorted(support)).items():
        for chunk_id in chunk_ids[:_MAX_PARTS]:
            if alive[chunk_id]:
                found[chunk_id] = max(found.get(chunk_id, 0.0), support[name])
    return found
