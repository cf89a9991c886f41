"""Blocks of an answer in Markdown: its lists, tables and block quotes, as spans. Nothing here raises or backtracks."""

from __future__ import annotations

import re

from agent.cca.views import Span, View

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:(?P<bullet>[-*+•])|(?P<number>\d{1,4})[.)])[ \t]+\S")
_RULED = re.compile(r"[\s|:+-]*-[\s|:+-]*$")
_QUOTED = re.compile(r" {0,3}>")


def lists(view: View) -> list[Span]:
    """From the first item to the end of the last, with the lists within it. Blank lines between its items are its own.

    What is neither indented nor an item ends a list; so does, at the outer level, another kind of marker, or a number
    that starts again at 1.
    """
    found: list[Span] = []
    kind, outer, blank, number = "", 0, False, ""
    for line in view.prose_lines:
        shown = view.of(line)
        match = _ITEM.match(shown)
        if match:
            indent = len(match["indent"].expandtabs(4))
            own = "number" if match["number"] else match["bullet"]
            if kind and indent > outer:
                found[-1] = Span(found[-1].start, line.end)
            elif kind and own == kind and not (match["number"] in ("0", "1") and number not in ("", match["number"])):
                found[-1] = Span(found[-1].start, line.end)
                number = match["number"] or ""
            else:
                found.append(line)
                kind, outer, number = own, indent, match["number"] or ""
            blank = False
        elif not shown.strip():
            blank = True
        elif kind and (shown[:1].isspace() or not blank) and not _heads(shown):
            if shown[:1].isspace():
                found[-1] = Span(found[-1].start, line.end)
            else:
                kind = ""
        else:
            kind = ""
    return found


def _heads(shown: str) -> bool:
    return shown.lstrip()[:1] in ("#", "|", ">")


def table_spans(view: View) -> list[Span]:
    """Markdown tables: runs of lines with bars whose second line is the rule."""
    found: list[Span] = []
    run: list[Span] = []
    last = -2
    for line in (*view.prose_lines, Span(len(view.text), len(view.text))):
        if "|" in view.of(line) and (not run or line.start == last + 1):
            run.append(line)
            last = line.end
            continue
        if len(run) > 1 and _is_rule(view.of(run[1])):
            found.append(Span(run[0].start, run[-1].end))
        run = [line] if "|" in view.of(line) else []
        last = line.end
    return found


def _is_rule(shown: str) -> bool:
    return _RULED.match(shown) is not None


def table_lines(view: View, table: Span) -> list[Span]:
    return [line for line in view.prose_lines if table.start <= line.start and line.end <= table.end]


def rows(view: View) -> list[Span]:
    """Rows of all tables without their heads."""
    return [row for table in table_spans(view) for row in table_lines(view, table)[2:]]


def cells_of(view: View, row: Span) -> list[str]:
    shown = view.of(row).strip()
    shown = shown[1:] if shown.startswith("|") else shown
    shown = shown[:-1] if shown.endswith("|") and not shown.endswith("\\|") else shown
    return [cell.strip() for cell in shown.replace("\\|", "\u00a6").split("|")]


def block_quotes(view: View) -> list[Span]:
    """Runs of lines that begin with ">"."""
    found: list[Span] = []
    last = -2
    for line in view.prose_lines:
        if not _QUOTED.match(view.of(line)):
            continue
        if found and line.start == last + 1:
            found[-1] = Span(found[-1].start, line.end)
        else:
            found.append(line)
        last = line.end
    return found
