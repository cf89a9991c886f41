"""Graph proximity: the best chunks lend support to what they call, inherit from or refer to, and to their callers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrieval.records import EdgeKind
from retrieval.search.config import RankingConfig
from retrieval.search.fusion import Ids, Scores
from retrieval.search.legs import Mask
from retrieval.search.links import LinkReader

_OUT_KINDS = (EdgeKind.CALL, EdgeKind.INHERIT, EdgeKind.REFERENCE)
_IN_KINDS = (EdgeKind.CALL, EdgeKind.INHERIT)
_MAX_LINKS = 300
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
    for out in (True, False):
        if out:
            found_links = links.outgoing(names, _OUT_KINDS, _MAX_LINKS)
        else:
            found_links = links.incoming(names, _IN_KINDS, _MAX_LINKS)
        pairs: dict[tuple[str, str], float] = {}
        for link in found_links:
            seed, neighbour = (link.src, link.dst) if out else (link.dst, link.src)
            if neighbour != seed:
                pairs[seed, neighbour] = max(pairs.get((seed, neighbour), 0.0), link.weight)
        fan: dict[str, int] = {}
        for seed, _ in pairs:
            fan[seed] = fan.get(seed, 0) + 1
        share = 1.0 if out else _IN_SHARE
        for (seed, neighbour), weight in pairs.items():
            value = share * worth[seed] * weight / max(1.0, fan[seed] / 4.0) ** 0.5
            support[neighbour] = max(support.get(neighbour, 0.0), value)
    found: dict[int, float] = {}
    for name, chunk_ids in links.chunk_ids(sorted(support)).items():
        for chunk_id in chunk_ids[:_MAX_PARTS]:
            if alive[chunk_id]:
                found[chunk_id] = max(found.get(chunk_id, 0.0), support[name])
    return found
