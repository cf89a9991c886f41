"""The loop under rules: its answer is the draft that ``agent.cca`` verifies and, where it violates, has corrected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agent.answer.openai_client import MIN_ANSWER_TOKENS
from agent.cca.apply import RuleBook, applicable, quotable_lines, report_on
from agent.cca.client import Message, OpenAIClient, Reply, Usage
from agent.cca.pipeline import solve
from agent.loop.records import AgentRun, Task

if TYPE_CHECKING:
    from agent.answer.config import AnswerConfig
    from agent.answer.records import RulesReport
    from retrieval.pack_records import ContextPack

RunTask = Callable[[Task], AgentRun]


class _NoDraftError(Exception):
    """There is nothing to verify."""

    def __init__(self, run: AgentRun) -> None:
        super().__init__(run.stopped)
        self.run = run


@dataclass
class _LoopClient:
    """The first request is a turn of the loop, with the checklist in its system message; the next is a correction."""

    run_task: RunTask
    task: Task
    corrector: OpenAIClient
    runs: list[AgentRun] = field(default_factory=list)

    def complete(
        self, messages: Sequence[Message], max_tokens: int, json_schema: Mapping[str, Any] | None = None
    ) -> Reply:
        if self.runs:
            return self.corrector.complete(messages, max_tokens, json_schema)
        run = self.run_task(replace(self.task, rules=messages[0]["content"].strip()))
        if not run.text.strip():
            raise _NoDraftError(run)
        self.runs.append(run)
        usage = Usage(run.steps, run.usage.get("prompt_tokens", 0), run.usage.get("completion_tokens", 0))
        return Reply(run.text, usage, run.model, run.stopped)


def run_ruled(
    run_task: RunTask, task: Task, pack: ContextPack, book: RuleBook, config: AnswerConfig
) -> tuple[AgentRun, RulesReport | None]:
    """The run with the text that was kept, and how it fares; no report where there is no answer.

    Raises:
        UserError: The server could not be used.
    """
    narrowed = applicable(book.compiled, task.question)
    limit = max(MIN_ANSWER_TOKENS, config.max_answer_tokens or pack.reserve)
    options = replace(book.options, max_tokens=limit, question=task.question, quotable=quotable_lines(pack))
    client = _LoopClient(run_task, task, OpenAIClient(config))
    request = [{"role": "system", "content": ""}, {"role": "user", "content": task.question}]
    try:
        outcome = solve(request, narrowed, client, options)
    except _NoDraftError as nothing:
        return nothing.run, None
    spent = sum((usage for usage in outcome.usage.values()), Usage())
    usage = {
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "total_tokens": spent.tokens,
    }
    kept = replace(client.runs[0], text=outcome.answer, stopped=outcome.interrupted, usage=usage)
    return kept, report_on(narrowed, outcome.answer, options, outcome)
