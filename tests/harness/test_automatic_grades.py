"""The deterministic grader: each grade and each failure label, from the row that calls for it."""

from __future__ import annotations

from typing import Any

import pytest
from bench_shop import question

from harness.grading.automatic import grade_automatically
from harness.grading.labels import FAILURES, GRADES, MEANING, PASSING
from harness.runner.evidence_score import score_evidence

GOLD = [{"path": "a.py", "symbol": "f", "ranges": [[10, 19]], "text": ""}]
REFERENCE = question(
    "q",
    "What does f do?",
    "explanation",
    [{"path": "a.py", "symbol": "f"}],
    ["opens the file", "closes it"],
    must_not=["deletes it"],
)
ABSENT = question("q", "Where is the moon?", "unanswerable", [], [], answerable=False)


def row(answer: str = "", shown: list[tuple[str, list[list[int]]]] | None = None, **more: Any) -> dict[str, Any]:
    shown = [("a.py", [[10, 19]])] if shown is None else shown
    base = {
        "run_id": "r",
        "question_id": "q",
        "answer": answer,
        "answerer": "offline",
        "reference": REFERENCE,
        "gold": GOLD,
        "located": [["a.py", "f", [[10, 19]]]],
        "evidence": [{"path": path, "symbol": "", "ranges": ranges} for path, ranges in shown],
        "evidence_score": score_evidence(GOLD, shown).to_dict(),
        "citations": [{"path": "a.py", "start": 11, "end": 12, "symbol": "f", "text": ""}],
        "statements": {"facts": 2, "supported": 2},
        "context_rot_issues": [],
        "abstained": False,
        "error": "",
    }
    return {**base, **more}


BOTH = "It opens the file and then closes it [1:11-12]."


@pytest.mark.parametrize(
    ("given", "grade", "label"),
    [
        (row(BOTH), "correct", None),
        (row("It opens the file."), "partial", "ignored evidence"),
        (row("It sings."), "incorrect", "ignored evidence"),
        (row(BOTH + " Then it deletes it."), "incorrect", "ungrounded"),
        (row(BOTH, statements={"facts": 4, "supported": 1}), "partial", "ungrounded"),
        (row("It opens the file.", statements={"facts": 4, "supported": 1}), "partial", "ungrounded"),
        (row("   "), "incorrect", "format"),
        (row("It sings.", [("b.py", [[1, 9]])]), "incorrect", "missing evidence"),
        (row("It sings.", []), "incorrect", "missing evidence"),
        (row("It sings.", [("a.py", [[30, 60]])]), "incorrect", "wrong chunk"),
        (row("It sings.", [("a.py", [[10, 12]])]), "incorrect", "truncated"),
        (row("It sings.", context_rot_issues=["stale (error): a.py changed"]), "incorrect", "stale"),
        (row("It sings.", context_rot_issues=["conflicting (warning): two f"]), "incorrect", "conflicting"),
        (row("It sings.", context_rot_issues=["conflicting (info): two f"]), "incorrect", "ignored evidence"),
        (row("The evidence does not show it.", abstained=True), "abstained-wrongly", "refused"),
        (row("Nothing.", [("b.py", [[1, 9]])], abstained=True), "abstained-wrongly", "missing evidence"),
        (row("Nothing.", reference=ABSENT, abstained=True), "abstained-correctly", None),
        (row("It is in the sky.", reference=ABSENT), "incorrect", "ungrounded"),
        (row(error="the server is gone"), "ungraded", None),
        (row(answerer="none"), "ungraded", None),
        (row(BOTH, reference=None), "ungraded", None),
        (row(BOTH, citations=[{"path": "a.py"}]), "ungraded", None),
        (row(BOTH, located=[[1]]), "ungraded", None),
        (row(BOTH, reference={"id": "q"}), "ungraded", None),
    ],
)  # fmt: skip
def test_grades_and_labels(given: dict[str, Any], grade: str, label: str | None) -> None:
    found = grade_automatically(given)
    assert (found.grade, found.failure_label) == (grade, label)
    assert found.grade in GRADES
    assert (found.failure_label is None) == (found.grade in PASSING or found.grade == "ungraded")


def test_without_facts_the_cited_gold_counts() -> None:
    reference = question("q", "Where must the code change?", "localisation", [{"path": "a.py", "symbol": "f"}], [])
    assert grade_automatically(row("Here [1].", reference=reference)).grade == "correct"
    elsewhere = [{"path": "b.py", "start": 1, "end": 2, "symbol": "", "text": ""}]
    assert grade_automatically(row("There [1].", reference=reference, citations=elsewhere)).grade == "incorrect"


def test_every_label_is_explained() -> None:
    assert set(MEANING) == set(FAILURES)


def test_evidence_scores_by_hand() -> None:
    gold = [{"path": "a.py", "ranges": [[1, 10]]}, {"path": "b.py", "ranges": [[5, 6]]}]
    found = score_evidence(gold, [("a.py", [[6, 15]]), ("c.py", [[1, 10]])])
    assert (found.files, found.lines, found.symbols, found.precision) == (0.5, 5 / 12, 0.5, 0.25)
    files_only = score_evidence([{"path": "a.py", "ranges": []}], [("a.py", [[1, 2]]), ("b.py", [[1, 2]])])
    assert (files_only.files, files_only.lines, files_only.precision) == (1.0, None, 0.5)
    assert score_evidence([], [("a.py", [[1, 2]])]).files is None
