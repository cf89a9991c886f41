"""What a family's check says of an answer, its slots taken from a sentence."""

from __future__ import annotations

from typing import Any

from agent.cca.families.family import Slots
from agent.cca.families.registry import families
from agent.cca.families.slots import see
from agent.cca.interpret import run_check


def status_of(family: str, sentence: str, answer: str, **bounds: Any) -> str:
    """The status, or "no check"; ``bounds``: ``least`` and ``most``."""
    slots = see(sentence).slots
    if bounds:
        slots = Slots(slots.text, numbers=slots.numbers, terms=slots.terms, **bounds)
    check = families()[family].make(slots)
    return "no check" if check is None else run_check(check, answer).status
