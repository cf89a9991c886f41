"""The loop: ask the model, do what it calls, until it answers or a limit is reached."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agent.answer.config import AnswerConfig
from agent.answer.openai_errors import TooLongError
from agent.loop.calls import Caller
from agent.loop.context import TurnContext, tokens_of
from agent.loop.ledger import Ledger
from agent.loop.limits import Limits, Meter
from agent.loop.model import CancelledRunError, ToolsRefusedError, ask_model
from agent.loop.protocols import CallProtocol, NativeCalls, TextCalls, ToolSpec
from agent.loop.records import AgentRun, Called, OnEvent, Reply, Task, Tools
from agent.loop.taint import Taint
from retrieval.tokens.estimate import estimate_tokens

if TYPE_CHECKING:
    from agent.loop.context_ir import ChatIr

_OWN_MARKUP = re.compile(
    r"\s{0,20}(?:```\w{0,10}\s{0,5})?(?:<tool_call>|<function[=_]|\[TOOL_CALLS\]|<\|python_tag\|>"
    r"|\[?\{\s{0,20}\"name\"\s{0,5}:\s{0,5}\"(\w{1,60})\"\s{0,5},\s{0,20}\"(?:arguments|parameters)\")"
)
_MAX_HALVINGS = 3
_MAX_BROKEN = 1  # replies of a turn that broke off in the middle of calls and are asked for again


@dataclass
class Agent:
    """What stays the same from turn to turn.

    Attributes:
        specs: The tools that a model is told of, by name.
        calling: ``native``, ``text``, ``none``, or ``auto``: native until the server refuses it, then text.
        taint: Of the whole conversation: an order that was read in an earlier turn is still one.
    """

    config: AnswerConfig
    tools: Tools
    specs: Sequence[ToolSpec]
    ledger: Ledger
    limits: Limits = field(default_factory=Limits)
    calling: str = "auto"
    taint: Taint = field(init=False)
    ir: ChatIr | None = None
    accepted: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        self.taint = Taint([spec.name for spec in self.specs])

    def remember(self, sent: Mapping[str, Any]) -> None:
        """What the server takes, and which model answers, is found out once in a conversation."""
        self.accepted = dict.fromkeys(sent)
        if not self.config.model and sent.get("model"):
            self.config = replace(self.config, model=str(sent["model"]))

    def protocol(self, question: str) -> CallProtocol:
        if self.calling == "none" or not self.specs:
            return NativeCalls(())
        return TextCalls(self.specs, question) if self.calling == "text" else NativeCalls(self.specs)


def run_agent(
    agent: Agent,
    task: Task,
    *,
    on_text: Callable[[str], None] = lambda _text: None,
    on_event: OnEvent = lambda _kind, _data: None,
    cancel: threading.Event | None = None,
) -> AgentRun:
    """Answer ``task.question``, calling tools as the model asks for them.

    Args:
        on_text: Gets the model's text as it arrives, unchecked.
        on_event: Gets ``reply``, ``called``, ``shown``, ``protocol`` and ``broken`` as they happen, before the loop
            goes on: whoever writes them down has them all, whatever happens next.
        cancel: Ends the turn soon after it is set, from any thread.

    Raises:
        UserError: The server could not be used before anything was said.
    """
    return _Turn(agent, task, on_text, on_event, cancel or threading.Event()).run()


class _Turn:
    def __init__(
        self, agent: Agent, task: Task, on_text: Callable[[str], None], on_event: OnEvent, cancel: threading.Event
    ) -> None:
        self.agent = agent
        self.task = task
        self.on_text = on_text
        self.on_event = on_event
        self.cancel = cancel
        self.meter = Meter(agent.limits)
        self.caller = Caller(agent.tools, agent.ledger, agent.taint, on_event)
        self.protocol = agent.protocol(task.question)
        self.context = TurnContext(task, agent.limits.context_tokens, apart=agent.ir is not None)
        self.called: list[Called] = []
        self.notes: list[str] = []
        self.model = agent.config.model

    def run(self) -> AgentRun:
        taint = self.agent.taint
        taint.trust(self.task.question)
        if self.task.pack is not None:
            for chunk in self.task.pack.chunks:
                taint.read(chunk.source, chunk.path)
        halvings = broken = 0
        while True:
            stopped = self.meter.exceeded(self._next_prompt())
            if stopped:
                return self._ended("", f"{stopped} was reached")
            final = self.meter.is_last_step or self.caller.is_off
            try:
                reply = self._ask(final)
            except ToolsRefusedError:
                self._speak_text("the server takes no tool calls")
                continue
            except TooLongError:
                halvings += 1
                if halvings > _MAX_HALVINGS or not self.context.halve():
                    raise
                continue
            except CancelledRunError as error:
                return self._ended("", self._why(error))
            if reply.calls and reply.interrupted and broken < _MAX_BROKEN:
                broken += 1
                self.on_event("broken", {"why": reply.interrupted})
                self.notes.append(f"a reply broke off ({reply.interrupted}) and was asked for again")
                continue
            if not final and not reply.calls and self._is_unread_call(reply.text):
                self._speak_text("the server passes calls of tools on as text")
                continue
            if not reply.calls or final:
                return self._answered(reply, final)
            try:
                left = self.agent.limits.calls - self.meter.calls
                done = self.caller.run(reply.calls, self.meter.steps, left, self.cancel.is_set, self.meter.left_s())
            except CancelledRunError as error:
                return self._ended("", self._why(error))
            self.meter.calls += len(done)
            self.called += done
            self.context.add(self.protocol.messages(reply, done))

    def _next_prompt(self) -> int:
        limits = self.agent.limits
        return tokens_of(self.context.messages(self.protocol)) if limits.tokens or limits.cost else 0

    def _ask(self, final: bool) -> Reply:
        extra = self.protocol.request(final)
        self.context.overhead = estimate_tokens(json.dumps(extra)) if extra else 0
        messages = self.context.messages(self.protocol, final)
        if self.context.left_out:
            self.caller.seen.clear()  # what the model can no longer read it may ask for again
        reply = ask_model(
            messages,
            self.agent.config,
            self.protocol,
            final=final,
            max_tokens=self.agent.limits.reply_tokens,
            on_text=self.on_text,
            cancelled=self.cancel.is_set,
            timeout_s=self.meter.left_s(),
            ir=self.agent.ir,
            accepted=self.agent.accepted,
        )
        self.agent.remember(reply.sent)
        self.meter.add(
            reply.usage, lambda: tokens_of(messages) + self.context.overhead, lambda: estimate_tokens(reply.text)
        )
        self.model = reply.model or self.model
        self.on_event(
            "reply",
            {
                "step": self.meter.steps,
                "text": reply.text,
                "calls": [call.to_dict() for call in reply.calls],
                "usage": dict(reply.usage),
                "model": reply.model,
                "interrupted": reply.interrupted,
            },
        )
        return reply

    def _is_unread_call(self, text: str) -> bool:
        """Whether a reply is a call in the model's own markup, which its server did not read.

        It is not carried out, since a file could hold the same; the model is asked again in a form that none can hold.
        """
        if self.agent.calling != "auto" or not self.agent.specs:
            return False
        match = _OWN_MARKUP.match(text)
        return match is not None and (match[1] is None or match[1] in {spec.name for spec in self.agent.specs})

    def _speak_text(self, why: str) -> None:
        if self.agent.calling != "auto":
            from retrieval.errors import UserError

            raise UserError("The server takes no tool calls.", "Use --tool-calling text, or none.") from None
        self.agent.calling = "text"  # for the turns to come, too
        self.protocol = self.agent.protocol(self.task.question)
        self.context.steps.clear()
        note = f"{why}; they are written as lines of text from now on"
        self.notes.append(note)
        self.on_event("protocol", {"calling": "text", "why": note})

    def _why(self, error: CancelledRunError) -> str:
        return self.meter.exceeded() + " was reached" if error.why and self.meter.exceeded() else "it was cancelled"

    def _answered(self, reply: Reply, final: bool) -> AgentRun:
        if reply.text.strip():
            stopped = reply.interrupted
        elif final and reply.calls:
            steps = f"{self.meter.steps} step{'' if self.meter.steps == 1 else 's'}"
            stopped = f"the model still calls tools after {steps} and does not answer"
        else:
            stopped = reply.interrupted or "the model said nothing"
        return self._ended(reply.text, stopped)

    def _ended(self, text: str, stopped: str) -> AgentRun:
        notes = [*self.notes, *self.context.notes]
        for one in self.called:
            if one.outcome == "refused":
                notes.append(f"a call of {one.call.name} was refused: it follows an order in {one.why}")
        if self.caller.is_off and self.caller.refused:
            notes.append("no more tools were allowed in this turn: the model followed orders found in files")
        elif self.caller.is_off:
            notes.append("no more tools were allowed in this turn: the model repeated its calls")
        if self.meter.estimated and self.meter.tokens:
            notes.append("the server reports no usage; tokens are estimated")
        meter = self.meter
        return AgentRun(
            text, tuple(self.called), self.model, meter.usage, meter.steps, meter.cost, stopped, tuple(notes)
        )


__all__ = ["Agent", "run_agent"]
