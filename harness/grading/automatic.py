"""The deterministic grader: facts that must and must not be stated, citations, abstention, evidence recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.grading import labels
from harness.grading.record import Grade, ungraded
from harness.questions.facts import check_facts
from harness.questions.parse import QuestionError, question_from
from harness.questions.records import Question

NAME = "facts-1"
_SHOWN_ENOUGH = 0.5  # of the gold lines: from here on the context is not what failed
_GROUNDED_SHARE = 0.5  # of the statements of fact whose citations hold; fewer, and the answer is not grounded


@dataclass(frozen=True, slots=True)
class _Cited:
    path: str
    start: int
    end: int
    symbol: str


def grade_automatically(row: Mapping[str, Any]) -> Grade:
    """Grade a run's row; what is no answer, or carries no reference, stays ungraded.

    *correct*: every fact that must be stated is, none that must not, and the citations of at least half of its
    statements hold. *partial*: some of the facts, or all of them ungrounded. *incorrect*: none, or a wrong one.
    Without facts the gold places count that the answer cites. An unanswerable question is answered by abstaining.
    """
    try:
        return _grade(row)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        return ungraded(f"the row cannot be read ({type(error).__name__}: {error})")


def _grade(row: Mapping[str, Any]) -> Grade:
    if row.get("error"):
        return ungraded(f"the run failed here: {row['error']}")
    if row.get("answerer") == "none":
        return ungraded("the run has evidence only")
    try:
        question = question_from(row.get("reference"))
    except QuestionError as error:
        return ungraded(f"the row has no reference to grade by ({error})")
    answer = str(row.get("answer") or "")
    abstained = bool(row.get("abstained"))
    cited = tuple(
        _Cited(str(c["path"]), int(c["start"]), int(c["end"]), str(c.get("symbol") or ""))
        for c in row.get("citations") or ()
    )
    if not question.answerable:
        return _unanswerable(question, answer, abstained, cited)
    if abstained:
        label = failure_label(row)
        return Grade(labels.ABSTAINED_WRONGLY, label, f"abstained; {_evidence_note(row)}")
    if not answer.strip():
        return Grade(labels.INCORRECT, labels.FORMAT, "the answer is empty")
    located = {(path, symbol): [(a, b) for a, b in ranges] for path, symbol, ranges in row.get("located") or ()}
    verdicts = check_facts(answer, cited, question, located)
    share = verdicts.share if question.must else _cited_share(row, cited)
    missing = [fact.id for fact in verdicts.missing]
    wrong = [fact.id for fact in verdicts.wrong]
    details = {"share": round(share, 6), "missing": missing, "wrong": wrong, "grounded": round(_grounded(row), 6)}
    notes = "; ".join(
        [
            *(f"not stated: {fact.text}" for fact in verdicts.missing),
            *(f"wrongly stated: {fact.text}" for fact in verdicts.wrong),
            _evidence_note(row),
        ]
    )
    grounded = _grounded(row) >= _GROUNDED_SHARE
    if wrong:
        return Grade(labels.INCORRECT, labels.UNGROUNDED, notes, details)
    if share >= 1.0 and grounded:
        return Grade(labels.CORRECT, None, notes, details)
    label = labels.UNGROUNDED if share >= 1.0 else failure_label(row)
    return Grade(labels.PARTIAL if share > 0 else labels.INCORRECT, label, notes, details)


def _unanswerable(question: Question, answer: str, abstained: bool, cited: Sequence[_Cited]) -> Grade:
    verdicts = check_facts(answer, cited, question)
    if verdicts.wrong:
        said = "; ".join(f"wrongly stated: {fact.text}" for fact in verdicts.wrong)
        return Grade(labels.INCORRECT, labels.UNGROUNDED, said, {"wrong": [fact.id for fact in verdicts.wrong]})
    if abstained or (question.must and verdicts.passed):
        return Grade(labels.ABSTAINED_CORRECTLY)
    return Grade(labels.INCORRECT, labels.UNGROUNDED, "answered although the corpus does not hold the answer")


def _grounded(row: Mapping[str, Any]) -> float:
    """Share of the statements of fact whose citations hold; 1 when the run did not record them."""
    statements = row.get("statements") or {}
    facts = int(statements.get("facts") or 0)
    return int(statements.get("supported") or 0) / facts if facts else 1.0


def _cited_share(row: Mapping[str, Any], cited: Sequence[_Cited]) -> float:
    """Share of the gold places that a citation touches."""
    gold = row.get("gold") or ()
    hits = 0
    for place in gold:
        at_path = [each for each in cited if each.path == place["path"]]
        ranges = place.get("ranges") or ()
        hits += any(not ranges or any(a <= each.end and b >= each.start for a, b in ranges) for each in at_path)
    return hits / len(gold) if gold else 0.0


def _lines_shown(row: Mapping[str, Any]) -> float | None:
    score = row.get("evidence_score") or {}
    value = score.get("lines") if score.get("lines") is not None else score.get("files")
    return None if value is None else float(value)


def failure_label(row: Mapping[str, Any]) -> str:
    """Why an answer failed: first what the context lacked, then what the answerer did with it."""
    label = _context_label(row)
    if label:
        return label
    if row.get("abstained"):
        return labels.REFUSED
    rot = [str(each) for each in row.get("context_rot_issues") or ()]
    for kind, name in (("stale", labels.STALE), ("conflicting", labels.CONFLICTING)):
        if any(each.startswith(f"{kind} (error") or each.startswith(f"{kind} (warning") for each in rot):
            return name
    return labels.IGNORED if _grounded(row) >= _GROUNDED_SHARE else labels.UNGROUNDED


def _context_label(row: Mapping[str, Any]) -> str | None:
    """What the context lacks; None when it shows at least half of the gold lines."""
    score = row.get("evidence_score") or {}
    if score.get("files") == 0:
        return labels.MISSING
    shown = _lines_shown(row)
    if shown is None or shown >= _SHOWN_ENOUGH:
        return None
    return labels.TRUNCATED if _touched(row) else labels.WRONG_CHUNK


def _touched(row: Mapping[str, Any]) -> bool:
    """Every gold place in a file that is shown has a line shown: it is there, in part."""
    shown: dict[str, list[Sequence[int]]] = {}
    for each in row.get("evidence") or ():
        shown.setdefault(each["path"], []).extend(each["ranges"])
    places = [place for place in row.get("gold") or () if place.get("ranges")]
    return bool(places) and all(
        any(a <= last and b >= first for a, b in place["ranges"] for first, last in shown.get(place["path"], ()))
        for place in places
    )


def _evidence_note(row: Mapping[str, Any]) -> str:
    score = row.get("evidence_score") or {}
    parts = [f"{name} {score[name]:.2f}" for name in ("files", "lines", "symbols") if score.get(name) is not None]
    return f"gold shown: {', '.join(parts)}" if parts else "no gold"
