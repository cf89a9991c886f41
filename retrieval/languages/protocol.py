"""What a language is to the rest of the program."""

from __future__ import annotations

from typing import Protocol

from retrieval.records import FileAnalysis


class Analyzer(Protocol):
    """Reads one file. ``path`` is relative to the root; ``module`` is "" for languages without modules."""

    def __call__(self, path: str, text: str, module: str) -> FileAnalysis: ...
