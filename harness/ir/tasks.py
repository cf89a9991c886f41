"""What a benchmark task is: a request, the scores of its older messages, and a solver that sees only what is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.ir.reader import Number, Seen
from retrieval.context_ir.attention import Score, ScoreBatch
from retrieval.context_ir.request import Eligible
from retrieval.context_ir.tools import GET_TOOL

UNKNOWN = "unknown"
SYSTEM = (
    "Answer from the conversation alone. Older messages may be written as TTIR/1; their second line says how to read "
    "them. Call artifact_get for exact text that you cannot see."
)

Row = dict[str, Any]
Solver = Callable[[Sequence[Seen]], str]


@dataclass(frozen=True, slots=True)
class Task:
    """One request. ``evidence`` are the ordinals that the answer rests on; ``protected`` may never change.

    Attributes:
        group: ``shrinkable``, ``control`` or ``code``.
        scores: Fixture scores by ordinal (the offline benchmark asks no model).
        solve: The answer from what each message shows, ``unknown`` without the evidence.
    """

    family: str
    group: str
    messages: tuple[Mapping[str, Any], ...]
    evidence: tuple[int, ...]
    scores: Mapping[int, Score]
    solve: Solver
    gold: str
    protected: tuple[int, ...] = field(default=())

    def request(self, model: str) -> dict[str, Any]:
        return {"model": model, "messages": list(self.messages), "tools": [GET_TOOL], "temperature": 0}


@dataclass(frozen=True, slots=True)
class FixtureScorer:
    """Scores that come with the task: deterministic, free, known before."""

    scores: Mapping[int, Score]

    def score(self, question: str, candidates: Sequence[Eligible]) -> ScoreBatch:
        return ScoreBatch([self.scores.get(one.ordinal) for one in candidates], tokens=0, cost_usd=0.0, model="fixture")


KEEP = Score(0.9, 0.3, 0.6)
ASIDE = Score(0.05, 0.05, 0.1)

_CHATTER = (
    "We talked about the colour of the landing page and agreed that a warmer tone suits the brand better.",
    "The design group likes the new spacing and wants to see it on narrow screens before the review.",
    "Marketing asked for a friendlier headline and offered to write some drafts for the team.",
    "There was praise for the illustration of the lighthouse and a wish for more of the same kind.",
    "The newsletter will carry a short note about the redesign and thank everyone who took part.",
    "Some people found the old navigation easier to learn and we noted their reasons with care.",
)


def chatter(lines: int = 14) -> str:
    """Older talk that has nothing to do with any question, without anything that is protected."""
    return "\n".join(_CHATTER[at % len(_CHATTER)] for at in range(lines))


def conversation(family: str, group: str, sources: Sequence[str], question: str, solve: Solver, gold: str) -> Task:
    """System, talk, the sources as an assistant's earlier messages, a tool call with its result, then the question."""
    messages: list[Mapping[str, Any]] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": chatter()},
        {"role": "assistant", "content": "Noted."},
    ]
    first = len(messages)
    messages += [{"role": "assistant", "content": source} for source in sources]
    call = {"id": "call_1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}
    messages += [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": '{"now": "2025-06-01T12:00:00Z"}'},
        {"role": "user", "content": question},
    ]
    evidence = tuple(range(first, first + len(sources)))
    scores = {1: ASIDE, **dict.fromkeys(evidence, KEEP)}
    protected = tuple(at for at in range(len(messages)) if at != 1 and at not in evidence)
    return Task(family, group, tuple(messages), evidence, scores, solve, gold, protected)


def rows_of(seen: Sequence[Seen], keys: Sequence[str]) -> list[Row]:
    """Every visible record with these keys, in order; numbers as they are written."""
    found = []
    for one in seen:
        for record in one.records or ():
            row = dict(record)
            if list(row) == list(keys):
                found.append({key: str(value) if isinstance(value, Number) else value for key, value in row.items()})
    return found


def texts_of(seen: Sequence[Seen]) -> list[str]:
    return [one.text for one in seen if one.text is not None]
