"""What arrives of all that files send to one another's parameters.

A file's own part depends on what it reads alone, not on what it receives. What a file receives is the closure over
parameters handed on as they are (``("p", module, scope, name)``), computed anew each time; so nothing can keep itself
alive in a circle, and an incremental resolve ends in the same graph as a full one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from retrieval.graph.flow_sinks import Named, Sent
from retrieval.graph.given import Received
from retrieval.graph.values import MAX_VALUES, is_many

#: What one file sends somewhere, sorted.
Values = list[tuple[Named, int]]

_MAX_STEPS = 1_000


class Slot(NamedTuple):
    """A parameter (or ``@attribute``) of a scope."""

    module: str
    scope: str
    name: str


class Delivery:
    """All that the files of a tree send, by the module that it goes to."""

    def __init__(self, senders: Iterable[tuple[int, Sent]]) -> None:
        """
        Args:
            senders: The bit of each module and what it sends.
        """
        self._slots: dict[str, dict[tuple[str, str], list[tuple[int, Values]]]] = {}
        for sender, sent in sorted(senders, key=lambda each: each[0]):
            for (module, scope, name), values in sent.items():
                held = self._slots.setdefault(module, {}).setdefault((scope, name), [])
                held.append((sender, sorted(values.items())))

    def everything(self) -> Iterator[tuple[int, Slot, dict[Named, int]]]:
        for module, slots in self._slots.items():
            for (scope, name), held in slots.items():
                for sender, values in held:
                    yield sender, Slot(module, scope, name), dict(values)

    def receivers(self) -> list[str]:
        return sorted(self._slots)

    def received(self, module: str, bit: int) -> Received:
        """What reaches the parameters of a module from other files, and the containers that it reads."""
        return received(module, self._slots.get(module, ()), bit, self._stored)

    def _stored(self, slot: Slot) -> list[tuple[int, Values]]:
        return self._slots.get(slot.module, {}).get(slot[1:], [])


def received(
    module: str,
    places: Iterable[tuple[str, str]],
    bit: int,
    stored: Callable[[Slot], list[tuple[int, Values]]],
) -> Received:
    """What reaches the ``places`` of a module, which are scopes and parameters.

    Args:
        stored: What is sent to a slot, by the bits of those that send it, in their order.
    """
    out: Received = {}
    for scope, name in sorted(places):
        values = _closure(Slot(module, scope, name), bit, stored)
        if values:
            out[(scope, name)] = values
    return out


def _closure(slot: Slot, own: int, stored: Callable[[Slot], list[tuple[int, Values]]]) -> dict[Named, int]:
    """What is sent there, and to what is handed on to it; what a module itself puts in containers, it knows."""
    found: dict[Named, int] = {}
    seen = {slot}
    work = [slot]
    while work and len(seen) < _MAX_STEPS:
        at = work.pop()
        for sender, values in stored(at):
            for named, step in values:
                if named[0] != "p":
                    if sender == own and at.name[0] == "[":
                        continue
                    found[named] = min(step, found.get(named, step))
                elif Slot(*named[1:]) not in seen:
                    seen.add(Slot(*named[1:]))
                    work.append(Slot(*named[1:]))
    kinds = {named[3:] if named[0] == "[" else named: step for named, step in found.items()}
    return found if len(found) <= MAX_VALUES or is_many(kinds) else {}
