"""A verdict on one answer, and the row it becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.grading.labels import UNGRADED
from harness.runner.row import now
from retrieval.version import VERSION


@dataclass(frozen=True, slots=True)
class Grade:
    """``details`` is whatever the grader can show for its verdict; JSON-ready."""

    grade: str
    failure_label: str | None = None
    notes: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


def ungraded(why: str, **details: Any) -> Grade:
    """The state that is counted beside the mean and never as 0."""
    return Grade(UNGRADED, None, why, details)


def graded_row(row: Mapping[str, Any], grade: Grade, kind: str, name: str) -> dict[str, Any]:
    """The run's row with the grade, by whom and when. The run's own file stays as it is.

    Args:
        kind: ``automatic``, ``human`` or ``judge``.
        name: Who: a version, a person, a model.
    """
    return {
        **row,
        "grade": grade.grade,
        "failure_label": grade.failure_label,
        "grading_notes": grade.notes,
        "grader": {"kind": kind, "name": name, "version": VERSION},
        "graded_at": now(),
        "grading": dict(grade.details),
    }
