"""What an index run did, and how it tells of its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from retrieval.source.walk import Skipped

#: Called as ``progress(phase, done, total)``; phases are ``read``, ``embed``, ``graph`` and ``save``, in that order.
Progress = Callable[[str, int, int], None]


def silent(_phase: str, _done: int, _total: int) -> None:
    """No progress shown."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did.

    Attributes:
        mode: ``built`` (from nothing), ``updated`` or ``unchanged``.
        counts: files, lines, chunks, symbols, edges and skipped in the index as it stands now.
        partial, lossy: Paths with syntax errors, and paths decoded by a marked fallback, among the files read.
    """

    mode: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    partial: tuple[str, ...] = ()
    lossy: tuple[str, ...] = ()
    seconds: float = 0.0
    embedder: str = "none"
    vcs: str = "none"
    notes: tuple[str, ...] = ()

    def skipped_by_reason(self) -> dict[str, int]:
        reasons: dict[str, int] = {}
        for item in self.skipped:
            reasons[item.reason] = reasons.get(item.reason, 0) + 1
        return dict(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0])))
