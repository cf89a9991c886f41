"""From a question to its checked answer, in steps that a server reports as they are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agent.serve.keeper import Keeper
from agent.serve.problems import RequestError
from agent.serve.tree import says_something
from agent.serve.work import Gone, lent
from agent.tools.pool import SessionPool
from retrieval.errors import UserError
from retrieval.pack_records import ContextPack, Plan, QuestionClass

if TYPE_CHECKING:
    from agent.answer.answerer import AnswerRules
    from agent.answer.config import AnswerConfig
    from agent.answer.records import Answer
    from agent.serve.settings import RulesFor

#: Name of an event and its JSON-ready data.
Emit = Callable[[str, Any], None]
_UPDATE_WAIT_S = 3.0  # for files that changed; a longer update is not waited for


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, and how it is to be answered."""

    text: str
    budget: int
    reserve: int
    config: AnswerConfig
    rules: RulesFor | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """The pack that the answer rests on. ``answer`` is None when a model has still to give it."""

    question: Question
    pack: ContextPack
    actions: tuple[str, ...]
    answer: Answer | None
    rules: AnswerRules | None = None


def fresh_pack(pool: SessionPool, keeper: Keeper, question: str, budget: int, reserve: int, gone: Gone) -> ContextPack:
    """The pack; compiled once more when files had changed that the index was about to follow."""
    if not says_something(question):
        return _empty_pack(question, budget, reserve)
    seen = keeper.updates
    with lent(pool, gone) as session:
        pack = session.checked_pack(question, budget=budget, reserve=reserve)
    if any(finding.kind == "stale" for finding in pack.rot) and keeper.wait_for_update(seen, _UPDATE_WAIT_S):
        with lent(pool, gone) as session:
            pack = session.checked_pack(question, budget=budget, reserve=reserve)
    return pack


def _empty_pack(question: str, budget: int, reserve: int) -> ContextPack:
    return ContextPack(
        question=question,
        plan=Plan(question, QuestionClass.EXPLAIN),
        chunks=(),
        total_tokens=0,
        budget=budget,
        reserve=reserve,
        strength=0.0,
        sufficient=False,
        missing=("anything to look for: the question has neither letters nor digits",),
    )


def prepare(pool: SessionPool, keeper: Keeper, question: Question, emit: Emit, gone: Gone) -> Prepared:
    """Compile and treat the evidence, tell it, and answer at once unless a model is to."""
    from agent.answer.answerer import answer_question, treat_pack, with_actions
    from retrieval.compile.schema import pack_to_dict

    gone.check()
    pack = fresh_pack(pool, keeper, question.text, question.budget, question.reserve, gone)
    gone.check()
    with lent(pool, gone) as session:
        checks = session.checks(question.text)
        actions: tuple[str, ...] = ()
        if not question.config.strict:
            pack, actions = treat_pack(pack, checks)
        told = pack_to_dict(pack)
        emit("plan", told["plan"])
        emit("pack", told)
        emit("rot", {"findings": told["rot"], "actions": list(actions)})
        rules = question.rules(session, pack, question.config) if question.rules is not None else None
        if _asks_model(pack, question.config):
            return Prepared(question, pack, actions, None, rules)
        answer = answer_question(
            pack,
            session.reader,
            session.graph,
            question.config,
            lambda piece: emit("text", {"text": piece}),
            checks=checks,
            treat=False,
            rules=rules,
        )
    return Prepared(question, pack, actions, answer if question.config.strict else with_actions(answer, actions))


def answer_by_model(prepared: Prepared, emit: Emit, gone: Gone) -> Answer:
    """The model's answer, streamed; under rules in one piece, when it has been verified.

    Raises:
        RequestError: 502, the model server could not be used.
        GoneError: The client has gone.
    """
    from agent.answer.answerer import answer_from_model

    def pass_on(piece: str) -> None:
        gone.check()
        emit("text", {"text": piece})

    gone.check()
    try:
        if prepared.rules is not None:
            answer = prepared.rules.answer(prepared.pack, prepared.question.config, gone.sleep)
            pass_on(answer.text)
            return replace(answer, rot_actions=prepared.actions)
        answer = answer_from_model(
            prepared.pack,
            prepared.question.config,
            pass_on,
            gone.sleep,
            lambda stream: gone.on_gone(stream.hang_up),
        )
    except UserError as error:
        raise RequestError(502, error.cause, error.mend) from error
    return replace(answer, rot_actions=prepared.actions)


def _asks_model(pack: ContextPack, config: AnswerConfig) -> bool:
    if not (config.wants_model and pack.chunks and pack.sufficient):
        return False
    return not (config.strict and any(finding.severity in ("warning", "error") for finding in pack.rot))
