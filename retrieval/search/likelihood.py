"""How likely a line of a chunk is part of what the answer rests on: packs spend their tokens by it.

A ranking is read from the top, so it lifts files' best chunks. A pack is read whole: it wants every line by its own
chance, and the second method of the right class beats the best one of the tenth file. So this estimate looks at the
legs and the additive features, and leaves coherence out::

    log-odds = intercept + match * z + file_match * (best z of the file) + file_rank * ln(1 + rank in the file)
               + boost * (sum of the additive features) + offsets of the chunk's role and kind

with z the legs' weighted z-score. The five coefficients are a logistic regression over the lines of functions in the
pools of mined questions (``harness.mine``), none of the development questions among them. Roles and kinds that mined
gold never holds (tests, documents, imports, class headers) have offsets that were set by hand.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrieval.records import ChunkKind, Role
from retrieval.search.config import RankingConfig
from retrieval.search.features import ADDITIVE, Pool, hinted_files
from retrieval.search.fusion import Scores

_ROLES = tuple(Role)
_KINDS = tuple(ChunkKind)
_AROUND = frozenset({ChunkKind.MODULE, ChunkKind.CLASS})  # imports and loose statements; a class without its methods


def likelihoods(pool: Pool, match: Scores, contributions: Mapping[str, Scores], config: RankingConfig) -> Scores:
    """float32[m], 0..1 each.

    Args:
        match: float32[m], weighted z-scores of the text legs.
        contributions: What each ranking feature added, float32[m] each.
    """
    if not len(match):
        return match
    boost = np.zeros(len(match), np.float32)
    for name in ADDITIVE:
        if name in contributions:
            boost += contributions[name]
    odds = (
        config.odds_intercept
        + config.odds_match * match
        + config.odds_file_match * _best_of_file(pool, match)
        + config.odds_file_rank * np.log1p(_rank_in_file(pool, match))
        + config.odds_boost * boost
        + _offsets(pool, config)
    )
    return np.asarray(1.0 / (1.0 + np.exp(-odds)), np.float32)


def _best_of_file(pool: Pool, match: Scores) -> Scores:
    best = np.full(int(pool.file_of.max()) + 1, -np.inf, np.float32)
    np.maximum.at(best, pool.file_of, match)
    return np.asarray(best[pool.file_of], np.float32)


def _rank_in_file(pool: Pool, match: Scores) -> Scores:
    """0 for the best of its file."""
    order = np.lexsort((np.arange(len(match)), -match, pool.file_of))
    grouped = pool.file_of[order]
    starts = np.flatnonzero(np.r_[True, grouped[1:] != grouped[:-1]])
    ranks = np.empty(len(match), np.float32)
    ranks[order] = np.arange(len(match)) - np.repeat(starts, np.diff(np.r_[starts, len(match)]))
    return ranks


def _offsets(pool: Pool, config: RankingConfig) -> Scores:
    roles = np.zeros(len(_ROLES), np.float32)
    if not pool.plan.wants_tests:
        roles[_ROLES.index(Role.TEST)] = config.odds_test
    if not pool.plan.wants_docs:
        roles[[_ROLES.index(Role.DOC), _ROLES.index(Role.EXAMPLE)]] = config.odds_doc
    roles[[_ROLES.index(Role.CONFIG), _ROLES.index(Role.DATA)]] = config.odds_config
    kinds = np.asarray([config.odds_around if kind in _AROUND else 0.0 for kind in _KINDS], np.float32)
    # A file that the question names is wanted whatever its role.
    by_role = np.where(hinted_files(pool), 0.0, roles[pool.arrays.role[pool.ids]])
    return np.asarray(by_role + kinds[pool.arrays.kind[pool.ids]], np.float32)
