"""Where the grades of a run go: a file of the grader's own, gone on with or new, and never the run itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from harness.grading.labels import UNGRADED
from harness.grading.latest import key_of, latest_rows
from harness.runner.jsonl import JsonlAppender, create_new
from retrieval.errors import UserError

Key = tuple[str, int]


def open_grades(
    run: Path,
    kind: str,
    name: str,
    out: Path | None,
    *,
    fresh: bool,
    note: Callable[[str], None] = lambda _text: None,
) -> tuple[Path, set[Key]]:
    """(file, answers it holds a grade for): ``out``, or the newest ``RUN.KIND-NAME….jsonl``, or a new one of that name.

    Raises:
        UserError: ``out`` is the run itself or grades of another run or grader; the folder cannot be written.
    """
    stem = grades_stem(run, kind, name)
    if out is not None and out.exists():
        return out, _settled(mended_grades(out, run, kind, name, note))
    if out is None and not fresh:
        pattern = re.compile(re.escape(stem) + r"(?:-(\d+))?\.jsonl")
        old = [(int(m[1] or 1), path) for path in run.parent.iterdir() if (m := pattern.fullmatch(path.name))]
        if old:
            path = max(old)[1]
            done = _settled(mended_grades(path, run, kind, name, note))
            note(f"Going on with {path}: {len(done)} graded before.")
            return path, done
    return create_new(out or run.with_name(f"{stem}.jsonl")), set()


def grades_stem(run: Path, kind: str, name: str) -> str:
    """``RUN.KIND-NAME``, of which the names of a grader's files are made."""
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:60].strip("-.") or "grader"
    return f"{run.stem}.{kind}-{safe}"


def mended_grades(path: Path, run: Path, kind: str, name: str, note: Callable[[str], None]) -> dict[Key, str]:
    """As ``list_grades``, after a line that a kill has torn is cut off."""
    _refuse_run(path, run)
    JsonlAppender(path, note).close()
    return list_grades(path, run, kind, name)


def list_grades(path: Path, run: Path, kind: str, name: str) -> dict[Key, str]:
    """Grade of each answer in ``path``, those that could not be graded among them.

    Raises:
        UserError: It is of another run or grader; it cannot be read, or has a broken line.
    """
    expected = next((str(row.get("run_id")) for row in latest_rows(run, skip_broken=True)), "")
    found: dict[Key, str] = {}
    for row in latest_rows(path):
        grader = row.get("grader") or {}
        if row.get("run_id") != expected or grader.get("kind") != kind or grader.get("name") != name:
            raise UserError(
                f"{path} holds grades of {row.get('run_id')} by {grader.get('name') or 'nobody'}.",
                "Give another file with --out, or leave it away.",
            )
        found[key_of(row)] = str(row.get("grade") or UNGRADED)
    return found


def _settled(grades: dict[Key, str]) -> set[Key]:
    """What is not graded again."""
    return {key for key, grade in grades.items() if grade != UNGRADED}


def _refuse_run(path: Path, run: Path) -> None:
    if path.samefile(run):
        raise UserError(f"{path} is the run itself.", "Grades go into a file of their own: leave --out away.")
