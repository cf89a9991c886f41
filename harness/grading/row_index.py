"""Random access to the rows of a run by line offset: grading by hand goes back and forth, memory holds keys alone."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.grading.latest import key_of
from harness.runner.jsonl import rows_of

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class RowIndex:
    """``offsets``: (key, byte offset of its last row), in the order of the file."""

    path: Path
    offsets: tuple[tuple[Key, int], ...]

    def row(self, at: int) -> dict[str, Any]:
        with self.path.open("rb") as handle:
            handle.seek(self.offsets[at][1])
            row = json.loads(handle.readline())
        assert isinstance(row, dict)  # noqa: S101 - index_rows parsed it
        return row


def index_rows(
    path: Path,
    *,
    wanted: Callable[[dict[str, Any]], bool] = lambda _row: True,
    sample: int = 0,
    seed: int = 0,
    skip_broken: bool = False,
    note: Callable[[str], None] = lambda _text: None,
) -> RowIndex:
    """Index the last row of each question and repeat that is ``wanted``; ``sample`` of them, drawn by ``seed``.

    Raises:
        UserError: The file cannot be read, or a line is broken and ``skip_broken`` is off.
    """
    at_line: dict[Key, int] = {}
    for number, row in rows_of(path, skip_broken=skip_broken, note=note):
        if wanted(row):
            at_line[key_of(row)] = number
        else:
            at_line.pop(key_of(row), None)
    starts = _line_starts(path, sorted(at_line.values()))
    found = [(key, starts[number]) for key, number in sorted(at_line.items(), key=lambda item: item[1])]
    if sample and sample < len(found):
        chosen = random.Random(seed).sample(range(len(found)), sample)  # noqa: S311
        found = [found[at] for at in sorted(chosen)]
    return RowIndex(path, tuple(found))


def _line_starts(path: Path, numbers: Sequence[int]) -> dict[int, int]:
    wanted = set(numbers)
    starts: dict[int, int] = {}
    with path.open("rb") as handle:
        offset = 0
        for number, line in enumerate(handle, start=1):
            if number in wanted:
                starts[number] = offset
            offset += len(line)
    return starts
