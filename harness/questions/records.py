"""What a benchmark question is made of: frozen records without I/O, JSON through ``to_dict``.

The JSON form is described by ``question.schema.json``; ``parse.question_from`` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

QUESTION_SCHEMA_VERSION = 1

SYMBOL_LOOKUP = "symbol-lookup"
EXPLANATION = "explanation"
RELATIONSHIP = "relationship"
CHANGE_IMPACT = "change-impact"
DEBUGGING = "debugging"
ARCHITECTURE = "architecture"
CONFIGURATION = "configuration"
UNANSWERABLE = "unanswerable"
LOCALISATION = "localisation"  # mined from history or from an issue: which code has to change
CATEGORIES = (
    SYMBOL_LOOKUP,
    EXPLANATION,
    RELATIONSHIP,
    CHANGE_IMPACT,
    DEBUGGING,
    ARCHITECTURE,
    CONFIGURATION,
    UNANSWERABLE,
    LOCALISATION,
)
DIFFICULTIES = ("easy", "medium", "hard")

SELF = "self"  # the corpus that is this repository

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Gold:
    """A place that a right answer rests on.

    Attributes:
        path: Relative to the corpus, with forward slashes.
        symbol: Name of a definition inside the file (``Flask.run``); None for the file alone, for ``text`` and for
            ``ranges``.
        ranges: First and last lines, 1-based, inclusive; empty when the lines are computed from ``symbol`` or ``text``.
        text: Part of a line: the gold is the line or lines of ``symbol`` that hold it; without a symbol the paragraph
            (the run of lines without a blank one) around its first occurrence in the file.
    """

    path: str
    symbol: str | None = None
    ranges: tuple[Range, ...] = ()
    text: str = ""

    def to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {"path": self.path}
        if self.symbol is not None:
            row["symbol"] = self.symbol
        if self.text:
            row["text"] = self.text
        if self.ranges:
            row["ranges"] = [list(pair) for pair in self.ranges]
        return row


@dataclass(frozen=True, slots=True)
class Cite:
    """The answer has to cite lines of this file, of this symbol when one is given."""

    path: str
    symbol: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"path": self.path} if self.symbol is None else {"path": self.path, "symbol": self.symbol}


@dataclass(frozen=True, slots=True)
class Check:
    """A deterministic check of an answer; every part that is given has to hold. See ``facts`` for the phrases.

    Attributes:
        any_of: Phrases of which one has to occur.
        all_of: Groups of phrases; of every group one has to occur.
        regex: A pattern of the bounded subset in ``patterns``, searched in the answer's text, case ignored.
        cites: A place that has to be among the citations.
    """

    any_of: tuple[str, ...] = ()
    all_of: tuple[tuple[str, ...], ...] = ()
    regex: str = ""
    cites: Cite | None = None

    def to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {}
        if self.any_of:
            row["any_of"] = list(self.any_of)
        if self.all_of:
            row["all_of"] = [group[0] if len(group) == 1 else list(group) for group in self.all_of]
        if self.regex:
            row["regex"] = self.regex
        if self.cites is not None:
            row["cites"] = self.cites.to_dict()
        return row


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that an answer must, or must not, state. ``text`` is for people, ``check`` for the grader."""

    id: str
    text: str
    check: Check

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.id, "text": self.text, "check": self.check.to_dict()}


@dataclass(frozen=True, slots=True)
class Question:
    """One benchmark question.

    Attributes:
        id: Unique in its file.
        corpus: What ``corpus.corpus_root`` resolves: ``self``, the name of a pinned source distribution,
            ``NAME==VERSION#sha256=DIGEST``, ``path:FOLDER`` or ``git:FOLDER@COMMIT``.
        must, must_not: Facts that an answer has to state, and that it has not to state.
        answerable: False when the corpus does not hold the answer: abstaining is right.
        references: Right answers in different words; the checks have to accept each of them.
        counterexamples: Wrong answers that sound right; the checks have to reject each of them.
        absent: Words that must not occur in the corpus of an unanswerable question (case ignored).
        leaks: Gold paths and symbols that the question quotes verbatim (mined questions).
        source: Where the question comes from, for example a commit; "" when written for the benchmark.
    """

    id: str
    corpus: str
    question: str
    category: str
    difficulty: str
    gold: tuple[Gold, ...] = ()
    must: tuple[Fact, ...] = ()
    must_not: tuple[Fact, ...] = ()
    answerable: bool = True
    references: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    leaks: tuple[str, ...] = ()
    source: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; key order is fixed, empty optional fields are left out."""
        row: dict[str, Any] = {
            "id": self.id,
            "corpus": self.corpus,
            "question": self.question,
            "category": self.category,
            "difficulty": self.difficulty,
            "answerable": self.answerable,
            "gold": [gold.to_dict() for gold in self.gold],
            "must": [fact.to_dict() for fact in self.must],
            "must_not": [fact.to_dict() for fact in self.must_not],
        }
        for name in ("references", "counterexamples", "absent", "leaks"):
            if getattr(self, name):
                row[name] = list(getattr(self, name))
        if self.source:
            row["source"] = self.source
        return row


@dataclass(frozen=True, slots=True)
class FactVerdict:
    """Whether the answer states a fact."""

    fact: Fact
    stated: bool


@dataclass(frozen=True, slots=True)
class FactVerdicts:
    """An answer held against the facts of its question."""

    must: tuple[FactVerdict, ...] = ()
    must_not: tuple[FactVerdict, ...] = ()

    @property
    def missing(self) -> tuple[Fact, ...]:
        """Facts that had to be stated and are not."""
        return tuple(verdict.fact for verdict in self.must if not verdict.stated)

    @property
    def wrong(self) -> tuple[Fact, ...]:
        """Facts that had not to be stated and are."""
        return tuple(verdict.fact for verdict in self.must_not if verdict.stated)

    @property
    def share(self) -> float:
        """Share of the facts to state that are stated, 0..1; 1 when there are none."""
        return sum(verdict.stated for verdict in self.must) / len(self.must) if self.must else 1.0

    @property
    def passed(self) -> bool:
        """Everything that had to be stated is, and nothing that had not to be."""
        return not self.missing and not self.wrong
