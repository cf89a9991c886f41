"""The records that pass between stages: frozen, typed, free of I/O.

Line numbers are 1-based and inclusive everywhere; a line ends at ``\\n`` and nowhere else, so form feeds and the
Unicode separators that ``str.splitlines`` honours stay inside their line, as they do in git, grep and editors.
Paths are relative to the indexed root, with forward slashes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

# --------------------------------------------------------------------------------------------------------------------
# Source files and chunks
# --------------------------------------------------------------------------------------------------------------------


class Role(StrEnum):
    """What a file is for; ranking demotes the peripheral roles unless the question asks for them."""

    CODE = "code"
    TEST = "test"
    DOC = "doc"
    EXAMPLE = "example"
    CONFIG = "config"
    DATA = "data"


class ChunkKind(StrEnum):
    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"  # the header of a class: decorators, bases, docstring, attributes
    MODULE = "module"  # statements at module level, imports included
    SECTION = "section"  # a heading of a document and its text
    CONFIG = "config"  # a section or top-level key of a configuration file
    WINDOW = "window"  # fixed-size lines: plain text, or the broken parts of a file with syntax errors


class BlockKind(StrEnum):
    """The finest pieces a chunk can be cut into without breaking a statement."""

    DECORATOR = "decorator"
    SIGNATURE = "signature"  # ``def``/``class`` line(s) up to the colon
    DOCSTRING = "docstring"
    COMMENT = "comment"
    IMPORT = "import"
    ASSIGN = "assign"
    RETURN = "return"  # return and yield statements
    RAISE = "raise"
    CALL = "call"  # expression statements
    CONTROL = "control"  # the header line(s) of if/for/while/try/with/match and their else/except branches
    STATEMENT = "statement"  # any other simple statement
    TEXT = "text"  # prose, config and windows
    BLANK = "blank"


class Block(NamedTuple):
    """Lines ``start..end`` of a file; ``depth`` is the nesting inside the chunk (0 = the chunk's own level).

    The blocks of a chunk are sorted, disjoint and cover every line of it. A block's ancestors are the nearest earlier
    blocks of each smaller depth whose kind is CONTROL or SIGNATURE.
    """

    start: int
    end: int
    depth: int
    kind: BlockKind


@dataclass(frozen=True, slots=True)
class Chunk:
    """A contiguous run of lines that a chunker proposes for the index. Its text is exactly those lines.

    Attributes:
        symbol: Name inside the file: ``Flask.run``, a heading path ``Install > Linux``, a config key; "" for none.
        qualname: The dotted name of the symbol in the tree (``flask.app.Flask.run``), "" for prose and windows.
        context: Text that belongs to the chunk's meaning without being in its lines (enclosing class header, function
            header of a continued part). It is indexed and embedded, never shown as lines.
        doc: Docstring and comment text inside the chunk, for the lexical document field.
        part, parts: A definition that was split carries its number, 1-based; (1, 1) when whole.
    """

    start_line: int
    end_line: int
    kind: ChunkKind
    symbol: str
    qualname: str
    context: str
    doc: str
    blocks: tuple[Block, ...]
    part: int = 1
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition. ``qualname`` is unique in the tree: redefinitions carry ``#2``, ``#3`` … in source order.

    Attributes:
        kind: ``module``, ``class``, ``function``, ``method``, ``property``, ``variable`` (module constant) or
            ``attribute`` (class attribute).
        start_line: First line with decorators; ``def_line`` is the line of the name.
        signature: One line, white space folded: ``def run(self, host: str | None = None) -> None``.
        doc: The docstring, dedented, at most 2,000 characters; "" for none.
        parent: Qualified name of the enclosing definition or module; "" for a module.
        bases: Base-class expressions as written (classes only).
    """

    qualname: str
    name: str
    kind: str
    start_line: int
    def_line: int
    end_line: int
    signature: str
    doc: str
    parent: str
    decorators: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileAnalysis:
    """All that a language module reads out of one file.

    Attributes:
        facts: Language-specific raw references for edge resolution, JSON text ("" when the language has no graph).
        partial: The file has syntax errors; the good parts are chunked by structure, the rest by windows.
    """

    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...] = ()
    facts: str = ""
    partial: bool = False


# --------------------------------------------------------------------------------------------------------------------
# Graph
# --------------------------------------------------------------------------------------------------------------------


class EdgeKind(StrEnum):
    IMPORT = "import"
    CALL = "call"
    INHERIT = "inherit"
    CONTAIN = "contain"
    TEST = "test"  # from a test function to what it exercises
    REFERENCE = "reference"  # a function or class named without being called


class Confidence(StrEnum):
    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


CONFIDENCE_WEIGHT: Mapping[Confidence, float] = {
    Confidence.CERTAIN: 1.0,
    Confidence.LIKELY: 0.7,
    Confidence.POSSIBLE: 0.3,
}
#: Smaller is surer.
CONFIDENCE_RANK: Mapping[Confidence, int] = {confidence: rank for rank, confidence in enumerate(Confidence)}


@dataclass(frozen=True, slots=True)
class Edge:
    """``src`` does ``kind`` to ``dst``, as line ``line`` of ``path`` shows.

    Attributes:
        src, dst: Qualified names. External targets are dotted names outside the tree (``os.path.join``,
            ``<builtin>.len``); an unresolved call's dst is ``?.name`` with the in-tree ``candidates``.
        rule: The rule that made the edge, e.g. ``import``, ``local-scope``, ``self-mro``, ``annotation``.
    """

    src: str
    dst: str
    kind: EdgeKind
    confidence: Confidence
    path: str
    line: int
    rule: str
    candidates: tuple[str, ...] = ()


# --------------------------------------------------------------------------------------------------------------------
# Stored rows, as readers of the index see them
# --------------------------------------------------------------------------------------------------------------------


class ChunkRow(NamedTuple):
    """A chunk as stored. ``id`` is dense, stable within a generation, and the row of every per-chunk array.

    A named tuple, as the other records of which a question makes hundreds: a frozen dataclass takes five times as long.
    """

    id: int
    path: str
    language: str
    role: Role
    kind: ChunkKind
    symbol: str
    qualname: str
    start_line: int
    end_line: int
    part: int
    parts: int
    sha256: str
    tokens: int
    context: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """A symbol as stored, with the file it lives in."""

    path: str
    role: Role
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file as it was when indexed.

    Attributes:
        lines: Without line ends (a trailing ``\\r`` removed); ``lines[0]`` is line 1.
        line_tokens: Upper bound of the tokens of each line as a pack renders it (``"{number} {line}\\n"``).
        clean: It is known that no part of the text holds a secret; False when it is not known.
    """

    path: str
    language: str
    role: Role
    sha256: str
    lines: tuple[str, ...]
    line_tokens: Sequence[int]
    clean: bool = False


class TextSource(Protocol):
    """Where stages get file text from (the index, or a fake in tests)."""

    def file_text(self, path: str) -> FileText: ...


class SymbolLookup(Protocol):
    """The symbol table as the planner needs it. Every result is ordered: code before tests, then path, then line."""

    def symbols_named(self, name: str) -> tuple[SymbolRow, ...]:
        """Definitions whose simple name is exactly ``name``."""
        ...

    def symbols_ending(self, dotted: str) -> tuple[SymbolRow, ...]:
        """Definitions whose qualified name is ``dotted`` or ends with ``"." + dotted``."""
        ...

    def paths_matching(self, hint: str) -> tuple[str, ...]:
        """Indexed paths equal to ``hint`` or ending with ``"/" + hint``; a bare stem matches file stems too."""
        ...
