"""Pieces: the statements of a module, class or function as runs of rows, comments included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.chunking.lines import Limits, LineTable, cut_rows, indent_of
from retrieval.languages.python.tree import Statement
from retrieval.records import BlockKind

#: A definition above these limits is split.
DEFINITION_LIMITS = Limits(80, 6_000)
#: Parts of a split definition aim at these.
PART_LIMITS = Limits(60, 4_500)
#: ``if``/``try`` around definitions stays whole up to this many lines.
SMALL_COMPOUND_LINES = 15
#: Comments in front of a definition, apart from it by a blank line, still belong to it up to this many rows.
LEAD_COMMENT_LINES = 5


@dataclass(slots=True)
class Piece:
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


class PieceCutter:
    """Cuts the statements of a scope into pieces that hold every non-blank row of it."""

    def __init__(self, table: LineTable) -> None:
        self._table = table
        self._lines = table.lines

    def pieces(self, statements: Sequence[Statement], open_from: int = SMALL_COMPOUND_LINES + 1) -> list[Piece]:
        """One piece per statement; compound statements around definitions are opened when they are long enough."""
        pieces: list[Piece] = []
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
                    pieces.append(Piece(start, statement.head_end, statement, glued=True))
                    start = statement.head_end + 1
                inner = self.pieces(statement.body, 1)
                while inner and inner[0].end < start:
                    inner.pop(0)
                if inner:
                    inner[0].start = max(inner[0].start, start)
                pieces.extend(inner)
            else:
                pieces.append(Piece(start, statement.end, statement))
        return pieces

    def cover(self, pieces: list[Piece], start: int, end: int) -> list[Piece]:
        """Give every non-blank row of ``start..end`` to a piece: comments mostly to the statement below them."""
        covered: list[Piece] = []
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
                covered.extend(Piece(first, last, None) for first, last in apart)
            if runs:
                piece.start = runs[0][0]
            covered.append(piece)
            row = piece.end + 1
        covered = self._with_followers(covered)
        row = covered[-1].end + 1 if covered else start
        runs = self._table.runs(row, end)
        if runs and covered:
            rows = sum(last - first + 1 for first, last in runs)
            if rows <= LEAD_COMMENT_LINES or (
                not covered[-1].is_broken
                and indent_of(self._lines[runs[0][0]]) > indent_of(self._lines[covered[-1].start])
            ):
                covered[-1].end = runs[-1][1]
                runs = []
        covered.extend(Piece(first, last, None) for first, last in runs)
        return covered

    def _with_followers(self, pieces: list[Piece]) -> list[Piece]:
        """``name.attribute = ...`` below the definition of ``name`` belongs to it."""
        kept: list[Piece] = []
        for piece in pieces:
            owner = kept[-1].definition if kept else None
            if owner is not None and owner.symbol is not None and piece.statement is not None:
                opening = self._lines[piece.start].lstrip()
                simple = not piece.statement.body and piece.end - piece.start < LEAD_COMMENT_LINES
                if simple and opening.startswith(owner.symbol.name + "."):
                    kept[-1].end = piece.end
                    continue
            kept.append(piece)
        return kept

    def opened(self, piece: Piece, statement: Statement) -> list[Piece]:
        """A definition as its header piece and the pieces of its body."""
        head = Piece(piece.start, max(piece.start, statement.head_end), None)
        inner = [part for part in self.pieces(statement.body) if part.end > head.end]
        if inner:
            inner[0].start = max(inner[0].start, head.end + 1)
        if inner and inner[0].definition is None:
            opening = inner[0].statement
            if opening is not None and opening.kind is BlockKind.DOCSTRING:
                head.end = inner.pop(0).end  # so that a long docstring is cut behind the header, not below it
            else:
                head.glued = True
        if head.end >= piece.end:
            return [head]
        return [head, *self.cover(inner, head.end + 1, piece.end)]

    def reduce(self, piece: Piece) -> list[Piece]:
        """Split a piece that exceeds the limits: a compound statement at its statements, anything else by rows."""
        if not self._table.exceeds(piece.start, piece.end, DEFINITION_LIMITS):
            return [piece]
        statement = piece.statement
        if statement is None or not statement.body or statement.head_end >= piece.end:
            return [
                Piece(first, last, statement)
                for first, last in cut_rows(self._table, piece.start, piece.end, PART_LIMITS)
            ]
        head = Piece(piece.start, max(piece.start, statement.head_end), None, glued=True)
        inner = [part for part in self.pieces(statement.body, 1 << 30) if part.end > head.end]
        if inner:
            inner[0].start = max(inner[0].start, head.end + 1)
        inner = self.cover(inner, head.end + 1, piece.end)
        return [part for whole in (head, *inner) for part in self.reduce(whole)]
