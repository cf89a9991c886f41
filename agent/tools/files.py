"""``read_file`` and ``list_files``."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from agent.tools.context import ToolContext
from agent.tools.paging import prefix
from agent.tools.records import Item, Line, Outcome
from retrieval.errors import UserError

Path = Annotated[str, Field(min_length=1, max_length=1_024)]
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
