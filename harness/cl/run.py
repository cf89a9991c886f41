"""Runs methods over contexts and their tasks; one JSONL row a preparation and one a task, resumed after a kill."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.cca.client import ChatClient, Usage
from agent.cca.protocol import Inferred, Method, Prepared, Settings
from harness.cl.grade import ClGrade, grade
from harness.cl.rows import fault_of
from harness.cl.tasks import ClTask, contexts_of
from harness.runner.jsonl import JsonlAppender, rows_of
from retrieval.errors import UserError

SCHEMA = "contextc.cl/1"
_MAX_FAILURES = 3  # in a row: the server is gone, the rest would fail likewise

Note = Callable[[str], None]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Graders:
    judge: ChatClient | None = None
    votes: int = 1
    judge_all: bool = False

    def __call__(self, task: ClTask, answer: str) -> ClGrade:
        return grade(task, answer, self.judge, self.votes, judge_all=self.judge_all)


def run(
    tasks: Sequence[ClTask],
    methods: Sequence[Method],
    client: ChatClient,
    settings: Settings,
    graders: Graders,
    path: Path,
    *,
    model: str = "",
    note: Note = lambda _text: None,
    progress: Progress = lambda _phase, _done, _of: None,
) -> None:
    """Append what is not yet in ``path``. A task that failed for the server's sake is asked again by the next run.

    Raises:
        UserError: The file cannot be written, or the server failed several times in a row.
    """
    done = {(row["method"], row["task_id"]) for row in read_rows(path, note)[1] if not row.get("error")}
    groups = contexts_of(tasks)
    at, of = 0, len(tasks) * len(methods)
    failures = 0
    with JsonlAppender(path, note) as out:
        for method in methods:
            for context, group in groups.values():
                open_tasks = [task for task in group if (method.name, task.id) not in done]
                at += len(group) - len(open_tasks)
                if not open_tasks:
                    continue
                progress(method.name, at, of)
                prepared = method.prepare(context, settings, client)
                out.append(_prepared_row(prepared, context.id, model))
                for task in open_tasks:
                    progress(method.name, at, of)
                    at += 1
                    row = _task_row(method, prepared, task, settings, client, graders, model)
                    failures = failures + 1 if row["error"] else 0
                    out.append(row)
                    if failures >= _MAX_FAILURES:
                        raise UserError(
                            f"{failures} tasks in a row failed: {row['error']}",
                            f"Mend the cause and give the same command again; {path} keeps what is done.",
                        )
        progress("done", of, of)


def _prepared_row(prepared: Prepared, context_id: str, model: str) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "kind": "prepared",
        "method": prepared.method,
        "context_id": context_id,
        "ok": prepared.ok,
        "notes": list(prepared.notes),
        "usage": _usage(prepared.usage),
        "model": model,
    }


def _task_row(
    method: Method,
    prepared: Prepared,
    task: ClTask,
    settings: Settings,
    client: ChatClient,
    graders: Graders,
    model: str,
) -> dict[str, Any]:
    error = ""
    try:
        inferred = method.infer(prepared, task.messages, settings, client)
    except UserError as failure:
        inferred = Inferred("", {})
        error = "" if "empty answer" in failure.cause else failure.cause  # nothing is an answer, too: a wrong one
    graded = ClGrade(None, {}, "", error) if error else graders(task, inferred.answer)
    return {
        "schema": SCHEMA,
        "kind": "task",
        "method": method.name,
        "task_id": task.id,
        "context_id": task.context_id,
        "category": task.category,
        "sub_category": task.sub_category,
        "answer": inferred.answer,
        "interrupted": inferred.interrupted,
        "usage": _usage(inferred.usage),
        "meta": dict(inferred.meta),
        "grade": graded.to_dict(),
        "error": error,
        "model": model,
    }


def _usage(usage: Mapping[str, Usage]) -> dict[str, dict[str, Any]]:
    return {phase: spent.to_dict() for phase, spent in usage.items()}


def read_rows(path: Path, note: Note = lambda _text: None) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(preparations, tasks) of a run's file, the latest row of each method and context or task; ([], []) for no file.

    Raises:
        UserError: The file cannot be read or is none of ours.
    """
    prepared: dict[tuple[str, str], dict[str, Any]] = {}
    tasks: dict[tuple[str, str], dict[str, Any]] = {}
    if not path.is_file():
        return [], []
    for number, row in rows_of(path, skip_broken=True, note=note):
        if row.get("schema") != SCHEMA:
            raise UserError(f"{path}, line {number} is no row of contextc bench cl.", "Name a file that it wrote.")
        if fault := fault_of(row):
            raise UserError(
                f"{path}, line {number}: {fault!r} is not what contextc bench cl writes.", "Mend or remove that line."
            )
        if row["kind"] == "prepared":
            prepared[row["method"], row["context_id"]] = row
        else:
            tasks[row["method"], row["task_id"]] = row
    return list(prepared.values()), list(tasks.values())
