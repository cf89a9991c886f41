"""What a tool works with during one call: an index, texts as they may be shown, and a way to be stopped."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock

from agent.guard import strip_controls
from agent.session import Session
from agent.tools.cancel import Cancellation
from agent.tools.paths import read_now, validate_path
from agent.tools.records import Evidence, Line
from retrieval.index.codec import split_lines
from retrieval.index.reader import IndexReader
from retrieval.source.secrets import redact

_CACHED_LINES = 200_000


@dataclass(frozen=True, slots=True)
class FileLines:
    """Lines of a file: ``raw`` as it holds them, ``shown`` with secrets and control characters removed."""

    raw: Sequence[str]
    shown: Sequence[str]
    sha256: str

    @classmethod
    def of(cls, raw: Sequence[str], sha256: str) -> FileLines:
        shown = strip_controls(redact("\n".join(raw)).text).split("\n") if raw else []
        return cls(raw, shown, sha256)


class FileCache:
    """Files as they may be shown, by content: redacting one costs more than most calls do otherwise. For any thread."""

    def __init__(self, max_lines: int = _CACHED_LINES) -> None:
        self._lock = Lock()
        self._max_lines = max_lines
        self._lines = 0
        self._known: OrderedDict[tuple[str, str], FileLines] = OrderedDict()

    def get(self, path: str, sha256: str, raw: Callable[[], Sequence[str]]) -> FileLines:
        key = (path, sha256)  # the same bytes decode otherwise under another name
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return known
        made = FileLines.of(raw(), sha256)
        with self._lock:
            if key not in self._known:
                self._known[key] = made
                self._lines += len(made.raw)
            while self._lines > self._max_lines and len(self._known) > 1:
                self._lines -= len(self._known.popitem(last=False)[1].raw)
        return made


@dataclass
class ToolContext:
    """One call's view. ``max_tokens`` is the size of a page."""

    session: Session
    max_tokens: int
    cancellation: Cancellation = field(default_factory=Cancellation)
    cache: FileCache = field(default_factory=FileCache)
    _files: dict[str, FileLines] = field(default_factory=dict)

    @property
    def reader(self) -> IndexReader:
        return self.session.reader

    def check(self) -> None:
        """Called between the steps of long work; raises CancelledError when nobody wants the answer any more."""
        self.cancellation.check()

    def path(self, path: str) -> str:
        """`agent.tools.paths.validate_path` of this index."""
        return validate_path(self.reader, path)

    def file(self, path: str) -> FileLines:
        """An indexed file as it was indexed, or as `file_now` found it."""
        if path not in self._files:
            sha256 = self.reader.file_sha256(path) or ""
            self._files[path] = self.cache.get(path, sha256, lambda: self.reader.file_text(path).lines)
        return self._files[path]

    def file_now(self, path: str) -> FileLines:
        """A file as it is on disk; ``path`` is validated."""
        source = read_now(self.reader, path)
        self._files[path] = self.cache.get(path, source.sha256, lambda: split_lines(source.text))
        return self._files[path]

    def changed(self, paths: Iterable[str]) -> list[str]:
        """Those of ``paths`` that are no longer on disk what the lines of this call were taken from."""
        from retrieval.index.freshness import content_sha256

        return [path for path in paths if content_sha256(self.reader.root, path) != self.file(path).sha256]

    def line(self, path: str, number: int, indent: str = "      ") -> Line:
        """A line of an indexed file below the result that it proves, without its own indentation."""
        lines = self.file(path).shown
        text = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        return Line(indent + text, path, number)

    def evidence(self, lines: Iterable[Line]) -> tuple[Evidence, ...]:
        """The ranges of files that ``lines`` show, by path and line."""
        numbers: dict[str, set[int]] = {}
        for line in lines:
            numbers.setdefault(line.path, set()).add(line.number)
        return tuple(
            Evidence(path, first, last, digest_of_lines(self.file(path).raw, first, last))
            for path in sorted(numbers)
            for first, last in _runs(sorted(numbers[path]))
        )


def digest_of_lines(raw: Sequence[str], first: int, last: int) -> str:
    """SHA-256 of lines ``first`` to ``last`` (1-based, inclusive) joined by line feeds."""
    return hashlib.sha256("\n".join(raw[first - 1 : last]).encode("utf-8", "surrogatepass")).hexdigest()


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs
