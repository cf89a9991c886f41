"""Lines of indexed files as they may be shown: secrets redacted, control characters removed."""

from __future__ import annotations

from agent.guard import strip_controls
from retrieval.records import TextSource
from retrieval.source.secrets import redact


class SourceLines:
    """Reads each file once; a line that the index does not hold is empty."""

    def __init__(self, source: TextSource) -> None:
        self._source = source
        self._known: dict[str, tuple[str, ...]] = {}

    def line(self, path: str, number: int) -> str:
        """The line without surrounding white space."""
        lines = self.of(path)
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def of(self, path: str) -> tuple[str, ...]:
        if path not in self._known:
            try:
                text = "\n".join(self._source.file_text(path).lines)
            except KeyError:
                text = ""
            self._known[path] = tuple(map(strip_controls, redact(text).text.split("\n")))
        return self._known[path]
