"""How likely a line of a candidate is evidence, judged against the other candidates and along the call graph.

Ranking judges a chunk by itself; a pack wants to know what the whole set of candidates says: how far down a chunk and
its file stand, whether the likeliest candidates call it, and how long it is (of a short function a larger share is
needed than of a long one)::

    log-odds = intercept + own * L + best_of_file * (best L of the file) + file_rank * ln(1 + rank of the file)
               + rank * ln(1 + rank) + called * ln(0.01 + support) + callers * ln(1 + number of callers)
               + length * ln(tokens) + offset of the role

with L the log-odds of ``retrieval.search.likelihood``, and ``support`` the chance (noisy or) that one of the likeliest
candidates that use the chunk is evidence and takes it along. The coefficients are a logistic regression over the lines
of chunks in the pools of 272 mined questions (``harness.mine``) about six projects; no development question among them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.compile.pack_config import DEFAULT as PACK_DEFAULT
from retrieval.compile.pack_config import PackConfig
from retrieval.records import Candidate, EdgeKind, Plan, Role
from retrieval.search.links import LinkReader

_SEEDS = 40  # likeliest candidates whose callees are looked up
_MAX_PAIRS = 2000
_USES = (EdgeKind.CALL, EdgeKind.INHERIT, EdgeKind.REFERENCE)
_FREE_FAN = 4  # a candidate that uses more than these gives each of them less
_NO_SUPPORT = 0.01
_LEAST = 1e-6

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OddsConfig:
    """Coefficients of the log-odds; see the module's formula."""

    intercept: float = 1.63
    own: float = 0.376
    best_of_file: float = -0.104
    file_rank: float = -0.197
    rank: float = -0.724
    called: float = 0.128
    callers: float = 0.493
    length: float = -0.66
    test: float = -1.43
    wanted_test: float = -1.23
    doc: float = -0.67


DEFAULT = OddsConfig()


def estimated(
    candidates: Sequence[Candidate], plan: Plan, links: LinkReader, config: OddsConfig = DEFAULT
) -> list[float | None]:
    """The likelihood of each candidate, judged anew; None where nobody estimated one before."""
    known = [at for at, candidate in enumerate(candidates) if candidate.likelihood is not None]
    found: list[float | None] = [None] * len(candidates)
    if not known:
        return found
    chosen = [candidates[at] for at in known]
    own = _log_odds([candidate.likelihood or 0.0 for candidate in chosen])
    _, file_of = np.unique([candidate.chunk.path for candidate in chosen], return_inverse=True)
    best = np.full(int(file_of.max()) + 1, -np.inf)
    np.maximum.at(best, file_of, own)
    support, callers = _support(chosen, own, links)
    offsets = _offsets(plan, config)
    odds = (
        config.intercept
        + config.own * own
        + config.best_of_file * best[file_of]
        + config.file_rank * np.log1p(_ranks(best))[file_of]
        + config.rank * np.log1p(_ranks(own))
        + config.called * np.log(_NO_SUPPORT + support)
        + config.callers * np.log1p(callers)
        + config.length * np.log([max(1, candidate.chunk.tokens) for candidate in chosen])
        + [offsets.get(candidate.chunk.role, 0.0) for candidate in chosen]
    )
    for at, value in zip(known, (1.0 / (1.0 + np.exp(-odds))).tolist(), strict=True):
        found[at] = value
    return found


def relevance(
    candidates: Sequence[Candidate], likelihoods: Sequence[float | None], config: PackConfig = PACK_DEFAULT
) -> list[float]:
    """The estimates. Without one, or with lines that prove a relation, the score speaks: as likely as the likeliest,
    times a power of the share of the best score."""
    best = max((own for own in likelihoods if own is not None), default=config.unknown_likelihood)
    top = max((c.score for c in candidates), default=0.0)
    chances: list[float] = []
    for candidate, own in zip(candidates, likelihoods, strict=True):
        share = max(0.0, candidate.score) / top if top > 0 else 1.0
        by_score = best * share**config.score_power
        chances.append(by_score if own is None else max(own, by_score) if candidate.focus else own)
    return chances


def _log_odds(chances: Sequence[float]) -> Values:
    clipped = np.clip(np.asarray(chances, np.float64), _LEAST, 1.0 - _LEAST)
    return np.asarray(np.log(clipped / (1.0 - clipped)))


def _ranks(values: Values) -> Values:
    """0 for the largest; equal values keep their order."""
    ranks = np.empty(len(values))
    ranks[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return ranks


def _support(chosen: Sequence[Candidate], own: Values, links: LinkReader) -> tuple[Values, Values]:
    """(support 0..1, number of the likeliest candidates that use it) of each candidate."""
    seeds: dict[str, float] = {}
    for at in np.argsort(-own, kind="stable")[:_SEEDS].tolist():
        name = chosen[at].chunk.qualname
        if name:
            seeds[name] = max(seeds.get(name, 0.0), chosen[at].likelihood or 0.0)
    pairs = links.pairs(sorted(seeds), _USES, leaving=True, limit=_MAX_PAIRS)
    fan = Counter(user for user, _, _ in pairs)
    missed: dict[str, float] = {}
    users: Counter[str] = Counter()
    for user, used, weight in pairs:
        share = seeds[user] * weight / math.sqrt(max(1.0, fan[user] / _FREE_FAN))
        missed[used] = missed.get(used, 1.0) * (1.0 - share)
        users[used] += 1
    names = [candidate.chunk.qualname for candidate in chosen]
    support = np.asarray([1.0 - missed.get(name, 1.0) for name in names])
    return support, np.asarray([float(users.get(name, 0)) for name in names])


def _offsets(plan: Plan, config: OddsConfig) -> Mapping[Role, float]:
    doc = 0.0 if plan.wants_docs else config.doc
    return {Role.TEST: config.wanted_test if plan.wants_tests else config.test, Role.DOC: doc, Role.EXAMPLE: doc}
