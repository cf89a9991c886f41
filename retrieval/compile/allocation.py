"""What the budgeter is told of each piece's header, and what it decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from retrieval.compile.ladder import Rung
from retrieval.compile.slicer import Sliced


class Choice(NamedTuple):
    """What the budgeter decided for one piece; ``rung`` None means dropped, ``why`` says on what grounds."""

    sliced: Sliced
    rung: Rung | None
    tokens: int
    likelihood: float
    why: str


class Overhead(NamedTuple):
    """Tokens of a piece's header and separator: ``own`` in any case, ``entry`` besides for the first piece of a file,
    which spells the path, ``owner_tokens`` besides for the first piece of an ``owner`` (a class), which spells it.
    ``entry`` is the same for all pieces of a file."""

    own: int
    entry: int = 0
    owner: str = ""
    owner_tokens: int = 0

    @property
    def first(self) -> int:
        return self.own + self.entry + self.owner_tokens


@dataclass(frozen=True, slots=True)
class Allocation:
    """Choices in the order of the pieces. ``tokens`` is at most the budget; ``worth`` is what was maximised."""

    choices: tuple[Choice, ...]
    tokens: int
    worth: float
    smallest: int  # tokens of the cheapest way to show anything; 0 without pieces
