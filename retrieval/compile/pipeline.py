"""The compiler after retrieval: candidates in, ContextPack out.

builder -> slicer -> budgeter -> assembly -> rot detection. Merging runs before slicing so that no statement is scored
twice; each stage stays one function that can be replaced alone. Same input, same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from retrieval.compile.allocation import Allocation, Choice
from retrieval.compile.assembly import RUNG_ACTIONS, assemble, header_overhead
from retrieval.compile.budgeter import allocate
from retrieval.compile.builder import Piece, build_pieces
from retrieval.compile.pack_config import DEFAULT, PackConfig
from retrieval.compile.pack_redact import count_redactions, redact_pieces
from retrieval.compile.rot import RotChecks, detect_rot
from retrieval.compile.slicer import slice_pieces
from retrieval.errors import UserError
from retrieval.pack_records import Candidate, ContextPack, Decision, Plan
from retrieval.records import FileText, TextSource
from retrieval.text.terms import query_terms

_FOCUS_TOKENS = 60  # what a caller costs that is shown by its calling lines


class Workspace(Protocol):
    """What the workspace stage hands over (``retrieval.compile.workspace.Workspace`` or a fake)."""

    @property
    def candidates(self) -> tuple[Candidate, ...]: ...
    @property
    def decisions(self) -> tuple[Decision, ...]: ...
    @property
    def missing(self) -> tuple[str, ...]: ...


def compile_pack(
    plan: Plan,
    workspace: Workspace,
    source: TextSource,
    *,
    budget: int = 4000,
    reserve: int = 1024,
    state_of: Callable[[str], str] = lambda path: "unknown",
    index_id: str = "",
    commit: str = "",
    strength: float | None = None,
    checks: RotChecks | None = None,
    config: PackConfig = DEFAULT,
) -> ContextPack:
    """Compile the evidence for ``plan`` into at most ``budget`` tokens of rendered text (o200k_base).

    Args:
        reserve: Tokens kept for the reply, on top of the budget; recorded, not spent.
        state_of: State of a file: ``commit:<sha>``, ``worktree`` or ``unknown``.
        strength: Absolute strength of the evidence (0..1); by default the workspace's own, else the best candidate's.
        checks: What rot detection may ask about the present; without it only the pack itself is looked at.

    Raises:
        UserError: The budget is not positive, or the reserve is negative.
    """
    if budget < 1:
        raise UserError(f"The token budget is {budget}.", "Give a positive number, for example --budget 4000.")
    if reserve < 0:
        raise UserError(f"The reply reserve is {reserve}.", "Give 0 or more tokens, for example 1024.")
    pieces, merges = build_pieces(workspace.candidates, source, config)
    pool = _pool(pieces, budget, config)
    files = {path: source.file_text(path) for path in dict.fromkeys(piece.path for piece in pool)}
    terms = query_terms(plan.question)
    aspects = [query_terms(aspect) for aspect in plan.aspects] if len(plan.aspects) > 1 else []
    secret = redact_pieces(pool, files, config.redact_context_lines)  # before prices: marks have their own
    allocation = _allocate(pool, secret.files, terms, aspects, budget, config)
    chunks = assemble(allocation.choices, secret.files, secret.lines, state_of)
    while chunks and sum(chunk.tokens for chunk in chunks) > budget:  # the mark "redacted" in headers was not priced
        chunks = chunks[:-1]
    if strength is None:
        strength = _strength(workspace)
    pack = ContextPack(
        question=plan.question,
        plan=plan,
        chunks=chunks,
        total_tokens=sum(chunk.tokens for chunk in chunks),
        budget=budget,
        reserve=reserve,
        strength=strength,
        sufficient=bool(chunks) and strength >= _min_strength(),
        missing=tuple(workspace.missing),
        warnings=_warnings(allocation, len(pieces), len(chunks), budget),
        decisions=(*workspace.decisions, *merges, *map(_decision, allocation.choices), *_unpooled(pieces, pool)),
        index_id=index_id,
        commit=commit,
        redactions=sum(count_redactions(chunk.ranges, secret.lines.get(chunk.path, ())) for chunk in chunks),
    )
    checks = checks or RotChecks()
    return replace(pack, rot=detect_rot(pack, replace(checks, source=checks.source or source), config))


def _pool(pieces: Sequence[Piece], budget: int, config: PackConfig) -> Sequence[Piece]:
    """The likeliest pieces, until their whole texts are ``pool_factor`` budgets long, and the first of each file."""
    tokens = 0
    chosen: set[int] = set()
    for at in sorted(range(len(pieces)), key=lambda at: (-pieces[at].likelihood, at)):
        if len(chosen) >= config.pool_min and tokens > config.pool_factor * budget:
            break
        chosen.add(at)
        piece = pieces[at]
        tokens += max(1, piece.chunk.tokens if piece.whole else min(piece.chunk.tokens, _FOCUS_TOKENS))
    firsts: dict[str, int] = {}
    for at, piece in enumerate(pieces):
        firsts.setdefault(piece.path, at)
    pointers = int(budget * config.pointer_share / config.pointer_tokens) + config.pool_files
    chosen.update(list(firsts.values())[:pointers])
    return [pieces[at] for at in sorted(chosen)]


def _allocate(
    pool: Sequence[Piece],
    files: Mapping[str, FileText],
    terms: Mapping[str, float],
    aspects: Sequence[Mapping[str, float]],
    budget: int,
    config: PackConfig,
) -> Allocation:
    allowance = max(1, int(budget * config.max_share))
    sliced = slice_pieces(pool, files, terms, allowance, config, coverage=bool(aspects))
    return allocate(sliced, [header_overhead(piece) for piece in pool], budget, aspects, config)


def _strength(workspace: Workspace) -> float:
    own = getattr(workspace, "strength", None)
    if isinstance(own, float):
        return own
    return max((candidate.strength for candidate in workspace.candidates), default=0.0)


def _min_strength() -> float:
    from retrieval.search.strength import MIN_STRENGTH

    return MIN_STRENGTH


# ----------------------------------------------------------------------------------------------------------- accounting


def _decision(choice: Choice) -> Decision:
    piece, rung = choice.sliced.piece, choice.rung
    if rung is None:
        action, why = "dropped", choice.why
    else:
        action = RUNG_ACTIONS[rung.name] or "kept"
        lines = sum(last - first + 1 for first, last in rung.ranges)
        total = piece.end_line - piece.start_line + 1
        why = f"{lines} of {total} lines, {choice.tokens} tokens; {choice.why}"
    return Decision("budgeter", piece.path, piece.start_line, piece.end_line, piece.chunk.symbol, action, why)


def _unpooled(pieces: Sequence[Piece], pool: Sequence[Piece]) -> list[Decision]:
    why = "less likely than what could fill the budget several times over"
    known = {piece.rank for piece in pool}
    return [
        Decision("budgeter", p.path, p.start_line, p.end_line, p.chunk.symbol, "dropped", why)
        for p in pieces
        if p.rank not in known
    ]


def _warnings(allocation: Allocation, pieces: int, shown: int, budget: int) -> tuple[str, ...]:
    if pieces and not shown:
        need = allocation.smallest
        return (f"A budget of {budget} tokens holds no evidence; the smallest piece needs {need}: --budget {need}.",)
    warnings: list[str] = []
    kinds: dict[str, int] = {}
    for choice in allocation.choices:
        if choice.rung is not None:
            kinds[choice.rung.name] = kinds.get(choice.rung.name, 0) + 1
    if shown < pieces:
        warnings.append(f"{pieces - shown} of {pieces} pieces of evidence did not fit into {budget} tokens.")
    trimmed = [
        f"{kinds[name]} {label}"
        for name, label in (
            ("sliced", "sliced to the statements that matter"),
            ("signature", "reduced to the signature"),
            ("focus", "reduced to the lines in focus"),
            ("cut", "cut to the budget"),
        )
        if name in kinds
    ]
    if trimmed:
        warnings.append(f"Shown in part: {', '.join(trimmed)}.")
    return tuple(warnings)
