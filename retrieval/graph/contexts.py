"""What a variable's values may depend on besides the text: what flows into the file, and the call that is followed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from retrieval.graph.values import FAR, Key, Place, Value, Values

#: For calls whose arguments are not looked at.
NOWHERE: Final[Place] = (0, FAR, 0)


#: Stands for a parameter of a generator: what it is sent.
SENT: Final = "<sent>"


@dataclass(slots=True)
class Flows:
    """What the calls and assignments of one file put where.

    Attributes:
        params: (module number, scope, parameter) to what is passed; ``@name`` in place of a parameter stands for an
            attribute of that class, function or module.
        items: A container to what is stored in it, by key; key None where it is not known.
    """

    params: dict[tuple[int, int, str], Values] = field(default_factory=dict)
    items: dict[Value, dict[Any, Values]] = field(default_factory=dict)


NO_FLOWS = Flows()


@dataclass(frozen=True, slots=True)
class Context:
    """One call of a function, told from others by the arguments that its result depends on.

    Attributes:
        place: (module number, scope) of the function.
        depth: Contexts that the call was met in, itself included.
    """

    number: int
    place: tuple[int, int]
    arguments: dict[str, Values]
    depth: int


class TooDeep(Exception):  # noqa: N818  (no error: the solver goes on from there)
    """The stack is full: ``key`` is to be solved first, then what asked for it."""

    def __init__(self, key: Key) -> None:
        super().__init__()
        self.key = key
