"""Lines of files as they are now, for the ledger: what tools and packs showed is held against them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from agent.tools.context import FileLines
from agent.tools.paths import read_now, validate_path
from retrieval.errors import UserError
from retrieval.index.codec import split_lines
from retrieval.index.freshness import content_sha256
from retrieval.index.reader import IndexReader

_KEPT = 128  # texts; redaction is what costs


@dataclass
class TreeLines:
    """Reads through the gate that tools use. ``reader`` gives the reader of the moment, in the calling thread."""

    reader: Callable[[], IndexReader]
    _texts: dict[tuple[str, str], FileLines] = field(default_factory=dict)

    def sha256(self, path: str) -> str | None:
        """Of the file's bytes on disk; None when it is gone."""
        return content_sha256(self.reader().root, path) or None

    def now(self, path: str) -> FileLines | None:
        """The file on disk; None when it is gone or may not be shown."""
        reader = self.reader()
        try:
            inside = validate_path(reader, path)
            known = self._texts.get((path, self.sha256(inside) or ""))
            if known is not None:
                return known
            source = read_now(reader, inside)
        except (UserError, OSError):
            return None
        return self._kept(path, FileLines.of(split_lines(source.text), source.sha256))

    def indexed(self, path: str) -> FileLines | None:
        """The file as it was indexed; None when it is not."""
        try:
            text = self.reader().file_text(path)
        except KeyError:
            return None
        return self._texts.get((path, text.sha256)) or self._kept(path, FileLines.of(text.lines, text.sha256))

    def _kept(self, path: str, text: FileLines) -> FileLines:
        if len(self._texts) >= _KEPT:
            self._texts.pop(next(iter(self._texts)))
        self._texts[path, text.sha256] = text
        return text
