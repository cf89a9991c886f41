"""Unified diffs: which lines of the old files they change."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from harness.questions.gold import merged
from harness.questions.records import Range

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_COMMIT = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Change:
    """What a commit does to one file that its parent has.

    Attributes:
        lines: Runs of lines of the parent's file that are changed or removed.
        gaps: ``(line of the parent's file behind which lines are inserted, indentation of the first of them)``; line
            0 is the file's beginning, the indentation is in columns of which a tab takes eight.
        added, removed: Numbers of lines, white space ignored.
    """

    path: str
    lines: tuple[Range, ...]
    gaps: tuple[tuple[int, int], ...]
    added: int
    removed: int


@dataclass(slots=True)
class _File:
    """The file whose hunks are being read."""

    path: bytes = b""
    lines: list[int] = field(default_factory=list)
    gaps: dict[int, int] = field(default_factory=dict)
    added: int = 0

    def change(self) -> Change | None:
        if not self.path or not (self.lines or self.gaps):
            return None
        removed = set(self.lines)
        # A gap beside a removed line is a replacement: the line says it all.
        gaps = tuple(gap for gap in self.gaps.items() if gap[0] not in removed and gap[0] + 1 not in removed)
        lines = merged((line, line) for line in self.lines)
        return Change(os.fsdecode(self.path), lines, gaps, self.added, len(self.lines))


def parse_patch(patch: bytes) -> Iterator[tuple[str, Change]]:
    """``(commit, change)`` for each old file of a patch; the commit is "" where the patch names none before.

    Reads what ``git diff``, ``git diff-tree --stdin`` and ``diff -u`` print, with any number of context lines. Content
    is passed over by count, so that it cannot pose as the head of a commit or a file. New files, and names that git
    quotes, are left out.
    """
    rows = patch.split(b"\n")
    commit, at = "", 0
    file = _File()
    while at < len(rows):
        row = rows[at]
        at += 1
        hunk = _HUNK.match(row)
        if hunk:
            at = _read_hunk(rows, at, hunk, file)
        elif row.startswith((b"diff --git ", b"--- ")) or _COMMIT.fullmatch(row):
            change = file.change()
            if change is not None:
                yield commit, change
            file = _File(row[6:].rstrip(b"\t\r") if row.startswith(b"--- a/") else b"")
            if _COMMIT.fullmatch(row):
                commit = row.decode()
    change = file.change()
    if change is not None:
        yield commit, change


def indentation(line: str) -> int:
    """Columns before the first character of a line; a tab goes to the next multiple of eight."""
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())


def _read_hunk(rows: list[bytes], at: int, hunk: re.Match[bytes], file: _File) -> int:
    """Reads the lines of one hunk into ``file``; the index behind them."""
    start, old, _, new = (int(each) if each is not None else 1 for each in hunk.groups())
    line = start if old else start + 1  # "-12,0" inserts behind line 12
    while (old > 0 or new > 0) and at < len(rows):
        kind = rows[at][:1]
        if kind == b"-":
            file.lines.append(line)
            line, old = line + 1, old - 1
        elif kind == b"+":
            if rows[at][1:].strip():
                file.gaps.setdefault(line - 1, indentation(rows[at][1:].decode("utf-8", "replace")))
            file.added += 1
            new -= 1
        elif kind != b"\\":
            line, old, new = line + 1, old - 1, new - 1
        at += 1
    return at
