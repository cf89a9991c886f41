"""``--context-ir`` of ``pack`` and ``ask``: the option, and where its vault lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from agent.answer.context_ir import IrUse
    from agent.session import Session
    from retrieval.context_ir.compiler import IrOutcome
    from retrieval.pack_records import ContextPack

_F = TypeVar("_F", bound=Callable[..., Any])


def context_ir_option(function: _F) -> _F:
    return click.option(
        "--context-ir/--no-context-ir",
        "context_ir",
        default=None,
        help="Re-encode the evidence where that makes the whole request smaller (CONTEXTC_CONTEXT_IR).",
    )(function)


def vault_path(session: Session) -> Path:
    """The vault beside the index, or in the user's cache directory when the tree cannot be written."""
    from retrieval.context_ir.vault import VAULT_NAME
    from retrieval.index.location import for_writing

    return for_writing(session.location).index_dir / VAULT_NAME


def ir_use(session: Session, given: bool | None) -> IrUse | None:
    """What the option, or without it the environment, asks for; None when it is off."""
    from retrieval.context_ir.settings import IrSettings

    settings = IrSettings.from_env()
    if not (settings.enabled if given is None else given):
        return None
    from agent.answer.context_ir import IrUse

    return IrUse(replace(settings, enabled=True), vault_path(session))


def encode_pack(pack: ContextPack, use: IrUse) -> IrOutcome:
    """The request that ``contextc ask`` would send for ``pack`` to the configured model, re-encoded."""
    from agent.answer.config import DEFAULT_MODEL, AnswerConfig
    from agent.answer.context_ir import encode_request
    from agent.answer.openai_client import answer_tokens, request_options
    from agent.answer.prompt import build_messages

    config = AnswerConfig.from_env()
    model = config.model or DEFAULT_MODEL
    return encode_request(request_options(model, build_messages(pack), config, answer_tokens(pack, config)), pack, use)


def shown_evidence(outcome: IrOutcome) -> str:
    """The evidence message as it is re-encoded; "" when the request stays as it is."""
    from agent.answer.context_ir import EVIDENCE_ORDINAL

    if outcome.metrics.status != "applied":
        return ""
    return str(outcome.request["messages"][EVIDENCE_ORDINAL]["content"])


def explained(outcome: IrOutcome) -> str:
    """Lines for ``--explain``: formats, evaluations, sizes before and after, time."""
    metrics = outcome.metrics
    tokens = f"{metrics.raw_tokens} -> {metrics.final_tokens} tokens"
    sizes = f"{tokens}, {metrics.raw_chars} -> {metrics.final_chars} characters"
    lines = [
        f"context IR: {metrics.status}{f' ({metrics.reason})' if metrics.reason else ''}; "
        f"{metrics.candidates} candidates, {metrics.evaluations} requests measured, {metrics.elapsed_ms:.1f} ms"
    ]
    if metrics.status == "applied":
        lines.append(f"context IR: {sizes} of the whole request ({metrics.tokenizer}, {metrics.measurement_scope})")
        lines += [
            f"context IR: message {one.ordinal} as {one.format}, exact text: {one.source}" for one in outcome.shown
        ]
    return "\n".join(lines) + "\n"
