"""Files as tiers may show them: secrets replaced, whole files at a time, so that no window cuts a key in half."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace

from retrieval.records import FileText, TextSource
from retrieval.source.secrets import redact
from retrieval.tokens.counter import SATURATED, estimate_tokens, rendered_line_tokens

_CACHED_FILES = 128


@dataclass(slots=True)
class RedactedSource:
    """A text source over another one; keeps the last files that were asked for."""

    inner: TextSource
    _cache: OrderedDict[str, tuple[FileText, frozenset[int]]] = field(default_factory=OrderedDict)

    def file_text(self, path: str) -> FileText:
        return self.redacted(path)[0]

    def redacted(self, path: str) -> tuple[FileText, frozenset[int]]:
        """The file, and the numbers of its changed lines. Raises KeyError for a path that is not indexed."""
        known = self._cache.get(path)
        if known is None:
            known = self._cache[path] = _redacted(self.inner.file_text(path))
            if len(self._cache) > _CACHED_FILES:
                self._cache.popitem(last=False)
        return known


def _redacted(file: FileText) -> tuple[FileText, frozenset[int]]:
    secret = redact("\n".join(file.lines))
    if not secret.count:
        return file, frozenset()
    lines = tuple(secret.text.split("\n"))
    tokens = [min(SATURATED, count) for count in file.line_tokens]
    changed = frozenset(n for n, (old, new) in enumerate(zip(file.lines, lines, strict=True), start=1) if old != new)
    for number in changed:
        tokens[number - 1] = rendered_line_tokens(number, estimate_tokens(f" {lines[number - 1]}\n"))
    return replace(file, lines=lines, line_tokens=tokens), changed
