"""Lines of files as they are now, for the ledger: what tools and packs showed is held against them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.tools.context import FileLines
from agent.tools.paths import read_now, validate_path
from retrieval.errors import UserError
from retrieval.index.codec import split_lines
from retrieval.index.reader import IndexReader


@dataclass(frozen=True, slots=True)
class TreeLines:
    """Reads through the gate that tools use. ``reader`` gives the reader of the moment, in the calling thread."""

    reader: Callable[[], IndexReader]

    def now(self, path: str) -> FileLines | None:
        """The file on disk; None when it is gone or may not be shown."""
        reader = self.reader()
        try:
            source = read_now(reader, validate_path(reader, path))
        except (UserError, OSError):
            return None
        return FileLines.of(split_lines(source.text), source.sha256)

    def indexed(self, path: str) -> FileLines | None:
        """The file as it was indexed; None when it is not."""
        try:
            text = self.reader().file_text(path)
        except KeyError:
            return None
        return FileLines.of(text.lines, text.sha256)
