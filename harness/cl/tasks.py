"""CL-bench's records: JSONL with ``messages``, ``rubrics`` and ``metadata.{task_id, context_id, context_category,
sub_category}``. A rubric is a text for a judge, or ``{"text", "check"}`` with a check that a program runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.cca.protocol import Context
from harness.questions.load import iter_rows, line_policy
from retrieval.errors import UserError

OWN_SET = Path(__file__).with_name("tasks.jsonl")
_ROLES = frozenset({"system", "developer", "user", "assistant"})


@dataclass(frozen=True, slots=True)
class Rubric:
    """``check``: of the check language (``agent/cca/checks.py``); None where only a judge can tell."""

    id: str
    text: str
    check: Any = None


@dataclass(frozen=True, slots=True)
class ClTask:
    id: str
    context_id: str
    category: str
    sub_category: str
    messages: tuple[Mapping[str, str], ...]
    rubrics: tuple[Rubric, ...]
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()


class TaskError(ValueError):
    """What is wrong with a row, in one line."""


def load_tasks(path: Path, *, skip_bad_lines: bool = False, note: Callable[[str], None] | None = None) -> list[ClTask]:
    """The tasks in file order.

    Raises:
        UserError: The file cannot be read, holds no task, or (unless ``skip_bad_lines``) a row is broken or repeated.
    """
    broken = line_policy(path, skip_bad_lines, note)
    tasks: dict[str, ClTask] = {}
    for number, row in iter_rows(path, broken):
        try:
            task = task_from(row)
        except TaskError as error:
            broken(number, str(error))
            continue
        if task.id in tasks:
            broken(number, f"the task_id {task.id!r} occurs twice")
            continue
        tasks[task.id] = task
    if not tasks:
        raise UserError(f"{path} holds no task.", "Give a JSONL file of CL-bench's form, or none for the set shipped.")
    return list(tasks.values())


def task_from(row: Mapping[str, Any]) -> ClTask:
    """A task from a row.

    Raises:
        TaskError: The row is none.
    """
    metadata = row.get("metadata")
    if not isinstance(metadata, Mapping):
        raise TaskError("it has no metadata")
    named = {key: metadata.get(key) for key in ("task_id", "context_id", "context_category", "sub_category")}
    for key, value in named.items():
        if isinstance(value, int) and not isinstance(value, bool):
            named[key] = str(value)
        elif value is None and key == "sub_category":
            named[key] = ""
        elif not isinstance(value, str) or not value:
            raise TaskError(f"metadata.{key} is missing")
    rubrics = row.get("rubrics")
    if not isinstance(rubrics, list) or not rubrics:
        raise TaskError("it has no rubrics")
    examples = row.get("examples") if isinstance(row.get("examples"), Mapping) else {}
    return ClTask(
        str(named["task_id"]),
        str(named["context_id"]),
        str(named["context_category"]),
        str(named["sub_category"]),
        _messages(row.get("messages")),
        tuple(_rubric(each, at) for at, each in enumerate(rubrics, start=1)),
        _strings((examples or {}).get("good")),
        _strings((examples or {}).get("bad")),
    )


def _messages(value: object) -> tuple[Mapping[str, str], ...]:
    if not isinstance(value, list) or not value:
        raise TaskError("it has no messages")
    out = []
    for each in value:
        if not isinstance(each, Mapping) or each.get("role") not in _ROLES or not isinstance(each.get("content"), str):
            raise TaskError("a message lacks a role or a text")
        out.append({"role": str(each["role"]), "content": each["content"]})
    if out[-1]["role"] != "user":
        raise TaskError("the last message is not the user's")
    return tuple(out)


def _rubric(value: object, at: int) -> Rubric:
    from agent.cca.check_data import CheckError, parse_check

    if isinstance(value, str) and value.strip():
        return Rubric(f"r{at}", value.strip())
    if not isinstance(value, Mapping):
        raise TaskError(f"rubric {at} is neither a text nor an object")
    text = next((value[key] for key in ("text", "criterion", "rubric") if isinstance(value.get(key), str)), "")
    if not text.strip():
        raise TaskError(f"rubric {at} has no text")
    if value.get("check") is None:
        return Rubric(f"r{at}", text.strip())
    try:
        return Rubric(f"r{at}", text.strip(), parse_check(value["check"]))
    except CheckError as error:
        raise TaskError(f"the check of rubric {at} is none: {error}") from None


def _strings(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def contexts_of(tasks: Sequence[ClTask]) -> dict[str, tuple[Context, list[ClTask]]]:
    """The tasks by context, in the order in which contexts first occur, with what the tasks of each share."""
    groups: dict[str, list[ClTask]] = {}
    for task in tasks:
        groups.setdefault(task.context_id, []).append(task)
    return {key: (shared(key, group), group) for key, group in groups.items()}


def shared(context_id: str, tasks: Sequence[ClTask]) -> Context:
    """System message and text that all tasks share: the longer of the system message and the common beginning of
    the first other messages. Where that would take a task's whole request, its last paragraph is left as the question.
    """
    systems = {task.messages[0]["content"] if task.messages[0]["role"] == "system" else "" for task in tasks}
    system = systems.pop() if len(systems) == 1 else ""
    firsts = [next(each["content"] for each in task.messages if each["role"] != "system") for task in tasks]
    text = _common(firsts)
    whole = any(task.messages[-1]["content"] == text for task in tasks)
    if whole or any(len(text) < len(each) for each in firsts):
        end = text.rstrip().rfind("\n\n") if whole else text.rfind("\n")
        text = text[: end + 1] if end > 0 else ""
    text = text.strip()
    return Context(context_id, "", system) if len(system) > len(text) else Context(context_id, system, text)


def _common(texts: Sequence[str]) -> str:
    low, high = min(texts), max(texts)
    size = next((at for at, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return low[:size]
