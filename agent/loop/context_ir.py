"""Context IR of a conversation: older turns and evidence re-encoded behind its gate, exact sources in the vault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.answer.context_ir import IrUse
    from retrieval.context_ir.metrics import IrMetrics


@dataclass
class ChatIr:
    """Encodes each request. The model fetches an exact source with the toolbox's ``artifact_get``.

    Attributes:
        requests: How many requests were sent, ``applied`` how many of them smaller; ``saved`` tokens in all.
        last: Of the latest request.
    """

    use: IrUse
    requests: int = 0
    applied: int = 0
    saved: int = 0
    last: IrMetrics | None = field(default=None)

    def encode(self, plain: Mapping[str, Any]) -> tuple[dict[str, Any], IrMetrics]:
        from retrieval.context_ir.compiler import compile_request
        from retrieval.context_ir.measure import tokenizer_for

        outcome = compile_request(plain, settings=self.use.settings, tokenizer=tokenizer_for, vault=self.use.open_vault)
        self.requests += 1
        self.applied += outcome.metrics.status == "applied"
        self.saved += outcome.metrics.saved_tokens
        self.last = outcome.metrics
        return dict(outcome.request), outcome.metrics

    def told(self) -> str:
        """One line about the conversation so far, "" before the first request."""
        if self.last is None:
            return ""
        if not self.applied:
            from agent.answer.context_ir import told

            return told(self.last)
        return f"context IR: {self.applied} of {self.requests} requests re-encoded, {self.saved:,} tokens less in all"
