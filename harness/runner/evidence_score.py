"""How much of a question's gold a context shows: files, lines and symbols found, and how much of it is gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EvidenceScore:
    """Shares, 0..1. None where the gold has nothing of the kind.

    Attributes:
        files: Gold files of which a line is shown.
        lines: Gold lines shown.
        symbols: Gold places (symbols or ranges) of which at least half of the lines are shown.
        precision: Shown lines that are gold; of files when the gold names files only.
    """

    files: float | None
    lines: float | None
    symbols: float | None
    precision: float | None

    def to_dict(self) -> dict[str, float | None]:
        return {name: None if value is None else round(value, 6) for name, value in asdict(self).items()}


def score_evidence(
    gold: Sequence[Mapping[str, Any]], shown: Iterable[tuple[str, Sequence[Sequence[int]]]]
) -> EvidenceScore:
    """Hold shown ``(path, ranges)`` against gold ``{"path", "ranges"}``; gold without ranges names a whole file."""
    seen: dict[str, set[int]] = {}
    for path, ranges in shown:
        seen.setdefault(path, set()).update(_lines(ranges))
    paths = list(dict.fromkeys(str(each["path"]) for each in gold))
    if not paths:
        return EvidenceScore(None, None, None, None)
    places = [(str(each["path"]), _lines(each.get("ranges") or ())) for each in gold]
    wanted: dict[str, set[int]] = {}
    for path, lines in places:
        wanted.setdefault(path, set()).update(lines)
    total = sum(map(len, wanted.values()))
    got = sum(len(lines & seen.get(path, set())) for path, lines in wanted.items())
    n_shown = sum(map(len, seen.values()))
    with_lines = [(path, lines) for path, lines in places if lines]
    halves = [2 * len(lines & seen.get(path, set())) >= len(lines) for path, lines in with_lines]
    files = sum(path in seen for path in paths) / len(paths)
    if total:
        precision = got / n_shown if n_shown else None
    else:
        precision = sum(path in wanted for path in seen) / len(seen) if seen else None
    return EvidenceScore(
        files, got / total if total else None, sum(halves) / len(halves) if halves else None, precision
    )


def _lines(ranges: Iterable[Sequence[int]]) -> set[int]:
    return {line for first, last in ranges for line in range(first, last + 1)}
