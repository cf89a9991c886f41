"""One answered question as a run records it: the fields of the lesson, and what grading and comparison need."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from agent.answer.records import Answer
from harness.questions.records import Question
from harness.runner.config import RunConfig
from harness.runner.evidence_score import score_evidence
from harness.tiers.registry import tier_info
from retrieval.compile.render import render_pack
from retrieval.pack_records import ContextPack
from retrieval.tokens.counter import count_tokens
from retrieval.version import VERSION

_CITED_CHARS = 2_000  # of a citation's text
_NOT_FACTS = ("inference", "abstention")


def base_row(run_id: str, config: RunConfig, question: Question, repeat: int) -> dict[str, Any]:
    """What is known before anything is retrieved."""
    return {
        "run_id": run_id,
        "question_id": question.id,
        "repeat": repeat,
        "question": question.question,
        "category": question.category,
        "difficulty": question.difficulty,
        "corpus": question.corpus,
        "answer": "",
        "model": "",
        "provider": "",
        "tier": config.tier,
        "retrieval_method": tier_info(config.tier).method,
        "answerer": config.answering.answerer,
        "token_budget": config.options.budget,
        "seed": config.answering.seed + repeat,
        "config_digest": config.digest,
        "harness_version": VERSION,
        "grade": None,
        "failure_label": None,
        "grading_notes": "",
        "error": "",
        "reference": question.to_dict(),
    }


def context_fields(pack: ContextPack, gold: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the context was, and how much of the gold it shows."""
    rendered = render_pack(pack)
    shown = [(chunk.path, chunk.ranges) for chunk in pack.chunks]
    return {
        "evidence_files": list(dict.fromkeys(chunk.path for chunk in pack.chunks)),
        "evidence": [
            {"path": chunk.path, "symbol": chunk.symbol, "ranges": [list(each) for each in chunk.ranges]}
            for chunk in pack.chunks
        ],
        "context_tokens": count_tokens(rendered),
        "context_rot_issues": [f"{each.kind} ({each.severity}): {each.message}" for each in pack.rot],
        "pack_digest": hashlib.sha256(rendered.encode("utf-8")).hexdigest(),
        "pack_warnings": list(pack.warnings),
        "strength": pack.strength,
        "sufficient": pack.sufficient,
        "evidence_score": score_evidence(gold, shown).to_dict(),
        "gold": list(gold),
    }


def answer_fields(answer: Answer, pack: ContextPack, config: RunConfig) -> dict[str, Any]:
    """The answer, its citations, how its sentences fared, and what it cost."""
    shown: dict[str, set[int]] = {}
    for chunk in pack.chunks:
        for first, last in chunk.ranges:
            shown.setdefault(chunk.path, set()).update(range(first, last + 1))
    provider, _, model = answer.model.partition("/") if answer.model else ("contextc", "", "offline")
    facts = [each for each in answer.statements if each.kind not in _NOT_FACTS]
    return {
        "answer": answer.text,
        "model": model,
        "provider": provider,
        "abstained": answer.abstained,
        "refused": answer.refused,
        "citations": [
            {
                "path": each.path,
                "start": each.start,
                "end": each.end,
                "symbol": each.symbol,
                "in_context": set(range(each.start, each.end + 1)) <= shown.get(each.path, set()),
                "text": each.text[:_CITED_CHARS],
            }
            for each in answer.citations
        ],
        "statements": {
            "facts": len(facts),
            "supported": sum(each.supported for each in facts),
            "unsupported": [each.why for each in answer.statements if not each.supported],
        },
        "answer_notes": list(answer.notes),
        "usage": dict(answer.usage),
        "cost_usd": cost(answer.usage, config),
    }


def cost(usage: Mapping[str, int], config: RunConfig) -> float | None:
    """US dollars; 0 without a model, None when the prices or the server's counts are unknown."""
    answering = config.answering
    if answering.answerer != "openai":
        return 0.0
    if answering.price_in is None or answering.price_out is None or "prompt_tokens" not in usage:
        return None
    spent = usage["prompt_tokens"] * answering.price_in + usage.get("completion_tokens", 0) * answering.price_out
    return round(spent / 1e6, 8)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
