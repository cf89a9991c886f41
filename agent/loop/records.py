"""What passes through the loop: calls, exchanges, the run's outcome. Frozen, without I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from agent.tools.cancel import Cancellation
    from agent.tools.records import ToolResult
    from retrieval.pack_records import ContextPack

Message = dict[str, Any]  # of a chat completion request
OnEvent = Callable[[str, Mapping[str, Any]], None]  # kind and what happened, JSON-ready


class Tools(Protocol):
    """Where calls go: ``agent.tools.registry.Toolbox``. Called from several threads."""

    def call(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation | None = None) -> ToolResult: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it. ``arguments`` is JSON text, right or wrong."""

    id: str
    name: str
    arguments: str

    def to_dict(self) -> dict[str, str]:
        return {"id": self.id, "name": self.name, "arguments": self.arguments}


@dataclass(frozen=True, slots=True)
class Called:
    """A call and what came of it.

    Attributes:
        text: What the model is given for it.
        outcome: ``done``, ``error`` (of the tool or its arguments), ``repeated`` or ``refused``.
        why: Of a refusal: which text gave the order.
    """

    call: ToolCall
    text: str
    outcome: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the model, complete or broken off.

    Attributes:
        interrupted: Why it is incomplete; "" when it is not.
        sent: The request that was answered.
        usage: As the server reported it; empty when it did not.
    """

    text: str
    calls: tuple[ToolCall, ...]
    model: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)
    interrupted: str = ""
    sent: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question and its answer, as the model may read them again."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Task:
    """One turn.

    Attributes:
        pack: Evidence to start from, its pieces numbered by the ledger; None for none.
        kept: Evidence of earlier turns that still holds, rendered; "" for none.
        history: Earlier exchanges, oldest first.
        rules: Appended to the system message (a checklist of rules); "" for none.
    """

    question: str
    pack: ContextPack | None = None
    kept: str = ""
    history: tuple[Exchange, ...] = ()
    rules: str = ""


@dataclass(frozen=True, slots=True)
class AgentRun:
    """How a turn went.

    Attributes:
        text: The answer as the model gave it, unchecked; "" when there is none.
        stopped: Why there is no answer or it is incomplete; "" when neither.
        notes: What the reader should know, one line each.
    """

    text: str
    calls: tuple[Called, ...]
    model: str
    usage: Mapping[str, int]
    steps: int
    cost: float
    stopped: str = ""
    notes: tuple[str, ...] = ()
