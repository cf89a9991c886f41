"""What tiers that concatenate ranked pieces share: plan, take while it fits, measure strength, wrap as a pack."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

from harness.tiers.concatenate import Ranked, as_pack, take
from harness.tiers.protocol import TierOptions
from harness.tiers.redacted import RedactedSource
from harness.tiers.strength import shown_strength
from retrieval.pack_records import ContextPack, Plan

if TYPE_CHECKING:
    from agent.session import Session


class ConcatenatingTier(ABC):
    """A tier is its ranking: subclasses say which pieces come first."""

    def __init__(self, session: Session, options: TierOptions) -> None:
        self.session = session
        self.options = options
        self._source = RedactedSource(session.reader)

    @abstractmethod
    def ranked(self, plan: Plan) -> Iterable[Ranked]:
        """Pieces best first; ties by path, then line."""

    def context(self, question: str) -> ContextPack:
        reader, options = self.session.reader, self.options
        plan = self.session.plan(question)
        chunks = take(self.ranked(plan), self._source, options.budget, options.k)
        return as_pack(
            plan,
            chunks,
            self._source,
            budget=options.budget,
            reserve=options.reserve,
            strength=shown_strength(reader, plan, chunks, self.session.searcher.likeness(question)),
            index_id=reader.meta.get("content_id", ""),
        )
