"""Grading by hand: one answer at a time, one key a grade; undo, notes, quit and go on later.

Grades are appended as they are given. An undone grade is superseded by a row that says ``ungraded``, so that the file
only ever grows; readers take the last row of each answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol

from harness.grading import labels
from harness.grading.record import Grade, graded_row, ungraded
from harness.grading.row_index import Key, RowIndex
from harness.grading.show import show_row
from harness.runner.jsonl import JsonlAppender

HELP = "c correct   p partial   i incorrect   a abstained   s skip   n note   u undo   q quit   ? help"
_BACK = "back"  # from the label to the grade
_GRADE_KEYS = {"c": labels.CORRECT, "p": labels.PARTIAL, "i": labels.INCORRECT}


class Terminal(Protocol):
    """Where the person is. Both raise EOFError when nothing more will come."""

    def show(self, text: str) -> None: ...

    def key(self, prompt: str) -> str:
        """One key, lower case."""
        ...

    def line(self, prompt: str) -> str: ...


@dataclass(slots=True)
class HandGrading:
    """One sitting.

    Attributes:
        done: Answers graded in an earlier sitting: they are not shown again.
        counts: Grades given in this sitting, undone ones taken out.
    """

    rows: RowIndex
    out: JsonlAppender
    name: str
    terminal: Terminal
    done: Collection[Key] = ()
    counts: Counter[str] = field(default_factory=Counter)

    def run(self) -> bool:
        """Until every answer is graded (True), or the person quits (False)."""
        open_rows = [at for at, (key, _) in enumerate(self.rows.offsets) if key not in self.done]
        given: list[tuple[int, str]] = []  # (place in open_rows, grade) of this sitting, for undo
        at = 0
        self.terminal.show(
            f"{len(open_rows)} answers to grade, {len(self.rows.offsets) - len(open_rows)} graded before.\n{HELP}\n"
        )
        while at < len(open_rows):
            row = self.rows.row(open_rows[at])
            self.terminal.show(show_row(row, f"{at + 1}/{len(open_rows)}"))
            try:
                choice = self._choose(row)
            except EOFError:
                return False
            if choice == "quit":
                return False
            if choice == "undo":
                if not given:
                    self.terminal.show("Nothing to undo in this sitting.\n")
                    continue
                at, grade = given.pop()
                self.counts[grade] -= 1
                self._write(self.rows.row(open_rows[at]), ungraded("undone"))
                continue
            if isinstance(choice, Grade):
                self._write(row, choice)
                self.counts[choice.grade] += 1
                given.append((at, choice.grade))
            at += 1
        return True

    def _write(self, row: dict[str, object], grade: Grade) -> None:
        self.out.append(graded_row(row, grade, "human", self.name))

    def _choose(self, row: dict[str, object]) -> Grade | str:
        notes = ""
        while True:
            key = self.terminal.key("grade> ")
            if key == "q":
                return "quit"
            if key == "u":
                return "undo"
            if key == "s":
                return "skip"
            if key == "n":
                notes = self.terminal.line("note> ").strip()
            elif key == "a" or key in _GRADE_KEYS:
                grade = _GRADE_KEYS.get(key) or self._abstained(row)
                label = None if grade in labels.PASSING else self._label()
                if label == _BACK:
                    continue
                return Grade(grade, label, notes)
            else:
                self.terminal.show(HELP + "\n")

    @staticmethod
    def _abstained(row: dict[str, object]) -> str:
        reference = row.get("reference")
        answerable = reference.get("answerable", True) if isinstance(reference, dict) else True
        return labels.ABSTAINED_WRONGLY if answerable else labels.ABSTAINED_CORRECTLY

    def _label(self) -> str | None:
        listed = "  ".join(f"{at} {name}" for at, name in enumerate(labels.FAILURES, start=1))
        self.terminal.show(f"why?  {listed}  (0: no label, u: another grade)\n")
        while True:
            key = self.terminal.key("why> ")
            if key == "0":
                return None
            if key == "u":
                return _BACK
            if key.isdigit() and 1 <= int(key) <= len(labels.FAILURES):
                return labels.FAILURES[int(key) - 1]
            self.terminal.show(f"a number from 0 to {len(labels.FAILURES)}, or u\n")
