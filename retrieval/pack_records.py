"""Records from a question to its pack: the plan, candidates, decisions, evidence, rot findings, the pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from retrieval.records import ChunkRow

# --------------------------------------------------------------------------------------------------------------------
# Planning and retrieval
# --------------------------------------------------------------------------------------------------------------------


class QuestionClass(StrEnum):
    LOCATE = "locate"  # where is X (defined)
    EXPLAIN = "explain"  # what does X do, how does Y work
    CALLERS = "callers"  # who calls / uses X
    CALLEES = "callees"  # what does X call / use
    IMPACT = "impact"  # what breaks if X changes
    TESTS = "tests"  # which tests cover X
    CONNECT = "connect"  # how do X and Y connect
    CONFIG = "config"  # where is option / setting / environment variable Z handled
    ERROR = "error"  # a traceback, an exception, a symptom
    ARCHITECTURE = "architecture"  # structure, modules, flow across files
    DOCS = "docs"  # what the documentation says


GRAPH_CLASSES = frozenset(
    {
        QuestionClass.CALLERS,
        QuestionClass.CALLEES,
        QuestionClass.IMPACT,
        QuestionClass.TESTS,
        QuestionClass.CONNECT,
    }
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A piece of the question that names something.

    Attributes:
        how: ``backtick``, ``dotted``, ``camel``, ``snake``, ``call`` (``name()``), ``word`` (a plain word that is a
            symbol's name), ``traceback``.
        symbols: Qualified names it resolves to, best first; empty when nothing in the tree has that name.
    """

    text: str
    how: str
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileHint:
    """A path, file name or ``file:line`` in the question. ``paths`` are the indexed files it matches."""

    text: str
    paths: tuple[str, ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What the planner made of a question. ``leg_weights`` has one weight for each leg that is to run (sum 1)."""

    question: str
    question_class: QuestionClass
    mentions: tuple[Mention, ...] = ()
    file_hints: tuple[FileHint, ...] = ()
    aspects: tuple[str, ...] = ()
    leg_weights: Mapping[str, float] = field(default_factory=dict)
    wants_tests: bool = False
    wants_docs: bool = False
    notes: tuple[str, ...] = ()


class LegHit(NamedTuple):
    """One leg's finding of a chunk. ``rank`` is 1-based; ``score`` is the leg's own, not normalised."""

    leg: str
    rank: int
    score: float


class Candidate(NamedTuple):
    """A chunk with its evidence value, as ranking hands it to the compiler.

    Attributes:
        score: Fused and ranked score, higher is better, comparable within one question.
        strength: Absolute evidence strength in 0..1, comparable across questions; abstention is decided on it.
        features: (name, contribution) of each ranking feature that moved the score.
        focus: Lines inside the chunk that must stay visible if anything does (call sites, a traceback's line).
        whole: False when only the focus lines matter (a caller of which the calling lines are the evidence).
        reason: Why it was included, one clause.
        likelihood: Chance (0..1) that a line of it is part of what the answer rests on; None when nobody estimated it.
    """

    chunk: ChunkRow
    score: float
    strength: float
    legs: tuple[LegHit, ...]
    features: tuple[tuple[str, float], ...] = ()
    focus: tuple[int, ...] = ()
    whole: bool = True
    reason: str = ""
    likelihood: float | None = None


# --------------------------------------------------------------------------------------------------------------------
# Packs
# --------------------------------------------------------------------------------------------------------------------


class Decision(NamedTuple):
    """What a stage did to a chunk, for ``--explain``. ``action``: kept, sliced, merged, demoted, dropped, added …"""

    stage: str
    path: str
    start_line: int
    end_line: int
    symbol: str
    action: str
    why: str


@dataclass(frozen=True, slots=True)
class EvidenceChunk:
    """A piece of evidence as it stands in a pack.

    Attributes:
        chunk_id: ``path:start-end`` of the source chunk, plus ``@`` and 12 hex digits of its SHA-256.
        ranges: The lines really shown, sorted, disjoint; between two ranges stands a marked elision.
        text: Exactly what the pack shows below the header: numbered lines and elision marks.
        source: The shown lines as they are in the file, joined by ``\\n`` (no numbers, no marks).
        tokens: Upper bound of header plus text plus separator, o200k_base.
        sha256: Of the whole source chunk's text; ``file_sha256`` of the file when indexed.
        state: ``commit:<sha>`` when the file equals the commit, ``worktree`` when it does not, ``unknown`` without git.
        actions: What was done to it, in order: ``sliced``, ``merged``, ``demoted``, ``redacted`` …
    """

    number: int
    chunk_id: str
    path: str
    symbol: str
    qualname: str
    kind: str
    language: str
    role: str
    start_line: int
    end_line: int
    ranges: tuple[tuple[int, int], ...]
    text: str
    source: str
    tokens: int
    sha256: str
    file_sha256: str
    state: str
    score: float
    strength: float
    legs: tuple[LegHit, ...]
    features: tuple[tuple[str, float], ...]
    reason: str
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RotFinding:
    """A defect of a pack. ``kind``: oversized, noise, duplication, domination, stale, conflicting, injection."""

    kind: str
    severity: str  # info | warning | error
    chunks: tuple[int, ...]
    message: str
    action: str


PACK_SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class ContextPack:
    """The compiled evidence for one question.

    Attributes:
        budget: Tokens that the rendered text may take; ``reserve`` was kept back for the reply on top of it.
        strength: Absolute strength of the best evidence, 0..1.
        sufficient: False when the evidence is too thin to answer from; ``missing`` says what was looked for in vain.
    """

    question: str
    plan: Plan
    chunks: tuple[EvidenceChunk, ...]
    total_tokens: int
    budget: int
    reserve: int
    strength: float
    sufficient: bool
    missing: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    rot: tuple[RotFinding, ...] = ()
    decisions: tuple[Decision, ...] = ()
    index_id: str = ""
    commit: str = ""
    redactions: int = 0
    schema_version: int = PACK_SCHEMA_VERSION
