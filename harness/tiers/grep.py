"""Baseline: what one does without an index. Grep the question's words, read the files that hold most of them.

The words are those of the question that are no stop words, identifiers first. Files are ranked by how many different
words they hold, by identifiers twice; then by hits, then by path. A file that fits is read whole, of another one a
page around its densest hits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from harness.tiers.base import ConcatenatingTier
from harness.tiers.concatenate import Ranked
from retrieval.pack_records import LegHit, Plan
from retrieval.text.stopwords import QUESTION_WORDS

_NAME = re.compile(r"[A-Za-z_][\w.]{1,100}")
_PAGE_LINES = 200
_FILES = 30
_MAX_WORDS = 12


def grep_words(question: str) -> tuple[str, ...]:
    """The words to grep for, as written; identifiers (``snake_case``, ``CamelCase``, ``dotted.names``) first."""
    found = [word.strip("._") for word in _NAME.findall(question[:8_000])]
    kept = [word for word in dict.fromkeys(found) if len(word) > 2 and word.lower() not in QUESTION_WORDS]
    return tuple(sorted(kept, key=lambda word: not is_identifier(word)))[:_MAX_WORDS]


def is_identifier(word: str) -> bool:
    return "_" in word or "." in word or any(char.isupper() for char in word[1:])


class GrepTier(ConcatenatingTier):
    """Grep and read. The texts of the index stand for the files, so that every tier sees the same tree."""

    @cached_property
    def _folded(self) -> dict[str, str]:
        reader = self.session.reader
        return {path: "\n".join(reader.file_text(path).lines).lower() for path in reader.paths}

    def ranked(self, plan: Plan) -> Iterator[Ranked]:
        words = [(word.lower(), 2.0 if is_identifier(word) else 1.0) for word in grep_words(plan.question)]
        found: list[tuple[float, int, str]] = []
        for path, text in self._folded.items():
            held = [(worth, text.count(word)) for word, worth in words if word in text]
            if held:
                found.append((sum(worth for worth, _ in held), sum(count for _, count in held), path))
        found.sort(key=lambda each: (-each[0], -each[1], each[2]))
        for rank, (score, _, path) in enumerate(found[:_FILES], start=1):
            file = self.session.reader.file_text(path)
            first, last = 1, len(file.lines)
            if sum(file.line_tokens) > self.options.budget // 2:
                best = [(word, worth) for word, worth in words if word in self._folded[path]]
                most = max(worth for _, worth in best)
                first, last = _page(file.lines, [word for word, worth in best if worth == most])
            yield Ranked(path, first, last, score, (LegHit("grep", rank, score),), kind="file")


def _page(lines: tuple[str, ...], words: list[str]) -> tuple[int, int]:
    """The page of ``_PAGE_LINES`` lines with the most hits, a quarter of it before the first of them."""
    hits = [n for n, line in enumerate(lines, start=1) if any(word in line.lower() for word in words)]
    best, best_first = 0, 1
    left = 0
    for right, n in enumerate(hits):
        while n - hits[left] >= _PAGE_LINES // 2:
            left += 1
        if right - left + 1 > best:
            best, best_first = right - left + 1, hits[left]
    first = max(1, best_first - _PAGE_LINES // 4)
    return first, min(len(lines), first + _PAGE_LINES - 1)
