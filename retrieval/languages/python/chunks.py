"""Chunks of a Python file: a partition of its non-blank lines along definitions.

A function or method is a chunk; a class gives its header (decorators, bases, docstring, attributes) and one chunk per
method; what stands at module level is grouped. Comments and decorators go with the definition they precede. What is
too big is split between statements.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.chunking.lines import Limits, LineTable, cut_rows, pack_rows
from retrieval.languages.python.blocks import BlockMap
from retrieval.languages.python.docstrings import comment_text
from retrieval.languages.python.pieces import DEFINITION_LIMITS, PART_LIMITS, Piece, PieceCutter
from retrieval.languages.python.tree import Statement
from retrieval.records import BlockKind, Chunk, ChunkKind, Symbol

_REPEAT = re.compile(r"#\d+")

#: Neighbouring statements of a module or class are grouped up to these.
GROUP_LIMITS = Limits(40, 3_000)
#: A class up to this many lines stays whole, methods included.
SMALL_CLASS_LINES = 25
#: In a function that is split, an inner definition from this many lines on is a chunk of its own.
NESTED_OWN_LINES = 12
#: From this many lines on, the imports that open a module are a chunk apart from what follows.
IMPORT_SECTION_LINES = 12


@dataclass(frozen=True, slots=True)
class _Owner:
    """The definition (or module) that a run of statements belongs to, and how its chunks are labelled."""

    kind: ChunkKind
    symbol: str
    qualname: str
    context: str  # of the first chunk
    inner_context: str  # of what is inside


class PythonChunker:
    """Cuts one file. ``statements`` must have been through ``collect_symbols``.

    Args:
        comments: ``(row, text)`` of the comments between statements.
        docs: ``(row, text)`` of docstrings.
    """

    def __init__(
        self,
        lines: Sequence[str],
        statements: Sequence[Statement],
        module: str,
        comments: Sequence[tuple[int, str]],
        docs: Sequence[tuple[int, str]],
    ) -> None:
        self._table = LineTable(lines)
        self._cutter = PieceCutter(self._table)
        self._n_lines = len(lines)
        self._module = module
        self._blocks = BlockMap(statements, lines)
        words = [(row, words) for row, text in comments if (words := comment_text(text))]
        self._docs = sorted([*words, *docs])
        self._doc_rows = [row for row, _ in self._docs]
        self._chunks: list[Chunk] = []

    def chunk(self, statements: Sequence[Statement]) -> tuple[Chunk, ...]:
        owner = _Owner(ChunkKind.MODULE, "", self._module, "", "")
        pieces = self._cutter.cover(self._cutter.pieces(statements), 0, self._n_lines - 1)
        self._emit_scope(pieces, owner, nested_from=1)
        return tuple(sorted(self._chunks, key=lambda chunk: chunk.start_line))

    # -- emitting -----------------------------------------------------------------------------------------------------

    def _emit_scope(self, pieces: list[Piece], owner: _Owner, nested_from: int) -> None:
        """Emit the chunks of one scope: its definitions one by one, the statements between them in groups.

        Args:
            nested_from: Definitions of fewer lines stay among the statements.
        """
        groups: list[tuple[ChunkKind, list[Piece]]] = []
        run: list[Piece] = []
        pending: list[Piece] = []  # headers waiting for what they head
        for piece in pieces:
            if piece.definition is not None and piece.end - piece.start + 1 >= nested_from:
                while pending and pending[0].statement is None:  # the owner's own header
                    run.append(pending.pop(0))
                groups.extend(self._group(run, owner))
                run = []
                if pending:
                    piece.start = pending[0].start
                    pending = []
                self._emit_definition(piece, owner)
            elif piece.glued:
                pending.append(piece)
                continue
            else:
                run.extend(pending)
                run.append(piece)
                pending = []
        run.extend(pending)
        groups.extend(self._group(run, owner))
        owners = [self._owner_of(kind, group, owner) for kind, group in groups]
        parts = Counter(held.qualname for held in owners)
        part: Counter[str] = Counter()
        for held, (_, group) in zip(owners, groups, strict=True):
            part[held.qualname] += 1
            whole = held.kind is ChunkKind.WINDOW
            number, total = (1, 1) if whole else (part[held.qualname], parts[held.qualname])
            self._add(group[0].start, group[-1].end, held, number, total)

    def _owner_of(self, kind: ChunkKind, group: Sequence[Piece], owner: _Owner) -> _Owner:
        if kind is ChunkKind.WINDOW:
            return _Owner(kind, "", "", owner.inner_context, owner.inner_context)
        variable = _variable(group) if kind is ChunkKind.MODULE else None
        if variable is None:
            return owner
        return _Owner(kind, self._label(variable), variable.qualname, "", f"{variable.name} =")

    def _group(self, run: list[Piece], owner: _Owner) -> list[tuple[ChunkKind, list[Piece]]]:
        """Group neighbouring statements; broken rows apart, as windows."""
        groups: list[tuple[ChunkKind, list[Piece]]] = []
        limits = GROUP_LIMITS if owner.kind in (ChunkKind.MODULE, ChunkKind.CLASS) else PART_LIMITS
        for kind, stretch in _stretches(run, owner.kind):
            for section in _import_section(stretch) if kind is ChunkKind.MODULE else [stretch]:
                small = [part for piece in section for part in self._cutter.reduce(piece)]
                rows = [(piece.start, piece.end) for piece in small]
                whole = _only_imports(section)  # a cut list of imports says no more than a whole one
                packed = pack_rows(
                    self._table, rows, DEFINITION_LIMITS if whole else limits, [piece.glued for piece in small]
                )
                groups.extend((kind, [small[index] for index in group]) for group in packed)
        return groups

    def _emit_definition(self, piece: Piece, owner: _Owner) -> None:
        statement = piece.statement
        assert statement is not None  # noqa: S101  (a definition piece has its statement)
        symbol = statement.symbol
        if symbol is None:  # a definition whose name is missing
            self._add_cut(piece, _Owner(ChunkKind.WINDOW, "", "", owner.inner_context, ""))
            return
        inner_context = f"{owner.inner_context}\n{symbol.signature}:".lstrip("\n")
        label = self._label(symbol)
        if statement.is_class:
            self._emit_class(
                piece, statement, _Owner(ChunkKind.CLASS, label, symbol.qualname, owner.inner_context, inner_context)
            )
            return
        kind = ChunkKind.METHOD if owner.kind is ChunkKind.CLASS else ChunkKind.FUNCTION
        mine = _Owner(kind, label, symbol.qualname, owner.inner_context, inner_context)
        if not self._table.exceeds(piece.start, piece.end, DEFINITION_LIMITS):
            self._add(piece.start, piece.end, mine, 1, 1)
        else:
            self._emit_scope(self._cutter.opened(piece, statement), mine, NESTED_OWN_LINES)

    def _emit_class(self, piece: Piece, statement: Statement, owner: _Owner) -> None:
        length = piece.end - piece.start + 1
        big = self._table.exceeds(piece.start, piece.end, DEFINITION_LIMITS)
        if not big and (length <= SMALL_CLASS_LINES or not statement.has_definition):
            self._add(piece.start, piece.end, owner, 1, 1)
        else:
            self._emit_scope(self._cutter.opened(piece, statement), owner, 1)

    def _label(self, symbol: Symbol) -> str:
        """The name inside the file, without the numbers that keep qualified names apart."""
        return _REPEAT.sub("", symbol.qualname[len(self._module) + 1 :])

    def _add_cut(self, piece: Piece, owner: _Owner) -> None:
        rows = cut_rows(self._table, piece.start, piece.end, DEFINITION_LIMITS)
        for first, last in rows:
            self._add(first, last, owner, 1, 1)

    def _add(self, start: int, end: int, owner: _Owner, part: int, parts: int) -> None:
        trimmed = self._table.trim(start, end)
        if trimmed is None:
            return
        start, end = trimmed
        low = bisect_left(self._doc_rows, start)
        high = bisect_left(self._doc_rows, end + 1)
        self._chunks.append(
            Chunk(
                start_line=start + 1,
                end_line=end + 1,
                kind=owner.kind,
                symbol=owner.symbol,
                qualname=owner.qualname,
                context=owner.context if part == 1 else owner.inner_context,
                doc="\n".join(text for _, text in self._docs[low:high]),
                blocks=self._blocks.blocks(start, end),
                part=part,
                parts=parts,
            )
        )


def _stretches(run: Sequence[Piece], kind: ChunkKind) -> list[tuple[ChunkKind, list[Piece]]]:
    found: list[tuple[ChunkKind, list[Piece]]] = []
    for piece in run:
        wanted = ChunkKind.WINDOW if piece.is_broken and kind in (ChunkKind.MODULE, ChunkKind.CLASS) else kind
        if found and found[-1][0] is wanted:
            found[-1][1].append(piece)
        else:
            found.append((wanted, [piece]))
    return found


def _variable(group: Sequence[Piece]) -> Symbol | None:
    """The variable that is all a group of statements defines."""
    statements = [piece.statement for piece in group if piece.statement is not None]
    if len(statements) == 1 and statements[0].kind is BlockKind.ASSIGN:
        return statements[0].symbol
    return None


def _only_imports(section: Sequence[Piece]) -> bool:
    return all(
        piece.statement is None or piece.statement.kind in (BlockKind.IMPORT, BlockKind.DOCSTRING) for piece in section
    )


def _import_section(run: list[Piece]) -> list[list[Piece]]:
    """The imports that open a run (with a docstring before them) apart from the rest when they are long enough."""
    last = -1
    for index, piece in enumerate(run):
        kind = piece.statement.kind if piece.statement is not None else BlockKind.COMMENT
        if kind is BlockKind.IMPORT:
            last = index
        elif kind not in (BlockKind.DOCSTRING, BlockKind.COMMENT):
            break
    if last < 0 or last + 1 == len(run) or run[last].end - run[0].start + 1 < IMPORT_SECTION_LINES:
        return [run]
    return [run[: last + 1], run[last + 1 :]]
