"""Further parts of an answer: its lists by depth and length, its links, and code without comments and texts."""

from __future__ import annotations

import io
import re
import tokenize

from agent.cca.python_source import PYTHON
from agent.cca.views import Fence, Span, View

_ITEM = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,4}[.)])[ \t]+\S")
_LINK = re.compile(r"\]\((?:https?:|/|#|\w)[^\s)]{0,2000}\)|\bhttps?://[^\s)>\]]{1,2000}")
_LEFT_OUT = frozenset({"COMMENT", "STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"})
_MAX_TOKENIZED = 200_000  # characters of a fence


def parts_of(view: View, within: str) -> list[Span]:
    """The spans that ``within`` of a check names."""
    return bare_code(view) if within == "bare_code" else view.part(within)


def links_in(text: str) -> list[str]:
    """Addresses, and Markdown links (each once, whatever it shows)."""
    return _LINK.findall(text)


def _levels(view: View) -> list[tuple[int, int]]:
    """(depth, items so far in its list) of each list item. A line of text that is not indented ends the lists."""
    found: list[tuple[int, int]] = []
    open_lists: list[list[int]] = []  # [indentation, items]
    for line in view.prose_lines:
        text = view.of(line)
        match = _ITEM.match(text)
        if match is None:
            if text.strip() and not text[0].isspace():
                open_lists = []
            continue
        indent = len(match[1].expandtabs(4))
        while open_lists and open_lists[-1][0] > indent:
            open_lists.pop()
        if not open_lists or open_lists[-1][0] < indent:
            open_lists.append([indent, 0])
        open_lists[-1][1] += 1
        found.append((len(open_lists), open_lists[-1][1]))
    return found


def longest_list(view: View) -> int:
    """Items of the longest list, those of lists within it not counted."""
    return max((items for _, items in _levels(view)), default=0)


def list_depth(view: View) -> int:
    return max((depth for depth, _ in _levels(view)), default=0)


def bare_code(view: View) -> list[Span]:
    """The code of all fences; comments and string literals of Python left out."""
    return [
        span for fence in view.fences for span in (_bare(view, fence) if fence.language in PYTHON else [fence.span])
    ]


def _bare(view: View, fence: Fence) -> list[Span]:
    """A fence that cannot be read to its end keeps what follows the place where reading stopped."""
    text = view.of(fence.span)
    if len(text) > _MAX_TOKENIZED:
        return [fence.span]
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    spans, at = [], 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if tokenize.tok_name[token.type] in _LEFT_OUT:
                begin, end = (starts[line - 1] + column for line, column in (token.start, token.end))
                spans.append(Span(fence.span.start + at, fence.span.start + begin))
                at = end
    except (tokenize.TokenError, SyntaxError, IndentationError):
        pass
    spans.append(Span(fence.span.start + at, fence.span.end))
    return [span for span in spans if span.end > span.start]
