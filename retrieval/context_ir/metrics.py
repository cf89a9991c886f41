"""What one decision of the IR stage did: counts and sizes, never source text, ids or messages of exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from retrieval.context_ir.measure import SCOPE


@dataclass(frozen=True, slots=True)
class IrMetrics:
    """Sizes are of the complete canonical request, None where nothing was measured.

    Attributes:
        status: ``applied``, or ``untouched`` with a ``reason``.
        reason: Short code: ``off``, ``request-shape``, ``no-recovery-tool``, ``tool-choice``, ``no-user-turn``,
            ``structured-user-turn``, ``no-candidates``, ``no-savings``, ``unknown-tokenizer``, ``model-changed``,
            ``tokenizer-failed``, ``scorer-failed``, ``vault-failed``, ``final-gate``, ``internal``.
        formats: Messages written in each format; ``vault`` counts those set aside.
        skipped_scores: Candidates without a usable score. ``scorer_tokens`` and ``scorer_cost_usd`` are None when
            nobody reported them.
    """

    status: str
    reason: str = ""
    tokenizer: str = ""
    formats: Mapping[str, int] = field(default_factory=dict)
    candidates: int = 0
    evaluations: int = 0
    raw_tokens: int | None = None
    final_tokens: int | None = None
    raw_chars: int | None = None
    final_chars: int | None = None
    elapsed_ms: float = 0.0
    skipped_scores: int = 0
    scorer_tokens: int | None = None
    scorer_cost_usd: float | None = None
    measurement_scope: str = SCOPE

    @property
    def saved_tokens(self) -> int:
        return (self.raw_tokens or 0) - (self.final_tokens or 0) if self.status == "applied" else 0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
