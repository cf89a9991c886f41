"""The messages of a request: what of the conversation the model reads again, within the tokens that it may take."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from agent.loop.ledger import Ledger
from agent.loop.prompt import evidence_text, fenced, question_text, system_message
from agent.loop.protocols import CallProtocol
from agent.loop.records import Message, Task
from retrieval.pack_records import ContextPack
from retrieval.tokens.estimate import estimate_tokens

_PER_MESSAGE = 8  # tokens of role and separators, at most, in the chat templates in use
_NOW = "No more calls: answer the question now from what is shown, with citations."
_LEFT_OUT = "(This result was left out to make room. Call the tool again if it is needed.)"


@lru_cache(maxsize=512)
def _tokens(text: str) -> int:
    return estimate_tokens(text) + _PER_MESSAGE


def tokens_of(messages: Sequence[Message]) -> int:
    """Upper bound of the tokens of messages, their calls included."""
    total = 0
    for message in messages:
        calls = message.get("tool_calls")
        total += _tokens(f"{message.get('content') or ''}{json.dumps(calls) if calls else ''}")
    return total


@dataclass
class TurnContext:
    """Makes the requests of one turn; what had to be left out is told in ``notes``.

    Attributes:
        limit: Tokens of the longest request, the reply not counted.
        left_out: Results of this turn's calls are not shown any more.
        apart: Evidence in messages of its own, so that context IR may re-encode it.
    """

    task: Task
    limit: int
    overhead: int = 0  # tokens of what the request carries beside its messages: the tools' schemas
    apart: bool = False
    steps: list[list[Message]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: bool = False
    size: int = 0  # tokens of the latest request

    def add(self, messages: Sequence[Message]) -> None:
        """A reply and the results of its calls."""
        self.steps.append(list(messages))

    def messages(self, protocol: CallProtocol, final: bool = False) -> list[Message]:
        """The request's messages: as much as fits, the oldest left out first. ``final``: the reply is the answer."""
        system: Message = {"role": "system", "content": system_message(protocol, self.task.rules)}
        while True:
            made = [system, *self._history(), *self._asked(), *(one for step in self.steps for one in step)]
            self.size = tokens_of(made) + self.overhead
            if self.size <= self.limit or not self._shrink():
                break
        if final and protocol.marker and self.steps:  # a request without tools says it by itself
            made[-1] = {**made[-1], "content": f"{made[-1]['content']}\n{_NOW}"}
        return made

    def halve(self) -> bool:
        """After a server said that the request is too long; False when nothing is left to leave out."""
        self.limit = max(500, min(self.limit, self.size) // 2)
        return self._shrink()

    def _history(self) -> list[Message]:
        return [
            message
            for one in self.task.history
            for message in (
                {"role": "user", "content": one.question},
                {"role": "assistant", "content": one.answer},
            )
        ]

    def _asked(self) -> list[Message]:
        parts = [self.task.kept] if self.task.kept else []
        if self.task.pack is not None:
            parts.append(evidence_text(self.task.pack))
        parts.append(question_text(self.task.pack, self.task.question))
        if self.apart:
            return [{"role": "user", "content": part} for part in parts]
        return [{"role": "user", "content": "\n".join(parts)}]

    def _shrink(self) -> bool:
        """Leave something out: earlier exchanges, kept evidence, older results of this turn, weak evidence."""
        task = self.task
        if task.history:
            self.task = replace(task, history=task.history[1:])
            self._note("the oldest turns")
            return True
        if task.kept:
            self.task = replace(task, kept="")
            self._note("evidence of earlier turns")
            return True
        for step in self.steps[:-1]:
            for at, message in enumerate(step[1:], start=1):
                if len(str(message["content"])) > 2 * len(_LEFT_OUT):
                    step[at] = {**message, "content": _LEFT_OUT}
                    self.left_out = True
                    self._note("older results of tools")
                    return True
        pack = task.pack
        if pack is not None and len(pack.chunks) > 1:
            least = sorted((chunk.score for chunk in pack.chunks), reverse=True)[len(pack.chunks) // 2 - 1]
            half = tuple(chunk for chunk in pack.chunks if chunk.score >= least)[: len(pack.chunks) // 2]
            self.task = replace(task, pack=replace(pack, chunks=half))
            self._note("the weaker half of the evidence, or more of it")
            return True
        return False

    def _note(self, what: str) -> None:
        text = f"left out of what the model reads, because the limit of context is reached: {what}"
        if text not in self.notes:
            self.notes.append(text)


def render_kept(ledger: Ledger, budget: int, without: ContextPack | None = None) -> str:
    """Lines that earlier answers cite and that still hold, fenced, those of the latest turns first to be kept.

    Args:
        budget: Tokens.
        without: Lines that this pack shows anyway are left out.
    """
    shown = {
        (chunk.path, number)
        for chunk in (without.chunks if without is not None else ())
        for first, last in chunk.ranges
        for number in range(first, last + 1)
    }
    chosen: dict[str, set[int]] = {}
    for _, path, line in sorted(ledger.cited(), key=lambda one: (-one[0], one[1], one[2])):
        if (path, line) in shown:
            continue
        budget -= _tokens(f"{line} {ledger.text(path, line)}") + (_tokens(path) + 12 if path not in chosen else 0)
        if budget < 0:
            break
        chosen.setdefault(path, set()).add(line)
    if not chosen:
        return ""
    from retrieval.compile.render import body_text, ranges_of

    pieces = []
    for path in sorted(chosen, key=ledger.number):
        ranges = ranges_of(sorted(chosen[path]))
        lines = {number: ledger.text(path, number) for number in chosen[path]}
        header = f"[{ledger.number(path)}] {path}:{ranges[0][0]}-{ranges[-1][1]} (cited before)"
        pieces.append(f"{header}\n{body_text(ranges, lines)}\n")
    return fenced("\n".join(pieces), "EVIDENCE")
