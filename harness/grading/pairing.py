"""The grades that two graders gave to the same answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from harness.grading.automatic import grade_automatically
from harness.grading.labels import PASSING, UNGRADED
from harness.grading.latest import key_of, latest_rows
from retrieval.errors import UserError


@dataclass(frozen=True, slots=True)
class Paired:
    """``grades`` in the order of the first file; answers that one of the two left ungraded are not among them."""

    first: str
    second: str
    grades: tuple[tuple[str, str], ...]
    disagreements: tuple[dict[str, str], ...]


def paired_grades(
    first: Path,
    second: Path,
    *,
    pass_fail: bool = False,
    skip_broken: bool = False,
    note: Callable[[str], None] = lambda _text: None,
) -> Paired:
    """Raises UserError when the files grade different runs, or one cannot be read."""
    left, left_run, left_name = _grades(first, skip_broken, note)
    right, right_run, right_name = _grades(second, skip_broken, note)
    if left_run != right_run:
        raise UserError(f"{first} grades {left_run}, {second} grades {right_run}.", "Give two gradings of one run.")
    pairs: list[tuple[str, str]] = []
    apart: list[dict[str, str]] = []
    for key, grade in left.items():
        other = right.get(key)
        if other is None or UNGRADED in (grade, other):
            continue
        pair = (grade, other) if not pass_fail else (_passes(grade), _passes(other))
        pairs.append(pair)
        if pair[0] != pair[1]:
            apart.append({"question_id": key[0], "repeat": str(key[1]), "first": pair[0], "second": pair[1]})
    return Paired(left_name, right_name, tuple(pairs), tuple(apart))


def _passes(grade: str) -> str:
    return "pass" if grade in PASSING else "fail"


def _grades(path: Path, skip_broken: bool, note: Callable[[str], None]) -> tuple[dict[tuple[str, int], str], str, str]:
    """(grade by question and repeat, run, grader); a run without grades is graded automatically."""
    found: dict[tuple[str, int], str] = {}
    run = grader = ""
    for row in latest_rows(path, skip_broken=skip_broken, note=note):
        grade = row.get("grade")
        found[key_of(row)] = str(grade) if grade is not None else grade_automatically(row).grade
        run = str(row.get("run_id"))
        by = row.get("grader") or {}
        grader = f"{by.get('kind', 'automatic')} {by.get('name', '')}".strip()
    return found, run, grader
