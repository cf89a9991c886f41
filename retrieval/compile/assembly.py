"""From the budgeter's choices to evidence in reading order: what answers first, the pieces of one file together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from retrieval.compile.allocation import Choice, Overhead
from retrieval.compile.builder import Piece
from retrieval.compile.render import (
    SEPARATOR_TOKENS,
    body_text,
    chunk_header,
    header_tokens,
    owner_of,
    pieces_above,
    short_symbol,
    told,
)
from retrieval.pack_records import EvidenceChunk
from retrieval.records import FileText
from retrieval.tokens.counter import estimate_tokens

_ID_DIGITS = 12
_WIDEST_NUMBER = 999  # evidence numbers up to here are one token

#: Rung names as actions of the evidence.
RUNG_ACTIONS: Mapping[str, str] = {
    "full": "",
    "sliced": "sliced",
    "signature": "demoted",
    "focus": "focused",
    "cut": "cut",
}


def header_overhead(piece: Piece) -> Overhead:
    """Upper bounds of the tokens of a piece's header and separator, whichever rung is shown."""
    chunk = piece.chunk
    short, owner, more = _names(chunk.symbol)
    own = header_tokens(_WIDEST_NUMBER, "", piece.start_line, piece.end_line, short, piece.legs, piece.score)
    return Overhead(own + SEPARATOR_TOKENS, _path_tokens(chunk.path), owner, more)


@lru_cache(maxsize=4096)
def _names(symbol: str) -> tuple[str, str, int]:
    """The symbol below a header of the same owner, the owner, and the tokens that the whole symbol takes more."""
    short = short_symbol(symbol)
    more = estimate_tokens(f" {symbol} ") - estimate_tokens(f" {short} ") if short != symbol else 0
    return short, owner_of(symbol), max(0, more)


@lru_cache(maxsize=4096)
def _path_tokens(path: str) -> int:
    return max(0, estimate_tokens(f"[1] {path}:") - estimate_tokens("[1] :"))


def assemble(
    choices: Sequence[Choice],
    files: Mapping[str, FileText],
    redacted: Mapping[str, Collection[int]],
    state_of: Callable[[str], str],
) -> tuple[EvidenceChunk, ...]:
    """The shown pieces, numbered from 1. Files are ordered by their best piece, pieces of a file by line."""
    shown = [choice for choice in choices if choice.rung is not None]
    by_path: dict[str, list[Choice]] = {}
    for choice in shown:  # choices come best first, so files do too
        by_path.setdefault(choice.sliced.piece.path, []).append(choice)
    chunks: list[EvidenceChunk] = []
    for path, group in by_path.items():
        state = state_of(path)
        for at, choice in enumerate(sorted(group, key=lambda c: (c.sliced.piece.start_line, c.sliced.piece.rank))):
            above = chunks[-1].symbol if at else None
            chunks.append(_evidence(len(chunks) + 1, choice, files[path], redacted.get(path, ()), state, above))
    return tuple(chunks)


def _evidence(
    number: int, choice: Choice, file: FileText, redacted: Collection[int], state: str, above: str | None
) -> EvidenceChunk:
    piece, rung = choice.sliced.piece, choice.rung
    assert rung is not None  # noqa: S101 - only shown choices come here
    line_of = {n: _clean(file.lines[n - 1]) for first, last in rung.ranges for n in range(first, last + 1)}
    action = RUNG_ACTIONS[rung.name]
    actions = piece.actions + ((action,) if action else ())
    if any(n in redacted for n in line_of):
        actions += ("redacted",)
    chunk, sha256 = piece.chunk, _sha256(piece, file)
    path, symbol = told(chunk.path, chunk.symbol, above)
    header = header_tokens(number, path, piece.start_line, piece.end_line, symbol, piece.legs, piece.score)
    return EvidenceChunk(
        number=number,
        chunk_id=_chunk_id(piece.path, piece.start_line, piece.end_line, sha256),
        path=piece.path,
        symbol=chunk.symbol,
        qualname=chunk.qualname,
        kind=chunk.kind.value,
        language=chunk.language,
        role=chunk.role.value,
        start_line=piece.start_line,
        end_line=piece.end_line,
        ranges=rung.ranges,
        text=body_text(rung.ranges, line_of),
        source="\n".join(line_of[n] for n in sorted(line_of)),
        tokens=header + rung.tokens + SEPARATOR_TOKENS,
        sha256=sha256,
        file_sha256=file.sha256,
        state=state,
        score=piece.score,
        strength=piece.strength,
        legs=piece.legs,
        features=piece.features,
        reason=piece.reason,
        actions=actions,
    )


def _clean(line: str) -> str:
    """Lone surrogates, which no UTF-8 output can carry, become question marks."""
    return line if line.isascii() else line.encode("utf-8", "replace").decode("utf-8")


def finish(chunk: EvidenceChunk, body_tokens: int, above: EvidenceChunk | None = None) -> EvidenceChunk:
    """The chunk with its id and its tokens: header, body and separator."""
    tokens = _header_tokens(chunk, above) + body_tokens + SEPARATOR_TOKENS
    return replace(chunk, chunk_id=_chunk_id(chunk.path, chunk.start_line, chunk.end_line, chunk.sha256), tokens=tokens)


def _chunk_id(path: str, start: int, end: int, sha256: str) -> str:
    return f"{path}:{start}-{end}@{sha256[:_ID_DIGITS]}"


def _header_tokens(chunk: EvidenceChunk, above: EvidenceChunk | None) -> int:
    return estimate_tokens(chunk_header(chunk, above) + "\n")


def without(chunks: Sequence[EvidenceChunk], numbers: Collection[int]) -> list[EvidenceChunk]:
    """The other chunks, numbered anew; one that now leads its file or its class pays for that name."""
    bodies = {
        chunk.number: chunk.tokens - _header_tokens(chunk, above)
        for chunk, above in zip(chunks, pieces_above(chunks), strict=True)
    }
    kept = [chunk for chunk in chunks if chunk.number not in numbers]
    found: list[EvidenceChunk] = []
    for at, (chunk, above) in enumerate(zip(kept, pieces_above(kept), strict=True), start=1):
        numbered = replace(chunk, number=at)
        found.append(replace(numbered, tokens=bodies[chunk.number] + _header_tokens(numbered, above)))
    return found


def _sha256(piece: Piece, file: FileText) -> str:
    """Of the whole piece's text; the stored hash when the piece is one chunk."""
    chunk = piece.chunk
    if (piece.start_line, piece.end_line) == (chunk.start_line, chunk.end_line) and chunk.sha256:
        return chunk.sha256
    text = "\n".join(file.lines[piece.start_line - 1 : piece.end_line])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
