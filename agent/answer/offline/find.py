"""Every indexed line that spells a name or a message: by the postings of an index, else by the evidence at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.answer.offline.book import Book
from agent.answer.offline.ports import Reader
from retrieval.pack_records import ContextPack
from retrieval.records import Block, BlockKind, ChunkRow, Role

if TYPE_CHECKING:
    from retrieval.search.ports import Reader as IndexedReader

MAX_CHUNKS = 800  # chunks read for one name
_RARE_TERMS = 4  # of a message: the terms that a chunk must hold
_MAX_STATEMENT = 12  # lines of a statement that are folded into one


@dataclass(frozen=True, slots=True)
class Line:
    """A line that spells what was looked for, and the piece of a file that it stands in.

    Attributes:
        owner: Name of the definition or the heading path; "" for none.
        prose: A docstring, a comment, or part of a document.
    """

    path: str
    number: int
    text: str
    owner: str
    role: Role
    kind: str
    prose: bool
    blocks: tuple[Block, ...] = ()

    def statement(self) -> tuple[int, int]:
        """First and last line of the statement that the line belongs to, itself when there is none."""
        for block in self.blocks:
            if block.start <= self.number <= block.end and block.kind not in _WHOLE:
                return block.start, min(block.end, block.start + _MAX_STATEMENT)
        return self.number, self.number

    def block_kind(self) -> BlockKind | None:
        return next((block.kind for block in self.blocks if block.start <= self.number <= block.end), None)


_PROSE = frozenset({BlockKind.DOCSTRING, BlockKind.COMMENT})
_WHOLE = frozenset({BlockKind.DOCSTRING, BlockKind.TEXT, BlockKind.BLANK})


class Finder:
    """Looks names up in the whole index; a reader without postings (a fake) is looked up in the pack alone."""

    def __init__(self, pack: ContextPack, reader: Reader, book: Book) -> None:
        self._pack = pack
        self._reader = reader
        self._book = book

    def lines(self, name: str) -> list[Line]:
        """Lines that hold ``name`` as a whole word, in order of path and line. Case counts."""
        from retrieval.text.terms import index_terms

        terms = index_terms(name.rsplit(".", 1)[-1])
        if not terms:
            return []
        edge = r"[\w-]" if name.startswith("-") else r"\w"
        whole = re.compile(rf"(?<!{edge}){re.escape(name)}(?!{edge})")
        return [line for line in self._all(terms[:1]) if whole.search(line.text)]

    def message(self, text: str) -> list[Line]:
        """Lines of code that hold the longest run of the message's words, at least three or all of them."""
        from retrieval.text.terms import index_terms

        words = _words(text)
        terms = [term for word in words for term in index_terms(word)[:1] if len(word) > 2]
        if len(words) < 2 or not terms:
            return []
        best = min(len(words), 3)
        found: list[Line] = []
        for line in self._all(list(dict.fromkeys(terms))):
            run = _longest_run(words, _words(line.text))
            if run < best:
                continue
            if run > best:
                best, found = run, []
            found.append(line)
        return found

    def _all(self, terms: Sequence[str]) -> Iterator[Line]:
        """Lines of the chunks that hold the terms (of many, the rarest), by path and line."""
        for row in self._rows(terms):
            lines = self._book.lines(row.path)
            prose = row.role is Role.DOC
            blocks = tuple(row.blocks)
            at = 0
            for number in range(row.start_line, min(row.end_line, len(lines)) + 1):
                while at < len(blocks) and blocks[at].end < number:
                    at += 1
                told = at < len(blocks) and blocks[at].start <= number and blocks[at].kind in _PROSE
                yield Line(
                    row.path, number, lines[number - 1], row.qualname or row.symbol, row.role, row.kind.value,
                    prose or told, blocks,
                )  # fmt: skip

    def _rows(self, terms: Sequence[str]) -> list[ChunkRow]:
        rows = self._indexed(self._reader, terms) if hasattr(self._reader, "conn") else self._shown()  # type: ignore[arg-type]
        return sorted(rows, key=lambda row: (row.path, row.start_line))

    def _indexed(self, reader: IndexedReader, terms: Sequence[str]) -> list[ChunkRow]:
        import numpy as np

        from retrieval.lexical.search import read_postings

        arrays = reader.arrays
        postings = [docs for _, docs, _ in read_postings(reader.conn, sorted(set(terms)))]
        if not postings:
            return []
        postings.sort(key=len)
        held = np.unique(postings[0])
        for docs in postings[1:_RARE_TERMS]:
            both = np.intersect1d(held, docs)
            held = both if len(both) else held
        alive = [int(i) for i in held if i < arrays.n and arrays.alive[i]]
        if len(alive) > MAX_CHUNKS:  # code first: a name that stands everywhere is answered from where it works
            roles = list(Role)
            alive.sort(key=lambda i: (roles[int(arrays.role[i])] is not Role.CODE, i))
        return reader.chunks(alive[:MAX_CHUNKS])

    def _shown(self) -> list[ChunkRow]:
        rows: list[ChunkRow] = []
        for chunk in self._pack.chunks:
            known = [
                row
                for row in self._reader.chunks_of_symbol(chunk.qualname)
                if (row.path, row.start_line) == (chunk.path, chunk.start_line)
            ]
            rows.extend(known or [_as_row(chunk.path, chunk.start_line, chunk.end_line, chunk.symbol, chunk.role)])
        return rows


def _as_row(path: str, first: int, last: int, symbol: str, role: str) -> ChunkRow:
    from retrieval.records import ChunkKind

    return ChunkRow(0, path, "", Role(role), ChunkKind.WINDOW, symbol, "", first, last, 1, 1, "", 0, "", ())


_WORD = re.compile(r"[^\W\d_]{2,}")
_PLACEHOLDER = re.compile(r"%\(\w{1,60}\)[a-z]|%[sdrfx]|\{[^{}\n]{0,80}\}")


def _words(text: str) -> list[str]:
    """Words of a message or of the line that makes it; placeholders count for nothing on either side."""
    return [word.lower() for word in _WORD.findall(_PLACEHOLDER.sub(" ", text[:2_000]))][:60]


def _longest_run(wanted: Sequence[str], have: Sequence[str]) -> int:
    """Length of the longest common run of consecutive words."""
    best = 0
    previous = [0] * (len(have) + 1)
    for word in wanted:
        current = [0] * (len(have) + 1)
        for at, other in enumerate(have, start=1):
            if word == other:
                current[at] = previous[at - 1] + 1
                best = max(best, current[at])
        previous = current
    return best


def folded(book: Book, path: str, first: int, last: int) -> str:
    """The lines as one, white space folded, brackets closed up."""
    text = " ".join(" ".join(book.lines(path)[first - 1 : last]).split())
    return re.sub(r"([(\[{]) ", r"\1", text).replace(" )", ")")
