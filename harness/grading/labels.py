"""Grades and failure labels: the closed sets that every grader writes."""

from __future__ import annotations

CORRECT = "correct"
PARTIAL = "partial"
INCORRECT = "incorrect"
ABSTAINED_CORRECTLY = "abstained-correctly"
ABSTAINED_WRONGLY = "abstained-wrongly"
UNGRADED = "ungraded"
GRADES = (CORRECT, PARTIAL, INCORRECT, ABSTAINED_CORRECTLY, ABSTAINED_WRONGLY, UNGRADED)
PASSING = frozenset({CORRECT, ABSTAINED_CORRECTLY})

MISSING = "missing evidence"  # no gold file is in the context
WRONG_CHUNK = "wrong chunk"  # the right file, other lines
TRUNCATED = "truncated"  # the right definition, cut so that what matters is not shown
STALE = "stale"  # evidence that is not what the file holds now
CONFLICTING = "conflicting"  # evidence that contradicts itself
UNGROUNDED = "ungrounded"  # stated without, or against, the evidence
IGNORED = "ignored evidence"  # shown and not used
REFUSED = "refused"  # abstained although the evidence was there
FORMAT = "format"  # empty, cut off, or not in the form that was asked for
FAILURES = (MISSING, WRONG_CHUNK, TRUNCATED, STALE, CONFLICTING, UNGROUNDED, IGNORED, REFUSED, FORMAT)

MEANING = {
    MISSING: "no line of a gold file is in the context",
    WRONG_CHUNK: "a gold file is in the context, its gold lines are not",
    TRUNCATED: "the gold definition is in the context, cut so that most of it is not shown",
    STALE: "the evidence is older than the file",
    CONFLICTING: "pieces of evidence contradict each other",
    UNGROUNDED: "something is stated that the evidence does not carry, or that is wrong",
    IGNORED: "the evidence shows the answer, the answer does not use it",
    REFUSED: "abstained although the evidence shows the answer",
    FORMAT: "empty, cut off, or without a readable statement",
}
