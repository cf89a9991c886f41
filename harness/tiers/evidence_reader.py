"""The index as a reader of one pack would know it: what its lines and headers show, and nothing beside.

The offline answerer asks an index for symbols, edges and lines. For a comparison of contexts it must answer from the
context alone, as a model would: a definition exists when its ``def`` line is shown, a line has text when it is shown,
an edge holds when the line that proves it is shown. What parsing the shown text would yield is taken from the index;
what the text does not show is withheld.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agent.answer.offline.ports import Reader
from retrieval.pack_records import ContextPack
from retrieval.records import ChunkRow, FileText, SymbolRow


class EvidenceReader:
    """A reader restricted to the lines of ``pack``; the answerer's ``Reader`` and the planner's ``SymbolLookup``."""

    def __init__(self, pack: ContextPack, reader: Reader) -> None:
        self._inner = reader
        self._shown: dict[str, set[int]] = {}
        self._headers = {
            name for chunk in pack.chunks for part in chunk.qualname.split(", ") if part for name in _with_holders(part)
        }
        self._texts: dict[str, FileText] = {}
        for chunk in pack.chunks:
            lines = self._shown.setdefault(chunk.path, set())
            for first, last in chunk.ranges:
                lines.update(range(first, last + 1))

    # ------------------------------------------------------------------------------------------------ what is shown

    def shows(self, path: str, line: int) -> bool:
        return line in self._shown.get(path, ())

    def names(self, qualname: str) -> bool:
        """The symbol's ``def`` line is shown, or a header says that lines belong to it."""
        return qualname in self._headers or self.symbol(qualname) is not None

    def file_text(self, path: str) -> FileText:
        """The file with every line that is not shown blank. Raises KeyError for a file that is not shown at all."""
        if path not in self._shown:
            raise KeyError(path)
        known = self._texts.get(path)
        if known is None:
            file = self._inner.file_text(path)
            shown = self._shown[path]
            lines = tuple(line if n in shown else "" for n, line in enumerate(file.lines, start=1))
            known = self._texts[path] = replace(file, lines=lines)
        return known

    # ------------------------------------------------------------------------------------------------ symbols, chunks

    def symbol(self, qualname: str) -> SymbolRow | None:
        return next(iter(self._visible([self._inner.symbol(qualname)])), None)

    def symbols_in(self, path: str) -> tuple[SymbolRow, ...]:
        return self._visible(self._inner.symbols_in(path)) if path in self._shown else ()

    def symbols_named(self, name: str) -> tuple[SymbolRow, ...]:
        return self._visible(self._inner.symbols_named(name))

    def symbols_ending(self, dotted: str) -> tuple[SymbolRow, ...]:
        return self._visible(self._inner.symbols_ending(dotted))

    def paths_matching(self, hint: str) -> tuple[str, ...]:
        return tuple(path for path in self._inner.paths_matching(hint) if path in self._shown)

    def chunks_of(self, path: str) -> tuple[ChunkRow, ...]:
        return self._touched(self._inner.chunks_of(path)) if path in self._shown else ()

    def chunks_of_symbol(self, qualname: str) -> tuple[ChunkRow, ...]:
        return self._touched(self._inner.chunks_of_symbol(qualname)) if self.names(qualname) else ()

    def similar_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        """Nothing: other names of the tree are not evidence."""
        return ()

    def _visible(self, rows: Iterable[SymbolRow | None]) -> tuple[SymbolRow, ...]:
        return tuple(self._as_shown(row) for row in rows if row is not None and self._defines(row))

    def _as_shown(self, row: SymbolRow) -> SymbolRow:
        """With as much of its docstring as is shown, below the nearest definition around it that is shown or named."""
        symbol = row.symbol
        parent = symbol.parent
        while parent in self._headers and (holder := self._inner.symbol(parent)) is not None:
            if holder.symbol.kind == "module" or self._defines(holder):
                break
            parent = holder.symbol.parent  # its ``class`` line is not shown, but a header names it: ``Flask.run``
        return replace(row, symbol=replace(symbol, doc=_shown_doc(row, self), parent=parent))

    def _defines(self, row: SymbolRow) -> bool:
        if row.symbol.kind == "module":
            return row.path in self._shown
        return self.shows(row.path, row.symbol.def_line)

    def _touched(self, rows: Iterable[ChunkRow]) -> tuple[ChunkRow, ...]:
        """Chunks of which a line is shown; without their name where neither a line nor a header gives it."""
        touched = [row for row in rows if any(self.shows(row.path, n) for n in range(row.start_line, row.end_line + 1))]
        return tuple(
            row if not row.qualname or self.names(row.qualname) else row._replace(symbol="", qualname="", context="")
            for row in touched
        )


def _with_holders(qualname: str) -> list[str]:
    """The name and those of everything around it: ``a.B.c`` -> ``a.B.c``, ``a.B``, ``a``."""
    parts = qualname.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _shown_doc(row: SymbolRow, reader: EvidenceReader) -> str:
    """As much of the docstring as stands on shown lines."""
    doc = row.symbol.doc
    if not doc:
        return ""
    last = row.symbol.end_line if row.symbol.kind != "module" else 10**9
    lines = reader.file_text(row.path).lines[row.symbol.start_line - 1 : last]
    shown = "\n".join(line.strip() for line in lines)
    kept: list[str] = []
    for line in doc.split("\n"):
        if line.strip() and line.strip() not in shown:
            break
        kept.append(line)
    return "\n".join(kept).strip()
