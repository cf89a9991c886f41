"""The rows of a run or of a file of grades: of each answer the last one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.runner.jsonl import rows_of

Note = Callable[[str], None]


def latest_rows(path: Path, *, skip_broken: bool = False, note: Note = lambda _text: None) -> Iterator[dict[str, Any]]:
    """The rows of a run, of each question and repeat the last one, in the order of their last lines.

    The file is read twice, so that memory holds one key a row and no more.

    Raises:
        UserError: The file cannot be read, or a line is broken and ``skip_broken`` is off.
    """
    last: dict[tuple[str, int], int] = {}
    for number, row in rows_of(path, skip_broken=skip_broken, note=note):
        last[key_of(row)] = number
    for number, row in rows_of(path, skip_broken=skip_broken, note=lambda _text: None):
        if last[key_of(row)] == number:
            yield row


def key_of(row: Mapping[str, Any]) -> tuple[str, int]:
    """(question id, repeat)"""
    repeat = row.get("repeat")
    return str(row.get("question_id")), repeat if isinstance(repeat, int) else 0
