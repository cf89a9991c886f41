"""What an answer is made of: frozen records without I/O, JSON through ``to_dict``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ANSWER_SCHEMA_VERSION = 1

EVIDENCE = "evidence"  # a sentence of fact: needs a citation that holds
INFERENCE = "inference"  # a sentence that says that it concludes or guesses
ABSTENTION = "abstention"  # a sentence that says what the evidence does not show

UNSUPPORTED_MARK = "[unsupported]"  # cites, but the citation does not carry the sentence
UNCITED_MARK = "[uncited]"  # states a fact and cites nothing


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that an answer rests on.

    Attributes:
        number: The evidence number that the answer's ``[n]`` names.
        start, end: First and last line, 1-based, inclusive.
        symbol: Name of the definition(s) the lines belong to; "" for none.
        text: The cited lines as they are in the file, joined by ``\\n`` (elided lines left out).
        origin: ``pack`` when the pack shows the lines, ``index`` when the answerer added them from the index.
    """

    number: int
    path: str
    start: int
    end: int
    symbol: str = ""
    text: str = ""
    origin: str = "pack"

    def to_dict(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "path": self.path,
            "start": self.start,
            "end": self.end,
            "symbol": self.symbol,
            "text": self.text,
            "origin": self.origin,
        }


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence (or code block) of an answer and how it fared.

    Attributes:
        citations: Indices into the answer's ``citations``.
        kind: ``evidence``, ``inference`` or ``abstention``.
        supported: False when a citation is missing, invented, or does not carry the sentence's identifiers.
        why: One clause; "" when there is nothing to say.
    """

    text: str
    citations: tuple[int, ...]
    kind: str
    supported: bool
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "citations": list(self.citations),
            "kind": self.kind,
            "supported": self.supported,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer text held against a pack. ``marked`` is the text with a mark behind each sentence that fails."""

    text: str
    marked: str
    statements: tuple[Statement, ...]
    citations: tuple[Citation, ...]
    abstained: bool

    @property
    def unsupported(self) -> tuple[Statement, ...]:
        return tuple(statement for statement in self.statements if not statement.supported)


@dataclass(frozen=True, slots=True)
class RulesReport:
    """How the answer fared against compiled rules: ``data`` for programs, ``text`` for people."""

    data: Mapping[str, Any]
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked answer.

    Attributes:
        text: As it is to be read: every sentence that failed the check carries a mark.
        missing: What was looked for in vain.
        notes: What the reader should know about how the answer came about.
        answerer: ``offline``, ``openai`` or ``none`` (refused).
        model: ``provider/model``; "" for the offline answerer.
        rot_actions: What was done about the pack's defects, one line each.
        usage: Tokens as the server reported them: ``prompt_tokens``, ``completion_tokens``, ``total_tokens``.
        refused: ``--strict`` found defects and nothing was answered.
        rules: What checking against rules found; None when none were given.
        looked_up: It rests on the graph alone: what else the pack held, or lost, is not told with it.
    """

    text: str
    statements: tuple[Statement, ...]
    citations: tuple[Citation, ...]
    abstained: bool
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    answerer: str = "offline"
    model: str = ""
    rot_actions: tuple[str, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)
    refused: bool = False
    question: str = ""
    rules: RulesReport | None = None
    looked_up: bool = False

    @property
    def unsupported(self) -> tuple[Statement, ...]:
        return tuple(statement for statement in self.statements if not statement.supported)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; key order is fixed, so equal answers give equal bytes."""
        out: dict[str, Any] = {
            "schema_version": ANSWER_SCHEMA_VERSION,
            "question": self.question,
            "answer": self.text,
            "abstained": self.abstained,
            "refused": self.refused,
            "answerer": self.answerer,
            "model": self.model,
            "statements": [statement.to_dict() for statement in self.statements],
            "citations": [citation.to_dict() for citation in self.citations],
            "missing": list(self.missing),
            "notes": list(self.notes),
            "rot_actions": list(self.rot_actions),
            "usage": dict(sorted(self.usage.items())),
        }
        if self.rules is not None:
            out["rules"] = dict(self.rules.data)
        return out
