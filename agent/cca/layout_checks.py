"""Judges the layout of an answer in Markdown: each demand is one function of the view, linear in the answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from agent.cca import layout_blocks as blocks
from agent.cca.blocks import lists
from agent.cca.formats import Judgement
from agent.cca.layout_case import judge_sentence_case, judge_title_case, judge_title_case_headings
from agent.cca.layout_models import Layout
from agent.cca.views import Span, View

_HOLDS: Judgement = ("holds", "", ())
_MAX_SPANS = 20
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+\S")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+\S")
_COLON = re.compile(r":[*_\s]*$")
_THEMATIC = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")


def judge_layout(view: View, check: Layout) -> Judgement:
    return _JUDGES[check.demand](view)


def headings(view: View) -> list[tuple[int, int]]:
    """(index into the lines, level) of the headings with signs, code left out."""
    prose = {line.start for line in view.prose_lines}
    found = []
    for at, line in enumerate(view.lines):
        match = _ATX.match(view.text, line.start, line.end)
        if match and line.start in prose:
            found.append((at, len(match[1])))
    return found


def _judged(view: View, faults: list[int], message: str, there: bool, part: str) -> Judgement:
    if not there:
        return "no_verdict", f"there is no {part}", ()
    if not faults:
        return _HOLDS
    return "violated", f"{len(faults)} {message}", tuple(view.lines[at] for at in faults[:_MAX_SPANS])


def _level_by_level(view: View) -> Judgement:
    found = headings(view)
    faults = [at for (_, above), (at, level) in pairwise(found) if level > above + 1]
    return _judged(view, faults, "headings skip a level", bool(found), "heading")


def _is_blank(view: View, at: int) -> bool:
    return not 0 <= at < len(view.lines) or not view.of(view.lines[at]).strip()


def _blank_after_headings(view: View) -> Judgement:
    found = headings(view)
    faults = [at for at, _ in found if not _is_blank(view, at + 1)]
    return _judged(view, faults, "headings without a blank line after them", bool(found), "heading")


def _blank_before_headings(view: View) -> Judgement:
    found = headings(view)
    faults = [at for at, _ in found if not _is_blank(view, at - 1)]
    return _judged(view, faults, "headings without a blank line before them", bool(found), "heading")


def _next_filled(view: View, at: int) -> int:
    """The next line that is not blank; the number of lines where there is none."""
    at += 1
    while at < len(view.lines) and _is_blank(view, at):
        at += 1
    return at


def _text_under_headings(view: View) -> Judgement:
    found = headings(view)
    levels = dict(found)
    faults = []
    for at, level in found:
        behind = _next_filled(view, at)
        if behind == len(view.lines) or levels.get(behind, 7) <= level:
            faults.append(at)
    return _judged(view, faults, "headings without text", bool(found), "heading")


def _no_stacked_headings(view: View) -> Judgement:
    found = headings(view)
    levels = dict(found)
    faults = [at for at, _ in found if _next_filled(view, at) in levels]
    return _judged(view, faults, "headings straight above another", bool(found), "heading")


def _headings_differ(view: View) -> Judgement:
    seen: set[str] = set()
    faults = []
    for at, heading in enumerate(view.headings):
        shown = " ".join(view.of(heading).lower().split())
        if shown in seen:
            faults.append(at)
        seen.add(shown)
    if not view.headings:
        return "no_verdict", "there is no heading", ()
    spans = tuple(view.headings[at] for at in faults[:_MAX_SPANS])
    return ("violated", f"{len(faults)} headings come again", spans) if faults else _HOLDS


def _line_of(view: View, start: int) -> int:
    """The line that begins there."""
    low, high = 0, len(view.lines) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if view.lines[middle].start <= start else (low, middle - 1)
    return low


def _filled_before(view: View, at: int) -> str | None:
    at -= 1
    while at >= 0 and _is_blank(view, at):
        at -= 1
    return view.of(view.lines[at]) if at >= 0 else None


def _list_before(view: View, good: Callable[[str | None], bool], message: str) -> Judgement:
    found = [_line_of(view, span.start) for span in lists(view)]
    faults = [at for at in found if not good(_filled_before(view, at))]
    return _judged(view, faults, message, bool(found), "list")


def _is_text(line: str | None) -> bool:
    return line is not None and not (_ATX.match(line) or _ITEM.match(line) or _THEMATIC.match(line))


def _spaced(view: View, wanted: bool) -> Judgement:
    pairs = []
    for one in lists(view):
        own = [at for at, line in enumerate(view.lines) if one.start <= line.start < one.end]
        items = [at for at in own if _ITEM.match(view.of(view.lines[at]))]
        pairs.extend(items[1:])
    faults = [at for at in pairs if _is_blank(view, at - 1) != wanted]
    said = "list items without a blank line before them" if wanted else "list items with a blank line before them"
    return _judged(view, faults, said, bool(pairs), "list of two items")


def _rule_between_sections(view: View) -> Judgement:
    """Between two headings of the uppermost level that comes twice a rule stands."""
    found = headings(view)
    levels = [level for _, level in found]
    twice = min((level for level in levels if levels.count(level) > 1), default=0)
    own = [at for at, level in found if level == twice]
    faults = [
        later
        for earlier, later in pairwise(own)
        if not any(_THEMATIC.match(view.of(view.lines[at])) for at in range(earlier + 1, later))
    ]
    return _judged(view, faults, "sections without a rule before them", len(own) > 1, "second section")


def _blank_between_paragraphs(view: View) -> Judgement:
    """A line that ends a sentence and a line of text that begins with a capital straight below it."""
    faults = []
    for paragraph in view.paragraphs:
        shown = view.of(paragraph).split("\n")
        for one, other in pairwise(shown):
            if one.rstrip().endswith((".", "!", "?")) and other.lstrip()[:1].isupper() and len(other.split()) > 3:
                faults.append(paragraph)
    if not view.paragraphs:
        return "no_verdict", "there is no paragraph", ()
    return (
        ("violated", "paragraphs without a blank line between them", tuple(faults[:_MAX_SPANS])) if faults else _HOLDS
    )


def _single_blank_lines(view: View) -> Judgement:
    prose = {line.start for line in view.prose_lines}
    blank = [line.start in prose and not view.of(line).strip() for line in view.lines]
    faults = [at for at in range(1, len(blank)) if blank[at] and blank[at - 1]]
    return _judged(view, faults, "places with two blank lines", True, "line")


def _flush_paragraphs(view: View) -> Judgement:
    """Indented lines at the start of a paragraph that do not go on with a list item."""
    faults: list[Span] = []
    held = lists(view)
    for paragraph in view.paragraphs:
        if any(one.start <= paragraph.start < one.end for one in held):
            continue
        if view.text[paragraph.start : paragraph.start + 1] in (" ", "\t", "\u3000"):
            faults.append(paragraph)
    if not view.paragraphs:
        return "no_verdict", "there is no paragraph", ()
    return ("violated", f"{len(faults)} paragraphs are indented", tuple(faults[:_MAX_SPANS])) if faults else _HOLDS


_JUDGES: dict[str, Callable[[View], Judgement]] = {
    "level_by_level": _level_by_level,
    "blank_after_headings": _blank_after_headings,
    "blank_before_headings": _blank_before_headings,
    "text_under_headings": _text_under_headings,
    "no_stacked_headings": _no_stacked_headings,
    "headings_differ": _headings_differ,
    "sentence_case_headings": judge_sentence_case,
    "title_case_headings": judge_title_case_headings,
    "title_case": judge_title_case,
    "list_after_colon": lambda view: _list_before(
        view, lambda line: _is_text(line) and bool(_COLON.search(line or "")), "lists without a colon before them"
    ),
    "list_introduced": lambda view: _list_before(view, _is_text, "lists without text before them"),
    "blank_before_lists": lambda view: _judged(
        view,
        [at for at in (_line_of(view, span.start) for span in lists(view)) if not _is_blank(view, at - 1)],
        "lists without a blank line before them",
        bool(lists(view)),
        "list",
    ),
    "spaced_items": lambda view: _spaced(view, True),
    "tight_items": lambda view: _spaced(view, False),
    "blank_between_paragraphs": _blank_between_paragraphs,
    "single_blank_lines": _single_blank_lines,
    "flush_paragraphs": _flush_paragraphs,
    "rule_between_sections": _rule_between_sections,
    **blocks.JUDGES,
}
