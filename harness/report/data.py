"""Runs as comparisons see them: one slim record a question, whatever the size of the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from harness.grading import labels
from harness.grading.automatic import grade_automatically
from harness.grading.latest import latest_rows
from harness.tiers.registry import TIERS
from retrieval.errors import UserError

_SCORE = {
    labels.CORRECT: 1.0,
    labels.ABSTAINED_CORRECTLY: 1.0,
    labels.PARTIAL: 0.5,
    labels.INCORRECT: 0.0,
    labels.ABSTAINED_WRONGLY: 0.0,
}
_TEXT_CHARS = 300
MEASURES = ("files", "lines", "symbols", "precision")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer.

    Attributes:
        score: 1 for a pass, 0.5 for partial, 0 for a failure; None when it is not graded.
        evidence: files, lines, symbols, precision (0..1, None where the gold has none).
        seconds: Of context and answer together.
        digest: Of the rendered context.
    """

    question_id: str
    question: str
    category: str
    grade: str
    label: str
    notes: str
    score: float | None
    tokens: int
    evidence: tuple[float | None, ...]
    seconds: float | None
    cost: float | None
    digest: str


@dataclass(frozen=True, slots=True)
class Question:
    """All repeats of one question in one run.

    Attributes:
        passed: Whether more than half of the graded repeats pass; None when none is graded.
    """

    outcomes: tuple[Outcome, ...]

    @property
    def first(self) -> Outcome:
        return self.outcomes[0]

    @property
    def score(self) -> float | None:
        graded = [each.score for each in self.outcomes if each.score is not None]
        return mean(graded) if graded else None

    @property
    def passed(self) -> bool | None:
        graded = [each.grade in labels.PASSING for each in self.outcomes if each.score is not None]
        return sum(graded) * 2 > len(graded) if graded else None

    @property
    def tokens(self) -> float:
        return mean(each.tokens for each in self.outcomes)

    def evidence(self, measure: str) -> float | None:
        return self.first.evidence[MEASURES.index(measure)]


@dataclass(slots=True)
class RunData:
    """A run with the grades of one grader. ``name`` is unique among the runs compared."""

    path: Path
    run_id: str
    tier: str
    budget: int
    answerer: str
    model: str
    grader: str
    name: str
    questions: dict[str, Question] = field(default_factory=dict)

    @property
    def outcomes(self) -> list[Outcome]:
        return [outcome for question in self.questions.values() for outcome in question.outcomes]

    @property
    def label(self) -> str:
        return TIERS[self.tier].label if self.tier in TIERS else self.tier


def load_run(path: Path, *, skip_broken: bool = False, note: Callable[[str], None] = lambda _text: None) -> RunData:
    """A run or a file of grades; rows without a grade are graded automatically on the way.

    Raises:
        UserError: The file cannot be read, holds no rows, or a line is broken.
    """
    run: RunData | None = None
    found: dict[str, list[Outcome]] = {}
    graders: Counter[str] = Counter()
    for row in latest_rows(path, skip_broken=skip_broken, note=note):
        if "question_id" not in row or "run_id" not in row:
            raise UserError(f"{path} holds rows without run_id and question_id.", "Give runs of: contextc bench run")
        try:
            outcome = outcome_of(row)
            graders[_grader(row)] += 1
            run = run or _run_of(path, row)
        except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
            raise UserError(
                f"{path}: the row of {str(row['question_id'])[:60]!r} is not one of a run ({error}).",
                "Give files of: contextc bench run, contextc grade",
            ) from error
        found.setdefault(outcome.question_id, []).append(outcome)
    if run is None:
        raise UserError(f"{path} holds no answers.", "Run it first: contextc bench run")
    run.grader = ", ".join(sorted(graders))
    run.questions = {key: Question(tuple(outcomes)) for key, outcomes in found.items()}
    return run


def _run_of(path: Path, row: Mapping[str, Any]) -> RunData:
    return RunData(
        path,
        str(row["run_id"]),
        str(row.get("tier") or row.get("retrieval_method") or "?"),
        int(row.get("token_budget") or 0),
        str(row.get("answerer") or row.get("provider") or "?"),
        str(row.get("model") or ""),
        "",
        "",
    )


def load_runs(
    paths: Iterable[Path], *, skip_broken: bool = False, note: Callable[[str], None] = lambda _text: None
) -> list[RunData]:
    """Several runs, each with a name that tells it from the others: its tier, and what else differs."""
    runs = [load_run(path, skip_broken=skip_broken, note=note) for path in paths]
    parts: list[Callable[[RunData], str]] = [
        lambda run: run.label,
        lambda run: f"@{run.budget}",
        lambda run: run.answerer,
        lambda run: run.model,
        lambda run: run.grader,
        lambda run: run.run_id,
        lambda run: run.path.name,
    ]
    shown = [parts[0]]
    for part in parts[1:]:
        if len({_name(run, shown) for run in runs}) == len(runs):
            break
        if len({part(run) for run in runs}) > 1:
            shown.append(part)
    taken: Counter[str] = Counter()
    for run in runs:
        name = _name(run, shown)
        taken[name] += 1
        run.name = name if taken[name] == 1 else f"{name} ({taken[name]})"
    return runs


def _name(run: RunData, parts: Sequence[Callable[[RunData], str]]) -> str:
    return ", ".join(part(run) for part in parts).replace(", @", " @")


def _grader(row: Mapping[str, Any]) -> str:
    grader = row.get("grader") or {}
    return f"{grader.get('kind', 'automatic')} {grader.get('name', '')}".strip() if grader else "automatic"


def outcome_of(row: Mapping[str, Any]) -> Outcome:
    """The slim record of a row."""
    grade, label, notes = row.get("grade"), row.get("failure_label"), str(row.get("grading_notes") or "")
    if grade is None:
        verdict = grade_automatically(row)
        grade, label, notes = verdict.grade, verdict.failure_label, verdict.notes
    score = row.get("evidence_score") or {}
    timings = row.get("timings") or {}
    times = [float(timings[name]) for name in ("context_ms", "answer_ms") if isinstance(timings.get(name), int | float)]
    cost = row.get("cost_usd")
    return Outcome(
        str(row["question_id"]),
        str(row.get("question") or "")[:_TEXT_CHARS],
        str(row.get("category") or "?"),
        str(grade),
        str(label or ""),
        notes[:_TEXT_CHARS],
        _SCORE.get(str(grade)),
        int(row.get("context_tokens") or 0),
        tuple(None if score.get(name) is None else float(score[name]) for name in MEASURES),
        sum(times) / 1000 if times else None,
        None if cost is None else float(cost),
        str(row.get("pack_digest") or ""),
    )
