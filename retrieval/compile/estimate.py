"""How likely a line of a candidate is evidence, judged against the other candidates and along the call graph.

Ranking judges a chunk by itself; a pack wants to know what the whole set of candidates says: how far down a chunk and
its file stand, whether the likeliest candidates call it, and how long it is (of a short function a larger share is
needed than of a long one)::

    log-odds = intercept + own * L + best_of_file * (best L of the file) + file_rank * ln(1 + rank of the file)
               + rank * ln(1 + rank) + called * ln(0.01 + support) + callers * ln(1 + number of callers)
               + length * ln(tokens) + lexical * ln(lexical rank) + vector * ln(vector rank) + offset of the role

with L the log-odds of ``retrieval.search.likelihood``, ``support`` the chance (noisy or) that one of the likeliest
candidates that use the chunk is evidence and takes it along, and a leg's rank one more than its depth for what it did
not find. The coefficients are a logistic regression over the lines of the candidates of questions written by hand,
changelog entries and mined questions about other projects (``docs/packs.md``), no development question among them:
``python -m harness.fit_evidence`` prints them and what they give.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
import numpy.typing as npt

from retrieval.compile.pack_config import DEFAULT as PACK_DEFAULT
from retrieval.compile.pack_config import PackConfig
from retrieval.pack_records import Candidate, Plan
from retrieval.records import Role
from retrieval.search.links import LinkReader

_SEEDS = 40  # likeliest candidates whose callees are looked up
_MAX_PAIRS = 2000
_FREE_FAN = 4  # a candidate that uses more than these gives each of them less
_NO_SUPPORT = 0.01
_LEAST = 1e-6
_UNFOUND = 301  # rank in a leg of what is not among its 300 candidates

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OddsConfig:
    """Coefficients of the log-odds: the intercept, then one for each column of ``features``, in that order."""

    intercept: float = 3.649
    own: float = 0.261
    best_of_file: float = -0.160
    file_rank: float = -0.323
    rank: float = -0.609
    called: float = 0.176
    callers: float = -0.146
    length: float = -0.563
    lexical: float = -0.360
    vector: float = -0.256
    test: float = -2.429
    wanted_test: float = 0.184
    doc: float = -1.139


DEFAULT = OddsConfig()


def estimated(
    candidates: Sequence[Candidate], plan: Plan, links: LinkReader, config: OddsConfig = DEFAULT
) -> list[float | None]:
    """The likelihood of each candidate, judged anew; None where nobody estimated one before."""
    found: list[float | None] = [None] * len(candidates)
    known = [at for at, candidate in enumerate(candidates) if candidate.likelihood is not None]
    if known:
        intercept, *coefficients = astuple(config)
        odds = intercept + features([candidates[at] for at in known], plan, links) @ np.asarray(coefficients)
        for at, value in zip(known, (1.0 / (1.0 + np.exp(-odds))).tolist(), strict=True):
            found[at] = value
    return found


def features(candidates: Sequence[Candidate], plan: Plan, links: LinkReader) -> Values:
    """float64[m, 12]: what the log-odds of each candidate are made of; all have a likelihood by themselves, m > 0."""
    own = _log_odds([candidate.likelihood or 0.0 for candidate in candidates])
    paths = [candidate.chunk.path for candidate in candidates]
    number_of = {path: number for number, path in enumerate(sorted(set(paths)))}
    file_of = np.asarray([number_of[path] for path in paths])
    best = np.full(len(number_of), -np.inf)
    np.maximum.at(best, file_of, own)
    support, callers = _support(candidates, own, links)
    roles = [candidate.chunk.role for candidate in candidates]
    tests = np.asarray([role is Role.TEST for role in roles], np.float64)
    docs = np.asarray([role in (Role.DOC, Role.EXAMPLE) for role in roles], np.float64)
    lexical, vector = _leg_ranks(candidates, ("lexical", "vector"))
    columns = (
        own,
        best[file_of],
        np.log1p(_ranks(best))[file_of],
        np.log1p(_ranks(own)),
        np.log(_NO_SUPPORT + support),
        np.log1p(callers),
        np.log([max(1, candidate.chunk.tokens) for candidate in candidates]),
        np.log(lexical),
        np.log(vector),
        tests * (not plan.wants_tests),
        tests * plan.wants_tests,
        docs * (not plan.wants_docs),
    )
    return np.stack(columns, axis=1)


def relevance(
    candidates: Sequence[Candidate], likelihoods: Sequence[float | None], config: PackConfig = PACK_DEFAULT
) -> list[float]:
    """The estimates. Without one, or with lines that prove a relation, the score speaks: as likely as the likeliest,
    times a power of the share of the best score."""
    best = max((own for own in likelihoods if own is not None), default=config.unknown_likelihood)
    top = max((c.score for c in candidates), default=0.0)
    chances: list[float] = []
    for candidate, own in zip(candidates, likelihoods, strict=True):
        if own is not None and not candidate.focus:
            chances.append(own)
            continue
        share = max(0.0, candidate.score) / top if top > 0 else 1.0
        by_score = best * share**config.score_power
        chances.append(by_score if own is None else max(own, by_score))
    return chances


def _log_odds(chances: Sequence[float]) -> Values:
    clipped = np.clip(np.asarray(chances, np.float64), _LEAST, 1.0 - _LEAST)
    return np.asarray(np.log(clipped / (1.0 - clipped)))


def _leg_ranks(candidates: Sequence[Candidate], legs: Sequence[str]) -> list[list[int]]:
    """Of each leg: each candidate's rank, from 1 for the leg's best."""
    ranks = {leg: [_UNFOUND] * len(candidates) for leg in legs}
    for at, candidate in enumerate(candidates):
        for leg, rank, _ in candidate.legs:
            if leg in ranks:
                ranks[leg][at] = rank
    return [ranks[leg] for leg in legs]


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
    uses = links.uses(sorted(seeds), _MAX_PAIRS)
    names = [candidate.chunk.qualname for candidate in chosen]
    asked = set(names)
    pairs = [(-weight, user, used) for user, own in uses.items() for used, weight in own.items() if used in asked]
    missed: dict[str, float] = {}
    users: Counter[str] = Counter()
    for weight, user, used in sorted(pairs):  # the order of a product of floats is part of its value
        share = seeds[user] * -weight / math.sqrt(max(1.0, len(uses[user]) / _FREE_FAN))
        missed[used] = missed.get(used, 1.0) * (1.0 - share)
        users[used] += 1
    support = np.asarray([1.0 - missed.get(name, 1.0) for name in names])
    return support, np.asarray([float(users.get(name, 0)) for name in names])
