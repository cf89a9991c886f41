"""In-memory file text and candidates for the compiler's tests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.languages.registry import analyze
from retrieval.pack_records import Candidate, Decision, LegHit, Plan, QuestionClass
from retrieval.records import Block, BlockKind, Chunk, ChunkKind, ChunkRow, FileText, Role
from retrieval.tokens.counter import line_token_counts, rendered_line_tokens
from retrieval.tokens.vocabulary import encoding


def true_tokens(text: str) -> int:
    return len(encoding().encode_ordinary(text))


class FakeSource:
    """A TextSource over texts given by path."""

    def __init__(self, texts: dict[str, str], roles: dict[str, Role] | None = None) -> None:
        self.texts = texts
        self.files: dict[str, FileText] = {}
        for path, text in texts.items():
            raw = text.split("\n")
            if raw[-1] == "":
                raw.pop()
            lines = tuple(line[:-1] if line.endswith("\r") else line for line in raw)
            counts = line_token_counts(lines)
            self.files[path] = FileText(
                path,
                "python" if path.endswith(".py") else "markdown",
                (roles or {}).get(path, Role.CODE),
                sha256(text),
                lines,
                [rendered_line_tokens(i, n) for i, n in enumerate(counts, 1)],
            )

    def file_text(self, path: str) -> FileText:
        return self.files[path]

    def chunks(self, path: str) -> list[ChunkRow]:
        """The chunks that the real chunker makes of the file."""
        file = self.files[path]
        found = analyze(path, self.texts[path], file.language, path.removesuffix(".py").replace("/", ".")).chunks
        return [self.row(path, chunk, at) for at, chunk in enumerate(found)]

    def row(self, path: str, chunk: Chunk, at: int = 0) -> ChunkRow:
        file = self.files[path]
        text = "\n".join(file.lines[chunk.start_line - 1 : chunk.end_line])
        return ChunkRow(
            at, path, file.language, file.role, chunk.kind, chunk.symbol, chunk.qualname, chunk.start_line,
            chunk.end_line, chunk.part, chunk.parts, sha256(text),
            sum(file.line_tokens[chunk.start_line - 1 : chunk.end_line]), chunk.context, chunk.blocks,
        )  # fmt: skip

    def window(self, path: str, start: int, end: int, symbol: str = "", kind: ChunkKind = ChunkKind.WINDOW) -> ChunkRow:
        """Any interval of a file as a chunk of one-line statements."""
        blocks = tuple(Block(n, n, 0, BlockKind.STATEMENT) for n in range(start, end + 1))
        return self.row(path, Chunk(start, end, kind, symbol, symbol and f"m.{symbol}", "", "", blocks))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class FakeWorkspace:
    candidates: tuple[Candidate, ...]
    decisions: tuple[Decision, ...] = ()
    missing: tuple[str, ...] = ()


def candidate(
    chunk: ChunkRow,
    score: float = 1.0,
    leg: str = "lexical",
    *,
    rank: int = 1,
    focus: Iterable[int] = (),
    whole: bool = True,
    strength: float = 0.8,
    reason: str = "",
) -> Candidate:
    return Candidate(
        chunk, score, strength, (LegHit(leg, rank, score),), (), tuple(focus), whole, reason or f"found by {leg}"
    )


def ranked(chunks: Sequence[ChunkRow]) -> FakeWorkspace:
    """Candidates whose scores fall with their place."""
    return FakeWorkspace(tuple(candidate(c, 1.0 / (1 + at), rank=at + 1) for at, c in enumerate(chunks)))


def plan(question: str = "how does it work", aspects: tuple[str, ...] = ()) -> Plan:
    return Plan(question, QuestionClass.EXPLAIN, aspects=aspects, leg_weights={"lexical": 1.0})
