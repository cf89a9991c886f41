"""A turn of a conversation and its JSON, which is the transcript's ``answer`` event and a line of ``--json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.answer.records import Answer, Citation, RulesReport, Statement


@dataclass(frozen=True, slots=True)
class Topic:
    """What a follow-up may refer to.

    Attributes:
        question: The last question, as it was read.
        subject: Qualified name of the symbol that it was about; "" for none. ``named``: as the question spells it.
        others: Further symbols that the answer cites, in its order.
    """

    question: str
    subject: str
    named: str = ""
    others: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"question": self.question, "subject": self.subject, "named": self.named, "others": list(self.others)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Topic:
        return cls(str(data["question"]), str(data["subject"]), str(data["named"]), tuple(map(str, data["others"])))


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer.

    Attributes:
        read_as: The question that was answered; other than ``question`` where a follow-up was resolved.
        told: What was done to the question or to earlier evidence, one line each.
        calls: The tools that were called: name, arguments as JSON text, outcome.
        cost: In the currency of the prices given; 0 without any.
    """

    number: int
    question: str
    read_as: str
    answer: Answer
    topic: Topic | None = None
    told: tuple[str, ...] = ()
    calls: tuple[tuple[str, str, str], ...] = ()
    cost: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Equal turns give equal bytes."""
        return {
            "turn": self.number,
            **self.answer.to_dict(),
            "question": self.question,
            "read_as": self.read_as,
            "told": list(self.told),
            "calls": [{"name": name, "arguments": text, "outcome": outcome} for name, text, outcome in self.calls],
            "cost": self.cost,
        }

    def to_event(self) -> dict[str, Any]:
        """``to_dict`` with what only a resumption needs."""
        return {
            **self.to_dict(),
            "topic": self.topic.to_dict() if self.topic else None,
            "rules_text": self.answer.rules.text if self.answer.rules else "",
        }

    @classmethod
    def from_event(cls, event: Mapping[str, Any]) -> Turn:
        """The turn of ``to_event``.

        Raises:
            KeyError, TypeError, ValueError: The event is not one.
        """
        topic = event["topic"]
        return cls(
            int(event["turn"]),
            str(event["question"]),
            str(event["read_as"]),
            _answer(event),
            Topic.from_dict(topic) if topic else None,
            tuple(map(str, event["told"])),
            tuple((str(one["name"]), str(one["arguments"]), str(one["outcome"])) for one in event["calls"]),
            float(event["cost"]),
        )


def _answer(event: Mapping[str, Any]) -> Answer:
    rules = event.get("rules")
    return Answer(
        text=str(event["answer"]),
        statements=tuple(
            Statement(
                str(one["text"]), tuple(one["citations"]), str(one["kind"]), bool(one["supported"]), str(one["why"])
            )
            for one in event["statements"]
        ),
        citations=tuple(
            Citation(
                int(one["number"]),
                str(one["path"]),
                int(one["start"]),
                int(one["end"]),
                str(one["symbol"]),
                str(one["text"]),
                str(one["origin"]),
            )
            for one in event["citations"]
        ),
        abstained=bool(event["abstained"]),
        missing=tuple(map(str, event["missing"])),
        notes=tuple(map(str, event["notes"])),
        answerer=str(event["answerer"]),
        model=str(event["model"]),
        rot_actions=tuple(map(str, event["rot_actions"])),
        usage={str(name): int(value) for name, value in event["usage"].items()},
        refused=bool(event["refused"]),
        question=str(event["read_as"]),
        rules=RulesReport(rules, str(event["rules_text"])) if rules is not None else None,
    )
