"""The list of evidence that an answer cites: the pack's, and entries that the answerer adds from the index."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.answer.evidence import Evidence
from agent.answer.identifiers import words_of
from agent.answer.offline.ports import Reader
from retrieval.compile.render import body_text, ranges_of
from retrieval.pack_records import ContextPack, EvidenceChunk
from retrieval.records import Role
from retrieval.source.secrets import redact

ADDED = "cited-by-answer"  # the action that marks an entry as added by the answerer


@dataclass(slots=True)
class _Added:
    """An entry in the making: one a file, so that many call sites stay readable."""

    number: int
    lines: set[int] = field(default_factory=set)
    owners: dict[str, None] = field(default_factory=dict)
    resolved: dict[str, None] = field(default_factory=dict)


class Book:
    """Hands out citations. Lines that the pack does not show are added, exactly as the index holds them."""

    def __init__(self, pack: ContextPack, reader: Reader) -> None:
        self._pack = pack
        self._reader = reader
        self._evidence = tuple(Evidence(chunk) for chunk in pack.chunks)
        self._added: dict[str, _Added] = {}
        self._texts: dict[str, tuple[str, ...]] = {}

    def cite(
        self, path: str, first: int, last: int = 0, names: Sequence[str] = (), resolved: Sequence[str] = ()
    ) -> str:
        """``[n:first-last]`` for lines of ``path``.

        Args:
            names: The definitions that the lines belong to, ``resolved`` what the graph says that they refer to, as
                far as the sentence names them. A piece of the pack that does not contain all of them is not cited;
                a new entry carries them in its header, on the index's word.
        """
        last = max(first, last)
        wanted = {word for name in (*names, *resolved) for word in words_of(name)}
        for each in self._evidence:
            if each.chunk.path == path and each.shows(first, last) and wanted <= each.words:
                return _reference(each.chunk.number, first, last)
        entry = self._added.get(path)
        if entry is None:
            entry = self._added[path] = _Added(self._next_number())
        n_lines = len(self.lines(path))
        last = min(last, max(n_lines, 1))
        first = min(first, last)
        entry.lines.update(range(first, last + 1))
        entry.owners.update(dict.fromkeys(filter(None, names)))
        entry.resolved.update(dict.fromkeys(filter(None, resolved)))
        return _reference(entry.number, first, last)

    def _next_number(self) -> int:
        taken = [chunk.number for chunk in self._pack.chunks] + [entry.number for entry in self._added.values()]
        return max(taken, default=0) + 1

    def lines(self, path: str) -> tuple[str, ...]:
        """The file's lines with secrets redacted; empty when the path is not indexed."""
        cached = self._texts.get(path)
        if cached is None:
            cached = self._texts[path] = self._read(path)
        return cached

    def is_code(self, path: str) -> bool:
        try:
            return self._reader.file_text(path).role is Role.CODE
        except KeyError:
            return False

    def line(self, path: str, number: int) -> str:
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def _read(self, path: str) -> tuple[str, ...]:
        try:
            text = "\n".join(self._reader.file_text(path).lines)
        except KeyError:
            return ()
        return tuple(redact(text).text.split("\n"))

    def pack(self) -> ContextPack:
        """The pack with the added entries behind its own evidence, for the contract's check and for the reader."""
        if not self._added:
            return self._pack
        entries = sorted(self._added.items(), key=lambda item: item[1].number)
        return replace(self._pack, chunks=(*self._pack.chunks, *(self._entry(path, entry) for path, entry in entries)))

    def _entry(self, path: str, entry: _Added) -> EvidenceChunk:
        lines = self.lines(path)
        shown = {number: lines[number - 1] if number <= len(lines) else "" for number in sorted(entry.lines)}
        ranges = ranges_of(list(shown))
        source = "\n".join(shown.values())
        try:
            file = self._reader.file_text(path)
            language, role, file_sha256 = file.language, file.role.value, file.sha256
        except KeyError:
            language, role, file_sha256 = "", "", ""
        sha256 = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
        first, last = ranges[0][0], ranges[-1][1]
        return EvidenceChunk(
            number=entry.number,
            chunk_id=f"{path}:{first}-{last}@{sha256[:12]}",
            path=path,
            symbol=", ".join(entry.owners),
            qualname=", ".join(entry.resolved),
            kind="lines",
            language=language,
            role=role,
            start_line=first,
            end_line=last,
            ranges=ranges,
            text=body_text(ranges, shown),
            source=source,
            tokens=0,  # never sent to a model
            sha256=sha256,
            file_sha256=file_sha256,
            state="unknown",
            score=0.0,
            strength=0.0,
            legs=(),
            features=(),
            reason="cited by the answer",
            actions=(ADDED,),
        )


def _reference(number: int, first: int, last: int) -> str:
    return f"[{number}:{first}]" if first == last else f"[{number}:{first}-{last}]"
