"""A whole run through a grader into a new file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.grading.record import Grade, graded_row
from harness.runner.jsonl import JsonlAppender, create_new, rows_of

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


def grade_file(run: Path, kind: str, name: str, out: Path | None = None) -> Path:
    """A fresh file for the grades of a run: ``RUN.KIND-NAME.jsonl`` beside it, or ``out``; never an old one.

    Raises:
        UserError: The folder cannot be written.
    """
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:60].strip("-.") or "grader"
    return create_new(out or run.with_name(f"{run.stem}.{kind}-{safe}.jsonl"))


def grade_run(
    run: Path,
    grader: Callable[[Mapping[str, Any]], Grade],
    kind: str,
    name: str,
    target: Path,
    *,
    skip_broken: bool = False,
    done: frozenset[tuple[str, int]] = frozenset(),
    progress: Callable[[int], None] = lambda n: None,
    note: Note = lambda _text: None,
) -> Counter[str]:
    """Grade every row that is not in ``done``, appending each verdict when it is given.

    Returns:
        How many of each grade.
    """
    counts: Counter[str] = Counter()
    with JsonlAppender(target, note) as appender:
        for row in latest_rows(run, skip_broken=skip_broken, note=note):
            if key_of(row) in done:
                continue
            verdict = grader(row)
            appender.append(graded_row(row, verdict, kind, name))
            counts[verdict.grade] += 1
            progress(sum(counts.values()))
    return counts
