"""Acting on rot before a pack is used: drop noise, copies and the weakest of a full pack, re-slice what dominates,
refresh what is stale."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from retrieval.compile.assembly import finish, without
from retrieval.compile.pack_config import DEFAULT, PackConfig
from retrieval.compile.render import SEPARATOR_TOKENS, body_text, chunk_header, elision_tokens, ranges_of
from retrieval.compile.rot import RotChecks, detect_rot
from retrieval.pack_records import ContextPack, Decision, EvidenceChunk, RotFinding
from retrieval.text.terms import index_terms, query_terms
from retrieval.tokens.counter import estimate_tokens, rendered_line_tokens

STAGE = "rot"

_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Treated:
    """The pack after treatment, and what was done, one line each (also recorded among the pack's decisions)."""

    pack: ContextPack
    done: tuple[str, ...]


def apply_rot_actions(
    pack: ContextPack,
    checks: RotChecks | None = None,
    *,
    refresh: Callable[[ContextPack], ContextPack] | None = None,
    config: PackConfig = DEFAULT,
) -> Treated:
    """Treat what ``detect_rot`` finds; the result carries the findings that remain.

    Args:
        refresh: Updates the index and compiles the question again; called once when evidence is stale.
    """
    done: list[str] = []
    findings = detect_rot(pack, checks, config)
    if any(finding.kind == "stale" for finding in findings) and refresh is not None:
        pack = refresh(pack)
        done.append("refreshed stale evidence: the index was updated and the pack compiled again")
        findings = detect_rot(pack, checks, config)
    decisions: list[Decision] = []
    dropped = _to_drop(pack, findings)
    dropped |= _surplus(pack, dropped, config)
    for chunk in pack.chunks:
        if chunk.number in dropped:
            decisions.append(_decision(chunk, "dropped", dropped[chunk.number]))
            done.append(f"dropped {chunk.path}:{chunk.start_line}-{chunk.end_line}: {dropped[chunk.number]}")
    dominating = {n for finding in findings if finding.kind == "domination" for n in finding.chunks}
    left = [chunk.number in dominating for chunk in pack.chunks if chunk.number not in dropped]
    chunks = without(pack.chunks, dropped)
    for at, chunk in enumerate(chunks):
        if left[at] and len(chunks) > 1:
            others = sum(other.tokens for other in chunks) - chunk.tokens
            limit = int(others * config.domination_share / max(0.01, 1.0 - config.domination_share))
            smaller = reslice(chunk, pack.question, limit)
            if smaller is not None:
                chunks[at] = smaller
                decisions.append(_decision(chunk, "sliced", f"took {chunk.tokens} of {pack.total_tokens} tokens"))
                where = f"{chunk.path}:{chunk.start_line}-{chunk.end_line}"
                done.append(f"re-sliced {where} from {chunk.tokens} to {smaller.tokens} tokens")
    if decisions:
        pack = replace(
            pack,
            chunks=tuple(chunks),
            total_tokens=sum(chunk.tokens for chunk in chunks),
            decisions=(*pack.decisions, *decisions),
            warnings=(*pack.warnings, *(f"Context rot treated: {item}." for item in done)),
        )
    return Treated(replace(pack, rot=detect_rot(pack, checks, config)), tuple(done))


def _to_drop(pack: ContextPack, findings: Sequence[RotFinding]) -> dict[int, str]:
    """Chunk number -> why. The last chunk of a pack is never dropped."""
    dropped: dict[int, str] = {}
    for finding in findings:
        if finding.kind == "noise":
            dropped.update((number, finding.message) for number in finding.chunks)
        elif finding.kind == "duplication":
            by_number = {chunk.number: chunk for chunk in pack.chunks}
            weaker = min(finding.chunks, key=lambda number: (by_number[number].score, -number))
            dropped[weaker] = finding.message
    if len(dropped) >= len(pack.chunks) and pack.chunks:
        best = max(pack.chunks, key=lambda chunk: (chunk.score, -chunk.number))
        dropped.pop(best.number, None)
    return dropped


def _surplus(pack: ContextPack, dropped: Mapping[int, str], config: PackConfig) -> dict[int, str]:
    """The weakest pieces that fill the last of the budget: they change few answers (docs/benchmark.md), and cost."""
    left = [chunk for chunk in pack.chunks if chunk.number not in dropped]
    over = sum(chunk.tokens for chunk in left) - config.answer_share * pack.budget
    surplus: dict[int, str] = {}
    for chunk in sorted(left, key=lambda chunk: (chunk.score, -chunk.number))[:-1]:
        if over <= 0:
            break
        if chunk.tokens <= config.surplus_tokens:
            surplus[chunk.number] = "it is among the weakest, and the budget is full"
            over -= chunk.tokens
    return surplus


def reslice(chunk: EvidenceChunk, question: str, limit: int) -> EvidenceChunk | None:
    """The chunk in at most ``limit`` tokens; None when that is not possible or not smaller.

    The pack has no statement blocks, so lines are grouped by indentation: a group starts at a line that is indented
    no deeper than the first line of its group. The first group (the signature) stays, the others by matched words.
    """
    groups = _groups(chunk)
    terms = query_terms(question)
    prices = [sum(_line_price(number, text) for number, text in group) for group in groups]
    header = estimate_tokens(f"{chunk_header(chunk)}, sliced\n") + SEPARATOR_TOKENS
    ranked = sorted(
        range(1, len(groups)),
        key=lambda at: (
            -sum(terms.get(term, 0.0) for term in set(index_terms("\n".join(t for _, t in groups[at])))) / prices[at],
            at,
        ),
    )
    kept = [0]
    for at in ranked:
        trial = sorted([*kept, at])
        if _price_of(groups, prices, trial) + header <= limit:
            kept = trial
    if not groups or len(kept) == len(groups) or _price_of(groups, prices, kept) + header > limit:
        return None
    line_of = {number: text for at in kept for number, text in groups[at]}
    ranges = ranges_of(sorted(line_of))
    actions = chunk.actions if "sliced" in chunk.actions else (*chunk.actions, "sliced")
    smaller = replace(
        chunk,
        ranges=ranges,
        text=body_text(ranges, line_of),
        source="\n".join(line_of[number] for number in sorted(line_of)),
        actions=actions,
    )
    body = sum(_line_price(number, text) for number, text in line_of.items())
    body += sum(elision_tokens(a[1] + 1, b[0] - 1) for a, b in pairwise(ranges))
    return finish(smaller, body)


def _groups(chunk: EvidenceChunk) -> list[list[tuple[int, str]]]:
    numbers = [number for first, last in chunk.ranges for number in range(first, last + 1)]
    groups: list[list[tuple[int, str]]] = []
    previous = 0
    for number, text in zip(numbers, chunk.source.split("\n"), strict=True):
        indent = len(_INDENT.match(text)[0]) if text.strip() else None  # type: ignore[index]
        head = groups[-1][0][1] if groups else ""
        head_indent = len(head) - len(head.lstrip(" \t"))
        opens = indent is not None and (indent <= head_indent or len(groups) == 1)
        if not groups or opens or number != previous + 1:
            groups.append([])
        groups[-1].append((number, text))
        previous = number
    return groups


def _line_price(number: int, text: str) -> int:
    return rendered_line_tokens(number, estimate_tokens(f" {text}\n"))


def _price_of(groups: Sequence[Sequence[tuple[int, str]]], prices: Sequence[int], kept: Sequence[int]) -> int:
    ranges = ranges_of(sorted(number for at in kept for number, _ in groups[at]))
    marks = sum(elision_tokens(a[1] + 1, b[0] - 1) for a, b in pairwise(ranges))
    return sum(prices[at] for at in kept) + marks


def _decision(chunk: EvidenceChunk, action: str, why: str) -> Decision:
    return Decision(STAGE, chunk.path, chunk.start_line, chunk.end_line, chunk.symbol, action, why)
