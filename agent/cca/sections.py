"""What stands under a heading of an answer, or behind a label at the start of a line."""

from __future__ import annotations

import re

from agent.cca.views import Span, View

_LEVEL = re.compile(r" {0,3}(#{1,6})[ \t]")
_LABEL = re.compile(
    r"[ \t]*(?:[-*•][ \t]+)?(?:\*\*|__)?(?P<name>[A-Za-z][\w '/&-]{0,60}?)(?:\*\*|__)?:(?:\*\*|__)?(?=\s|$)"
)


def section(view: View, name: str) -> list[Span]:
    """The text under each heading that is ``name``, to the next heading of its level; else behind a label ``name:``.

    Without a name: under each heading, to the next one of any level.

    A heading is ``name`` when it says nothing else but a number or an article, case aside.
    """
    wanted = _plain(name)
    found = []
    headings = view.headings
    for at, heading in enumerate(headings):
        if wanted and _plain(view.of(heading)) != wanted:
            continue
        level = _level(view, heading)
        end = len(view.text)
        for later in headings[at + 1 :]:
            if not wanted or _level(view, later) <= level:
                end = _line_start(view, later.start)
                break
        start = view.text.find("\n", heading.end)
        start = len(view.text) if start < 0 else start + 1
        found.append(_trim(view, Span(min(start, end), end)))
    return found if found or not wanted else _labelled(view, wanted)


def _labelled(view: View, wanted: str) -> list[Span]:
    """The rest of the line, and the lines after it up to a blank line, another label or a heading."""
    found: list[Span] = []
    lines = view.prose_lines
    for at, line in enumerate(lines):
        label = _LABEL.match(view.text, line.start, line.end)
        if label is None or _plain(label["name"]) != wanted:
            continue
        end = line.end
        for later in lines[at + 1 :]:
            shown = view.of(later)
            if not shown.strip() or _LABEL.match(view.text, later.start, later.end) or _LEVEL.match(shown):
                break
            end = later.end
        found.append(_trim(view, Span(label.end(), end)))
    return found


def _plain(text: str) -> str:
    text = re.sub(r"^[\s*_#\d.)(]+|[\s*_:.]+$", "", text).lower()
    return re.sub(r"^(?:the|an?|your) ", "", text)


def _level(view: View, heading: Span) -> int:
    match = _LEVEL.match(view.text, _line_start(view, heading.start), heading.end)
    return len(match[1]) if match else 7  # a line in bold stands below all headings


def _line_start(view: View, at: int) -> int:
    return view.text.rfind("\n", 0, at) + 1


def _trim(view: View, span: Span) -> Span:
    text = view.of(span)
    return (
        Span(span.start + len(text) - len(text.lstrip()), span.end - len(text) + len(text.rstrip()))
        if text.strip()
        else Span(span.start, span.start)
    )
