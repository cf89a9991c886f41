"""Blocks: the rows of a file cut at statements, and the share of them that belongs to a chunk."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from retrieval.chunking.lines import indent_of, is_blank
from retrieval.languages.python.tree import Statement
from retrieval.records import Block, BlockKind

#: (first row, last row, depth in the file, column, kind)
_Item = tuple[int, int, int, int, BlockKind]


class BlockMap:
    """The statements of a file flattened to rows, from which the blocks of any chunk are cut.

    Args:
        statements: Of the module.
        lines: Of the file.
    """

    def __init__(self, statements: Sequence[Statement], lines: Sequence[str]) -> None:
        self._lines = lines
        self._items: list[_Item] = []
        self._flatten(statements, 0, True)
        self._ends = [item[1] for item in self._items]

    def _push(self, start: int, end: int, depth: int, column: int, kind: BlockKind) -> None:
        items = self._items
        if items and start <= items[-1][1]:  # shares a line with the statement before it
            before = items[-1]
            if end > before[1]:
                items[-1] = (before[0], end, *before[2:])
            return
        items.append((start, end, depth, column, kind))

    def _flatten(self, statements: Sequence[Statement], depth: int, documented: bool) -> None:
        for index, statement in enumerate(statements):
            column = statement.column
            level = depth - 1 if statement.is_clause else depth
            kind = statement.kind
            if kind is BlockKind.DOCSTRING and (index or not documented):
                kind = BlockKind.COMMENT
            start = statement.start
            for node in statement.decorators:
                shift = statement.def_row - statement.node.start_point[0]
                self._push(node.start_point[0] + shift, node.end_point[0] + shift, level, column, BlockKind.DECORATOR)
                start = statement.def_row
            self._push(start, statement.head_end, level, column, kind)
            if statement.body:
                self._flatten(statement.body, level + 1, statement.is_definition)

    def blocks(self, start: int, end: int) -> tuple[Block, ...]:
        """Blocks of the chunk on rows ``start..end``, with depths counted from its shallowest statement."""
        items = self._items
        first = last = bisect_left(self._ends, start)
        while last < len(items) and items[last][0] <= end:
            last += 1
        inside = items[first:last]
        base = min((item[2] for item in inside), default=0)
        found: list[Block] = []
        row = start
        depth, column = 0, 0
        for item_start, item_end, item_depth, item_column, kind in inside:
            item_depth -= base
            if item_start > row:
                self._fill(found, row, item_start - 1, depth, item_depth, column, item_column)
            clipped_start, clipped_end = max(item_start, start), min(item_end, end)
            found.append(Block(clipped_start + 1, clipped_end + 1, item_depth, kind))
            row, depth, column = clipped_end + 1, item_depth, item_column
        if row <= end:
            self._fill(found, row, end, depth, depth, column, column)
        return tuple(found)

    def _fill(
        self, found: list[Block], start: int, end: int, depth: int, next_depth: int, column: int, next_column: int
    ) -> None:
        """Blocks of the rows between two statements: blank rows, comments, and what else may stand there."""
        lines = self._lines
        row = start
        while row <= end:
            kind = _gap_kind(lines[row])
            first = row
            while row < end and _gap_kind(lines[row + 1]) is kind:
                row += 1
            inner = kind is not BlockKind.BLANK and next_column < indent_of(lines[first]) and depth > next_depth
            found.append(Block(first + 1, row + 1, depth if inner else next_depth, kind))
            row += 1


def _gap_kind(line: str) -> BlockKind:
    if is_blank(line):
        return BlockKind.BLANK
    return BlockKind.COMMENT if line.lstrip().startswith("#") else BlockKind.TEXT
