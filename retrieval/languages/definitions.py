"""From a list of definitions to the chunks and symbols of a file, for languages that know no more than that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.chunking.flat import text_blocks, window
from retrieval.chunking.lines import Limits, LineTable, Rows, cut_rows, is_blank, split_lines
from retrieval.records import Block, BlockKind, Chunk, ChunkKind, FileAnalysis, Symbol

_LIMITS = Limits(80, 6_000)
_WINDOW_LIMITS = Limits(40, 4_000)
_MAX_NAME = 200
_MAX_SIGNATURE = 400
_MAX_DOC = 2_000
_KINDS = {"function": ChunkKind.FUNCTION, "method": ChunkKind.METHOD, "class": ChunkKind.CLASS}


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of a file; lines are 1-based and inclusive.

    Attributes:
        name: As callers write it, without what encloses it.
        kind: ``function``, ``method``, ``class``, ``variable`` or another word.
        first_line: With comments and annotations that belong to it; ``name_line`` is where the name stands (0: there).
        signature: One line that shows how it is used; "" takes the line of the name.
        doc: What its author says about it.
    """

    name: str
    kind: str
    first_line: int
    last_line: int
    name_line: int = 0
    signature: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class _Placed:
    definition: Definition
    symbol: Symbol
    label: str  # ``Outer.inner``


def analysis_of(path: str, text: str, definitions: Sequence[Definition]) -> FileAnalysis:
    """Every non-blank line in exactly one chunk, which belongs to the innermost definition around it.

    Raises:
        ValueError: A definition that lies outside of the file, has no name, or overlaps another without enclosing it.
    """
    table = LineTable(split_lines(text))
    placed = _placed(path, table, definitions)
    owners: list[_Placed | None] = [None] * len(table.lines)
    for one in placed:  # outer ones come first
        first, last = one.definition.first_line - 1, one.definition.last_line
        owners[first:last] = [one] * (last - first)
    chunks: list[Chunk] = []
    by_name = {one.symbol.qualname: one for one in placed}
    for owner, runs in _runs(table, owners):
        for number, rows in enumerate(runs, start=1):
            if owner is None:
                chunks.append(window(table, *rows))
            else:
                chunks.append(_chunk(table, owner, rows, number, len(runs), by_name))
    return FileAnalysis(tuple(sorted(chunks, key=lambda chunk: chunk.start_line)), tuple(one.symbol for one in placed))


def _placed(path: str, table: LineTable, definitions: Sequence[Definition]) -> list[_Placed]:
    module = path.rpartition(".")[0].replace("/", ".")
    found: list[_Placed] = []
    around: list[_Placed] = []
    names: dict[str, int] = {}
    for one in sorted(definitions, key=lambda one: (one.first_line, -one.last_line)):
        name_line = one.name_line or one.first_line
        if not 1 <= one.first_line <= name_line <= one.last_line <= len(table.lines):
            raise ValueError(f"{one.name[:60]!r} has lines {one.first_line}-{one.last_line} of {len(table.lines)}")
        if not one.name.strip() or "\n" in one.name or len(one.name) > _MAX_NAME:
            raise ValueError(f"a definition at line {one.first_line} is named {one.name[:60]!r}")
        while around and around[-1].definition.last_line < one.first_line:
            around.pop()
        if around and one.last_line > around[-1].definition.last_line:
            raise ValueError(f"{one.name!r} begins inside of {around[-1].label!r} and ends outside")
        label = f"{around[-1].label}.{one.name}" if around else one.name
        names[label] = names.get(label, 0) + 1
        qualname = f"{module}.{label}" + (f"#{names[label]}" if names[label] > 1 else "")
        signature = " ".join((one.signature or table.lines[name_line - 1]).split())[:_MAX_SIGNATURE]
        parent = around[-1].symbol.qualname if around else ""
        symbol = Symbol(
            qualname,
            one.name,
            one.kind,
            one.first_line,
            name_line,
            one.last_line,
            signature,
            one.doc[:_MAX_DOC],
            parent,
        )
        found.append(_Placed(one, symbol, label))
        around.append(found[-1])
    return found


def _runs(table: LineTable, owners: Sequence[_Placed | None]) -> Iterator[tuple[_Placed | None, list[Rows]]]:
    """The pieces of each definition, and those of nobody (one group each): what an inner definition splits comes in
    parts."""
    pieces: dict[int, tuple[_Placed | None, list[Rows]]] = {}
    start = 0
    for row in range(1, len(owners) + 1):
        if row < len(owners) and owners[row] is owners[start]:
            continue
        owner = owners[start]
        key = -1 if owner is None else id(owner)
        limits = _WINDOW_LIMITS if owner is None else _LIMITS
        pieces.setdefault(key, (owner, []))[1].extend(cut_rows(table, start, row - 1, limits))
        start = row
    yield from pieces.values()


def _chunk(table: LineTable, owner: _Placed, rows: Rows, number: int, parts: int, by_name: dict[str, _Placed]) -> Chunk:
    symbol = owner.symbol
    outer = by_name[symbol.parent].symbol.signature if symbol.parent else ""
    context = "\n".join(part for part in (outer, symbol.signature if number > 1 else "") if part)
    kind = _KINDS.get(symbol.kind, ChunkKind.MODULE)
    doc = symbol.doc if number == 1 else ""
    blocks = _blocks(table, rows, symbol.def_line - 1)
    return Chunk(rows[0] + 1, rows[1] + 1, kind, owner.label, symbol.qualname, context, doc, blocks, number, parts)


def _blocks(table: LineTable, rows: Rows, name_row: int) -> tuple[Block, ...]:
    first, last = rows
    if not first <= name_row <= last or is_blank(table.lines[name_row]):
        return text_blocks(table, first, last)
    above = text_blocks(table, first, name_row - 1) if name_row > first else ()
    below = text_blocks(table, name_row + 1, last) if name_row < last else ()
    return (*above, Block(name_row + 1, name_row + 1, 0, BlockKind.SIGNATURE), *below)
