"""Tier 4: the context compiler, and what it does about rot before its pack is used. Parts can be switched off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from harness.tiers import switches
from harness.tiers.concatenate import Ranked, as_pack, take
from harness.tiers.hybrid import with_legs
from harness.tiers.protocol import TierOptions
from harness.tiers.redacted import RedactedSource
from retrieval.compile.workspace import Workspace, collect
from retrieval.pack_records import ContextPack, Plan, QuestionClass
from retrieval.search.engine import Searcher
from retrieval.search.weights import leg_weights

if TYPE_CHECKING:
    from agent.session import Session

_SEARCHED = 120  # chunks, as the workspace's own limit


class CompiledTier:
    """Planner, workspace, slicer, pack builder, token budgeter, rot detection and its actions."""

    def __init__(self, session: Session, options: TierOptions) -> None:
        self.session = session
        self.options = options
        self._setting = switches.setting(options.off, options.legs)
        own = session.searcher
        self._searcher = Searcher(own.reader, own.embedder, own.vectors, self._setting.ranking)

    def context(self, question: str) -> ContextPack:
        from retrieval.compile.pipeline import compile_pack
        from retrieval.compile.rot_actions import apply_rot_actions

        reader, options, setting = self.session.reader, self.options, self._setting
        plan = with_legs(self.session.plan(question), setting.legs)
        if switches.PLANNER in setting.stages_off:
            plan = _without_planning(plan)
        workspace = self._collect(plan)
        if switches.PACKING in setting.stages_off:
            return self._unpacked(plan, workspace)
        pack = compile_pack(
            plan,
            workspace,
            reader,
            budget=options.budget,
            reserve=options.reserve,
            index_id=reader.meta.get("content_id", ""),
            commit=reader.meta.get("commit", ""),
            config=setting.pack,
        )
        return apply_rot_actions(pack, config=setting.treatment).pack

    def _unpacked(self, plan: Plan, workspace: Workspace) -> ContextPack:
        source, options = RedactedSource(self.session.reader), self.options
        ranked = (Ranked.of(each) for each in workspace.candidates)
        return as_pack(
            plan,
            take(ranked, source, options.budget),
            source,
            budget=options.budget,
            reserve=options.reserve,
            strength=workspace.strength,
            index_id=self.session.reader.meta.get("content_id", ""),
        )

    def _collect(self, plan: Plan) -> Workspace:
        limit = self.options.k or _SEARCHED
        if switches.EXPANSION in self._setting.stages_off:
            found = self._searcher.search(plan, limit)
            return Workspace(found.candidates, (), (), found.strength)
        return collect(plan, self._searcher, limit)


def _without_planning(plan: Plan) -> Plan:
    """The question as words: an explanation, with all legs that need no name."""
    weights = leg_weights(QuestionClass.EXPLAIN, plan.leg_weights)
    return replace(
        plan, question_class=QuestionClass.EXPLAIN, mentions=(), file_hints=(), aspects=(), leg_weights=weights,
        wants_tests=False, wants_docs=False,
    )  # fmt: skip
