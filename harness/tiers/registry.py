"""The tiers by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from harness.tiers.protocol import Tier, TierOptions
from retrieval.errors import UserError

if TYPE_CHECKING:
    from agent.session import Session


@dataclass(frozen=True, slots=True)
class TierInfo:
    """``key`` is what the command line takes; ``method`` is what a run records."""

    key: str
    label: str
    method: str
    module: str
    factory: str


TIERS = {
    info.key: info
    for info in (
        TierInfo("grep", "grep and read", "grep_read", "harness.tiers.grep", "GrepTier"),
        TierInfo("bm25", "BM25", "bm25", "harness.tiers.bm25", "Bm25Tier"),
        TierInfo("1", "1 naive vector", "naive_vector", "harness.tiers.vector", "NaiveVectorTier"),
        TierInfo("2", "2 AST vector", "ast_vector", "harness.tiers.vector", "AstVectorTier"),
        TierInfo("3", "3 hybrid", "hybrid", "harness.tiers.hybrid", "HybridTier"),
        TierInfo("4", "4 compiled", "compiled_hybrid", "harness.tiers.compiled", "CompiledTier"),
    )
}
LADDER = ("1", "2", "3", "4")


def tier_info(key: str) -> TierInfo:
    """Raises UserError for an unknown key."""
    if key not in TIERS:
        raise UserError(f"There is no tier {key!r}.", f"Choose from: {', '.join(TIERS)}.")
    return TIERS[key]


def open_tier(key: str, session: Session, options: TierOptions) -> Tier:
    info = tier_info(key)
    factory: Callable[[Session, TierOptions], Tier] = getattr(import_module(info.module), info.factory)
    return factory(session, options)
