"""Draft, verify, correct: one answer under a compiled context (the paper's per-task half of Equation 1).

The result is never worse than the draft: of draft and correction the one with fewer violations is kept, on a tie the
draft.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.cca.client import ChatClient, Message, Usage
from agent.cca.compiled import Compiled
from agent.cca.flags import FULL, Flags
from agent.cca.prompts import REASONER_2, checklist, reasoner_1, reasoner_2
from agent.cca.truncate import truncate
from agent.cca.verify import Verification, verify

MIN_VIOLATIONS = 2


@dataclass(frozen=True, slots=True)
class Options:
    """``context_budget``: tokens that a message may have before F7 cuts it; 0 for no limit.

    ``question`` and ``quotable``: as ``verify`` takes them.
    """

    flags: Flags = FULL
    min_violations: int = MIN_VIOLATIONS
    max_tokens: int = 2048
    context_budget: int = 0
    adaptive: bool = False
    allow_generated: bool = False
    question: str | None = None
    quotable: frozenset[str] = frozenset()

    def verified(self, compiled: Compiled, answer: str) -> Verification:
        return verify(
            compiled,
            answer,
            question=self.question,
            quotable=self.quotable,
            allow_generated=self.allow_generated,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer and how it came about.

    Attributes:
        draft: Reasoner-1's text; ``answer`` is the one that was kept.
        route: ``cca``, or ``vanilla`` when there was nothing compiled to use.
        before, after: Verification of the draft and of the answer; None when F4 is off.
        corrected: The correction was kept; ``tried``: one was asked for.
        usage: By phase: ``reasoner_1``, ``reasoner_2``.
    """

    answer: str
    draft: str
    route: str
    before: Verification | None
    after: Verification | None
    corrected: bool
    tried: bool
    usage: dict[str, Usage]
    ir_ok: bool = True
    truncated: int = 0
    model: str = ""
    interrupted: str = ""

    def meta(self) -> dict[str, Any]:
        """The record that the paper calls ``cca_meta``."""
        return {
            "route": self.route,
            "ir_ok": self.ir_ok,
            "corrected": self.corrected,
            "correction_tried": self.tried,
            "violations_before": len(self.before.violations) if self.before else None,
            "violations_after": len(self.after.violations) if self.after else None,
            "truncated_tokens": self.truncated,
            "usage": {phase: usage.to_dict() for phase, usage in self.usage.items()},
        }


def solve(messages: Sequence[Message], compiled: Compiled | None, client: ChatClient, options: Options) -> Outcome:
    """Answer a chat request under its compiled context.

    Args:
        messages: The request as it would go out without CCA; its first system message is extended.
        compiled: None for direct prompting.

    Raises:
        UserError: No draft came. A correction that fails costs nothing: the draft stands.
    """
    flags = options.flags
    route = route_of(compiled, options)
    if route == "vanilla" or compiled is None:
        request, cut = _truncated(messages, options)
        reply = client.complete(request, options.max_tokens)
        ok = compiled is None or compiled.ir.ir_ok
        usage = {"reasoner_1": reply.usage}
        return Outcome(
            reply.text, reply.text, "vanilla", None, None, False, False, usage, ok, cut, reply.model, reply.interrupted
        )
    request, cut = _truncated(_with_system(messages, compiled, flags), options)
    reply = client.complete(request, options.max_tokens)
    draft, phases = reply.text, {"reasoner_1": reply.usage}
    before = options.verified(compiled, draft) if flags.f3_codegen and flags.f4_verify else None
    answer, after, corrected, tried = draft, before, False, False
    if before is not None and flags.f6_correct and len(before.violations) >= max(1, options.min_violations):
        tried = True
        answer, after, corrected, phases["reasoner_2"] = correct(draft, before, compiled, client, options)
    return Outcome(
        answer,
        draft,
        "cca",
        before,
        after,
        corrected,
        tried,
        phases,
        compiled.ir.ir_ok,
        cut,
        reply.model,
        "" if corrected else reply.interrupted,
    )


def route_of(compiled: Compiled | None, options: Options) -> str:
    """``cca``, or ``vanilla``: nothing compiled, F1 off, or (adaptive) no verifier emitted."""
    if compiled is None or not options.flags.f1_compiler:
        return "vanilla"
    if options.adaptive and not compiled.modules:
        return "vanilla"
    return "cca"


def correct(
    draft: str, before: Verification, compiled: Compiled, client: ChatClient, options: Options
) -> tuple[str, Verification, bool, Usage]:
    """(draft or correction, whichever violates less; its verification; whether it is the correction; cost)."""
    from retrieval.errors import UserError

    system = REASONER_2
    if options.flags.f2_checklist:
        system += f"\nThe rules that the answer is under:\n\n{checklist(compiled.ir)}"
    request = [
        {"role": "system", "content": system},
        {"role": "user", "content": reasoner_2(draft, before.violations)},
    ]
    try:
        reply = client.complete(request, options.max_tokens)
    except UserError:
        return draft, before, False, Usage(1)
    if not reply.text.strip() or reply.interrupted:
        return draft, before, False, reply.usage
    after = options.verified(compiled, reply.text)
    if len(after.violations) < len(before.violations):
        return reply.text, after, True, reply.usage
    return draft, before, False, reply.usage


def _with_system(messages: Sequence[Message], compiled: Compiled, flags: Flags) -> list[Message]:
    first = messages[0] if messages and messages[0].get("role") == "system" else None
    system = reasoner_1(
        first["content"] if first else "", compiled, with_checklist=flags.f2_checklist, with_data=flags.f5_data
    )
    return [{"role": "system", "content": system}, *(messages[1:] if first else messages)]


def _truncated(messages: Sequence[Message], options: Options) -> tuple[list[Message], int]:
    """The longest message that is no system message cut to what the others leave of the budget."""
    if not options.flags.f7_truncate or options.context_budget <= 0 or not messages:
        return list(messages), 0
    from retrieval.tokens.counter import count_tokens

    sizes = [count_tokens(message["content"]) for message in messages]
    if sum(sizes) <= options.context_budget:
        return list(messages), 0
    longest = max(range(len(messages)), key=lambda at: (messages[at].get("role") != "system", sizes[at], -at))
    room = options.context_budget - (sum(sizes) - sizes[longest])
    cut = truncate(messages[longest]["content"], max(0, room))
    request = list(messages)
    request[longest] = {**messages[longest], "content": cut.text}
    return request, cut.cut
