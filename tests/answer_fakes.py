"""Small packs, readers and graphs for the tests of answers: everything in memory, built from source text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from retrieval.pack_records import ContextPack, EvidenceChunk, LegHit, Mention, Plan, QuestionClass


def evidence(
    number: int,
    path: str,
    text: str,
    start: int = 1,
    *,
    symbol: str = "",
    qualname: str = "",
    ranges: Sequence[tuple[int, int]] | None = None,
    kind: str = "function",
    role: str = "code",
    strength: float = 0.9,
) -> EvidenceChunk:
    """``text`` is the source chunk from line ``start`` on; ``ranges`` (default: all) are the lines shown."""
    lines = text.split("\n")
    shown = tuple(ranges or [(start, start + len(lines) - 1)])
    picked = [(n, lines[n - start]) for first, last in shown for n in range(first, last + 1)]
    body: list[str] = []
    previous = shown[0][0] - 1
    for first, last in shown:
        if first > previous + 1:
            body.append(f"… {previous + 1}-{first - 1}")
        body.extend(f"{n} {lines[n - start]}" for n in range(first, last + 1))
        previous = last
    sha = hashlib.sha256(text.encode()).hexdigest()
    end = start + len(lines) - 1
    return EvidenceChunk(
        number=number,
        chunk_id=f"{path}:{start}-{end}@{sha[:12]}",
        path=path,
        symbol=symbol,
        qualname=qualname,
        kind=kind,
        language="python" if path.endswith(".py") else "text",
        role=role,
        start_line=start,
        end_line=end,
        ranges=shown,
        text="\n".join(body),
        source="\n".join(line for _, line in picked),
        tokens=10 * len(picked),
        sha256=sha,
        file_sha256=sha,
        state="unknown",
        score=1.0 - number / 100,
        strength=strength,
        legs=(LegHit("lexical", number, 1.0),),
        features=(),
        reason="matches the question",
        actions=(),
    )


def pack_of(
    *chunks: EvidenceChunk,
    question: str = "What does run do?",
    question_class: QuestionClass = QuestionClass.EXPLAIN,
    mentions: Sequence[Mention] = (),
    sufficient: bool = True,
    missing: Sequence[str] = (),
    **more: object,
) -> ContextPack:
    return ContextPack(
        question=question,
        plan=Plan(question, question_class, tuple(mentions)),
        chunks=tuple(chunks),
        total_tokens=sum(chunk.tokens for chunk in chunks),
        budget=4000,
        reserve=1024,
        strength=max((chunk.strength for chunk in chunks), default=0.0),
        sufficient=sufficient,
        missing=tuple(missing),
        **more,  # type: ignore[arg-type]
    )
