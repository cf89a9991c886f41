"""``read_file`` and ``list_files``: what the tree holds, and what a file says now."""

from __future__ import annotations

import os
from typing import Annotated, Any

from pydantic import Field

from agent.tools.context import ToolContext
from agent.tools.find import Globs, Offset
from agent.tools.paging import prefix, window
from agent.tools.paths import relative_to
from agent.tools.records import Item, Line, Outcome
from retrieval.errors import UserError
from retrieval.source.contain import resolve_inside

Path = Annotated[str, Field(min_length=1, max_length=1_024)]
Folder = Annotated[str, Field(max_length=1_024)]
LineNumber = Annotated[int, Field(ge=1, le=10_000_000)]
Last = Annotated[int, Field(ge=0, le=10_000_000)]


def read_file(
    context: ToolContext,
    path: Path,
    first: LineNumber = 1,
    last: Last = 0,
    column: LineNumber = 1,
) -> Outcome:
    """Read numbered lines of a file as it is now.

    Args:
        path: Relative to the root.
        first: First line.
        last: Last line; 0 for the end of the file.
        column: First character of the first line, to go on inside a very long one.
    """
    name = context.path(path)
    file = context.file_now(name)
    total = len(file.shown)
    end = min(last or total, total)
    if first > max(total, 1) or (last and last < first):
        raise UserError(f"{name} has {total} lines, not {first} to {last or 'the end'}.", "Ask for lines it has.")
    head = (f"{name}:{first}-{end} of {total} lines",)
    # A page of a single line that is longer than the page; its next one starts inside the line.
    text = file.shown[first - 1][column - 1 :] if total else ""
    room = max(context.max_tokens - 150, 50)
    fitting = prefix(text, room)
    if fitting < len(text):
        at = f"{first} " if column == 1 else f"{first}:{column} "
        line = Line(at + text[:fitting], name, first)
        item = Item((line,), {"line": first, "column": column, "text": text[:fitting]})
        return Outcome(
            head,
            [item],
            rest=1 + end - first,
            data={"path": name, "total_lines": total, "sha256": file.sha256},
            following=lambda _: {"first": first, "column": column + fitting},
        )
    items = []
    for number in range(first, end + 1):
        shown = file.shown[number - 1]
        if number == first and column > 1:
            shown = shown[column - 1 :]
        items.append(Item((Line(f"{number} {shown}", name, number),), {"line": number, "text": shown}))

    def following(position: int) -> dict[str, Any]:
        return {"first": first + position, "column": 1}

    data = {"path": name, "total_lines": total, "sha256": file.sha256}
    return Outcome(head, items, data=data, following=following)


def list_files(
    context: ToolContext,
    folder: Folder = "",
    paths: Globs = [],  # noqa: B006 - never written to
    depth: Annotated[int, Field(ge=0, le=64)] = 0,
    offset: Offset = 0,
) -> Outcome:
    """List the indexed files with language and number of lines, by path.

    Args:
        folder: Only what is below this folder.
        paths: Globs such as "*.py" or "src/**" to list; one that starts with "!" leaves out.
        depth: Levels of folders to open; deeper ones are counted. 0 lists every file.
    """
    from retrieval.search.filters import PathFilters

    base = _folder(context, folder)
    filters = PathFilters.from_patterns(paths)
    rows = context.reader.conn.execute("SELECT path, language, n_lines FROM files WHERE root_id = 0 ORDER BY path")
    entries: dict[str, list[Any]] = {}
    for path, language, lines in rows:
        if not path.startswith(base) or not filters.allows(path):
            continue
        parts = path[len(base) :].split("/")
        if depth and len(parts) > depth:
            name = base + "/".join(parts[:depth]) + "/"
            entry = entries.setdefault(name, [name, "folder", 0, 0])
            entry[2], entry[3] = entry[2] + lines, entry[3] + 1
        else:
            entries[path] = [path, language, lines, 1]
    if not entries:
        where = f"below {base}" if base else "in the tree"
        raise UserError(f"No indexed file {where} has a path like that.", "Leave out the folder or the globs.")
    items = [_entry(*entry) for entry in entries.values()]
    files = sum(entry[3] for entry in entries.values())
    head = f"{files:,} files {'below ' + base if base else 'in the tree'}"
    return Outcome((head,), **window(items, offset), data={"files": files})


def _entry(path: str, language: str, lines: int, files: int) -> Item:
    if path.endswith("/"):
        data = {"folder": path, "files": files, "lines": lines}
        return Item((Line(f"{path}  {files:,} files, {lines:,} lines"),), data)
    return Item((Line(f"{path}  {language}, {lines:,} lines"),), {"path": path, "language": language, "lines": lines})


def _folder(context: ToolContext, folder: str) -> str:
    """``folder`` relative to the root with a slash behind it; "" for the root itself.

    Raises:
        UserError: It lies outside the root.
    """
    asked = folder.strip().removeprefix("./").rstrip("/")
    if asked in ("", "."):
        return ""
    place = resolve_inside(context.reader.root, relative_to(context.reader.root, asked))
    inside = os.path.relpath(place, os.path.realpath(context.reader.root)).replace(os.sep, "/")
    return "" if inside == "." else inside + "/"
