"""The paid arm: a real model answers each task in each arm, with a bounded number of calls for exact sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from agent.answer.recovery import ToolCalls, with_results
from harness.ir.bench import ARMS
from harness.ir.tasks import FixtureScorer, Task
from retrieval.context_ir.attention import Scorer
from retrieval.context_ir.compiler import compile_request
from retrieval.context_ir.measure import tokenizer_for
from retrieval.context_ir.settings import IrSettings
from retrieval.context_ir.vault import Vault


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """One reply. Tokens are the server's, over all calls of the task, None when it does not report them."""

    family: str
    arm: str
    correct: bool
    reply: str
    answer_calls: int
    prompt_tokens: int | None
    cost_usd: float | None = None


def run_live(
    tasks: Sequence[Task], client: Any, model: str, folder: Path, max_calls: int, scorer: Scorer | None = None
) -> Iterator[LiveAnswer]:
    """Each task in each arm.

    Args:
        client: An ``openai.OpenAI`` client. What it raises ends the run: a failed request is no answer.
        max_calls: Requests for one answer; in the last one the model may not call for sources any more.
    """
    on = IrSettings(enabled=True)
    for task in tasks:
        request = task.request(model)
        opener = partial(Vault, folder / f"live-{task.family}.sqlite")
        judge = scorer or FixtureScorer(task.scores)
        for arm, settings in zip(ARMS, (None, replace(on, formats=()), on), strict=True):
            sent: Any = request
            sources: frozenset[str] = frozenset()
            if settings is not None:
                out = compile_request(request, settings=settings, tokenizer=tokenizer_for, vault=opener, scorer=judge)
                sent, sources = out.request, frozenset(one.source for one in out.shown)
            yield _answered(task, arm, dict(sent), sources, client, opener, max_calls)


def _answered(
    task: Task,
    arm: str,
    request: dict[str, Any],
    sources: frozenset[str],
    client: Any,
    opener: Callable[[], Vault],
    max_calls: int,
) -> LiveAnswer:
    tokens: int | None = 0
    reply = ""
    made = 0
    for made in range(1, max_calls + 1):
        last = made == max_calls
        completion = client.chat.completions.create(**({**request, "tool_choice": "none"} if last else request))
        used = getattr(completion.usage, "prompt_tokens", None)
        tokens = None if tokens is None or used is None else tokens + used
        message = completion.choices[0].message
        reply = message.content or ""
        calls = ToolCalls()
        calls.add(message.tool_calls)
        asked = calls.take()
        if not asked or last:
            break
        with opener() as vault:
            request = with_results(request, asked, vault, sources)
    return LiveAnswer(task.family, arm, says(reply, task.gold), reply, made, tokens)


def says(reply: str, gold: str) -> bool:
    """Whether the reply holds the gold answer, white space and case aside, not as part of a longer word or number."""
    wanted = r"\s+".join(map(re.escape, gold.split()))
    return re.search(rf"(?<![\w.]){wanted}(?!\w|\.\d)", reply, re.IGNORECASE) is not None
