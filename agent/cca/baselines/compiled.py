"""CCA as a method: the context is compiled once (Compiler, CodeGen), each task is drafted, verified and corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.cca.client import ChatClient, Message, Reply
from agent.cca.compile import compile_rules
from agent.cca.compiled import Compiled, Source
from agent.cca.flags import FULL, Flags
from agent.cca.pipeline import MIN_VIOLATIONS, Options, solve
from agent.cca.protocol import Context, Inferred, Prepared, Recorder, Settings, question_of


@dataclass(frozen=True, slots=True)
class Artifact:
    compiled: Compiled | None
    text: str


@dataclass(frozen=True, slots=True)
class Cca:
    """``model_compiler``: the client compiles; else the deterministic compiler, which spends no tokens.

    The compiled context is never taken from the cache, so that what preparing costs is what is booked.
    """

    name: str = "cca"
    flags: Flags = FULL
    adaptive: bool = False
    model_compiler: bool = False
    min_violations: int = MIN_VIOLATIONS
    context_budget: int = 0

    def prepare(self, context: Context, settings: Settings, client: ChatClient) -> Prepared:
        recorder = Recorder(client, "compiler")
        if not self.flags.f1_compiler:
            return Prepared(self.name, Artifact(None, context.text), {})
        named = (("system", context.system), ("context", context.text))
        sources = [Source(name, text) for name, text in named if text.strip()]
        compiled = compile_rules(sources, recorder if self.model_compiler else None, cache=False)
        return Prepared(
            self.name, Artifact(compiled, context.text), recorder.usage, compiled.ir.ir_ok, tuple(compiled.notes)
        )

    def infer(
        self, prepared: Prepared, messages: Sequence[Message], settings: Settings, client: ChatClient
    ) -> Inferred:
        artifact: Artifact = prepared.artifact
        recorder = Recorder(client, "reasoner")
        options = Options(
            flags=self.flags,
            adaptive=self.adaptive,
            min_violations=self.min_violations,
            max_tokens=settings.max_tokens,
            context_budget=self.context_budget,
            question=question_of(messages, artifact.text),
        )
        outcome = solve(messages, artifact.compiled, _Phased(recorder), options)
        meta = {key: value for key, value in outcome.meta().items() if key != "usage"}
        return Inferred(outcome.answer, recorder.usage, meta, outcome.interrupted)


class _Phased:
    """The first call of an answer is Reasoner-1's, the second Reasoner-2's."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._calls = 0

    def complete(
        self, messages: Sequence[Message], max_tokens: int, json_schema: Mapping[str, Any] | None = None
    ) -> Reply:
        self._calls += 1
        self._recorder.phase = f"reasoner_{self._calls}"
        return self._recorder.complete(messages, max_tokens, json_schema)
