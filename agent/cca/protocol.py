"""One shape for every method: prepare a context once, then infer each task from what was prepared.

The paper's Equation 1 factorises a method so, and its cost table amortises the first half over the tasks of a context.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from agent.cca.client import ChatClient, Message, Reply, Usage


@dataclass(frozen=True, slots=True)
class Context:
    """What the tasks of a group share: a system message and a long text that stands verbatim in their messages."""

    id: str
    system: str
    text: str


@dataclass(frozen=True, slots=True)
class Settings:
    """``max_tokens``: of one answer; ``work_tokens``: of one reply of a preparing phase."""

    max_tokens: int = 2048
    work_tokens: int = 2048


@dataclass(frozen=True, slots=True)
class Prepared:
    """``artifact``: the method's own; ``ok``: False where preparing failed and inference falls back."""

    method: str
    artifact: Any
    usage: Mapping[str, Usage]
    ok: bool = True
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inferred:
    """``usage`` by phase; ``meta``: what the method tells about the answer, JSON-like."""

    answer: str
    usage: Mapping[str, Usage]
    meta: Mapping[str, Any] = field(default_factory=dict)
    interrupted: str = ""


class Method(Protocol):
    """A way to answer tasks under a context.

    ``prepare`` never fails for what a model says: it falls back and says so. Both raise UserError when the server
    cannot be used at all.
    """

    @property
    def name(self) -> str: ...

    def prepare(self, context: Context, settings: Settings, client: ChatClient) -> Prepared: ...

    def infer(
        self, prepared: Prepared, messages: Sequence[Message], settings: Settings, client: ChatClient
    ) -> Inferred: ...


class Recorder:
    """A client that books each call under the current ``phase``; tokens that a server does not report are counted."""

    def __init__(self, client: ChatClient, phase: str = "") -> None:
        self._client = client
        self.phase = phase
        self.usage: dict[str, Usage] = {}

    def complete(
        self, messages: Sequence[Message], max_tokens: int, json_schema: Mapping[str, Any] | None = None
    ) -> Reply:
        phase = self.phase
        try:
            reply = self._client.complete(messages, max_tokens, json_schema)
        except Exception:
            self._book(phase, Usage(1))
            raise
        usage = reply.usage
        if not usage.tokens:
            usage = replace(usage, prompt_tokens=_counted(messages), completion_tokens=_tokens(reply.text))
        self._book(phase, usage)
        return replace(reply, usage=usage)

    def _book(self, phase: str, usage: Usage) -> None:
        self.usage[phase] = self.usage.get(phase, Usage()) + usage


def total(usage: Mapping[str, Usage]) -> Usage:
    """Over all phases."""
    return sum(usage.values(), Usage())


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens and seconds a task, of a method over ``tasks`` tasks in ``contexts`` contexts.

    ``offline``: spent on preparing, shared out evenly over the tasks; ``online``: spent on the tasks themselves.
    """

    contexts: int
    tasks: int
    offline: float
    online: float
    offline_seconds: float
    online_seconds: float

    @property
    def tokens(self) -> float:
        return self.offline + self.online

    @property
    def seconds(self) -> float:
        return self.offline_seconds + self.online_seconds


def amortised(offline: Sequence[Mapping[str, Usage]], online: Sequence[Mapping[str, Usage]]) -> Cost:
    """Cost a task: sum over contexts of preparing, plus sum over tasks of inferring, both by the number of tasks.

    ``offline`` has one entry a context, ``online`` one a task; with no tasks everything is 0 a task.
    """
    before, during = total_of(offline), total_of(online)
    n = len(online) or 1
    if not online:
        before = Usage()
    return Cost(len(offline), len(online), before.tokens / n, during.tokens / n, before.seconds / n, during.seconds / n)


def total_of(many: Sequence[Mapping[str, Usage]]) -> Usage:
    return sum((total(each) for each in many), Usage())


def with_text_replaced(messages: Sequence[Message], text: str, replacement: str) -> tuple[list[Message], bool]:
    """The messages with the context's text, where it first stands, replaced; False when it stands nowhere."""
    out = list(messages)
    if text:
        for at, message in enumerate(out):
            if text in message["content"]:
                out[at] = {**message, "content": message["content"].replace(text, replacement, 1)}
                return out, True
    return out, False


def with_system_added(messages: Sequence[Message], addition: str) -> list[Message]:
    """The messages with ``addition`` at the end of the system message, which is made where there is none."""
    if not addition:
        return list(messages)
    if messages and messages[0].get("role") == "system":
        return [{**messages[0], "content": f"{messages[0]['content']}\n\n{addition}"}, *messages[1:]]
    return [{"role": "system", "content": addition}, *messages]


def question_of(messages: Sequence[Message], text: str) -> str:
    """What is asked: the last user message without the context's text."""
    last = next((each["content"] for each in reversed(messages) if each.get("role") == "user"), "")
    return (last.replace(text, "", 1) if text else last).strip()


def _counted(messages: Sequence[Message]) -> int:
    return sum(_tokens(each["content"]) for each in messages)


def _tokens(text: str) -> int:
    from retrieval.tokens.counter import count_tokens

    return count_tokens(text)
