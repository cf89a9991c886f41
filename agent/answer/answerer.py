"""One question, one answer: treat the pack's defects, choose the answerer, check every sentence, say what was done."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from agent.answer.config import AnswerConfig
from agent.answer.context_ir import told
from agent.answer.model_text import answer_of
from agent.answer.offline import answer as answer_offline
from agent.answer.offline.ports import Graph, Reader
from agent.answer.openai_client import ModelStream, stream_answer
from agent.answer.plugin import answer_from_plugin
from agent.answer.records import Answer, RulesReport
from agent.answer.streaming import pass_on
from agent.guard import strip_controls
from retrieval.compile.rot import RotChecks
from retrieval.pack_records import ContextPack, RotFinding

CUTS = ("dropped ", "re-sliced ")  # how lines about what was taken out of a pack begin
REFUSING = frozenset({"warning", "error"})  # severities that --strict does not answer from


class AnswerRules(Protocol):
    """Rules that an answer has to obey, compiled and checked elsewhere (``agent.cca.apply``)."""

    def answer(self, pack: ContextPack, config: AnswerConfig, sleep: Callable[[float], None]) -> Answer:
        """A model's answer under the rules, its report included."""

    def report(self, pack: ContextPack, text: str) -> RulesReport:
        """How a text fares against the rules that bear on the pack's question."""


def answer_question(
    pack: ContextPack,
    reader: Reader,
    graph: Graph | None,
    config: AnswerConfig,
    on_text: Callable[[str], None] | None = None,
    *,
    checks: RotChecks | None = None,
    refresh: Callable[[ContextPack], ContextPack] | None = None,
    treat: bool = True,
    sleep: Callable[[float], None] = time.sleep,
    rules: AnswerRules | None = None,
) -> Answer:
    """Answer ``pack.question`` from ``pack`` under the contract.

    Args:
        on_text: Gets pieces of text as they arrive, free of terminal control; the offline answer comes in one piece.
            The text that streams is not checked yet: ``Answer.text`` is, with its marks.
        checks: What rot detection may ask about the present (files on disk, the index).
        refresh: Updates the index and compiles the question again, for stale evidence.
        treat: Act on rot before answering; False answers from the pack exactly as it is.
        rules: What the answer is held against; a model answers under them, and nothing streams then.

    Raises:
        UserError: The model server could not be used.
    """
    from retrieval.compile.rot import detect_rot

    if config.strict:
        findings = pack.rot if checks is None else detect_rot(pack, checks)
        blocking = [finding for finding in findings if finding.severity in REFUSING]
        if blocking:
            return _emit(_refusal(pack, blocking), on_text)
        actions: tuple[str, ...] = ()
    elif not treat:
        actions = ()
    else:
        pack, actions = treat_pack(pack, checks, refresh)
    if config.wants_model and pack.chunks and pack.sufficient:
        if rules is not None:
            answer = rules.answer(pack, config, sleep)
            return _emit(with_actions(answer, actions), on_text)
        answer = answer_from_model(pack, config, on_text, sleep)
        return with_actions(answer, actions)
    if config.is_plugin and pack.chunks and pack.sufficient:
        answer = answer_from_plugin(pack, config, None if rules else on_text)
        if rules is None:
            return with_actions(answer, actions)
    else:
        answer = answer_offline(pack, reader, graph)
    if config.wants_model:
        why = "the evidence is too thin for a model to answer from"
        answer = replace(answer, notes=(*answer.notes, f"no model was asked: {why}"))
    if rules is not None:
        answer = replace(answer, rules=rules.report(pack, answer.text))
    return _emit(with_actions(answer, actions), on_text)


def with_actions(answer: Answer, actions: Sequence[str]) -> Answer:
    """The answer, told what was done about its pack's defects.

    Beside a list of every call that the graph holds, "left out 21 weak pieces of evidence" would read as if calls were
    missing from it: what was cut from a pack that the answer does not rest on is left to the pack's own decisions.
    """
    told = tuple(line for line in actions if not (answer.looked_up and line.startswith(CUTS)))
    return replace(answer, rot_actions=told)


def treat_pack(
    pack: ContextPack, checks: RotChecks | None, refresh: Callable[[ContextPack], ContextPack] | None = None
) -> tuple[ContextPack, tuple[str, ...]]:
    """The pack that an answer is to rest on, and what was done about its defects or remains of them, one line each."""
    from retrieval.compile.rot_actions import apply_rot_actions

    treated = apply_rot_actions(pack, checks, refresh=refresh)
    remaining = (_told(finding) for finding in treated.pack.rot if finding.severity in REFUSING)
    return treated.pack, (*treated.done, *remaining)


def answer_from_model(
    pack: ContextPack,
    config: AnswerConfig,
    on_text: Callable[[str], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    on_stream: Callable[[ModelStream], None] = lambda _stream: None,
) -> Answer:
    """A model's answer from the pack exactly as it is, checked; what ``on_text`` raises ends the request.

    Args:
        on_stream: Gets the request before it is sent, to hang up on it from another thread.

    Raises:
        UserError: The model server could not be used.
    """
    stream = stream_answer(pack, config, sleep)
    on_stream(stream)
    text = pass_on(stream, on_text)
    metrics = stream.stage.metrics if stream.stage is not None else None
    return answer_of(
        text,
        pack,
        model=f"{config.provider}/{stream.model}",
        usage=stream.usage,
        interrupted=stream.interrupted,
        notes=[told(metrics)] if metrics is not None else (),
    )


def _refusal(pack: ContextPack, findings: list[RotFinding]) -> Answer:
    count = "a defect" if len(findings) == 1 else f"{len(findings)} defects"
    told = [_told(finding) for finding in findings]
    lines = [f"Not answered: --strict was given and the evidence has {count}.", "", *(f"- {line}" for line in told)]
    return Answer(
        text=strip_controls("\n".join(lines)) + "\n",
        statements=(),
        citations=(),
        abstained=True,
        missing=pack.missing,
        answerer="none",
        rot_actions=tuple(told),
        refused=True,
        question=pack.question,
    )


def _told(finding: RotFinding) -> str:
    numbers = "".join(f"[{number}]" for number in finding.chunks[:8])
    action = f" -> {finding.action}" if finding.action else ""
    return f"{finding.kind} ({finding.severity}){' ' + numbers if numbers else ''}: {finding.message}{action}"


def _emit(answer: Answer, on_text: Callable[[str], None] | None) -> Answer:
    """Whole answers leave free of terminal control, too."""
    answer = replace(answer, text=strip_controls(answer.text))
    if on_text is not None:
        on_text(answer.text)
    return answer
