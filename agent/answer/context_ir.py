"""Context IR of one answer: the evidence becomes an older message, beside the question, that may be re-encoded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.answer.prompt import SYSTEM_PROMPT, evidence_message, question_message
from agent.answer.recovery import MAX_ROUNDS, ToolCalls, refuses_tools, with_results
from retrieval.pack_records import ContextPack

if TYPE_CHECKING:
    from retrieval.context_ir.compiler import IrOutcome
    from retrieval.context_ir.metrics import IrMetrics
    from retrieval.context_ir.settings import IrSettings
    from retrieval.context_ir.vault import Vault

EVIDENCE_ORDINAL = 1  # of the evidence among the messages

_REASONS = {
    "off": "it is switched off",
    "no-candidates": "the evidence is smaller or larger than its limits",
    "no-savings": "nothing would get smaller",
    "final-gate": "nothing would get smaller",
    "unknown-tokenizer": "the model's tokenizer is not known "
    "(name it in CONTEXTC_TIKTOKEN_ENCODING or CONTEXTC_TOKENIZER_JSON)",
    "tokenizer-failed": "the tokenizer failed",
    "vault-failed": "the vault could not be written",
    "tools-refused": "the server takes no tools",
}


@dataclass(frozen=True, slots=True)
class IrUse:
    """How to re-encode, and where exact sources are kept."""

    settings: IrSettings
    vault: Path

    def open_vault(self) -> Vault:
        from retrieval.context_ir.settings import vault_bytes_from_env
        from retrieval.context_ir.vault import Vault

        return Vault(self.vault, max_bytes=vault_bytes_from_env())


def encode_request(plain: Mapping[str, Any], pack: ContextPack, use: IrUse) -> IrOutcome:
    """The request for ``pack`` with its evidence re-encoded and the recovery tool declared, if all of that together is
    smaller than the ``plain`` request; else ``plain`` itself."""
    from retrieval.context_ir.compiler import compile_request
    from retrieval.context_ir.measure import tokenizer_for
    from retrieval.context_ir.tools import GET_TOOL

    apart = {
        **plain,
        "messages": [
            {"role": "system", "content": SYSTEM_PROMPT},
            {"role": "user", "content": evidence_message(pack)},
            {"role": "user", "content": question_message(pack)},
        ],
        "tools": [GET_TOOL],
    }
    return compile_request(apart, settings=use.settings, tokenizer=tokenizer_for, vault=use.open_vault, untouched=plain)


class IrStage:
    """Context IR of one request: encodes it, and answers the model's calls for exact sources, at most 3 times.

    Attributes:
        calls: What the current reply asks for.
        metrics: What was done; None before ``encode``.
    """

    def __init__(self, pack: ContextPack, use: IrUse) -> None:
        self._pack = pack
        self._use = use
        self._plain: dict[str, Any] = {}
        self._sources: frozenset[str] = frozenset()
        self._rounds = 0
        self.calls = ToolCalls()
        self.metrics: IrMetrics | None = None

    def encode(self, plain: dict[str, Any]) -> dict[str, Any]:
        outcome = encode_request(plain, self._pack, self._use)
        self._plain, self.metrics = plain, outcome.metrics
        self._sources = frozenset(one.source for one in outcome.shown)
        return dict(outcome.request)

    def following(self, options: Mapping[str, Any]) -> dict[str, Any] | None:
        """The request after the reply's calls were answered; None when it made none, or none are allowed any more."""
        calls = self.calls.take()
        if not calls or not self._sources or self._rounds >= MAX_ROUNDS:
            return None
        self._rounds += 1
        with self._use.open_vault() as vault:
            answered = with_results(options, calls, vault, self._sources)
        return {**answered, "tool_choice": "none"} if self._rounds == MAX_ROUNDS else answered

    def without_tools(self, error: Exception, options: Mapping[str, Any]) -> dict[str, Any] | None:
        """The plain request when the server says that it takes no tools; None when it says something else."""
        from retrieval.context_ir.metrics import IrMetrics

        self.calls.take()
        if "tools" not in options or not refuses_tools(error):
            return None
        self.metrics, self._sources = IrMetrics("untouched", "tools-refused"), frozenset()
        return {name: value for name, value in self._plain.items() if name in options}  # what was refused stays away


def told(metrics: IrMetrics) -> str:
    """One line for people: what was saved, or why nothing was done."""
    if metrics.status != "applied" or metrics.raw_tokens is None or metrics.final_tokens is None:
        return f"context IR: the request is sent as it is, because {_REASONS.get(metrics.reason, metrics.reason)}"
    share = 100 * metrics.saved_tokens / metrics.raw_tokens
    return (
        f"context IR: {metrics.final_tokens:,} instead of {metrics.raw_tokens:,} tokens for the whole request "
        f"({share:.1f} % less, {metrics.tokenizer}), as {', '.join(metrics.formats)}"
    )
