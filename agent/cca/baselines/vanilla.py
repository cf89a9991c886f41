"""Direct prompting: nothing is prepared, the request goes out as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.cca.client import ChatClient, Message
from agent.cca.protocol import Context, Inferred, Prepared, Recorder, Settings


@dataclass(frozen=True, slots=True)
class Vanilla:
    name: str = "vanilla"

    def prepare(self, context: Context, settings: Settings, client: ChatClient) -> Prepared:
        return Prepared(self.name, None, {})

    def infer(
        self, prepared: Prepared, messages: Sequence[Message], settings: Settings, client: ChatClient
    ) -> Inferred:
        recorder = Recorder(client, "answer")
        reply = recorder.complete(messages, settings.max_tokens)
        return Inferred(reply.text, recorder.usage, {}, reply.interrupted)
