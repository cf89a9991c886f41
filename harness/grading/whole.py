"""Automatic grades: a file of them that is there is whole. Until then they stand beside it, and are gone on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness.grading.files import grades_stem, list_grades, mended_grades
from harness.grading.labels import UNGRADED
from harness.grading.latest import key_of, latest_rows
from harness.grading.row_index import Key
from harness.runner.jsonl import JsonlAppender

PART = ".part"  # after ``.jsonl``: no reader of runs or of grades takes it for either

Note = Callable[[str], None]


@dataclass(slots=True)
class Unfinished:
    """Grades in the making.

    Attributes:
        done: Grade of each answer that is graded already: by an attempt that was killed, or in ``out``.
            What could not be graded then is tried again.
        path: The file of the grades; its name is settled when the whole is.
    """

    appender: JsonlAppender
    path: Path
    done: dict[Key, str]


@contextmanager
def whole_grades(
    run: Path,
    kind: str,
    name: str,
    out: Path | None,
    wanted: frozenset[Key],
    *,
    fresh: bool,
    note: Note = lambda _text: None,
) -> Iterator[Unfinished]:
    """Lends the file to append to, and gives it its name when the block ends without an error.

    A new file ``RUN.KIND-NAME….jsonl``, or ``out``, whose earlier grades are kept. What a kill has left is gone on
    with, unless ``fresh``, or it grades answers that are not ``wanted`` now: then it is begun anew.

    Raises:
        UserError: ``out`` is the run itself or holds grades of another run or grader; the disk cannot be written;
            another process writes the same grades.
    """
    target = out or run.with_name(f"{grades_stem(run, kind, name)}.jsonl")
    part = target.with_name(target.name + PART)
    earlier = mended_grades(out, run, kind, name, note) if out is not None and out.exists() else {}
    with JsonlAppender(part, note) as appender:
        held = list_grades(part, run, kind, name)
        if fresh or (out is None and not held.keys() <= wanted):
            appender.clear()
            held = {}
        if held:
            note(f"Going on with {part}: {len(held)} graded before.")
        if out is not None and earlier.keys() - held.keys():
            for row in latest_rows(out):
                if key_of(row) not in held:
                    appender.append(row)
        settled = {key: grade for key, grade in {**earlier, **held}.items() if grade != UNGRADED}
        unfinished = Unfinished(appender, target, settled)
        yield unfinished
        unfinished.path = target if out is not None else _free(target)
        part.replace(unfinished.path)  # still locked, so that nobody else takes that name or goes on with the part


def _free(path: Path) -> Path:
    """``path``, or the first of ``name-2``, ``name-3`` … that is not there."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free
