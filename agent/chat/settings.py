"""What a chat was started with, and what its commands change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agent.answer.config import AnswerConfig
from agent.loop.limits import Limits

if TYPE_CHECKING:
    from agent.answer.context_ir import IrUse
    from agent.cca.apply import RuleBook
    from agent.session import Session
    from retrieval.pack_records import ContextPack

MAX_BUDGET = 1_000_000  # tokens that a conversation may set

MakeRules = Callable[["Session", "ContextPack"], "RuleBook | None"]


@dataclass
class ChatSettings:
    """Of one conversation.

    Attributes:
        update: Bring the index up to date before each question.
        calling: How tools are called (``agent.loop.run.Agent``).
        rule_names: As given to ``--rules``; ``rules`` compiles them for a question's pack.
        ir: Makes the use of context IR for a session; None where it is off.
    """

    config: AnswerConfig
    budget: int = 4_000
    reserve: int = 1_024
    update: bool = True
    limits: Limits = field(default_factory=Limits)
    calling: str = "auto"
    rule_names: tuple[str, ...] = ()
    rules: MakeRules | None = None
    ir: Callable[[Session], IrUse | None] = lambda _session: None
