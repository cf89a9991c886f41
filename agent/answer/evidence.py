"""The evidence of a pack as the contract asks about it: which lines are shown, which words occur, which text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from agent.answer.identifiers import Named, is_language_word, words_of
from agent.answer.roles import without_roles
from retrieval.pack_records import EvidenceChunk

_COMMENT_MARK = re.compile(r"^[ \t]*(?:#+[:!]?|//+[/!]?|--)(?=[ \t]|$)")
_ATTRIBUTES = frozenset({"json", "xml", "html", "sql", "csv", "lock"})  # ``Response.json`` is a method, and no file


class Evidence:
    """One evidence chunk. Everything derived is computed when first asked for and kept."""

    def __init__(self, chunk: EvidenceChunk) -> None:
        self.chunk = chunk

    @cached_property
    def lines(self) -> dict[int, str]:
        """Shown line number -> text."""
        numbers = (number for start, end in self.chunk.ranges for number in range(start, end + 1))
        return dict(zip(numbers, self.chunk.source.split("\n"), strict=False))

    @cached_property
    def header(self) -> str:
        return f"{self.chunk.path} {self.chunk.symbol} {self.chunk.qualname}"

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(words_of(self.header)) | frozenset(words_of(self.chunk.source))

    @cached_property
    def folded(self) -> str:
        """Source and header with white space folded, so that a quote may wrap otherwise than the file."""
        return fold(self.chunk.source) + " " + fold(self.header)

    @cached_property
    def folded_prose(self) -> str:
        """The source without the marks that begin comment lines, folded: a comment of several lines is one text."""
        return fold(" ".join(without_comment_mark(line) for line in self.chunk.source.split("\n")))

    @cached_property
    def folded_plain(self) -> str:
        """``folded_prose`` with Sphinx roles as what they show."""
        return without_roles(self.folded_prose)

    def shows(self, first: int, last: int) -> bool:
        return any(start <= first and last <= end for start, end in self._joined)

    @cached_property
    def _joined(self) -> tuple[tuple[int, int], ...]:
        joined: list[tuple[int, int]] = []
        for start, end in self.chunk.ranges:
            if joined and start == joined[-1][1] + 1:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return tuple(joined)

    def text_of(self, first: int, last: int) -> str:
        """The shown lines among ``first..last``, joined by ``\\n``."""
        within = range(max(first, self.chunk.start_line), min(last, self.chunk.end_line) + 1)
        return "\n".join(self.lines[number] for number in within if number in self.lines)

    def carries_file(self, named: Named) -> bool:
        """The file is this chunk's (with the line shown, when the sentence gives one), or its text names it."""
        path = self.chunk.path
        if path == named.text or path.endswith("/" + named.text):
            return not named.line or self.shows(named.line, max(named.line, named.last))
        return not named.line and named.text in self.chunk.source


def carries(evidence: Iterable[Evidence], named: Named) -> bool:
    """Whether the pieces of evidence, taken together, contain what the sentence names."""
    pieces = tuple(evidence)
    if named.kind == "file":
        if any(piece.carries_file(named) for piece in pieces):
            return True
        if named.line or "/" in named.text or named.text.rsplit(".", 1)[-1] not in _ATTRIBUTES:
            return False
    if named.kind == "code":
        snippet = fold(named.text).removesuffix("…").rstrip()
        if any(snippet in piece.folded for piece in pieces):
            return True
        if not words_of(named.text):
            return False
    words = [word for word in words_of(named.text) if not is_language_word(word)]
    return all(any(word in piece.words for piece in pieces) for word in words)


def carries_quote(evidence: Iterable[Evidence], quote: str) -> bool:
    """Whether ``quote`` stands verbatim (white space folded, end punctuation and comment marks aside, Sphinx roles also
    as what they show) in one piece."""
    wanted = fold(quote).rstrip(".,;:!?…").rstrip()
    pieces = tuple(evidence)
    return (
        any(wanted in piece.folded for piece in pieces)
        or any(wanted in piece.folded_prose for piece in pieces)
        or any(wanted in piece.folded_plain for piece in pieces)
    )


def without_comment_mark(line: str) -> str:
    """``#: the limit`` -> ``the limit``; a line that is no comment stays as it is."""
    return _COMMENT_MARK.sub("", line, count=1)


def fold(text: str) -> str:
    return " ".join(text.split())
