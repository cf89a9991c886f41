"""Every constant of ranking, with its unit, in one frozen record; features can be switched one by one.

Scores are on the fused scale: the best candidate by legs alone has about 1, the weakest of the pool 0. An additive
feature's constant is in that unit; a multiplicative one is a factor.
"""

from __future__ import annotations

from dataclasses import dataclass

FEATURES: tuple[str, ...] = (
    "definition",
    "relation",
    "name_cover",
    "file_hint",
    "phrase",
    "role",
    "proximity",
    "coherence",
)


@dataclass(frozen=True, slots=True)
class RankingConfig:
    """Constants of the legs, the fusion and the features.

    Attributes:
        features: Names of the features that run.
        pool_size: Best chunks per leg that enter the pool (chunks).
        ranked_size: Best chunks of the pool, by the legs, that the features look at (chunks).
        definition_bonus: Added to the definition of a mentioned identifier (fused units); shared mentions share it.
        word_definition_bonus: The same for a plain word that is a symbol's name.
        relation_definition_share: Factor on both when the question asks for a relation (callers, tests …).
        relation_bonus: Added to chunks in the relation asked about, times the edge's confidence.
        name_cover_bonus: Added when the question's words cover the parts of a symbol's name, times the share covered.
        file_hint_bonus: Added to chunks of a file the question names; a named line's chunk gets it twice.
        phrase_bonus: Added when a quoted phrase occurs verbatim in a chunk.
        phrase_checks: How many of the best candidates are read for phrases (chunks).
        test_factor, doc_factor, example_factor, config_factor, data_factor: Factors by role when the question does not
            ask for that role.
        proximity_bonus: Added to graph neighbours of the best chunks, times support (0..1) and their own score.
        proximity_blind_share: The part of the bonus that a neighbour gets whatever its own score (0..1).
        proximity_seeds: How many of the best chunks lend support (chunks).
        coherence_bonus: Added to a file's best chunk times the file's share of the pool's score mass (0..1).
        odds_intercept, odds_match, odds_file_match, odds_file_rank, odds_boost: Coefficients of a line's likelihood as
            evidence (log-odds), fitted on mined questions; see ``likelihood``.
        odds_test, odds_doc, odds_config: Its offsets by role when the question does not ask for that role.
        odds_around: Its offset for what stands around definitions: module statements, class headers.
    """

    features: frozenset[str] = frozenset(FEATURES)
    pool_size: int = 300
    ranked_size: int = 200
    definition_bonus: float = 1.0
    word_definition_bonus: float = 0.4
    relation_definition_share: float = 0.3
    relation_bonus: float = 1.2
    name_cover_bonus: float = 0.3
    file_hint_bonus: float = 0.5
    phrase_bonus: float = 0.4
    phrase_checks: int = 40
    test_factor: float = 0.7
    doc_factor: float = 0.6
    example_factor: float = 0.7
    config_factor: float = 0.8
    data_factor: float = 0.5
    proximity_bonus: float = 0.3
    proximity_blind_share: float = 0.3
    proximity_seeds: int = 10
    coherence_bonus: float = 0.25
    odds_intercept: float = -5.4
    odds_match: float = 0.25
    odds_file_match: float = 0.36
    odds_file_rank: float = -0.54
    odds_boost: float = 5.1
    odds_test: float = -1.0
    odds_doc: float = -1.2
    odds_config: float = -1.0
    odds_around: float = -2.0


DEFAULT = RankingConfig()
