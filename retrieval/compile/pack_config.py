"""Every constant of slicing, merging, budgeting and rot detection, with its unit, in one frozen record."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from retrieval.records import BlockKind

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Worth of a line by the kind of its block when the question's words say nothing about it (0..1, tuned on line recall).
_KIND_WORTH: Mapping[BlockKind, float] = MappingProxyType(
    {
        BlockKind.SIGNATURE: 0.9,
        BlockKind.DECORATOR: 0.4,
        BlockKind.DOCSTRING: 0.6,
        BlockKind.COMMENT: 0.7,
        BlockKind.IMPORT: 0.35,
        BlockKind.ASSIGN: 0.7,
        BlockKind.RETURN: 0.75,
        BlockKind.RAISE: 0.7,
        BlockKind.CALL: 0.7,
        BlockKind.CONTROL: 0.5,
        BlockKind.STATEMENT: 0.75,
        BlockKind.TEXT: 0.65,
        BlockKind.BLANK: 0.1,
    }
)


@dataclass(frozen=True, slots=True)
class PackConfig:
    """Constants of the compiler after retrieval.

    Attributes:
        kind_worth: Worth of a line (0..1) by block kind before the question's words are looked at.
        match_weight: How far a perfect word match lifts a line's worth towards 1 (0..1).
        neighbour_share: Share of a block's match that its direct neighbours inherit (0..1).
        lead_worth: Worth of the first paragraph of a docstring or of prose.
        off_focus_factor: Factor on the worth of lines outside the focus when only the focus matters.
        small_piece_tokens: A piece of at most this many tokens is shown whole or not at all.
        plain_piece_tokens: A piece of at most this many tokens is shown whole, by its signature or not at all.
        rung_shares: Shares of a piece's remaining tokens at which the ladder gets a sliced rung.
        rung_tokens: Sizes in tokens of rungs below the first share: a big piece can stand in a small budget in part.
        closed_gap_tokens: A gap that costs at most this many tokens is shown instead of elided.
        text_block_lines: Prose and other structureless text is cut into paragraphs of at most this many lines.
        pool_factor: Pieces are considered, likeliest first, until their whole text is this many budgets long.
        pool_min: At least this many pieces are considered.
        pool_files: And the best piece of each of as many files as pointers may fit, and of this many, best first.
        unknown_likelihood: Likelihood of the best candidate when nobody estimated any (0..1).
        score_power: Standing of a piece = (score / best score) ** score_power / (1 + rank_decay * rank).
        rank_decay: See score_power; 1/ranks.
        pointer_share: Share of the budget that is kept for pointers to further files (0..1).
        pointer_tokens: A pointer shows the first piece of its file whose least rung takes no more than these tokens;
            where none does, the first one, if it takes no more than twice as many.
        aspect_bonus: Worth of covering one aspect of the question, in certain lines of evidence, times the standing.
        max_share: Largest share of the budget that one piece may take while there are others (0..1).
        max_small_share, small_limit_tokens: In a small pack one piece may take this larger share, up to these tokens.
        duplicate_jaccard: Pieces of different files whose line pairs overlap this much are one (0..1).
        duplicate_min_lines: Shorter pieces are never called near-duplicates.
        redact_context_lines: Lines around a piece that are read so that a secret which it cuts is recognised.
        oversized_tokens: A pack beyond this many tokens dilutes attention whatever its budget.
        noise_score, noise_strength: A chunk below both shares of the best chunk's score and strength is noise.
        answer_share: An answer is given from at most this share of the budget: the weakest pieces of at most
            surplus_tokens tokens each go.
        domination_share: A chunk with more than this share of the tokens dominates, in packs of at least
            domination_min_tokens.
    """

    kind_worth: Mapping[BlockKind, float] = field(default_factory=lambda: _KIND_WORTH)
    match_weight: float = 0.3
    neighbour_share: float = 0.4
    lead_worth: float = 0.8
    off_focus_factor: float = 0.2
    small_piece_tokens: int = 60
    plain_piece_tokens: int = 250
    rung_shares: tuple[float, ...] = (0.2, 0.4, 0.6, 0.8)
    rung_tokens: tuple[int, ...] = (60, 120, 240)
    closed_gap_tokens: int = 12
    text_block_lines: int = 8
    pool_factor: float = 1.5
    pool_min: int = 16
    pool_files: int = 6
    unknown_likelihood: float = 0.25
    score_power: float = 1.5
    rank_decay: float = 0.2
    pointer_share: float = 0.15
    pointer_tokens: int = 40
    aspect_bonus: float = 0.5
    max_share: float = 0.6
    max_small_share: float = 0.85
    small_limit_tokens: int = 300
    duplicate_jaccard: float = 0.9
    duplicate_min_lines: int = 4
    redact_context_lines: int = 80
    oversized_tokens: int = 32_000
    noise_score: float = 0.15
    noise_strength: float = 0.35
    answer_share: float = 0.95
    surplus_tokens: int = 100
    domination_share: float = 0.6
    domination_min_tokens: int = 600


DEFAULT = PackConfig()
