"""Looking at what an answer rests on: the lines behind a citation as they are now, and the user's editor on them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.answer.records import Answer
from agent.loop.tree import TreeLines
from agent.tools.context import FileLines
from retrieval.compile.render import ranges_of
from retrieval.errors import UserError
from retrieval.index.reader import IndexReader
from retrieval.source.contain import resolve_inside

_AROUND = 3  # lines shown on either side
_MAX_LINES = 400
_WHERE = re.compile(r"\[?(\d{1,6})(?::(\d{1,8})(?:-(\d{1,8}))?)?\]?")


@dataclass(frozen=True, slots=True)
class Place:
    """A cited file and the cited lines in it. ``was``: the text of each cited line when it was cited."""

    path: str
    lines: tuple[int, ...]
    was: Mapping[int, str]


def place_of(answer: Answer | None, argument: str) -> Place:
    """What ``3``, ``3:12`` or ``3:12-18`` names in an answer's citations.

    Raises:
        UserError: It names nothing.
    """
    match = _WHERE.fullmatch(argument.strip())
    if match is None:
        raise UserError(f"{argument[:40]!r} is no citation.", "Give its number, with lines if you like: :show 3:12-18")
    if answer is None or not answer.citations:
        raise UserError("There is no answer with citations yet.", "Ask a question first.")
    number = int(match[1])
    cited = [citation for citation in answer.citations if citation.number == number]
    if not cited:
        numbers = sorted({citation.number for citation in answer.citations})
        raise UserError(f"The last answer cites no [{number}].", f"It cites {', '.join(map(str, numbers))}.")
    if match[2]:
        first, last = int(match[2]), int(match[3] or match[2])
        if not 0 < first <= last < first + _MAX_LINES:
            raise UserError(f"{argument[:40]!r} names no lines.", f"Give at most {_MAX_LINES}, first before last.")
        lines = tuple(range(first, last + 1))
    else:
        lines = tuple(sorted({line for one in cited for line in range(one.start, one.end + 1)}))
    was: dict[int, str] = {}
    for one in cited:
        text = one.text.split("\n")
        if len(text) == one.end - one.start + 1:
            was.update(enumerate(text, start=one.start))
    return Place(cited[0].path, lines, was)


def render_place(place: Place, reader: IndexReader) -> str:
    """The lines as they are now with a few around them, the cited ones marked.

    Raises:
        UserError: The file is gone.
    """
    text = TreeLines(lambda: reader).now(place.path)
    if text is None:
        raise UserError(
            f"{place.path} is gone, or may not be shown any more.", "Ask again: the index is brought up to date."
        )
    shown = _around(place.lines, len(text.shown))
    width = len(str(shown[-1])) if shown else 1
    ranges = (str(first) if first == last else f"{first}-{last}" for first, last in ranges_of(place.lines))
    out = [f"{place.path}:{', '.join(ranges)}"]
    previous = 0
    for number in shown:
        if previous and number > previous + 1:
            out.append("  …")
        mark = ">" if number in place.lines else " "
        out.append(f"{mark} {number:>{width}} {text.shown[number - 1]}".rstrip())
        previous = number
    if _changed(place, text):
        out.append("(these lines changed since they were cited)")
    return "\n".join(out) + "\n"


def _around(lines: Sequence[int], total: int) -> list[int]:
    wanted = {near for line in lines for near in range(line - _AROUND, line + _AROUND + 1)}
    return sorted(number for number in wanted if 0 < number <= total)[:_MAX_LINES]


def _changed(place: Place, text: FileLines) -> bool:
    return any(
        place.was[line].strip() != (text.shown[line - 1].strip() if line <= len(text.shown) else "")
        for line in place.lines
        if line in place.was
    )


def editor_command(place: Place, reader: IndexReader, env: Mapping[str, str] | None = None) -> list[str]:
    """The user's editor (``VISUAL``, ``EDITOR``) at the first cited line.

    Raises:
        UserError: None is set, or the file is not inside the root any more.
    """
    source = os.environ if env is None else env
    editor = source.get("VISUAL", "").strip() or source.get("EDITOR", "").strip()
    if not editor:
        raise UserError("No editor is set.", "Set VISUAL or EDITOR, or look with :show.")
    try:
        command = shlex.split(editor)
    except ValueError:
        raise UserError(f"VISUAL or EDITOR cannot be read: {editor[:80]}", "Set it to a command.") from None
    return [*command, f"+{place.lines[0]}", str(resolve_inside(reader.root, place.path))]


def open_editor(command: Sequence[str]) -> None:
    """Run it and wait.

    Raises:
        UserError: There is no such program.
    """
    try:
        subprocess.run(command, check=False)
    except OSError as error:
        raise UserError(f"{command[0]} cannot be started: {error.strerror}.", "Set VISUAL or EDITOR.") from None
