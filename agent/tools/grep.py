"""``grep``: lines that match a regular expression, by RE2, over what the index holds with its secrets removed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from agent.tools.context import ToolContext
from agent.tools.find import Globs, Offset
from agent.tools.records import Item, Line, Outcome
from retrieval.errors import UserError
from retrieval.index.codec import split_lines, unpack_text

_MAX_MEMORY_BYTES = 4 << 20  # of the compiled pattern: larger ones are refused
_MAX_COUNTED = 20_000  # matching lines; counting stops there
_PAGE_LINES = 200  # no page holds more
_SHOWN_CHARS = 240  # of a line, around its match
_SECONDS = 10.0


def grep(
    context: ToolContext,
    pattern: Annotated[str, Field(min_length=1, max_length=500)],
    paths: Globs = [],  # noqa: B006 - never written to
    ignore_case: bool = False,
    literal: bool = False,
    offset: Offset = 0,
) -> Outcome:
    """Find the lines that match a regular expression (RE2: no back-references, no look-around), by path and line.

    Args:
        pattern: The expression; ^ and $ match at the ends of a line.
        paths: Globs such as "src/**" to look in; one that starts with "!" leaves out.
        ignore_case: Upper and lower case match each other.
        literal: The pattern is plain text.
    """
    from retrieval.search.filters import PathFilters

    compiled = _compiled(pattern, ignore_case, literal)
    filters = PathFilters.from_patterns(paths)
    wanted = [path for path in context.reader.paths if filters.allows(path)]
    if not wanted:
        raise UserError("No indexed file has a path like that.", "List the files: list_files")
    deadline = time.monotonic() + _SECONDS
    items: list[Item] = []
    count = files = searched = 0
    for path in wanted:
        context.check()
        if count >= _MAX_COUNTED or time.monotonic() > deadline:
            break
        searched += 1
        before = count
        for number, start, line in _matches(context, path, compiled):
            if offset <= count < offset + _PAGE_LINES:
                text = _excerpt(line, start)
                data = {"path": path, "line": number, "text": text}
                items.append(Item((Line(f"{path}:{number}: {text}", path, number),), data))
            count += 1
        files += count > before
    cut = searched < len(wanted)
    head = f"{'at least ' if cut else ''}{count:,} lines in {files:,} files match {pattern[:200]!r}"
    if cut:
        head += f" ({searched:,} of {len(wanted):,} files searched)"
    told: dict[str, Any] = {"lines": count, "files": files, "searched": searched, "complete": not cut}
    return Outcome((head,), items, start=min(offset, count), rest=max(0, count - offset - len(items)), data=told)


def _compiled(pattern: str, ignore_case: bool, literal: bool) -> Any:
    """Over UTF-8 bytes. No match goes over the end of a line, so that a file is searched as a whole.

    Raises:
        UserError: RE2 does not take the pattern.
    """
    import re2

    options = re2.Options()
    options.max_mem = _MAX_MEMORY_BYTES
    options.log_errors = False
    options.never_nl = True
    options.never_capture = True
    options.case_sensitive = not ignore_case
    options.literal = literal
    text = pattern if literal else f"(?m){pattern}"
    try:
        return re2.compile(text.encode("utf-8"), options)
    except (re2.error, UnicodeError, OverflowError) as error:
        said = error.args[0] if error.args and not isinstance(error, UnicodeError) else "it is not text"
        cause = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise UserError(f"The pattern is not RE2: {cause[:120]}.", "Mend it, or set literal to true.") from None


def _matches(context: ToolContext, path: str, compiled: Any) -> Iterator[tuple[int, int, str]]:
    """(line number, first character of the match, line) of each matching line, as it may be shown.

    A file is searched as it is stored first; only one that matches is redacted and searched again, so that no pattern
    can find out what a secret is.
    """
    row = context.reader.conn.execute("SELECT text FROM files WHERE root_id = 0 AND path = ?", (path,)).fetchone()
    stored = unpack_text(row[0]) if row else ""
    if "\r" in stored:
        stored = "\n".join(split_lines(stored))
    if not stored or not any(True for _ in _lines_with(compiled, stored, at_most=1)):
        return
    shown = context.file(path).shown
    for number, start in _lines_with(compiled, "\n".join(shown)):
        yield number, start, shown[number - 1]


def _lines_with(compiled: Any, text: str, at_most: int = _MAX_COUNTED) -> Iterator[tuple[int, int]]:
    """(line number, character position in the line of the first match) of the first matching lines of ``text``."""
    data = text.encode("utf-8", "replace")
    position, number, counted = 0, 1, 0
    while counted < at_most and position <= len(data):
        match = compiled.search(data, position)
        if match is None:
            return
        start = match.start()
        number += data.count(b"\n", position, start)
        line_start = data.rfind(b"\n", 0, start) + 1
        yield number, len(data[line_start:start].decode("utf-8", "ignore"))
        counted += 1
        line_end = data.find(b"\n", start)
        if line_end < 0:
            return
        position, number = line_end + 1, number + 1


def _excerpt(line: str, start: int) -> str:
    if len(line) <= _SHOWN_CHARS:
        return line
    first = max(0, min(start - _SHOWN_CHARS // 4, len(line) - _SHOWN_CHARS))
    last = first + _SHOWN_CHARS
    return ("…" if first else "") + line[first:last] + ("…" if last < len(line) else "")
