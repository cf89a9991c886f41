"""The parts of an answer that ``Part`` names, as spans of its text. Nothing here raises or backtracks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from agent.cca.artefacts import body, subject, title, trailers
from agent.cca.blocks import block_quotes, lists, rows, table_spans
from agent.cca.code_source import names_of
from agent.cca.linear import compiled, scrub
from agent.cca.part_models import Part
from agent.cca.sections import section
from agent.cca.sql_source import sql_spans
from agent.cca.views import Span, View

MAX_PIECES = 2_000
_MARKER = re.compile(r"[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+")
_ITEM = re.compile(r"[ \t]*(?:(?P<bullet>[-*+•])|(?P<number>\d{1,4})[.)])[ \t]+\S")
_OPTION = re.compile(r"[ \t]*(?:[-*+•][ \t]+)?\(?(?P<letter>[A-Za-z])[.):][ \t]+(?=\S)")
_LINK = re.compile(r"(?<!!)\[([^\]\n]{1,500})\]\([^)\s]{1,2000}[^)\n]{0,200}\)")
_QUOTE = re.compile(r"“([^”\n]{1,2000})”|(?<![\w\"])\"([^\"\n]{1,2000})\"(?!\w)")
_PAIR = re.compile(r"[ \t]*(?P<key>[\w.$-][\w.$ -]{0,120}?)[ \t]*=[ \t]*(?P<value>\S.*)?$")
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})")
_QUESTION = re.compile(r"\?[\"'”’)\]*_]{0,3}\s*$")
_TRAILING = 600  # characters of a continued item at most


def pieces(view: View, part: Part) -> list[Span]:
    """The parts in their order, at most ``MAX_PIECES``."""
    if part.of is None:
        return _within(view, part)
    found: list[Span] = []
    for outer in pieces(view, part.of):
        inner = View(view.of(outer))
        found.extend(Span(outer.start + span.start, outer.start + span.end) for span in _within(inner, part))
        if len(found) >= MAX_PIECES:
            break
    return found[:MAX_PIECES]


def _within(view: View, part: Part) -> list[Span]:
    spans = _FINDERS[part.kind](view, part)
    if part.pattern and part.kind != "match":
        wanted = compiled(part.pattern)
        spans = [span for span in spans if wanted.search(scrub(view.of(span)))]
    if part.nth:
        at = part.nth - 1 if part.nth > 0 else len(spans) + part.nth
        spans = spans[at : at + 1] if at >= 0 else []
    if part.behind:
        spans = [Span(span.start, _further(view, span, part.behind)) for span in spans]
    return spans[:MAX_PIECES]


def _further(view: View, span: Span, characters: int) -> int:
    line_end = view.text.find("\n", span.end)
    return min(span.end + characters, len(view.text) if line_end < 0 else line_end)


def unwrapped(view: View) -> Span:
    """The answer, or what its fence holds where it is a fence and nothing else."""
    whole = Span(0, len(view.text))
    if len(view.fences) != 1:
        return whole
    inner = view.fences[0].span
    return whole if any(view.of(line).strip() for line in view.prose_lines) else inner


def _lines(view: View, part: Part) -> list[Span]:
    return [line for line in view.lines if view.of(line).strip() and not _FENCE.match(view.text, line.start, line.end)]


def _items(view: View, part: Part) -> list[Span]:
    """List items of the kind with the lines that go on with them."""
    kinds = {"bullet": ("bullet",), "step": ("number",)}.get(part.kind, ("bullet", "number"))
    found: list[Span] = []
    open_item = False
    for line in view.prose_lines:
        match = _ITEM.match(view.text, line.start, line.end)
        shown = view.of(line)
        if match:
            open_item = any(match[kind] for kind in kinds)
            if open_item:
                begin = line.start if part.marked else _MARKER.match(view.text, line.start, line.end).end()  # type: ignore[union-attr]
                found.append(Span(begin, line.end))
        elif open_item and shown[:1].isspace() and shown.strip() and line.end - found[-1].start < _TRAILING:
            found[-1] = Span(found[-1].start, line.end)
        else:
            open_item = False
    return found


def _option_lines(view: View) -> list[tuple[str, Span, int]]:
    """(letter, line, where its text starts) of the lettered lists that begin with A and have two at least."""
    found: list[tuple[str, Span, int]] = []
    run: list[tuple[str, Span, int]] = []
    for line in [*view.prose_lines, Span(len(view.text), len(view.text))]:
        match = _OPTION.match(view.text, line.start, line.end)
        letter = match["letter"].upper() if match else ""
        if match and letter == (chr(ord(run[-1][0]) + 1) if run else "A"):
            run.append((letter, line, match.end()))
            continue
        if not match and run and not view.of(line).strip() and line.start < len(view.text):
            continue  # a blank line between options
        found.extend(run if len(run) > 1 else ())
        run = [("A", line, match.end())] if match and letter == "A" else []
    return found


def _options(view: View, part: Part) -> list[Span]:
    return [Span(line.start if part.marked else begin, line.end) for _, line, begin in _option_lines(view)]


def _question_items(view: View, part: Part) -> list[Span]:
    """What reaches from one lettered list's end to the next one's: a question, its options, its key."""
    options = _option_lines(view)
    firsts = [line.start for letter, line, _ in options if letter == "A"]
    found: list[Span] = []
    for at, first in enumerate(firsts):
        before = max((line.end for _, line, _ in options if line.end < first), default=0)
        stem = _stem_start(view, before, first)
        if at:
            found[-1] = Span(found[-1].start, stem)
        found.append(Span(stem, len(view.text)))
    return found


def _stem_start(view: View, before: int, first: int) -> int:
    """Where the question above an option list starts: behind the last blank line or answer key before it."""
    start = before
    for line in view.lines:
        if before <= line.start < first:
            shown = view.of(line).strip()
            above = line.start > before and not shown and view.text[line.end : first].strip()
            if above or re.match(r"(?:\*\*)?(?:answer|key|correct)\b", shown, re.IGNORECASE):
                start = min(line.end + 1, first)
    return start


def _stems(view: View, part: Part) -> list[Span]:
    found = []
    options = {line.start for letter, line, _ in _option_lines(view) if letter == "A"}
    for item in _question_items(view, part):
        end = min(start for start in options if start >= item.start)
        text = view.text[item.start : end]
        marker = re.match(r"\s*(?:\*\*)?(?:(?:question|item|q)?\s?\d{1,4}[.):]+\s*)?(?:\*\*)?", text, re.IGNORECASE)
        start = item.start + (marker.end() if marker else 0)
        stop = item.start + len(text.rstrip())
        if stop > start:
            found.append(Span(start, stop))
    return found


def _pairs(view: View, part: Part) -> list[Span]:
    found = []
    inner = unwrapped(view)
    for line in view.lines:
        if inner.start <= line.start and line.end <= inner.end:
            match = _PAIR.match(view.text, line.start, line.end)
            if match and match["value"] is not None:
                found.append(Span(match.start(part.kind), match.start(part.kind) + len(match[part.kind].rstrip())))
    return found


def _values(view: View, part: Part) -> list[Span]:
    """Of keys that ``name`` ends, where it names an ending (``.btn``)."""
    if not part.name:
        return _pairs(view, part)
    keys = _pairs(view, Part(kind="key"))
    lines = {(view.text.rfind("\n", 0, key.start) + 1): view.of(key) for key in keys}
    return [
        value
        for value in _pairs(view, Part(kind="value"))
        if lines.get(view.text.rfind("\n", 0, value.start) + 1, "").endswith(part.name)
    ]


def _found(pattern: re.Pattern[str]) -> Callable[[View, Part], list[Span]]:
    def spans(view: View, part: Part) -> list[Span]:
        out = []
        for line in view.prose_lines:
            for match in pattern.finditer(view.text, line.start, line.end):
                group = match.lastindex or 0
                out.append(Span(match.start(group), match.end(group)))
        return out

    return spans


def _matches(view: View, part: Part) -> list[Span]:
    if not part.pattern:
        return []
    return list(_spans_of(part.pattern, view))


def _spans_of(pattern: str, view: View) -> Iterator[Span]:
    for number, match in enumerate(compiled(pattern).finditer(scrub(view.text))):
        if number >= MAX_PIECES:
            return
        group = 1 if match.re.groups and match.start(1) >= 0 else 0
        if match.end(group) > match.start(group):
            yield Span(match.start(group), match.end(group))


def _cells(view: View, part: Part) -> list[Span]:
    found: list[Span] = []
    rows = [line for line in view.prose_lines if view.of(line).strip().startswith("|")]
    for at, row in enumerate(rows):
        ruled = re.fullmatch(r"[\s|:-]+", view.of(row)) is not None
        heads = at + 1 < len(rows) and re.fullmatch(r"[\s|:-]+", view.of(rows[at + 1])) is not None
        if ruled or heads:
            continue
        found.extend(
            Span(match.start(1), match.end(1))
            for match in re.compile(r"\|[ \t]*([^|\n]*?)[ \t]*(?=\|)").finditer(view.text, row.start, row.end)
        )
    return found


_FINDERS: dict[str, Callable[[View, Part], list[Span]]] = {
    "line": _lines,
    "sentence": lambda view, part: [] if _is_data(view) else list(view.sentences),
    "paragraph": lambda view, part: [] if _is_data(view) else list(view.paragraphs),
    "bullet": _items,
    "step": _items,
    "list_item": _items,
    "option": _options,
    "item": _question_items,
    "stem": _stems,
    "question": lambda view, part: [span for span in view.sentences if _QUESTION.search(view.of(span))],
    "heading": lambda view, part: list(view.headings),
    "title": lambda view, part: title(view),
    "section": lambda view, part: section(view, part.name),
    "link_text": _found(_LINK),
    "cell": _cells,
    "quote": _found(_QUOTE),
    "subject": lambda view, part: subject(view, unwrapped(view)),
    "body": lambda view, part: body(view, unwrapped(view)),
    "trailer": lambda view, part: trailers(view, unwrapped(view)),
    "key": _pairs,
    "value": _values,
    "match": _matches,
    "list": lambda view, part: lists(view),
    "table": lambda view, part: table_spans(view),
    "row": lambda view, part: rows(view),
    "block_quote": lambda view, part: block_quotes(view),
    "code": lambda view, part: sql_spans(view) if part.name == "sql" else _fences(view, part.name),
}


def _is_data(view: View) -> bool:
    """An object or a list and nothing else has no sentences."""
    shown = view.text.strip()
    return (shown[:1], shown[-1:]) in (("{", "}"), ("[", "]"))


def _fences(view: View, language: str) -> list[Span]:
    return [fence.span for fence in view.fences if not language or fence.language in names_of(language)]
