"""What a conversation has shown: one evidence number for each file, the lines of it that were shown, whether they hold.

Citations are checked against the ledger and nothing else. Before each turn its lines are held against the tree; those
that stand elsewhere now move, those that are gone are dropped, and both are told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from agent.guard import strip_controls
from agent.loop.moved import surviving
from agent.tools.context import FileLines, digest_of_lines
from agent.tools.records import Evidence
from retrieval.compile.render import body_text, ranges_of
from retrieval.compile.rot import RotChecks, detect_rot
from retrieval.pack_records import ContextPack, EvidenceChunk, Plan, QuestionClass

FIRST_PIECE = 1_000  # evidence numbers from here on are runs of lines; citations have at most four digits
_MAX_NAMES = 40  # definitions that the header of a file's evidence names


class Lines(Protocol):
    """Text of files: ``agent.loop.tree.TreeLines``."""

    def sha256(self, path: str) -> str | None: ...
    def now(self, path: str) -> FileLines | None: ...
    def indexed(self, path: str) -> FileLines | None: ...


@dataclass(frozen=True, slots=True)
class Change:
    """What became of lines that were shown earlier: ``moved`` (to the line ``now``) or ``dropped``."""

    path: str
    first: int
    last: int
    outcome: str
    now: int = 0

    def told(self) -> str:
        where = f"{self.path}:{self.first}" + (f"-{self.last}" if self.last > self.first else "")
        if self.outcome == "moved":
            return f"{where} changed since it was shown: the same lines, now from line {self.now} on, were read again"
        return f"{where} changed or is gone since it was shown: dropped from the evidence"


@dataclass(frozen=True, slots=True)
class Taken:
    """Lines of one file that were just shown, and its evidence number."""

    path: str
    number: int
    sha256: str
    lines: Mapping[int, str]
    names: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "sha256": self.sha256,
            "lines": [[number, text] for number, text in sorted(self.lines.items())],
            "names": list(self.names),
        }


def taken_of(event: Mapping[str, Any]) -> Taken:
    """What a transcript says was shown (``Taken.to_dict``); the number is the ledger's to give.

    Raises:
        KeyError, TypeError, ValueError, OverflowError: The event says something else.
    """
    lines = {int(number): str(text) for number, text in event["lines"]}
    return Taken(str(event["path"]), 0, str(event["sha256"]), lines, tuple(map(str, event["names"])))


@dataclass
class _File:
    number: int
    sha256: str
    lines: dict[int, str] = field(default_factory=dict)  # as shown: secrets and control characters removed
    names: dict[str, frozenset[int]] = field(default_factory=dict)  # of a definition -> the lines shown as part of it
    cited: dict[int, int] = field(default_factory=dict)  # line -> the last turn whose answer cites it


class Ledger:
    """Evidence of one conversation. Not for several threads at once."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._files: dict[str, _File] = {}

    def number(self, path: str) -> int:
        """The evidence number of a file, given when it is first asked for."""
        return self._file(path).number

    def shown(self, path: str) -> tuple[tuple[int, int], ...]:
        file = self._files.get(path)
        return ranges_of(sorted(file.lines)) if file else ()

    def _file(self, path: str) -> _File:
        if path not in self._files:
            self._files[path] = _File(len(self._files) + 1, "")
        return self._files[path]

    # -------------------------------------------------------------------------------------------------- what is shown

    def add_pack(self, pack: ContextPack) -> tuple[ContextPack, tuple[Taken, ...]]:
        """Take a pack's lines. Returns it with the numbers of the ledger, and what was taken."""
        chunks, taken = [], []
        for chunk in pack.chunks:
            numbers = (number for first, last in chunk.ranges for number in range(first, last + 1))
            shown = dict(zip(numbers, map(strip_controls, chunk.source.split("\n")), strict=False))
            taken.append(self._take(chunk.path, chunk.file_sha256, shown, (chunk.qualname or chunk.symbol,)))
            chunks.append(replace(chunk, number=taken[-1].number))
        return replace(pack, chunks=tuple(chunks)), tuple(taken)

    def add(self, evidence: Iterable[Evidence]) -> tuple[Taken, ...]:
        """Take lines that a tool showed, as far as they are what it saw: one entry a file."""
        found: dict[str, tuple[str, dict[int, str]]] = {}
        texts: dict[str, tuple[FileLines | None, ...]] = {}
        for one in evidence:
            if one.path not in texts:
                texts[one.path] = (self._lines.now(one.path), self._lines.indexed(one.path))
            for text in texts[one.path]:
                if text is not None and digest_of_lines(text.raw, one.first, one.last) == one.sha256:
                    shown = {number: text.shown[number - 1] for number in range(one.first, one.last + 1)}
                    found.setdefault(one.path, (text.sha256, {}))[1].update(shown)
                    break
        return tuple(self._take(path, sha256, shown, ()) for path, (sha256, shown) in found.items())

    def restore(self, taken: Mapping[str, Any]) -> None:
        """Take lines from a transcript (``Taken.to_dict``); the next ``recheck`` says whether they still hold."""
        one = taken_of(taken)
        self._take(one.path, one.sha256, one.lines, one.names)

    def _take(self, path: str, sha256: str, shown: Mapping[int, str], names: tuple[str, ...]) -> Taken:
        file = self._file(path)
        if file.sha256 and file.sha256 != sha256:
            self._settle(path, file)
        file.sha256 = sha256
        file.lines.update(shown)
        names = tuple(name for name in names if name)
        for name in names:
            file.names[name] = file.names.get(name, frozenset()) | frozenset(shown)
        return Taken(path, file.number, sha256, shown, names)

    # --------------------------------------------------------------------------------------------------- what is cited

    def cite(self, path: str, first: int, last: int, turn: int) -> None:
        file = self._files.get(path)
        if file is not None:
            file.cited.update((number, turn) for number in range(first, last + 1) if number in file.lines)

    def cited(self) -> list[tuple[int, str, int]]:
        """(turn, path, line) of every cited line that holds, by path and line."""
        return [
            (turn, path, line)
            for path, file in sorted(self._files.items())
            for line, turn in sorted(file.cited.items())
            if line in file.lines
        ]

    def text(self, path: str, number: int) -> str:
        return self._files[path].lines[number]

    def pack(self, question: str) -> ContextPack:
        """Everything shown, one piece of evidence a file."""
        files = [(path, file) for path, file in self._files.items() if file.lines]
        return _pack_of(question, [_chunk(path, file, file.number, self.shown(path)) for path, file in files])

    def pieces(self, question: str) -> ContextPack:
        """The same, with each run of lines of a file as a piece of its own behind them, numbered from `FIRST_PIECE`."""
        whole = self.pack(question)
        runs = [(chunk.path, run) for chunk in whole.chunks for run in chunk.ranges]
        chunks = (_chunk(path, self._files[path], FIRST_PIECE + at, (run,)) for at, (path, run) in enumerate(runs))
        return _pack_of(question, [*whole.chunks, *chunks])

    # ------------------------------------------------------------------------------------------------------- staleness

    def recheck(self) -> list[Change]:
        """Hold every shown line against the tree as it is now; what changed is told, what holds stays in silence."""
        findings = detect_rot(self.pack(""), RotChecks(self._lines.sha256))
        stale = {number for finding in findings if finding.kind == "stale" for number in finding.chunks}
        changes: list[Change] = []
        for path, file in sorted(self._files.items()):
            if file.number in stale:
                changes += self._settle(path, file)
        return changes

    def _settle(self, path: str, file: _File) -> list[Change]:
        """Bring the lines of a file that changed to where they are now."""
        text = self._lines.now(path)
        shown = text.shown if text else ()
        places: dict[int, int] = {}  # old line -> where it is now
        changes: list[Change] = []
        for first, last in ranges_of(sorted(file.lines)):
            block = [file.lines[number] for number in range(first, last + 1)]
            at = first
            for start, end, now in surviving(shown, block, first):
                if first + start > at:
                    changes.append(Change(path, at, first + start - 1, "dropped"))
                if now != first + start:
                    changes.append(Change(path, first + start, first + end - 1, "moved", now))
                places.update((first + offset, now + offset - start) for offset in range(start, end))
                at = first + end
            if at <= last:
                changes.append(Change(path, at, last, "dropped"))
        file.lines = {places[number]: text for number, text in file.lines.items() if number in places}
        file.cited = {places[number]: turn for number, turn in file.cited.items() if number in places}
        file.names = {
            name: frozenset(places[number] for number in lines if number in places)
            for name, lines in file.names.items()
        }
        file.sha256 = text.sha256 if text else ""
        return changes


def _pack_of(question: str, chunks: Sequence[EvidenceChunk]) -> ContextPack:
    return ContextPack(question, Plan(question, QuestionClass.EXPLAIN), tuple(chunks), 0, 0, 0, 1.0, True)


def _chunk(path: str, file: _File, number: int, ranges: tuple[tuple[int, int], ...]) -> EvidenceChunk:
    numbers = [line for first, last in ranges for line in range(first, last + 1)]
    source = "\n".join(file.lines[line] for line in numbers)
    sha256 = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
    names = [name for name, lines in file.names.items() if not lines.isdisjoint(numbers)][:_MAX_NAMES]
    return EvidenceChunk(
        number=number,
        chunk_id=f"{path}:{numbers[0]}-{numbers[-1]}@{sha256[:12]}",
        path=path,
        symbol=names[0] if len(names) == 1 else "",
        qualname=", ".join(names),
        kind="lines",
        language="",
        role="",
        start_line=numbers[0],
        end_line=numbers[-1],
        ranges=ranges,
        text=body_text(ranges, file.lines),
        source=source,
        tokens=0,  # it is rendered as part of what was shown
        sha256=sha256,
        file_sha256=file.sha256,
        state="unknown",
        score=0.0,
        strength=0.0,
        legs=(),
        features=(),
        reason="shown in this conversation",
        actions=(),
    )
