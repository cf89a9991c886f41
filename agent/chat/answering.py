"""One turn's answer: from its pack, or by a model in the loop; both under the contract."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.answer.answerer import answer_question
from agent.answer.records import Answer
from agent.chat.settings import ChatSettings
from agent.guard import strip_controls
from agent.loop.checked import check_answer
from agent.loop.records import AgentRun, OnEvent, Task
from agent.loop.run import Agent, run_agent

if TYPE_CHECKING:
    from agent.cca.apply import RuleBook
    from agent.session import Session
    from retrieval.pack_records import ContextPack

OnText = Callable[[str], None]


def answer_from_pack(session: Session, settings: ChatSettings, pack: ContextPack, book: RuleBook | None) -> Answer:
    """By the offline answerer, or a plugin: from the pack of this question alone."""
    checks = session.checks(pack.question)
    return answer_question(pack, session.reader, session.graph, settings.config, checks=checks, rules=book)


def answer_in_loop(
    agent: Agent,
    task: Task,
    pack: ContextPack,
    book: RuleBook | None,
    on_text: OnText,
    on_event: OnEvent,
    cancel: threading.Event,
) -> tuple[Answer, AgentRun]:
    """A model's answer, every citation held against what the conversation has shown. Under rules nothing streams.

    Raises:
        UserError: The server could not be used.
    """

    def run_task(one: Task) -> AgentRun:
        shown = on_text if book is None else lambda _draft: None  # a draft that is corrected is no answer
        return run_agent(agent, one, on_text=shown, on_event=on_event, cancel=cancel)

    report = None
    if book is None:
        run = run_task(task)
    else:
        from agent.loop.ruled import run_ruled

        run, report = run_ruled(run_task, task, pack, book, agent.config)
    notes = list(run.notes)
    if run.stopped.startswith("the limit of "):
        notes.append("limits of a turn are set with --max-seconds, --max-tokens and --max-cost (0: none)")
    if agent.ir is not None and agent.ir.told():
        notes.append(agent.ir.told())
    answer = Answer(
        text=f"No answer: {run.stopped or 'the model said nothing'}.\n",
        statements=(),
        citations=(),
        abstained=True,
        missing=pack.missing,
        notes=(*notes, *(warning for warning in pack.warnings if not warning.startswith("Context rot treated"))),
        answerer="openai",
        model=f"{agent.config.provider}/{strip_controls(run.model)}",
        usage=dict(run.usage),
        question=task.question,
        rules=report,
    )
    if not run.text.strip():
        return answer, run
    if run.stopped:
        answer = replace(answer, notes=(f"the answer is incomplete: {run.stopped}", *answer.notes))
    checked = check_answer(strip_controls(run.text), agent.ledger, task.question)
    return replace(
        answer,
        text=checked.marked,
        statements=checked.statements,
        citations=checked.citations,
        abstained=checked.abstained,
    ), run
