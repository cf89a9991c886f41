"""What families of demands on code share: fixed checks, the words that have to be named, what a number may be."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.demands import WORDS, PythonDemand
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_MAX_UNSAID = 3  # "two blank lines", "three groups": larger numbers are part of no demand that has no bound
Make = Callable[[Slots], Any | None]


def fixed(
    id_: str, says: str, check: Any, needs: str, *, about: str = "", forbids: str = "", numbers: bool = False
) -> Family:
    """One check, whatever the slots are.

    ``needs``: has to be named. ``about``: what else may be quoted. ``forbids``: with it something else is meant.
    ``numbers``: any may be named.
    """
    return Family(id_, says, guarded(lambda slots: check, needs, about, forbids, numbers), takes_terms=True)


def guarded(make: Make, needs: str, about: str = "", forbids: str = "", numbers: bool = False) -> Make:
    named = re.compile(needs, _I)
    quoted = re.compile(f"{needs}|{about}" if about else needs, _I)
    refused = re.compile(forbids or r"(?!x)x", _I)

    def made(slots: Slots) -> Any | None:
        if not named.search(slots.whole) or refused.search(slots.text):
            return None
        examples = {*slots.examples, *slots.contrast}
        if any(term not in examples and not quoted.search(term) for term in slots.terms):
            return None
        if not numbers and any(number == int(number) and number > _MAX_UNSAID for number in slots.numbers):
            return None
        return make(slots)

    return made


def python(demand: PythonDemand, needs: str, *, about: str = "", forbids: str = "") -> Family:
    return fixed(f"python.{demand}", WORDS[demand], c.PythonCode(demand=demand), needs, about=about, forbids=forbids)


def python_at_most(demand: PythonDemand, says: str, needs: str) -> Family:
    """Bounded: an upper bound alone."""

    def make(slots: Slots) -> Any | None:
        if slots.most is None or slots.least:
            return None
        return c.PythonCode(demand=demand, most=slots.most)

    return Family(f"python.{demand}", says, guarded(make, needs, r".", numbers=True), bounded=True, takes_terms=True)


def held(terms: tuple[str, ...], allowed: str) -> tuple[str, ...]:
    """The terms that are of the form."""
    return tuple(term for term in terms if re.fullmatch(allowed, term.strip(), _I))


def code(pattern: str, finds: str, language: str = "", **more: Any) -> c.Code:
    """The pattern is not found in code of that language."""
    return c.Code(pattern=pattern, language=language, most=0, finds=finds, **more)
