"""From ranked pieces to a pack, without any compilation: whole pieces in rank order while they fit.

Pieces are rendered and counted exactly as the compiler's are, so that budgets mean the same in every tier.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from harness.tiers.redacted import RedactedSource
from retrieval.compile.assembly import finish
from retrieval.compile.render import body_text
from retrieval.compile.rot import RotChecks, detect_rot
from retrieval.pack_records import Candidate, ContextPack, EvidenceChunk, LegHit, Plan
from retrieval.search.strength import MIN_STRENGTH

_FULL_SHARE = 0.95  # of the budget: what is left over holds no further piece of the usual size
_MAX_MISFITS = 20  # pieces that did not fit, after which no more are tried


@dataclass(frozen=True, slots=True)
class Ranked:
    """A piece of a file as a tier ranked it, whole. ``symbol`` and ``qualname`` are "" where a tier knows none."""

    path: str
    start: int
    end: int
    score: float
    legs: tuple[LegHit, ...]
    symbol: str = ""
    qualname: str = ""
    kind: str = "window"

    @classmethod
    def of(cls, each: Candidate) -> Ranked:
        """A searched chunk, whole."""
        row = each.chunk
        where = (row.path, row.start_line, row.end_line)
        return cls(*where, each.score, each.legs, row.symbol, row.qualname, row.kind.value)


def take(ranked: Iterable[Ranked], source: RedactedSource, budget: int, k: int = 0) -> tuple[EvidenceChunk, ...]:
    """Whole pieces in the order given, each if it still fits; the first one is cut when it alone is too large.

    Args:
        ranked: Best first; read only as far as needed.
        k: At most this many pieces are looked at; 0 for no limit.
    """
    chunks: list[EvidenceChunk] = []
    spent = misfits = 0
    for at, piece in enumerate(ranked):
        if k and at >= k:
            break
        chunk = evidence(len(chunks) + 1, piece, source)
        if not chunks and chunk.tokens > budget:
            chunk = _cut(piece, source, budget)
        if not chunk.ranges or spent + chunk.tokens > budget:
            misfits += 1
            if misfits > _MAX_MISFITS or spent > _FULL_SHARE * budget:
                break
            continue
        spent += chunk.tokens
        chunks.append(chunk)
    return tuple(chunks)


def as_pack(
    plan: Plan,
    chunks: tuple[EvidenceChunk, ...],
    source: RedactedSource,
    *,
    budget: int,
    reserve: int,
    strength: float,
    index_id: str = "",
) -> ContextPack:
    """The pack of concatenated pieces. ``strength`` (0..1) below ``MIN_STRENGTH`` makes it insufficient."""
    cut = any("cut" in chunk.actions for chunk in chunks)
    pack = ContextPack(
        question=plan.question,
        plan=plan,
        chunks=chunks,
        total_tokens=sum(chunk.tokens for chunk in chunks),
        budget=budget,
        reserve=reserve,
        strength=strength,
        sufficient=bool(chunks) and strength >= MIN_STRENGTH,
        warnings=("The first piece of evidence was cut to the budget.",) if cut else (),
        index_id=index_id,
        redactions=sum("redacted" in chunk.actions for chunk in chunks),
    )
    return replace(pack, rot=detect_rot(pack, RotChecks(source=source)))


def evidence(number: int, piece: Ranked, source: RedactedSource, last: int = 0) -> EvidenceChunk:
    """The piece as evidence: its lines up to ``last`` (0: all), secrets redacted."""
    file, changed = source.redacted(piece.path)
    last = min(last or piece.end, len(file.lines))
    ranges = ((piece.start, last),) if last >= piece.start else ()
    shown = range(piece.start, last + 1)
    line_of = {n: file.lines[n - 1].encode("utf-8", "replace").decode("utf-8") for n in shown}
    text = "\n".join(line_of.values())
    actions = ("redacted",) * any(n in changed for n in shown) + ("cut",) * (last < min(piece.end, len(file.lines)))
    chunk = EvidenceChunk(
        number=number,
        chunk_id="",
        path=piece.path,
        symbol=piece.symbol,
        qualname=piece.qualname,
        kind=piece.kind,
        language=file.language,
        role=file.role.value,
        start_line=piece.start,
        end_line=max(piece.start, min(piece.end, len(file.lines))),
        ranges=ranges,
        text=body_text(ranges, line_of),
        source=text,
        tokens=0,
        sha256=hashlib.sha256(text.encode("utf-8")).hexdigest(),
        file_sha256=file.sha256,
        state="unknown",
        score=piece.score,
        strength=0.0,
        legs=piece.legs,
        features=(),
        reason="ranked",
        actions=actions,
    )
    return finish(chunk, sum(file.line_tokens[n - 1] for n in shown))


def _cut(piece: Ranked, source: RedactedSource, budget: int) -> EvidenceChunk:
    """As many of its first lines as fit; an entry without ranges when not even one does."""
    low, high = piece.start - 1, min(piece.end, len(source.file_text(piece.path).lines))
    while low < high:  # the last line that fits, by bisection: tokens grow with every line
        middle = (low + high + 1) // 2
        if evidence(1, piece, source, middle).tokens <= budget:
            low = middle
        else:
            high = middle - 1
    fits = evidence(1, piece, source, max(low, piece.start))
    return fits if low >= piece.start else replace(fits, ranges=())
