"""One chat completion as a value, and what a phase of a method has spent.

``ChatClient`` is the port; ``OpenAIClient`` the adapter over any OpenAI-compatible server.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agent.answer.config import AnswerConfig
from agent.cca.repetition import repeats, without_repeats

Message = Mapping[str, str]
_CHECK_EVERY = 200  # characters


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls, tokens as the server reported them (0 when it did not), seconds of waiting."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.seconds + other.seconds,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """``interrupted``: why the text is incomplete; "" when it is whole."""

    text: str
    usage: Usage
    model: str = ""
    interrupted: str = ""


class ChatClient(Protocol):
    def complete(
        self, messages: Sequence[Message], max_tokens: int, json_schema: Mapping[str, Any] | None = None
    ) -> Reply:
        """One completion. ``json_schema`` asks for structured output, which a server may not know.

        Raises:
            UserError: No answer came.
        """


class OpenAIClient:
    def __init__(self, config: AnswerConfig, sleep: Callable[[float], None] = time.sleep) -> None:
        self._config = config
        self._sleep = sleep

    def complete(
        self, messages: Sequence[Message], max_tokens: int, json_schema: Mapping[str, Any] | None = None
    ) -> Reply:
        from agent.answer.openai_client import ModelStream

        extra: dict[str, Any] = {"max_tokens": max_tokens}  # as it stands: a benchmark may ask for very short replies
        if json_schema is not None:
            extra["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": dict(json_schema)},
            }
        begun = time.monotonic()
        stream = ModelStream(messages, self._config, max_tokens, self._sleep, extra)
        text = _read(iter(stream))
        interrupted = stream.interrupted
        if repeats(text):
            text, interrupted = without_repeats(text), "it repeated itself without end"
        prompt, completion = stream.usage.get("prompt_tokens", 0), stream.usage.get("completion_tokens", 0)
        usage = Usage(1, prompt, completion, time.monotonic() - begun)
        return Reply(text, usage, stream.model, interrupted)


def _read(pieces: Iterator[str]) -> str:
    """All of the text, or as much as came until it went round in circles: the rest of it would be the same."""
    text, checked = "", 0
    for piece in pieces:
        text += piece
        if len(text) - checked >= _CHECK_EVERY:
            checked = len(text)
            if repeats(text):
                break
    close = getattr(pieces, "close", None)
    if close is not None:
        close()  # the server stops, too
    return text
