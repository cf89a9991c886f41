"""Packs as JSON: a round trip without loss, a JSON Schema beside this file, and a digest of the canonical form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from retrieval.errors import UserError
from retrieval.pack_records import (
    PACK_SCHEMA_VERSION,
    ContextPack,
    Decision,
    EvidenceChunk,
    FileHint,
    LegHit,
    Mention,
    Plan,
    QuestionClass,
    RotFinding,
)

SCHEMA_FILE = Path(__file__).with_name("pack.schema.json")

Json = dict[str, Any]
_T = TypeVar("_T")


@lru_cache(maxsize=1)
def pack_schema() -> Json:
    """The JSON Schema (draft 2020-12) that ``pack_to_dict`` satisfies."""
    return cast(Json, json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def pack_to_dict(pack: ContextPack) -> Json:
    """The pack as JSON types, keys in the order of the records. Tuples become lists, scores plain floats."""
    return {
        "schema_version": pack.schema_version,
        "question": pack.question,
        "plan": _plan_to_dict(pack.plan),
        "budget": pack.budget,
        "reserve": pack.reserve,
        "total_tokens": pack.total_tokens,
        "strength": float(pack.strength),
        "sufficient": pack.sufficient,
        "missing": list(pack.missing),
        "warnings": list(pack.warnings),
        "redactions": pack.redactions,
        "index_id": pack.index_id,
        "commit": pack.commit,
        "chunks": [_chunk_to_dict(chunk) for chunk in pack.chunks],
        "rot": [
            {
                "kind": finding.kind,
                "severity": finding.severity,
                "chunks": list(finding.chunks),
                "message": finding.message,
                "action": finding.action,
            }
            for finding in pack.rot
        ],
        "decisions": [
            {
                "stage": decision.stage,
                "path": decision.path,
                "start_line": decision.start_line,
                "end_line": decision.end_line,
                "symbol": decision.symbol,
                "action": decision.action,
                "why": decision.why,
            }
            for decision in pack.decisions
        ],
    }


def _plan_to_dict(plan: Plan) -> Json:
    return {
        "question": plan.question,
        "question_class": plan.question_class.value,
        "mentions": [{"text": m.text, "how": m.how, "symbols": list(m.symbols)} for m in plan.mentions],
        "file_hints": [{"text": h.text, "paths": list(h.paths), "line": h.line} for h in plan.file_hints],
        "aspects": list(plan.aspects),
        "leg_weights": {leg: float(weight) for leg, weight in sorted(plan.leg_weights.items())},
        "wants_tests": plan.wants_tests,
        "wants_docs": plan.wants_docs,
        "notes": list(plan.notes),
    }


def _chunk_to_dict(chunk: EvidenceChunk) -> Json:
    return {
        "number": chunk.number,
        "chunk_id": chunk.chunk_id,
        "path": chunk.path,
        "symbol": chunk.symbol,
        "qualname": chunk.qualname,
        "kind": str(chunk.kind),
        "language": chunk.language,
        "role": str(chunk.role),
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
        "ranges": [[first, last] for first, last in chunk.ranges],
        "text": chunk.text,
        "source": chunk.source,
        "tokens": chunk.tokens,
        "sha256": chunk.sha256,
        "file_sha256": chunk.file_sha256,
        "state": chunk.state,
        "score": float(chunk.score),
        "strength": float(chunk.strength),
        "legs": [{"leg": hit.leg, "rank": int(hit.rank), "score": float(hit.score)} for hit in chunk.legs],
        "features": [{"name": name, "value": float(value)} for name, value in chunk.features],
        "reason": chunk.reason,
        "actions": list(chunk.actions),
    }


def pack_digest(pack: ContextPack) -> str:
    """SHA-256 of the pack's canonical JSON (sorted keys, no white space): equal packs, equal digests."""
    text = json.dumps(pack_to_dict(pack), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


# ------------------------------------------------------------------------------------------------------------- reading


def pack_from_dict(data: Mapping[str, Any]) -> ContextPack:
    """The inverse of ``pack_to_dict``.

    Raises:
        UserError: The schema version is another one, or the data does not have the schema's shape.
    """
    version = data.get("schema_version") if isinstance(data, Mapping) else None
    if version != PACK_SCHEMA_VERSION:
        raise UserError(
            f"This pack has schema version {version!r}; this program reads version {PACK_SCHEMA_VERSION}.",
            "Compile it again: contextc pack --json",
        )
    try:
        return _pack(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError(
            f"This is not a context pack ({type(error).__name__}: {error}).", "Compile one: contextc pack --json"
        ) from error


def _pack(data: Mapping[str, Any]) -> ContextPack:
    return ContextPack(
        question=_str(data["question"]),
        plan=_plan(data["plan"]),
        chunks=_each(data["chunks"], _chunk),
        total_tokens=int(data["total_tokens"]),
        budget=int(data["budget"]),
        reserve=int(data["reserve"]),
        strength=float(data["strength"]),
        sufficient=bool(data["sufficient"]),
        missing=_each(data["missing"], _str),
        warnings=_each(data["warnings"], _str),
        rot=_each(
            data["rot"],
            lambda f: RotFinding(
                _str(f["kind"]), _str(f["severity"]), _each(f["chunks"], int), _str(f["message"]), _str(f["action"])
            ),
        ),
        decisions=_each(
            data["decisions"],
            lambda d: Decision(
                _str(d["stage"]), _str(d["path"]), int(d["start_line"]), int(d["end_line"]), _str(d["symbol"]),
                _str(d["action"]), _str(d["why"]),
            ),
        ),
        index_id=_str(data["index_id"]),
        commit=_str(data["commit"]),
        redactions=int(data["redactions"]),
        schema_version=PACK_SCHEMA_VERSION,
    )  # fmt: skip


def _plan(data: Mapping[str, Any]) -> Plan:
    return Plan(
        question=_str(data["question"]),
        question_class=QuestionClass(data["question_class"]),
        mentions=_each(data["mentions"], lambda m: Mention(_str(m["text"]), _str(m["how"]), _each(m["symbols"], _str))),
        file_hints=_each(
            data["file_hints"],
            lambda h: FileHint(_str(h["text"]), _each(h["paths"], _str), None if h["line"] is None else int(h["line"])),
        ),
        aspects=_each(data["aspects"], _str),
        leg_weights={_str(leg): float(weight) for leg, weight in data["leg_weights"].items()},
        wants_tests=bool(data["wants_tests"]),
        wants_docs=bool(data["wants_docs"]),
        notes=_each(data["notes"], _str),
    )


def _chunk(data: Mapping[str, Any]) -> EvidenceChunk:
    return EvidenceChunk(
        number=int(data["number"]),
        chunk_id=_str(data["chunk_id"]),
        path=_str(data["path"]),
        symbol=_str(data["symbol"]),
        qualname=_str(data["qualname"]),
        kind=_str(data["kind"]),
        language=_str(data["language"]),
        role=_str(data["role"]),
        start_line=int(data["start_line"]),
        end_line=int(data["end_line"]),
        ranges=_each(data["ranges"], lambda r: (int(r[0]), int(r[1]))),
        text=_str(data["text"]),
        source=_str(data["source"]),
        tokens=int(data["tokens"]),
        sha256=_str(data["sha256"]),
        file_sha256=_str(data["file_sha256"]),
        state=_str(data["state"]),
        score=float(data["score"]),
        strength=float(data["strength"]),
        legs=_each(data["legs"], lambda h: LegHit(_str(h["leg"]), int(h["rank"]), float(h["score"]))),
        features=_each(data["features"], lambda f: (_str(f["name"]), float(f["value"]))),
        reason=_str(data["reason"]),
        actions=_each(data["actions"], _str),
    )


def _each(items: Sequence[Any], read: Callable[[Any], _T]) -> tuple[_T, ...]:
    if isinstance(items, str) or not isinstance(items, Sequence):
        raise TypeError(f"expected a list, found {type(items).__name__}")
    return tuple(read(item) for item in items)


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a string, found {type(value).__name__}")
    return value
