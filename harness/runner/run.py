"""One run: every question through one tier into one JSONL file, resumed where an earlier attempt stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.questions.load import iter_questions
from harness.questions.records import Question
from harness.runner.config import RunConfig
from harness.runner.jsonl import JsonlAppender, rows_of
from harness.runner.manifest import RunFile, find_run, new_run, write_meta
from harness.runner.pool import Task, answer_all
from retrieval.errors import UserError

_MAX_FAILURES = 8  # questions in a row that fail: what they need (a server, a corpus) is not there

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which questions of a file are asked; empty for all."""

    path: Path
    corpora: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    limit: int = 0
    skip_broken: bool = False

    def questions(self, note: Note = lambda _text: None) -> Iterator[Question]:
        """In the order of the file, read as a stream."""
        taken = 0
        for question in iter_questions(self.path, skip_bad_lines=self.skip_broken, note=note):
            if self.limit and taken >= self.limit:
                return
            if self._wants(question):
                taken += 1
                yield question

    @property
    def text(self) -> str:
        """What is chosen, for the record."""
        parts = {"corpora": self.corpora, "categories": self.categories, "ids": self.ids, "limit": self.limit}
        return "; ".join(f"{name} {value}" for name, value in parts.items() if value)

    def _wants(self, question: Question) -> bool:
        return (
            (not self.corpora or question.corpus in self.corpora)
            and (not self.categories or question.category in self.categories)
            and (not self.ids or question.id in self.ids)
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished run. ``failed`` questions have rows with an error."""

    run: RunFile
    answered: int
    resumed: int
    failed: int


def execute(
    config: RunConfig,
    selection: Selection,
    roots: Mapping[str, Path],
    out: Path,
    *,
    total: int,
    jobs: int = 1,
    fresh: bool = False,
    reuse: bool = False,
    run_id: str = "",
    progress: Callable[[int, int], None] = lambda done, total: None,
    note: Note = lambda _text: None,
) -> Outcome:
    """Answer what is not answered yet.

    An unfinished run of the same configuration in ``out`` is gone on with, unless ``fresh``; with ``reuse`` a complete
    one is taken as it is. A row counts when it is on the disk, so that a kill or a full disk loses at most the
    questions in flight.

    Raises:
        UserError: The run is being written by another process; the disk is full; several questions in a row failed.
    """
    run = None if fresh else find_run(out, config, run_id, complete=reuse)
    run = run or new_run(out, config, run_id)
    with JsonlAppender(run.path, note) as appender:
        done = answered_in(run.path)
        write_meta(run, config, "running", questions=str(selection.path), total=total)
        if done:
            note(f"Going on with {run.run_id}: {len(done)} of {total} answered before.")
        answered = failed = in_a_row = 0
        progress(len(done), total)
        for row in answer_all(_tasks(selection, config.answering.repeat, done), run.run_id, config, roots, jobs):
            appender.append(row)
            answered += 1
            failed += bool(row["error"])
            in_a_row = in_a_row + 1 if row["error"] else 0
            progress(len(done) + answered, total)
            if in_a_row >= _MAX_FAILURES and (config.answering.answerer == "openai" or failed == answered):
                raise UserError(
                    f"{in_a_row} questions in a row failed, the last with: {row['error'][:300]}",
                    f"Mend that and give the same command again; {run.path} keeps what was answered.",
                )
        write_meta(
            run,
            config,
            "complete" if not failed else "failed",
            questions=str(selection.path),
            total=total,
            failed=failed,
        )
    return Outcome(run, answered, len(done), failed)


def answered_in(path: Path) -> set[tuple[str, int]]:
    """(question id, repeat) of each row without an error."""
    done: set[tuple[str, int]] = set()
    for _, row in rows_of(path, skip_broken=False, note=lambda _text: None):
        key = (str(row.get("question_id")), int(row.get("repeat") or 0))
        done.discard(key)
        if not row.get("error"):
            done.add(key)
    return done


def _tasks(selection: Selection, repeats: int, done: set[tuple[str, int]]) -> Iterator[Task]:
    for question in selection.questions():
        for repeat in range(repeats):
            if (question.id, repeat) not in done:
                yield question, repeat
