"""A comparison as text, Markdown and JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agent.guard import strip_controls
from harness.report.compare import Comparison, Pair, Share, Summary
from harness.report.tables import as_markdown, as_text, tables

SCHEMA_VERSION = 1


def to_text(comparison: Comparison, max_flips: int = 5, width: int = 0) -> str:
    """For a terminal of ``width`` columns (0: any): tables, then the first flips of each pair; no terminal control."""
    parts = [as_text(table, width) for table in tables(comparison)]
    for pair in comparison.pairs:
        if pair.flips and max_flips:
            parts.append("\n".join([f"Flips {pair.before} → {pair.after}", *_flip_lines(pair, max_flips)]))
    parts += [f"note: {note}" for note in comparison.notes]
    return strip_controls("\n\n".join(parts)) + "\n"


def _flip_lines(pair: Pair, limit: int) -> list[str]:
    out = []
    for gained in (True, False):
        some = [flip for flip in pair.flips if flip.gained is gained]
        for flip in some[:limit]:
            sign = "+" if gained else "−"
            out.append(f"  {sign} {flip.question_id} ({flip.category}): {_short(flip.question, 90)}")
            out.append(f"      {'before' if gained else 'now'}: {_short(flip.why, 150)}")
        if len(some) > limit:
            out.append(f"    … and {len(some) - limit} more {'gained' if gained else 'lost'}")
    return out


def _short(text: str, limit: int) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"


def to_markdown(comparison: Comparison) -> str:
    parts = [as_markdown(table) for table in tables(comparison)]
    parts += [f"> {note}" for note in comparison.notes]
    return strip_controls("\n\n".join(parts)) + "\n"


def to_json(comparison: Comparison) -> dict[str, Any]:
    """Everything, flips included; None where a figure does not exist."""
    return {
        "schema_version": SCHEMA_VERSION,
        "acceptable": comparison.acceptable,
        "runs": [_summary(each) for each in comparison.summaries],
        "pairs": [asdict(pair) for pair in comparison.pairs],
        "first_acceptable": dict(comparison.first_acceptable),
        "notes": list(comparison.notes),
    }


def _summary(each: Summary) -> dict[str, Any]:
    run = each.run
    return {
        "name": run.name,
        "run_id": run.run_id,
        "file": run.path.name,
        "tier": run.tier,
        "token_budget": run.budget,
        "answerer": run.answerer,
        "model": run.model,
        "grader": run.grader,
        "questions": len(run.questions),
        "ungraded": each.ungraded,
        "accuracy": _share(each.accuracy),
        "score": None if each.score is None else asdict(each.score),
        "evidence": {name: None if value is None else asdict(value) for name, value in each.evidence},
        "context_tokens": None if each.tokens is None else asdict(each.tokens),
        "seconds": {"p50": each.seconds_p50, "p95": each.seconds_p95},
        "cost_usd": each.cost,
        "grades": dict(each.grades),
        "failure_labels": dict(each.failures),
        "categories": {name: _share(value) for name, value in each.categories},
    }


def _share(value: Share) -> dict[str, Any]:
    return {"passed": value.passed, "n": value.n, "value": value.value, "low": value.low, "high": value.high}
