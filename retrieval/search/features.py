"""Ranking features: named, separately switchable, vectorised over the candidate pool (a few hundred chunks).

Each feature takes the pool and the scores so far and returns new scores; the difference is its contribution, kept for
``--explain``. Additive features run before multiplicative ones, and those that look at rank order run last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from retrieval.index.arrays import ChunkArrays
from retrieval.pack_records import GRAPH_CLASSES, Plan
from retrieval.records import Role
from retrieval.search.config import RankingConfig
from retrieval.search.fusion import Ids, Scores
from retrieval.text.probes import TokenProbes
from retrieval.text.terms import index_terms

ADDITIVE = ("definition", "relation", "name_cover", "file_hint", "phrase", "proximity")
"""Features that say something of one chunk by itself."""

_ROLES = tuple(Role)


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one question and what features need to know of them.

    Attributes:
        ids: int64[m], chunk ids, ascending.
        paths: Path of each candidate; ``file_of`` int64[m] numbers the files of the pool.
        symbols: Symbol of each candidate, ``Flask.run``.
        terms: The question's terms with weights.
        definitions: Chunk id -> bonus share (0..1) of chunks that define a mentioned identifier.
        word_definitions: The same for plain words.
        hinted: Chunk id -> 1.0 (file named) or 2.0 (line named).
        phrase_hits: Ids of chunks in which a quoted phrase occurs.
        sites: Chunk id -> confidence (0..1) that it stands in the relation the question asks about.
        near: Chunk id -> support (0..1) from graph neighbours among the best chunks.
    """

    ids: Ids
    arrays: ChunkArrays
    paths: tuple[str, ...]
    file_of: npt.NDArray[np.int64]
    symbols: tuple[str, ...]
    plan: Plan
    terms: Mapping[str, float]
    definitions: Mapping[int, float]
    word_definitions: Mapping[int, float]
    hinted: Mapping[int, float]
    phrase_hits: frozenset[int]
    near: Mapping[int, float]
    sites: Mapping[int, float]


Feature = Callable[[Pool, Scores, RankingConfig], Scores]


def apply_features(pool: Pool, scores: Scores, config: RankingConfig) -> tuple[Scores, dict[str, Scores]]:
    """Run the enabled features in their fixed order. Returns the scores and each feature's contribution float32[m]."""
    contributions: dict[str, Scores] = {}
    if not len(scores):
        return scores, contributions
    for name, feature in _ORDER:
        if name not in config.features:
            continue
        after = feature(pool, scores, config)
        contributions[name] = after - scores
        scores = after
    return scores, contributions


def hinted_files(pool: Pool) -> npt.NDArray[np.bool_]:
    """bool[m]: the question names the chunk's file."""
    return np.asarray(lookup(pool.ids, pool.hinted) > 0)


def lookup(ids: Ids, values: Mapping[int, float]) -> Scores:
    """float32[len(ids)]: the value of each id, 0 for none. ``ids`` ascend."""
    out = np.zeros(len(ids), np.float32)
    if values:
        keys = np.fromiter(values, np.int64, len(values))
        at = np.minimum(np.searchsorted(ids, keys), len(ids) - 1)
        found = ids[at] == keys
        out[at[found]] = np.fromiter(values.values(), np.float32, len(values))[found]
    return out


def _definition(pool: Pool, scores: Scores, config: RankingConfig) -> Scores:
    named = config.definition_bonus * lookup(pool.ids, pool.definitions)
    words = config.word_definition_bonus * lookup(pool.ids, pool.word_definitions)
    # Who asks for callers or tests knows the definition: it belongs beside the answer, not above all of it.
    share = config.relation_definition_share if pool.plan.question_class in GRAPH_CLASSES else 1.0
    return np.asarray(scores + share * (named + words), np.float32)


def _relation(pool: Pool, scores: Scores, config: RankingConfig) -> Scores:
    """Call sites, callees, tests: what a question about a relation asks for."""
    return np.asarray(scores + config.relation_bonus * lookup(pool.ids, pool.sites), np.float32)


def name_cover(pool: Pool) -> Scores:
    """float32[m]: the share of the parts of a symbol's name that the question says; 0 for names of one part."""
    names = [_name_of(symbol) for symbol in pool.symbols]
    shares = dict.fromkeys(names, 0.0)
    for name in TokenProbes(pool.terms).that_may_hold(shares):
        shares[name] = _covered(_name_terms(name), pool.terms)
    return np.asarray([shares[name] for name in names], np.float32)


def _name_cover(pool: Pool, scores: Scores, config: RankingConfig) -> Scores:
    return np.asarray(scores + config.name_cover_bonus * name_cover(pool), np.float32)


def _file_hint(pool: Pool, scores: Scores, config: RankingConfig) -> Scores:
    return np.asarray(scores + config.file_hint_bonus * lookup(pool.ids, pool.hinted), np.float32)


def _phrase(pool: Pool, scores: Scores, config: RankingConfig) -> Scores:
    hits = lookup(pool.ids, dict.fromkeys(sorted(pool.phrase_hits), 1.0))
    return np.asarray(scores + config.phrase_bonus * hits, np.float32)


def _role(pool: Pool, scores: Scores, config: RankingConfig) -> Scores:
    factors = np.ones(len(_ROLES), np.float32)
    if not pool.plan.wants_tests:
        factors[_ROLES.index(Role.TEST)] = config.test_factor
    if not pool.plan.wants_docs:
        factors[_ROLES.index(Role.DOC)] = config.doc_factor
        factors[_ROLES.index(Role.EXAMPLE)] = config.example_factor
    factors[_ROLES.index(Role.CONFIG)] = config.config_factor
    factors[_ROLES.index(Role.DATA)] = config.data_factor
    # A file that the question names is wanted whatever its role.
    per_chunk = np.where(hinted_files(pool), 1.0, factors[pool.arrays.role[pool.ids]])
    return np.asarray(scores * per_chunk, np.float32)


def _proximity(pool: Pool, scores: Scores, config: RankingConfig) -> Scores:
    """Neighbours of the best chunks rise, the more so the better they match by themselves."""
    own = np.clip(scores, 0.0, 1.0)
    return np.asarray(
        scores + config.proximity_bonus * lookup(pool.ids, pool.near) * (config.proximity_blind_share + own),
        np.float32,
    )


def _coherence(pool: Pool, scores: Scores, config: RankingConfig) -> Scores:
    """The file with the most score mass lifts its best chunk by the full bonus, other files in proportion."""
    if not len(scores):
        return scores
    floor = np.float32(np.median(scores))
    mass = np.bincount(pool.file_of, weights=np.maximum(scores - floor, 0.0))
    if mass.max() <= 0:
        return scores
    order = np.argsort(-scores, kind="stable")
    files, first = np.unique(pool.file_of[order], return_index=True)
    lifted = scores.copy()
    lifted[order[first]] += (config.coherence_bonus * mass[files] / mass.max()).astype(np.float32)
    return lifted


_ORDER: tuple[tuple[str, Feature], ...] = (
    ("definition", _definition),
    ("relation", _relation),
    ("name_cover", _name_cover),
    ("file_hint", _file_hint),
    ("phrase", _phrase),
    ("proximity", _proximity),
    ("role", _role),
    ("coherence", _coherence),
)


def _covered(parts: tuple[str, ...], terms: Mapping[str, float]) -> float:
    """Share of ``parts`` that the question names."""
    if not parts:
        return 0.0
    hits = 0
    for part in parts:
        if part in terms:
            hits += 1
    return hits / len(parts)


def _name_of(symbol: str) -> str:
    """The last component of a symbol."""
    name = symbol.split("#", 1)[0] if "#" in symbol else symbol
    return name[max(name.rfind("."), name.rfind(">")) + 1 :].strip()


@lru_cache(maxsize=65_536)
def _name_terms(name: str) -> tuple[str, ...]:
    """Stemmed parts of a name, when it has at least two."""
    if "__" in name[:2] or " " in name:
        return ()
    if name.isascii() and name.isalpha() and name.islower():
        return ()  # one word
    parts = dict.fromkeys(index_terms(name.replace("_", " ")))
    parts.pop(name.lower().replace("_", ""), None)
    return tuple(parts) if len(parts) >= 2 else ()
