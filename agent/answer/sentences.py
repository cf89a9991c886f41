"""Cuts an answer's text into pieces that can be judged one by one, without losing a character.

``"".join(piece.text for piece in split(text)) == text`` for every text; the work is linear in its length.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from agent.answer.citations import CITATION_RE

SENTENCE = "sentence"
CODE = "code"  # a fenced block with its fences
HEADING = "heading"
GAP = "gap"  # white space, list markers, table rules, quote marks

_ABBREVIATIONS = frozenset(
    "e.g i.e etc vs cf al fig no nos eq sec ch approx resp incl excl dept est max min ca viz p pp vol a.k.a w.r.t "  # noqa: SIM905
    "dr mr mrs ms prof st inc ltd jr sr".split()
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_RULE = re.compile(r"[ \t|:*_=+-]+$")
_MARKER = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+•]|\(?\d{1,4}[.)])[ \t]+)?")
_IDENTIFIER = re.compile(r"[A-Za-z][a-z0-9]{0,80}[_.(A-Z][\w)]")  # what may start a sentence in lower case
_CLOSERS = "\"')]}*_”’»"
_SENTENCE_END = ".!?…"
_LEADING_CITATIONS = re.compile(rf"(?:{CITATION_RE.pattern}[ \t]?)+")


@dataclass(frozen=True, slots=True)
class Piece:
    """``kind`` is one of SENTENCE, CODE, HEADING, GAP. ``item``: a sentence inside a list item or table row."""

    kind: str
    text: str
    item: bool = False


def split(text: str) -> tuple[Piece, ...]:
    """Pieces of ``text`` in order. Soft-wrapped lines of one paragraph count as one run of sentences."""
    pieces: list[Piece] = []
    paragraph: list[str] = []
    paragraph_is_item = False
    fence: str | None = None
    fenced: list[str] = []

    def flush() -> None:
        if paragraph:
            pieces.extend(_sentences("".join(paragraph), paragraph_is_item))
            paragraph.clear()

    for line in _lines(text):
        if fence is not None:
            fenced.append(line)
            stripped = line.strip()
            if stripped.startswith(fence) and not stripped.strip(fence[0]):
                pieces.append(Piece(CODE, "".join(fenced)))
                fence, fenced = None, []
            continue
        opened = _FENCE.match(line)
        if opened:
            flush()
            fence, fenced = opened.group(1), [line]
            continue
        body = line.rstrip("\n")
        if not body.strip() or _RULE.match(body):
            flush()
            if "|" in body and pieces and pieces[-1].text.startswith("|"):
                pieces[-1] = Piece(GAP, pieces[-1].text)  # the row above a table rule names the columns
            pieces.append(Piece(GAP, line))
            paragraph_is_item = False
            continue
        if _HEADING.match(body):
            flush()
            pieces.append(Piece(HEADING, line))
            paragraph_is_item = False
            continue
        marker = _MARKER.match(body)
        prefix = marker.group() if marker else ""
        is_row = body.lstrip().startswith("|")
        if is_row or prefix.strip():
            flush()
            if prefix:
                pieces.append(Piece(GAP, prefix))
            paragraph_is_item = paragraph_is_item or is_row or bool(prefix.strip(" \t>"))
            if is_row:  # a table row is one statement: its cells are no sentences
                pieces.append(Piece(SENTENCE, line[len(prefix) :], item=True))
                continue
            paragraph.append(line[len(prefix) :])
        else:
            paragraph.append(line)
    if fenced:  # never closed: all of it is code
        pieces.append(Piece(CODE, "".join(fenced)))
    flush()
    return tuple(pieces)


def _lines(text: str) -> list[str]:
    """Lines with their ``\\n``; no other character ends a line."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return [line for line in lines if line]


def _sentences(text: str, item: bool) -> list[Piece]:
    pieces: list[Piece] = []
    start = 0
    for end in _boundaries(text):
        _append(pieces, text[start:end], item)
        start = end
    _append(pieces, text[start:], item)
    return pieces


def _append(pieces: list[Piece], text: str, item: bool) -> None:
    """Surrounding white space goes into gaps, so that a mark can be set right behind the words."""
    core = text.strip()
    if not core:
        if text:
            pieces.append(Piece(GAP, text))
        return
    left = len(text) - len(text.lstrip())
    if left:
        pieces.append(Piece(GAP, text[:left]))
    pieces.append(Piece(SENTENCE, core, item))
    right = text[left + len(core) :]
    if right:
        pieces.append(Piece(GAP, right))


def _boundaries(text: str) -> list[int]:
    """Offsets behind each sentence of a paragraph but the last."""
    found: list[int] = []
    opaque = opaque_spans(text)
    span = 0
    at = 0
    begin = 0
    while at < len(text):
        while span < len(opaque) and opaque[span][1] <= at:
            span += 1
        if span < len(opaque) and opaque[span][0] <= at:
            at = opaque[span][1]
            continue
        if text[at] not in _SENTENCE_END:
            at += 1
            continue
        end = at + 1
        while end < len(text) and text[end] in _SENTENCE_END:
            end += 1
        while end < len(text) and text[end] in _CLOSERS:
            end += 1
        next_at = end
        while next_at < len(text) and text[next_at].isspace():
            next_at += 1
        touching = CITATION_RE.match(text, end) if next_at == end else None
        if next_at >= len(text):
            break
        if (next_at == end and touching is None) or _is_abbreviation(text, begin, at):
            at = end
            continue
        trailing = _LEADING_CITATIONS.match(text, next_at)
        if trailing and (touching or (_closes_sentence(text, trailing.end()) and not _cites(text, begin, at))):
            end = next_at = trailing.end()
            while next_at < len(text) and text[next_at].isspace():
                next_at += 1
        if next_at >= len(text):
            break
        if text[at] == "." and text[next_at].islower() and not _IDENTIFIER.match(text, next_at):
            at = next_at  # prose that goes on in lower case: an abbreviation that the list does not know
            continue
        found.append(end)
        begin = at = end
    return found


def opaque_spans(text: str) -> list[tuple[int, int]]:
    """Inline code (between runs of equally many backticks) and curly quotes, in order: nothing in them ends a sentence.

    Whichever opens first wins: a backtick inside a quote opens nothing, nor does a quote inside code.
    """
    marks = [(match.start(), match.end()) for match in re.finditer("`+|“", text)]
    behind: dict[int, list[int]] = {}  # length of a run -> starts of the runs of that length, last first
    for start, end in reversed(marks):
        if text[start] == "`":
            behind.setdefault(end - start, []).append(start)
    spans: list[tuple[int, int]] = []
    at = 0
    quotes_close = "”" in text
    for start, end in marks:
        if start < at:
            continue
        if text[start] == "“":
            closing = text.find("”", end) if quotes_close else -1
            quotes_close = closing >= 0
            at = closing + 1 if quotes_close else end
        else:
            same = behind[end - start]
            while same and same[-1] <= start:
                same.pop()
            at = same[-1] + end - start if same else end
        if at > end:
            spans.append((start, at))
    return spans


def _is_abbreviation(text: str, begin: int, stop: int) -> bool:
    if text[stop] != ".":
        return False
    first = stop
    floor = max(begin, stop - 8)  # the longest abbreviation has 6 characters
    while first > floor and (text[first - 1].isalnum() or text[first - 1] == "."):
        first -= 1
    word = text[first:stop].lower()
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i" and text[stop - 1].isupper())


def _closes_sentence(text: str, end: int) -> bool:
    """Whether citations that end at ``end`` belong to the sentence before them: what follows starts a new one."""
    rest = text[end : end + 8].lstrip()
    return not rest or rest[0].isupper() or rest[0] in "`*_\"“'(|"


def _cites(text: str, begin: int, end: int) -> bool:
    return CITATION_RE.search(text, begin, end) is not None


def is_within(spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Whether one of ``spans``, disjoint and in order as ``opaque_spans`` gives them, holds ``place``."""
    at = bisect_right(spans, (place, sys.maxsize))
    return at > 0 and place < spans[at - 1][1]
