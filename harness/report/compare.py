"""Runs side by side: figures with intervals, paired tests with Holm's correction, flips, and what solved what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from harness.grading import labels
from harness.report.data import MEASURES, Outcome, RunData
from harness.stats.bootstrap import Difference, Estimate, bootstrap_mean, paired_bootstrap
from harness.stats.holm import holm
from harness.stats.intervals import wilson
from harness.stats.mcnemar import McNemar, mcnemar

ACCEPTABLE = 0.6  # share of a category's questions that pass, from which a tier is good enough for it


@dataclass(frozen=True, slots=True)
class Share:
    """``passed`` of ``n`` with the Wilson interval."""

    passed: int
    n: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        return self.passed / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Summary:
    """One run. ``accuracy`` counts graded questions; ``ungraded`` ones stand beside it and are never a 0."""

    run: RunData
    accuracy: Share
    ungraded: int
    score: Estimate | None
    evidence: tuple[tuple[str, Estimate | None], ...]
    tokens: Estimate | None
    seconds_p50: float | None
    seconds_p95: float | None
    cost: float | None
    grades: tuple[tuple[str, int], ...]
    failures: tuple[tuple[str, int], ...]
    categories: tuple[tuple[str, Share], ...]


@dataclass(frozen=True, slots=True)
class Flip:
    """A question that one run passes and the other does not. ``why`` is the failing side's label and notes."""

    question_id: str
    question: str
    category: str
    gained: bool
    why: str


@dataclass(frozen=True, slots=True)
class Pair:
    """``after`` against ``before`` over the ``n`` questions that both have graded; p values are Holm's."""

    before: str
    after: str
    n: int
    accuracy: Difference | None
    test: McNemar
    p: float
    score: Difference | None
    score_p: float
    lines: Difference | None
    lines_p: float
    tokens: Difference | None
    tokens_p: float
    flips: tuple[Flip, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``first_acceptable``: category -> name of the first run, in the order given, that reaches ``acceptable``."""

    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    first_acceptable: tuple[tuple[str, str | None], ...]
    acceptable: float
    notes: tuple[str, ...]


def compare(runs: Sequence[RunData], *, every_pair: bool = False, acceptable: float = ACCEPTABLE) -> Comparison:
    """Compare runs in the order given.

    Pairs are each run with the next and the first with the last, or every two of them. Holm's correction is over the
    pairs, for each measure by itself.
    """
    summaries = tuple(map(summarize, runs))
    names = [*pairwise(range(len(runs))), *([(0, len(runs) - 1)] if len(runs) > 2 else [])]
    if every_pair:
        names = list(combinations(range(len(runs)), 2))
    pairs = _corrected([_pair(runs[a], runs[b]) for a, b in names])
    categories = list(dict.fromkeys(name for summary in summaries for name, _ in summary.categories))
    first = []
    for category in sorted(categories):
        reached = (
            summary.run.name
            for summary in summaries
            if (share := dict(summary.categories).get(category)) and (share.value or 0.0) >= acceptable
        )
        first.append((category, next(reached, None)))
    return Comparison(summaries, pairs, tuple(first), acceptable, _notes(runs))


def summarize(run: RunData) -> Summary:
    questions = list(run.questions.values())
    graded = [(each.first.category, each.passed) for each in questions if each.passed is not None]
    categories = sorted({category for category, _ in graded})
    seconds = sorted(each.seconds for each in run.outcomes if each.seconds is not None)
    costs = [each.cost for each in run.outcomes if each.cost is not None]
    return Summary(
        run,
        _share([bool(passed) for _, passed in graded]),
        len(questions) - len(graded),
        bootstrap_mean([each.score for each in questions if each.score is not None]),
        tuple(
            (name, bootstrap_mean([value for each in questions if (value := each.evidence(name)) is not None]))
            for name in MEASURES
        ),
        bootstrap_mean([each.tokens for each in questions]),
        _quantile(seconds, 0.5),
        _quantile(seconds, 0.95),
        sum(costs) if costs else None,
        _counted(Counter(each.grade for each in run.outcomes), labels.GRADES),
        _counted(Counter(each.label for each in run.outcomes if each.label), labels.FAILURES),
        tuple((name, _share([bool(passed) for category, passed in graded if category == name])) for name in categories),
    )


def _counted(counts: Counter[str], order: Sequence[str]) -> tuple[tuple[str, int], ...]:
    rest = sorted(set(counts) - set(order))
    return tuple((name, counts[name]) for name in (*order, *rest) if counts[name])


def _share(passed: Sequence[bool]) -> Share:
    return Share(sum(passed), len(passed), *wilson(sum(passed), len(passed)))


def _quantile(ordered: Sequence[float], q: float) -> float | None:
    """Nearest rank."""
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))] if ordered else None


# ---------------------------------------------------------------------------------------------------------------- pairs


def _pair(before: RunData, after: RunData) -> Pair:
    common = [key for key in before.questions if key in after.questions]
    both = [(before.questions[key], after.questions[key]) for key in common]
    graded = [(a, b) for a, b in both if a.passed is not None and b.passed is not None]
    left, right = [bool(a.passed) for a, _ in graded], [bool(b.passed) for _, b in graded]
    lines = [
        (x, y) for a, b in both if (x := a.evidence("lines")) is not None and (y := b.evidence("lines")) is not None
    ]
    flips = [
        _flip(b.first if a.passed else a.first, bool(b.passed))
        for a, b in graded
        if bool(a.passed) is not bool(b.passed)
    ]
    test = mcnemar(left, right)
    return Pair(
        before.name,
        after.name,
        len(graded),
        paired_bootstrap([float(each) for each in left], [float(each) for each in right]),
        test,
        test.p,
        score := paired_bootstrap([a.score or 0.0 for a, _ in graded], [b.score or 0.0 for _, b in graded]),
        score.p if score else 1.0,
        found := paired_bootstrap([x for x, _ in lines], [y for _, y in lines]),
        found.p if found else 1.0,
        tokens := paired_bootstrap([a.tokens for a, _ in both], [b.tokens for _, b in both]),
        tokens.p if tokens else 1.0,
        tuple(sorted(flips, key=lambda flip: (not flip.gained, flip.category, flip.question_id))),
    )


def _flip(failing: Outcome, gained: bool) -> Flip:
    why = ": ".join(part for part in (failing.label or failing.grade, failing.notes) if part)
    return Flip(failing.question_id, failing.question, failing.category, gained, why)


def _corrected(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    columns = {name: holm([getattr(pair, name) for pair in pairs]) for name in ("p", "score_p", "lines_p", "tokens_p")}
    return tuple(
        replace(
            pair,
            p=columns["p"][at],
            score_p=columns["score_p"][at],
            lines_p=columns["lines_p"][at],
            tokens_p=columns["tokens_p"][at],
        )
        for at, pair in enumerate(pairs)
    )


def _notes(runs: Sequence[RunData]) -> tuple[str, ...]:
    notes: list[str] = []
    for run in runs:
        ungraded = Counter(outcome.notes for outcome in run.outcomes if outcome.score is None)
        if ungraded:
            why, count = ungraded.most_common(1)[0]
            notes.append(
                f"{run.name}: {sum(ungraded.values())} answers are not graded, {count} because {why or 'nobody did'}."
            )
    sets = [set(run.questions) for run in runs]
    if len({frozenset(each) for each in sets}) > 1:
        shared = len(set.intersection(*sets))
        notes.append(
            f"The runs asked different questions; pairs are compared on the shared ones ({shared} in all runs)."
        )
    if len({run.answerer for run in runs}) > 1:
        notes.append("The runs had different answerers: differences are not the tiers' alone.")
    if len({run.grader for run in runs}) > 1:
        notes.append("The runs were graded by different graders.")
    return tuple(notes)
