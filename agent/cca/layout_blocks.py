"""Judges the layout of code blocks, tables and links in an answer, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from agent.cca.blocks import cells_of, table_lines, table_spans
from agent.cca.formats import Judgement
from agent.cca.view_parts import links_in
from agent.cca.views import Span, View

_HOLDS: Judgement = ("holds", "", ())
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
_BARE = re.compile(r"(?:(?<=\s)|^|(?<!\])\()https?://[^\s<>\])]+")
_REFERENCE = re.compile(r" {0,3}\[[^\]\n]{1,80}\]:[ \t]")
_NUMERIC = re.compile(r"[^\w\s]{0,2}[-−+]?\d[\d.,\s]*(?:%|[^\W\d]{1,4})?")
_MAX_SPANS = 20


def _no(part: str) -> Judgement:
    return "no_verdict", f"there is no {part}", ()


def _filled(view: View) -> list[Span]:
    return [line for line in view.lines if view.of(line).strip()]


def _first_is_fence(view: View) -> bool | None:
    filled = _filled(view)
    if not view.fences or not filled:
        return None
    return _FENCE.match(view.of(filled[0])) is not None


def _code_first(view: View) -> Judgement:
    first = _first_is_fence(view)
    return _no("code block") if first is None else _HOLDS if first else ("violated", "text comes before the code", ())


def _text_first(view: View) -> Judgement:
    first = _first_is_fence(view)
    return _no("code block") if first is None else ("violated", "code comes first", ()) if first else _HOLDS


def _beside_fences(view: View, after: bool) -> Judgement:
    """Between a fence and the next, or the edge of the answer, a line of text that is no heading stands."""
    if not view.fences:
        return _no("code block")
    faults = []
    edges = [0, *(fence.span.end for fence in view.fences)], [fence.span.start for fence in view.fences]
    for at, fence in enumerate(view.fences):
        if after:
            low = fence.span.end
            high = view.fences[at + 1].span.start if at + 1 < len(view.fences) else len(view.text)
        else:
            low, high = edges[0][at], fence.span.start
        text = [view.of(line) for line in view.prose_lines if low <= line.start and line.end <= high]
        if not any(line.strip() and not _HEADING.match(line) for line in text):
            faults.append(fence.span)
    said = f"{len(faults)} code blocks without text {'after' if after else 'before'} them"
    return ("violated", said, tuple(faults[:_MAX_SPANS])) if faults else _HOLDS


def _only_code(view: View) -> Judgement:
    if not view.fences:
        return _no("code block")
    text = [line for line in view.prose_lines if view.of(line).strip()]
    return ("violated", "there is text beside the code", tuple(text[:_MAX_SPANS])) if text else _HOLDS


def _filled_cells(view: View) -> Judgement:
    tables = table_spans(view)
    faults = [
        row for table in tables for row in table_lines(view, table)[2:] if any(not cell for cell in cells_of(view, row))
    ]
    if not tables:
        return _no("table")
    return ("violated", f"{len(faults)} rows with an empty cell", tuple(faults[:_MAX_SPANS])) if faults else _HOLDS


def _beside_tables(view: View, after: bool) -> Judgement:
    tables = table_spans(view)
    if not tables:
        return _no("table")
    faults = []
    for at, table in enumerate(tables):
        if after:
            low, high = table.end, tables[at + 1].start if at + 1 < len(tables) else len(view.text)
        else:
            low, high = tables[at - 1].end if at else 0, table.start
        shown = [view.of(line) for line in view.lines if low <= line.start and line.end <= high]
        if not any(line.strip() and not _HEADING.match(line) for line in shown):
            faults.append(table)
    said = f"{len(faults)} tables without text {'after' if after else 'before'} them"
    return ("violated", said, tuple(faults[:_MAX_SPANS])) if faults else _HOLDS


def _only_table(view: View) -> Judgement:
    tables = table_spans(view)
    if not tables:
        return "violated", "has no table", ()
    beside = [line for line in _filled(view) if not any(table.start <= line.start < table.end for table in tables)]
    return ("violated", "there is text beside the table", tuple(beside[:_MAX_SPANS])) if beside else _HOLDS


def _equal_rows(view: View) -> Judgement:
    faults: list[Span] = []
    tables = table_spans(view)
    for table in tables:
        lines = table_lines(view, table)
        wide = len(cells_of(view, lines[0]))
        faults.extend(row for row in lines[1:] if len(cells_of(view, row)) != wide)
    if not tables:
        return _no("table")
    return ("violated", f"{len(faults)} rows of another length", tuple(faults[:_MAX_SPANS])) if faults else _HOLDS


def _right_aligned_numbers(view: View) -> Judgement:
    """Columns whose cells are all numbers, at most with a unit: their rule ends with a colon."""
    faults, judged = [], False
    for table in table_spans(view):
        lines = table_lines(view, table)
        ruled = cells_of(view, lines[1])
        body = [cells_of(view, row) for row in lines[2:]]
        for at, rule in enumerate(ruled):
            column = [row[at] for row in body if at < len(row) and row[at]]
            if column and all(_NUMERIC.fullmatch(cell) for cell in column):
                judged = True
                if not rule.endswith(":") or rule.startswith(":"):
                    faults.append(lines[1])
    if not judged:
        return _no("column of numbers")
    return (
        ("violated", f"{len(faults)} columns of numbers are not aligned to the right", tuple(faults))
        if faults
        else _HOLDS
    )


def _sorted_rows(view: View) -> Judgement:
    judged = False
    for table in table_spans(view):
        keyed = [(cells_of(view, row)[0].strip(' *_`"').lower(), row) for row in table_lines(view, table)[2:]]
        judged = judged or len(keyed) > 1
        for (one, _), (other, row) in pairwise(keyed):
            if other < one:
                return "violated", f"“{other[:60]}” comes after “{one[:60]}”", (row,)
    return _HOLDS if judged else _no("table of two rows")


def _markdown_links(view: View) -> Judgement:
    faults: list[Span] = []
    linked = False
    code = [Span(span.start - 1, span.end + 1) for span in view.inline_code]
    for line in view.prose_lines:
        shown = view.of(line)
        linked = linked or bool(links_in(shown))
        if _REFERENCE.match(shown):
            continue
        for match in _BARE.finditer(shown):
            start = line.start + match.start()
            if not any(span.start <= start < span.end for span in code):
                faults.append(Span(start, line.start + match.end()))
    if not linked:
        return _no("link")
    return ("violated", f"{len(faults)} bare addresses", tuple(faults[:_MAX_SPANS])) if faults else _HOLDS


def _links_last(view: View) -> Judgement:
    """Behind the first line with a link no line without one stands, headings and labels left out."""
    lines = [line for line in view.prose_lines if view.of(line).strip()]
    linked = [bool(links_in(view.of(line))) for line in lines]
    if True not in linked:
        return _no("link")
    begins = linked.index(True)
    faults = [
        line
        for line, has in zip(lines[begins:], linked[begins:], strict=True)
        if not has and not _HEADING.match(view.of(line)) and len(view.of(line).split()) > 4
    ]
    return ("violated", "text follows the links", tuple(faults[:_MAX_SPANS])) if faults else _HOLDS


JUDGES: dict[str, Callable[[View], Judgement]] = {
    "code_first": _code_first,
    "text_first": _text_first,
    "text_after_code": lambda view: _beside_fences(view, True),
    "text_before_code": lambda view: _beside_fences(view, False),
    "only_code": _only_code,
    "filled_cells": _filled_cells,
    "table_introduced": lambda view: _beside_tables(view, False),
    "text_after_table": lambda view: _beside_tables(view, True),
    "only_table": _only_table,
    "equal_rows": _equal_rows,
    "right_aligned_numbers": _right_aligned_numbers,
    "sorted_rows": _sorted_rows,
    "markdown_links": _markdown_links,
    "links_last": _links_last,
}
