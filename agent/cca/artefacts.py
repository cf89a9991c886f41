"""What an answer may be as a whole: the title of a text, the subject, body and trailers of a commit message."""

from __future__ import annotations

import re

from agent.cca.views import Span, View

_LEVEL_ONE = re.compile(r" {0,3}#[ \t]+(?=\S)")
_MARKED = re.compile(r"\s*(?:#{1,6} |[-*+•>|] ?|\d{1,4}[.)] |`{3}|[{\[<])")
_PREFIX = re.compile(r"[\w./-]{1,30}(?:\([^()\n]{1,40}\))?!?: \S")
_SUBJECT = re.compile(r"(?:\*\*)?Subject(?: line)?:(?:\*\*)?[ \t]*(?=\S)", re.IGNORECASE)
_TRAILER = re.compile(r"[A-Z][A-Za-z]*(?:-[A-Za-z]+)*: \S")
_ENDS = re.compile(r"[.!?…][\"'”’)]{0,2}(?:\s+\S|$)")
_MAX_TITLE_WORDS = 25
_MAX_LONE_TITLE = 14  # words of an answer that is nothing but a title
_MAX_SUBJECT = 160  # characters: what is longer is a paragraph


def title(view: View) -> list[Span]:
    """The first heading of the first level; else the line that stands alone at the top of a text of more lines."""
    first = next((line for line in view.lines if view.of(line).strip()), None)
    if first is None:
        return []
    for line in view.prose_lines:
        match = _LEVEL_ONE.match(view.text, line.start, line.end)
        if match:
            return [Span(match.end(), match.end() + len(view.text[match.end() : line.end].rstrip("# \t")))]
    shown = view.of(first).strip()
    behind = view.text[first.end : first.end + 2]
    alone = behind == "\n\n" or not view.text[first.end :].strip()
    start = view.text.index(shown, first.start)
    if shown.startswith("**") and shown.endswith("**") and shown.count("**") == 2:
        return [Span(start + 2, start + len(shown) - 2)]
    if not alone or _MARKED.match(shown) or len(shown.split()) > _MAX_TITLE_WORDS:
        return []
    if shown.endswith((":", ",", ";", "?")) or re.search(r"[.!?] \S", shown):
        return []  # a sentence that leads into something, or several
    if behind != "\n\n" and len(shown.split()) > _MAX_LONE_TITLE:
        return []
    if len(shown.split()) < 2 or re.match(r"(?:hi|hello|dear|sure|yes|no|here|thank)\b", shown, re.IGNORECASE):
        return []
    return [Span(start, start + len(shown))]


def subject(view: View, inner: Span) -> list[Span]:
    """The line behind "Subject:", else the first line where the answer looks like a commit message."""
    lines = _inside(view, inner)
    filled = [line for line in lines if view.of(line).strip()]
    for line in filled[:4]:
        match = _SUBJECT.match(view.text, line.start, line.end)
        if match:
            return [Span(match.end(), line.end)]
    if not filled or not _is_commit(view, filled, inner):
        return []
    return [filled[0]]


def _is_commit(view: View, filled: list[Span], inner: Span) -> bool:
    first = view.of(filled[0])
    if _MARKED.match(first) or len(first) > _MAX_SUBJECT:
        return False
    if _PREFIX.match(first) or (len(filled) > 1 and _TRAILER.match(view.of(filled[-1]))):
        return True
    alone = view.text[filled[0].end : filled[0].end + 2] == "\n\n" or filled[0].end >= inner.end
    several = len(_ENDS.findall(first)) > 1 or re.search(r"[.!?] \S", first) is not None
    return alone and len(first.split()) > 2 and not several and not first.endswith((":", ",", "?"))


def body(view: View, inner: Span) -> list[Span]:
    """What follows the subject of a commit message, without trailers; "" is none."""
    first = subject(view, inner)
    if not first:
        return []
    last = trailers(view, inner)
    end = last[0].start if last else inner.end
    text = view.text[first[0].end : max(first[0].end, end)]
    if not text.strip():
        return []
    start = first[0].end + len(text) - len(text.lstrip())
    return [Span(start, start + len(text.strip()))]


def trailers(view: View, inner: Span) -> list[Span]:
    """The last lines of the form "Name: value", behind a blank line."""
    lines = _inside(view, inner)
    while lines and not view.of(lines[-1]).strip():
        lines.pop()
    found: list[Span] = []
    while lines and _TRAILER.match(view.of(lines[-1])) and len(lines) > 1:
        found.insert(0, lines.pop())
    return found if lines and not view.of(lines[-1]).strip() else []


def _inside(view: View, inner: Span) -> list[Span]:
    return [line for line in view.lines if inner.start <= line.start and line.end <= max(inner.end, line.start)]
