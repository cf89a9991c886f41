"""``find_symbol`` and ``outline``: definitions by name, and what a file defines."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agent.tools.context import ToolContext
from agent.tools.files import Path
from agent.tools.find import Offset
from agent.tools.paging import window
from agent.tools.records import Item, Line, Outcome
from retrieval.errors import UserError
from retrieval.records import SymbolRow

Name = Annotated[str, Field(min_length=1, max_length=500)]
Kind = Literal["any", "module", "class", "function", "method", "property", "variable", "attribute"]


def find_symbol(context: ToolContext, name: Name, kind: Kind = "any", offset: Offset = 0) -> Outcome:
    """Find definitions by name: where, signature, first line of the docstring. Code comes before tests.

    Args:
        name: A name (run), the end of a qualified name (Flask.run), or a whole one (flask.app.Flask.run).
        kind: Only this kind of definition.
        offset: How many to pass over.
    """
    wanted = name.strip().removesuffix("()").strip(".").replace("::", ".")
    found = [row for row in context.reader.symbols_ending(wanted) if kind in ("any", row.symbol.kind)]
    if not found:
        near = context.reader.similar_names(wanted.rpartition(".")[2])
        what = f"No {kind} is" if kind != "any" else "Nothing is"
        tail = (f"Similar names: {', '.join(near)}",) if near else ()
        return Outcome((f"{what} called {wanted[:200]!r} in this tree.",), data={"similar": list(near)}, tail=tail)
    items = [_item(context, row) for row in found]
    head = f"{len(found)} definitions of {wanted!r}" if len(found) > 1 else f"{wanted!r} is defined once"
    return Outcome((head,), **window(items, offset))


def _item(context: ToolContext, row: SymbolRow) -> Item:
    symbol = row.symbol
    lines = [
        Line(f"{symbol.qualname} ({symbol.kind}) {row.path}:{symbol.start_line}-{symbol.end_line}"),
        context.line(row.path, symbol.def_line),
    ]
    doc = symbol.doc.strip().partition("\n")[0]
    if doc:
        lines.append(Line(f"      {doc[:200]}"))
    return Item(tuple(lines), _data(row))


def _data(row: SymbolRow) -> dict[str, object]:
    symbol = row.symbol
    return {
        "qualname": symbol.qualname,
        "kind": symbol.kind,
        "path": row.path,
        "start_line": symbol.start_line,
        "line": symbol.def_line,
        "end_line": symbol.end_line,
        "signature": symbol.signature,
        "doc": symbol.doc.strip().partition("\n")[0][:200],
        "role": row.role.value,
    }


def outline(context: ToolContext, path: Path, offset: Offset = 0) -> Outcome:
    """List what a file defines, nested, with lines and signatures.

    Args:
        path: Relative to the root.
    """
    name = context.path(path)
    rows = [row for row in context.reader.symbols_in(name) if row.symbol.kind != "module"]
    file = context.reader.file_text(name)
    if not rows:
        chunks = [chunk for chunk in context.reader.chunks_of(name) if chunk.symbol]
        if not chunks:
            raise UserError(f"{name} defines nothing that is listed.", f"Read it: read_file {name}")
        items = [
            Item(
                (Line(f"{chunk.start_line}-{chunk.end_line} {chunk.symbol}"),),
                {"name": chunk.symbol, "start_line": chunk.start_line, "end_line": chunk.end_line},
            )
            for chunk in chunks
        ]
        return Outcome((f"{name}: {len(file.lines)} lines, {file.language}",), **window(items, offset))
    depth: dict[str, int] = {}
    previous = (0, "")
    items = []
    for row in rows:
        symbol = row.symbol
        level = depth[symbol.qualname] = depth.get(symbol.parent, -1) + 1
        text = symbol.signature or symbol.name
        if (symbol.def_line, text) == previous:  # one statement that binds several names
            text = symbol.name
        else:
            previous = (symbol.def_line, text)
        span = (
            f"{symbol.start_line}-{symbol.end_line}" if symbol.end_line > symbol.start_line else f"{symbol.start_line}"
        )
        items.append(Item((Line(f"{'  ' * level}{span} {text}"),), {**_data(row), "depth": level}))
    return Outcome((f"{name}: {len(file.lines)} lines, {len(rows)} definitions",), **window(items, offset))
