"""Stage: from candidates to pieces of evidence that do not repeat each other.

Candidates that show the same text, overlap in one file, continue one split definition, or are near-copies of each other
become one ``Piece``; provenance is merged, never lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from retrieval.compile.estimate import relevance
from retrieval.compile.pack_config import DEFAULT, PackConfig
from retrieval.pack_records import Candidate, Decision, LegHit
from retrieval.records import Block, BlockKind, ChunkKind, ChunkRow, TextSource

STAGE = "builder"
_MAX_LINES_COMPARED = 2_000


class Piece(NamedTuple):
    """An interval of one file with everything that is known about why it matters.

    Attributes:
        chunk: The best candidate's chunk; names the piece.
        start_line, end_line: The interval: the union of the merged chunks.
        blocks: Blocks of the whole interval, sorted and disjoint; lines between merged chunks are in none.
        worth: (first line, last line, likelihood) of each merged chunk, best first.
        rank: Place of the best member among the candidates, from 0.
        focus: Lines that must be visible. With ``whole`` False only they matter.
    """

    chunk: ChunkRow
    start_line: int
    end_line: int
    blocks: Sequence[Block]
    worth: tuple[tuple[int, int, float], ...]
    rank: int
    score: float
    strength: float
    legs: tuple[LegHit, ...]
    features: tuple[tuple[str, float], ...]
    focus: tuple[int, ...]
    whole: bool
    reason: str
    actions: tuple[str, ...] = ()

    @property
    def likelihood(self) -> float:
        """Chance (0..1) that a line of its best chunk is evidence."""
        return self.worth[0][2]

    @property
    def path(self) -> str:
        return self.chunk.path


def build_pieces(
    candidates: Sequence[Candidate], source: TextSource, config: PackConfig = DEFAULT
) -> tuple[tuple[Piece, ...], tuple[Decision, ...]]:
    """Pieces best first (score, then path, then line) and one decision for every merge."""
    ordered = sorted(candidates, key=lambda c: (-c.score, c.chunk.path, c.chunk.start_line, c.chunk.end_line))
    chances = relevance(ordered, [candidate.likelihood for candidate in ordered], config)
    pieces = [_piece_of(candidate, rank, chances[rank]) for rank, candidate in enumerate(ordered)]
    decisions: list[Decision] = []
    for merge in (_merge_overlaps, _merge_equal_texts):
        pieces = merge(pieces, decisions)
    pieces = _merge_near_duplicates(pieces, source, config, decisions)
    pieces.sort(key=lambda p: (-p.score, p.rank))
    return tuple(pieces), tuple(decisions)


def _piece_of(candidate: Candidate, rank: int, likelihood: float) -> Piece:
    chunk = candidate.chunk
    focus: tuple[int, ...] = ()
    if candidate.focus:
        focus = tuple(sorted({line for line in candidate.focus if chunk.start_line <= line <= chunk.end_line}))
    return Piece(
        chunk, chunk.start_line, chunk.end_line, chunk.blocks, ((chunk.start_line, chunk.end_line, likelihood),),
        rank, candidate.score, candidate.strength, candidate.legs, candidate.features, focus,
        candidate.whole or not focus, candidate.reason,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ overlaps


def _merge_overlaps(pieces: list[Piece], decisions: list[Decision]) -> list[Piece]:
    """Union of the intervals of one file that overlap or are neighbouring parts of one definition."""
    by_path: dict[str, list[Piece]] = {}
    for piece in pieces:
        by_path.setdefault(piece.path, []).append(piece)
    merged: list[Piece] = []
    for group in by_path.values():
        group.sort(key=lambda p: (p.start_line, -p.end_line, p.rank))
        current = group[0]
        for piece in group[1:]:
            if piece.start_line <= current.end_line or _continues(current, piece):
                current = _union(current, piece, decisions)
            else:
                merged.append(current)
                current = piece
        merged.append(current)
    return merged


def _continues(first: Piece, second: Piece) -> bool:
    a, b = first.chunk, second.chunk
    return (
        a.parts > 1
        and bool(a.qualname or a.symbol)
        and (a.qualname, a.symbol, a.kind, a.parts) == (b.qualname, b.symbol, b.kind, b.parts)
        and second.start_line <= first.end_line + 2
        and first.whole == second.whole
    )


def _union(first: Piece, second: Piece, decisions: list[Decision]) -> Piece:
    """``first`` starts no later than ``second``; the better of the two names the result."""
    best, other = (first, second) if (-first.score, first.rank) <= (-second.score, second.rank) else (second, first)
    same = (first.start_line, first.end_line) == (second.start_line, second.end_line)
    parts = first.chunk.parts > 1 and first.chunk.qualname == second.chunk.qualname
    why = "same lines as" if same else "a part of the definition in" if parts else "overlaps"
    decisions.append(_merged(other, best, why))
    joined = _with_provenance(best, other)
    name = first.chunk if parts else best.chunk
    return joined._replace(
        chunk=name,
        start_line=first.start_line,
        end_line=max(first.end_line, second.end_line),
        blocks=first.blocks if same else _union_blocks(first, second),
        focus=tuple(sorted({*first.focus, *second.focus})),
        whole=first.whole or second.whole,
        actions=_add(joined.actions, () if same else ("merged",)),
    )


def _union_blocks(first: Piece, second: Piece) -> tuple[Block, ...]:
    """The blocks of the finer of the two where both have some: the one with more blocks in the overlap."""
    low, high = second.start_line, min(first.end_line, second.end_line)
    inside_first = [b for b in first.blocks if b.end >= low and b.start <= high]
    inside_second = [b for b in second.blocks if b.end >= low and b.start <= high]
    if len(inside_second) > len(inside_first):
        outer, inner = first, second
    else:
        outer, inner = second, first
    kept: list[Block] = list(inner.blocks)
    for block in outer.blocks:
        if block.end < inner.start_line or block.start > inner.end_line:
            kept.append(block)
            continue
        if block.start < inner.start_line:
            kept.append(block._replace(end=inner.start_line - 1))
        if block.end > inner.end_line:
            kept.append(block._replace(start=inner.end_line + 1))
    return tuple(sorted(kept, key=lambda b: b.start))


# ---------------------------------------------------------------------------------------------------------- duplicates


def _merge_equal_texts(pieces: list[Piece], decisions: list[Decision]) -> list[Piece]:
    """One piece per symbol and text: the SHA-256 of a chunk decides. Merged intervals have no stored hash and stay.

    Equal methods of two classes are two definitions and both stay.
    """
    kept: dict[tuple[str, str], Piece] = {}
    for piece in sorted(pieces, key=lambda p: p.rank):
        whole = (piece.start_line, piece.end_line) == (piece.chunk.start_line, piece.chunk.end_line)
        known = whole and piece.chunk.sha256
        key = (piece.chunk.symbol, piece.chunk.sha256) if known else ("", f"#{piece.rank}")
        if key in kept:
            decisions.append(_merged(piece, kept[key], "same text as"))
            actions = _add(kept[key].actions, ("deduplicated",))
            kept[key] = _with_provenance(kept[key], piece)._replace(actions=actions)
        else:
            kept[key] = piece
    return list(kept.values())


def _merge_near_duplicates(
    pieces: list[Piece], source: TextSource, config: PackConfig, decisions: list[Decision]
) -> list[Piece]:
    """Collapse pieces of different files whose adjacent-line pairs overlap by ``duplicate_jaccard`` or more.

    Only pieces of one kind with the same symbol (or without any) are compared: definitions of different names are
    different facts, however alike.
    """
    kept: list[Piece] = []
    known: dict[tuple[str, ChunkKind], list[tuple[int, frozenset[tuple[str, str]]]]] = {}  # places in ``kept``
    groups: dict[tuple[str, ChunkKind], list[int]] = {}
    for piece in sorted(pieces, key=lambda p: p.rank):
        groups.setdefault((piece.chunk.symbol, piece.chunk.kind), []).append(piece.rank)
    crowded = {rank for ranks in groups.values() if len(ranks) > 1 for rank in ranks}
    for piece in sorted(pieces, key=lambda p: p.rank):
        pairs: frozenset[tuple[str, str]] = frozenset()
        if piece.rank in crowded and piece.end_line - piece.start_line + 1 >= config.duplicate_min_lines:
            pairs = _line_pairs(source, piece)
            alike = known.setdefault((piece.chunk.symbol, piece.chunk.kind), [])
            twin = next((at for at, theirs in alike if _is_twin(piece, pairs, kept[at], theirs, config)), None)
            if twin is not None:
                other = kept[twin]
                decisions.append(_merged(piece, other, "nearly the same text as"))
                actions = _add(other.actions, ("deduplicated",))
                kept[twin] = _with_provenance(other, piece)._replace(actions=actions)
                continue
            alike.append((len(kept), pairs))
        kept.append(piece)
    return kept


def _is_twin(
    piece: Piece,
    pairs: frozenset[tuple[str, str]],
    other: Piece,
    theirs: frozenset[tuple[str, str]],
    config: PackConfig,
) -> bool:
    small, large = sorted((len(pairs), len(theirs)))
    if not small or small < config.duplicate_jaccard * large or piece.path == other.path:
        return False
    shared = len(pairs & theirs)
    return shared >= config.duplicate_jaccard * (len(pairs) + len(theirs) - shared)


def _line_pairs(source: TextSource, piece: Piece) -> frozenset[tuple[str, str]]:
    lines = source.file_text(piece.path).lines[piece.start_line - 1 : piece.end_line][:_MAX_LINES_COMPARED]
    stripped = [line.strip() for line in lines]
    return frozenset(pairwise(line for line in stripped if line))


# ---------------------------------------------------------------------------------------------------------- provenance


def _with_provenance(best: Piece, other: Piece) -> Piece:
    """``best`` with the legs, features, strength and reason that ``other`` adds to it."""
    legs = {hit.leg: hit for hit in other.legs}
    for hit in best.legs:
        known = legs.get(hit.leg)
        legs[hit.leg] = hit if known is None or (hit.rank, -hit.score) <= (known.rank, -known.score) else known
    features = dict(other.features) | dict(best.features)
    return best._replace(
        worth=tuple(sorted({*best.worth, *other.worth}, key=lambda w: (-w[2], w[0], w[1]))),
        rank=min(best.rank, other.rank),
        score=max(best.score, other.score),
        strength=max(best.strength, other.strength),
        legs=tuple(legs[leg] for leg in sorted(legs)),
        features=tuple(sorted(features.items())),
        reason=_joined_reason(best.reason, other.reason),
    )


def _joined_reason(first: str, second: str) -> str:
    if not second or second in first:
        return first
    return f"{first}; {second}" if first else second


def _add(actions: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    return actions + tuple(action for action in more if action not in actions)


def _merged(piece: Piece, into: Piece, why: str) -> Decision:
    where = f"{into.path}:{into.start_line}-{into.end_line}"
    return Decision(STAGE, piece.path, piece.start_line, piece.end_line, piece.chunk.symbol, "merged", f"{why} {where}")


def covering_blocks(piece: Piece) -> tuple[Block, ...]:
    """The piece's blocks with every gap filled: lines that no block covers become TEXT blocks."""
    blocks: list[Block] = []
    at = piece.start_line
    for block in piece.blocks:
        if block.start == at and block.end <= piece.end_line:
            blocks.append(block)
        elif block.end < at or block.start > piece.end_line:
            continue
        else:
            if block.start > at:
                blocks.append(Block(at, block.start - 1, 0, BlockKind.TEXT))
            blocks.append(block._replace(start=max(at, block.start), end=min(block.end, piece.end_line)))
        at = block.end + 1
    if at <= piece.end_line:
        blocks.append(Block(at, piece.end_line, 0, BlockKind.TEXT))
    return tuple(blocks)
