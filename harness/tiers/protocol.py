"""What a tier is: a question and a budget in, a ``ContextPack`` out. The answerer and its contract treat all alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from retrieval.pack_records import ContextPack

if TYPE_CHECKING:
    from agent.session import Session


@dataclass(frozen=True, slots=True)
class TierOptions:
    """What may be varied without being another tier.

    Attributes:
        budget: Tokens (o200k_base) that the rendered context may take.
        reserve: Tokens kept for the reply.
        k: At most this many ranked pieces are taken; 0 for as many as the budget holds.
        window_lines: Lines of a fixed window (tier 1).
        overlap_lines: Lines that a window shares with the one before (tier 1).
        legs: Legs that may run (tiers 3 and 4).
        off: Parts that are switched off, by the names of ``harness.tiers.switches`` (tier 4).
    """

    budget: int = 4000
    reserve: int = 1024
    k: int = 0
    window_lines: int = 40
    overlap_lines: int = 0
    legs: tuple[str, ...] = ("lexical", "vector", "graph")
    off: tuple[str, ...] = ()


class Tier(Protocol):
    """One way of choosing context, opened on one corpus."""

    def context(self, question: str) -> ContextPack:
        """The evidence within the budget. The same index and question give the same pack."""
        ...


class TierFactory(Protocol):
    def __call__(self, session: Session, options: TierOptions) -> Tier: ...
