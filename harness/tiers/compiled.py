"""Tier 4: the context compiler, and what it does about rot before its pack is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.tiers.hybrid import with_legs
from harness.tiers.protocol import TierOptions
from retrieval.records import ContextPack

if TYPE_CHECKING:
    from agent.session import Session


class CompiledTier:
    """Planner, workspace, slicer, pack builder, token budgeter, rot detection and its actions."""

    def __init__(self, session: Session, options: TierOptions) -> None:
        self.session = session
        self.options = options

    def context(self, question: str) -> ContextPack:
        from retrieval.compile.pipeline import compile_pack
        from retrieval.compile.rot_actions import apply_rot_actions
        from retrieval.compile.workspace import collect

        reader, options = self.session.reader, self.options
        plan = with_legs(self.session.plan(question), options.legs)
        searcher = self.session.searcher
        pack = compile_pack(
            plan,
            collect(plan, searcher, options.k) if options.k else collect(plan, searcher),
            reader,
            budget=options.budget,
            reserve=options.reserve,
            index_id=reader.meta.get("content_id", ""),
            commit=reader.meta.get("commit", ""),
        )
        return apply_rot_actions(pack).pack
