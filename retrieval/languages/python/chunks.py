"""Chunks of a Python file: a partition of its non-blank lines along definitions.

A function or method is a chunk; a class gives its header (decorators, bases, docstring, attributes) and one chunk per
method; what stands at module level is grouped. Comments and decorators go with the definition they precede. What is
too big is split between statements.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.chunking.lines import Limits, LineTable, cut_rows, indent_of, pack_rows
from retrieval.languages.python.blocks import BlockMap
from retrieval.languages.python.docstrings import comment_text
from retrieval.languages.python.tree import Statement
from retrieval.records import BlockKind, Chunk, ChunkKind, Symbol

#: A definition above these limits is split.
DEFINITION_LIMITS = Limits(80, 6_000)
#: Parts of a split definition aim at these.
PART_LIMITS = Limits(60, 4_500)
#: Neighbouring statements of a module or class are grouped up to these.
GROUP_LIMITS = Limits(40, 3_000)
#: A class up to this many lines stays whole, methods included.
SMALL_CLASS_LINES = 25
#: ``if``/``try`` around definitions stays whole up to this many lines.
SMALL_COMPOUND_LINES = 15
#: In a function that is split, an inner definition from this many lines on is a chunk of its own.
NESTED_OWN_LINES = 12
#: Comments in front of a definition, apart from it by a blank line, still belong to it up to this many rows.
LEAD_COMMENT_LINES = 5
#: From this many lines on, the imports that open a module are a chunk apart from what follows.
IMPORT_SECTION_LINES = 12


@dataclass(slots=True)
class _Piece:
    """Rows that are not divided further at one level; ``glued`` to the next piece when they are its header."""

    start: int
    end: int
    statement: Statement | None
    glued: bool = False

    @property
    def definition(self) -> Statement | None:
        statement = self.statement
        return statement if statement is not None and statement.is_definition else None

    @property
    def is_broken(self) -> bool:
        return self.statement is not None and self.statement.broken


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
        self._lines = lines
        self._module = module
        self._blocks = BlockMap(statements, lines)
        words = [(row, words) for row, text in comments if (words := comment_text(text))]
        self._docs = sorted([*words, *docs])
        self._doc_rows = [row for row, _ in self._docs]
        self._chunks: list[Chunk] = []

    def chunk(self, statements: Sequence[Statement]) -> tuple[Chunk, ...]:
        owner = _Owner(ChunkKind.MODULE, "", self._module, "", "")
        pieces = self._cover(self._pieces(statements), 0, len(self._lines) - 1)
        self._emit_scope(pieces, owner, nested_from=1)
        return tuple(sorted(self._chunks, key=lambda chunk: chunk.start_line))

    # -- pieces -------------------------------------------------------------------------------------------------------

    def _pieces(self, statements: Sequence[Statement], open_from: int = SMALL_COMPOUND_LINES + 1) -> list[_Piece]:
        """One piece per statement; compound statements around definitions are opened when they are long enough."""
        pieces: list[_Piece] = []
        for statement in statements:
            start = max(statement.start, pieces[-1].end + 1) if pieces else statement.start
            if start > statement.end:  # on the last line of the statement before it
                continue
            length = statement.end - start + 1
            opened = (
                statement.has_definition
                and not statement.is_definition
                and (length >= open_from or self._table.exceeds(start, statement.end, DEFINITION_LIMITS))
                and statement.head_end < statement.end
            )
            if opened:
                if start <= statement.head_end:
                    pieces.append(_Piece(start, statement.head_end, statement, glued=True))
                    start = statement.head_end + 1
                inner = self._pieces(statement.body, open_from)
                while inner and inner[0].end < start:
                    inner.pop(0)
                if inner:
                    inner[0].start = max(inner[0].start, start)
                pieces.extend(inner)
            else:
                pieces.append(_Piece(start, statement.end, statement))
        return pieces

    def _cover(self, pieces: list[_Piece], start: int, end: int) -> list[_Piece]:
        """Give every non-blank row of ``start..end`` to a piece: comments mostly to the statement below them."""
        covered: list[_Piece] = []
        row = start
        for piece in pieces:
            column = indent_of(self._lines[piece.start])
            runs = self._table.runs(row, piece.start - 1)
            while runs and covered and indent_of(self._lines[runs[0][0]]) > column:
                covered[-1].end = runs.pop(0)[1]  # an indented comment under the statement before
            if runs and piece.definition is not None:
                rows = sum(last - first + 1 for first, last in runs)
                keep = len(runs) if rows <= LEAD_COMMENT_LINES else int(runs[-1][1] == piece.start - 1)
                apart, runs = runs[: len(runs) - keep], runs[len(runs) - keep :]
                covered.extend(_Piece(first, last, None) for first, last in apart)
            if runs:
                piece.start = runs[0][0]
            covered.append(piece)
            row = piece.end + 1
        runs = self._table.runs(row, end)
        if runs and covered:
            rows = sum(last - first + 1 for first, last in runs)
            if rows <= LEAD_COMMENT_LINES or (
                not covered[-1].is_broken
                and indent_of(self._lines[runs[0][0]]) > indent_of(self._lines[covered[-1].start])
            ):
                covered[-1].end = runs[-1][1]
                runs = []
        covered.extend(_Piece(first, last, None) for first, last in runs)
        return covered

    # -- emitting -----------------------------------------------------------------------------------------------------

    def _emit_scope(self, pieces: list[_Piece], owner: _Owner, nested_from: int) -> None:
        """Emit the chunks of one scope: its definitions one by one, the statements between them in groups.

        Args:
            nested_from: Definitions of fewer lines stay among the statements.
        """
        groups: list[tuple[ChunkKind, list[_Piece]]] = []
        run: list[_Piece] = []
        pending: list[_Piece] = []  # headers waiting for what they head
        for piece in pieces:
            if piece.definition is not None and piece.end - piece.start + 1 >= nested_from:
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
        parts = sum(kind is not ChunkKind.WINDOW for kind, _ in groups)
        part = 0
        for kind, group in groups:
            if kind is ChunkKind.WINDOW:
                self._add(group[0].start, group[-1].end, _Owner(kind, "", "", owner.context, ""), 1, 1)
            else:
                part += 1
                self._add(group[0].start, group[-1].end, owner, part, parts)

    def _group(self, run: list[_Piece], owner: _Owner) -> list[tuple[ChunkKind, list[_Piece]]]:
        """Group neighbouring statements; broken rows apart, as windows."""
        groups: list[tuple[ChunkKind, list[_Piece]]] = []
        limits = GROUP_LIMITS if owner.kind in (ChunkKind.MODULE, ChunkKind.CLASS) else PART_LIMITS
        for kind, stretch in _stretches(run, owner.kind):
            for section in _import_section(stretch) if kind is ChunkKind.MODULE else [stretch]:
                small = [part for piece in section for part in self._reduce(piece)]
                rows = [(piece.start, piece.end) for piece in small]
                packed = pack_rows(self._table, rows, limits, [piece.glued for piece in small])
                groups.extend((kind, [small[index] for index in group]) for group in packed)
        return groups

    def _reduce(self, piece: _Piece) -> list[_Piece]:
        """Split a piece that exceeds the limits: a compound statement at its statements, anything else by rows."""
        if not self._table.exceeds(piece.start, piece.end, DEFINITION_LIMITS):
            return [piece]
        statement = piece.statement
        if statement is None or not statement.body or statement.head_end >= piece.end:
            return [
                _Piece(first, last, statement)
                for first, last in cut_rows(self._table, piece.start, piece.end, PART_LIMITS)
            ]
        head = _Piece(piece.start, max(piece.start, statement.head_end), None, glued=True)
        inner = [part for part in self._pieces(statement.body, 1 << 30) if part.end > head.end]
        if inner:
            inner[0].start = max(inner[0].start, head.end + 1)
        inner = self._cover(inner, head.end + 1, piece.end)
        return [part for whole in (head, *inner) for part in self._reduce(whole)]

    def _emit_definition(self, piece: _Piece, owner: _Owner) -> None:
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
            self._emit_scope(self._opened(piece, statement), mine, NESTED_OWN_LINES)

    def _emit_class(self, piece: _Piece, statement: Statement, owner: _Owner) -> None:
        length = piece.end - piece.start + 1
        big = self._table.exceeds(piece.start, piece.end, DEFINITION_LIMITS)
        if not big and (length <= SMALL_CLASS_LINES or not statement.has_definition):
            self._add(piece.start, piece.end, owner, 1, 1)
        else:
            self._emit_scope(self._opened(piece, statement), owner, 1)

    def _opened(self, piece: _Piece, statement: Statement) -> list[_Piece]:
        """A definition as its header piece and the pieces of its body."""
        head = _Piece(piece.start, max(piece.start, statement.head_end), None)
        inner = [part for part in self._pieces(statement.body) if part.end > head.end]
        if inner:
            inner[0].start = max(inner[0].start, head.end + 1)
        if inner and inner[0].definition is None:
            head.glued = True
        if head.end >= piece.end:
            return [head]
        return [head, *self._cover(inner, head.end + 1, piece.end)]

    def _label(self, symbol: Symbol) -> str:
        return symbol.qualname[len(self._module) + 1 :]

    def _add_cut(self, piece: _Piece, owner: _Owner) -> None:
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


def _stretches(run: Sequence[_Piece], kind: ChunkKind) -> list[tuple[ChunkKind, list[_Piece]]]:
    found: list[tuple[ChunkKind, list[_Piece]]] = []
    for piece in run:
        wanted = ChunkKind.WINDOW if piece.is_broken and kind in (ChunkKind.MODULE, ChunkKind.CLASS) else kind
        if found and found[-1][0] is wanted:
            found[-1][1].append(piece)
        else:
            found.append((wanted, [piece]))
    return found


def _import_section(run: list[_Piece]) -> list[list[_Piece]]:
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
