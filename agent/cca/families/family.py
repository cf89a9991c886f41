"""A family of demands: what one sentence of it says, with places for its slots, and the check that it amounts to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Slots:
    """What a sentence says beside the demand itself.

    ``text``: the sentence in plain words. ``least``, ``most``: the bound, of a family that is ``bounded``. ``numbers``:
    all numbers in order, of a range both. ``terms``: quoted, in backticks or spelled like an identifier, in order;
    of these ``examples`` stand behind "such as", "e.g.", "like", and ``contrast`` (no part of ``terms``) behind
    "instead of", "rather than", "not", "never". ``listed``: the items of an enumeration that is not quoted ("Plan,
    Price and Storage"), without those that are contrasted. ``reason``: what was left aside of the sentence, since it
    only says why; no slot stands in it.
    """

    text: str
    least: int | None = None
    most: int | None = None
    numbers: tuple[float, ...] = ()
    terms: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    contrast: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    reason: str = ""

    @property
    def whole(self) -> str:
        """The sentence with its reason: what "leave it out" speaks of may stand there."""
        return f"{self.text} {self.reason}" if self.reason else self.text

    @property
    def named(self) -> tuple[str, ...]:
        """Terms, or where nothing is quoted the enumeration."""
        return self.terms or self.listed


@dataclass(frozen=True, slots=True)
class Family:
    """``says``: for people, with ``{limit}`` and ``{terms}``. ``make``: the check, None where the slots do not fit.

    ``bounded``: it needs a number with a bound. ``takes_terms``: what is quoted is a part of the demand; of other
    families a sentence that quotes something (but as an example) is left alone.
    """

    id: str
    says: str
    make: Callable[[Slots], Any | None]
    bounded: bool = False
    takes_terms: bool = False
