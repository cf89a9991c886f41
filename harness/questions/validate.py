"""Are the questions of a file sound? Everything that a machine can tell about them, against their corpora.

Beyond the form: gold is in the corpus; right answers pass the checks and wrong ones do not; neither the question itself
nor the right answer to another question passes; what an unanswerable question asks about is not in the corpus.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.questions.corpus import BENCHMARK_FILE, corpus_root, fetch_needed
from harness.questions.facts import check_facts
from harness.questions.gold import GoldError, GoldFinder
from harness.questions.load import iter_rows
from harness.questions.parse import QuestionError, question_from
from harness.questions.records import Check, Fact, Question
from retrieval.errors import UserError
from retrieval.source.contain import read_inside
from retrieval.source.decode import read_source
from retrieval.source.entries import Skipped
from retrieval.source.walk import walk

_MAX_FILE_BYTES = 8_000_000
_SHOWN_VALUES = 9


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a question. ``line`` is its line in the file; ``question`` its id, "" when unreadable."""

    line: int
    question: str
    text: str

    def to_dict(self) -> dict[str, object]:
        return {"line": self.line, "question": self.question, "problem": self.text}


@dataclass(frozen=True, slots=True)
class Validation:
    """Outcome for one file: what was read, what is wrong, and the corpora that could not be looked into."""

    questions: tuple[Question, ...]
    problems: tuple[Problem, ...]
    unavailable: tuple[str, ...]


Progress = Callable[[str, int, int], None]


def validate(path: Path, *, corpora: Collection[str] = (), progress: Progress | None = None) -> Validation:
    """Validate a question file.

    Args:
        corpora: Look into these corpora alone; empty means all.
        progress: Called with (phase, done, in all).

    Raises:
        UserError: The file cannot be read.
    """
    problems: list[Problem] = []
    numbered = list(_read(path, problems))
    problems += _repeated_ids(numbered)
    base = path.resolve().parent
    by_corpus: dict[str, list[tuple[int, Question]]] = {}
    for number, question in numbered:
        problems += [Problem(number, question.id, text) for text in check_answers(question)]
        if not corpora or question.corpus in corpora:
            by_corpus.setdefault(question.corpus, []).append((number, question))
    for corpus in sorted(set(corpora) - set(by_corpus)):
        problems.append(Problem(0, "", f"no question is about the corpus {corpus!r}"))
    unavailable = _fetch(by_corpus, progress)
    done, total = 0, sum(map(len, by_corpus.values()))
    for corpus, members in by_corpus.items():
        try:
            root = corpus_root(corpus, base)
        except UserError as error:
            unavailable.setdefault(corpus, error.cause)
            continue
        finder = GoldFinder(root)
        for number, question in members:
            problems += [Problem(number, question.id, text) for text in check_gold(question, finder)]
            done += 1
            if progress is not None:
                progress("Validating", done, total)
        problems += _crossed(members)
        problems += _present(members, root)
    problems.sort(key=lambda problem: (problem.line, problem.text))
    return Validation(
        tuple(question for _, question in numbered),
        tuple(problems),
        tuple(f"{corpus}: {why}" for corpus, why in sorted(unavailable.items())),
    )


def _read(path: Path, problems: list[Problem]) -> Iterator[tuple[int, Question]]:
    for number, row in iter_rows(path, lambda number, why: problems.append(Problem(number, "", why))):
        try:
            yield number, question_from(row)
        except QuestionError as error:
            problems.append(Problem(number, str(row.get("id", ""))[:80], str(error)))


def _repeated_ids(numbered: Sequence[tuple[int, Question]]) -> list[Problem]:
    first: dict[str, int] = {}
    found = []
    for number, question in numbered:
        at = first.setdefault(question.id, number)
        if at != number:
            found.append(Problem(number, question.id, f"its id is that of line {at}"))
    return found


def _fetch(by_corpus: Iterable[str], progress: Progress | None) -> dict[str, str]:
    failed: dict[str, str] = {}
    try:
        fetch_needed(by_corpus, progress)
    except UserError:  # each is tried again, and told of, by itself
        for corpus in by_corpus:
            try:
                fetch_needed([corpus])
            except UserError as error:
                failed[corpus] = error.cause
    return failed


def without_citations(question: Question) -> Question:
    """The question with the facts that a text alone can state: checks of citations are taken out."""

    def kept(facts: Sequence[Fact]) -> tuple[Fact, ...]:
        stripped = [replace(fact, check=replace(fact.check, cites=None)) for fact in facts]
        return tuple(fact for fact in stripped if fact.check != Check())

    return replace(question, must=kept(question.must), must_not=kept(question.must_not))


def check_answers(question: Question) -> list[str]:
    """What is wrong with the checks, judged by the question's own reference answers and counterexamples."""
    found: list[str] = []
    textual = without_citations(question)
    if not textual.answerable:
        return found
    for at, answer in enumerate(question.references, 1):
        verdicts = check_facts(answer, (), textual)
        found += [f"reference answer {at} does not state {fact.id!r} ({fact.text})" for fact in verdicts.missing]
        found += [f"reference answer {at} states {fact.id!r}, which is wrong" for fact in verdicts.wrong]
    for at, answer in enumerate(question.counterexamples, 1):
        if (textual.must or textual.must_not) and check_facts(answer, (), textual).passed:
            found.append(f"counterexample {at} passes every check")
    if textual.must and check_facts(question.question, (), textual).passed:
        found.append("the question itself passes every check: they tell no answer from an echo")
    return found


def check_gold(question: Question, finder: GoldFinder) -> list[str]:
    """What of the question's gold and citation checks the corpus does not have, and facts that nothing shows."""
    found: list[str] = []
    shown: list[str] = []
    for gold in question.gold:
        try:
            located = finder.locate(gold)
            file = finder.file(gold.path)
            shown.append(file.text_of(located.ranges) if located.ranges else file.text)
        except GoldError as error:
            found.append(f"gold: {error}")
    try:
        finder.located(replace(question, gold=()))
    except GoldError as error:
        found.append(f"cites: {error}")
    if not question.references and not found:
        verdicts = check_facts("\n".join(shown), (), without_citations(question))
        found += [f"no reference answer, and the gold does not state {fact.id!r}" for fact in verdicts.missing]
    return found


def _crossed(members: Sequence[tuple[int, Question]]) -> list[Problem]:
    """Questions whose checks are passed by the right answer to another question about the same corpus."""
    found = []
    for number, question in members:
        textual = without_citations(question)
        if not textual.must:
            continue
        for _, other in members:
            if {gold.path for gold in other.gold} & {gold.path for gold in question.gold}:
                continue  # an answer about the same file may well say what this question asks
            if any(check_facts(answer, (), textual).passed for answer in other.references):
                found.append(Problem(number, question.id, f"the reference answer of {other.id!r} passes every check"))
    return found


def _present(members: Sequence[tuple[int, Question]], root: Path) -> list[Problem]:
    """What unanswerable questions ask about although the corpus has it."""
    asked = [(number, question) for number, question in members if not question.answerable]
    found = [
        Problem(number, question.id, "absent: an unanswerable question names words that the corpus does not have")
        for number, question in asked
        if not question.absent
    ]
    wanted = {term.casefold() for _, question in asked for term in question.absent}
    places = _first_places(root, wanted) if wanted else {}
    for number, question in asked:
        found += [
            Problem(number, question.id, f"absent: {term!r} is in {places[term.casefold()]}")
            for term in question.absent
            if term.casefold() in places
        ]
    return found


def _first_places(root: Path, terms: Collection[str]) -> dict[str, str]:
    """term -> ``path:line`` of its first occurrence in what contextc reads of the tree; terms are case folded."""
    places: dict[str, str] = {}
    for file in walk(root).files:
        if file.path == BENCHMARK_FILE:
            continue
        try:
            data = read_inside(root, file.path, _MAX_FILE_BYTES)
        except FileNotFoundError:  # removed since the walk
            continue
        text = data.decode("utf-8", "replace").casefold() if data else ""
        found = [term for term in sorted(terms) if term not in places and term in text]
        if found and isinstance(read_source(root, file.path), Skipped):
            continue  # a word list, or generated: contextc does not know it
        for term in found:
            places[term] = f"{file.path}:{text.count(chr(10), 0, text.index(term)) + 1}"
    return places


def summary(questions: Sequence[Question]) -> str:
    """Counts by corpus, category and difficulty, one line each; of many corpora those with the most questions."""
    lines = []
    for name in ("corpus", "category", "difficulty"):
        counts = Counter(getattr(question, name) for question in questions)
        shown = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN_VALUES]
        text = ", ".join(f"{value} {count}" for value, count in sorted(shown))
        more = len(counts) - len(shown)
        lines.append(f"  {name}: {text}" + (f", … and {more} more" if more else ""))
    return "\n".join(lines)


def report_json(validation: Validation) -> str:
    return json.dumps(
        {
            "questions": len(validation.questions),
            "problems": [problem.to_dict() for problem in validation.problems],
            "unavailable": list(validation.unavailable),
        },
        ensure_ascii=False,
        indent=2,
    )
