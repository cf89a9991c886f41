"""The slots of containers: their elements that the tree shows, by key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.fields import Fields
from retrieval.graph.modules import Module
from retrieval.graph.store import ModuleStore
from retrieval.graph.values import EMPTY, Key, Value, Values, constants, frozen
from retrieval.languages.python.facts_ops import ADDED, Op

#: Where an element is.
Source = tuple[Any, ...]
#: (key, where the element is); the key is a constant, or None where it is not known.
Slot = tuple[Value | None, Source]

#: Containers unpacked into containers, key by key; further ones give their elements without keys.
_MAX_SPLICES = 2


@dataclass(frozen=True, slots=True)
class Display:
    """Slots, and where the elements are by key."""

    slots: list[Slot]
    by_key: dict[Value, list[Source]]
    keyless: list[Source]

    @classmethod
    def of(cls, slots: Sequence[Slot]) -> Display:
        by_key: dict[Value, list[Source]] = {}
        for key, source in slots:
            if key is not None:
                by_key.setdefault(key, []).append(source)
        return cls(list(slots), by_key, [source for key, source in slots if key is None])


class Slots(Fields):
    def __init__(self, store: ModuleStore) -> None:
        super().__init__(store)
        self._splices = 0  # unpacked containers whose elements are being looked up, one inside the other
        #: Containers of other files that the places of a module read.
        self.containers_read: defaultdict[int, set[Value]] = defaultdict(set)
        self._displays: dict[tuple[int, int], Display | None] = {}

    # ---- slots -----------------------------------------------------------------------------------------------------

    def _slots(self, value: Value, depth: int = 0) -> list[Slot]:
        """The elements of a container that the tree shows, with their keys."""
        kind = value[0]
        if depth > _MAX_SPLICES and kind in "kaw":
            return [(None, ("all", value))]
        if kind == "k":
            display = self.display(value)
            slots = list(self._display_slots(value, depth) if display is None else display.slots)
        elif kind == "q":
            return [(("#", position), ("values", part)) for position, part in enumerate(value[1])]
        elif kind == "w":
            return self._window(value, depth)
        elif kind == "h":
            return [(None, ("values", value[1]))]
        else:
            slots = []
        stored = None
        self._looked_into(value)
        if self.local >= 0:
            stored = self.flows.items.get(value)
        for key in sorted(stored, key=repr) if stored else ():
            slots.append((key, ("stored", value, key)))
        return slots

    def container_slot(self, value: Value) -> tuple[str, str, str]:
        """A display by names that stay the same when files are read anew: module, scope, its number in that scope."""
        module = self.store.modules[value[1]]
        return module.name, module.scopes[value[2] >> 20].qualname, f"[{value[2] & 0xFFFFF}"

    def _looked_into(self, value: Value) -> None:
        self.deps |= self._container_bit(value)
        if value[0] == "k" and value[1] != self.home:
            self.containers_read[self.home].add(value)

    def display(self, value: Value) -> Display | None:
        """The slots of a display, where they rest on its text alone: nothing unpacked, no key computed."""
        place = (value[1], value[2])
        if place not in self._displays:
            expression = self._containers[place][0]
            self._displays[place] = Display.of(self._display_slots(value, 0)) if _is_plain(expression) else None
        return self._displays[place]

    def _display_slots(self, value: Value, depth: int) -> list[Slot]:
        expression = self._containers[(value[1], value[2])][0]
        read = self._dict_slots if expression[0] == Op.DICT else self._sequence_slots
        return read(value, expression, depth)

    def _sequence_slots(self, value: Value, expression: list[Any], depth: int) -> list[Slot]:
        slots: list[Slot] = []
        known = expression[1].removesuffix(ADDED) in ("list", "tuple")
        for position, item in enumerate(expression[2]):
            operator = item[0] if isinstance(item, list) and item else ""
            if operator == Op.STAR and known:
                spliced = self._spliced(value, item[1], depth)
                if spliced is not None:
                    slots.extend((("#", len(slots) + offset), source) for offset, source in enumerate(spliced))
                    continue
            if operator in (Op.STAR, Op.STAR0):
                known = False
            slots.append((("#", len(slots)) if known else None, ("element", value, position)))
        return slots

    def _spliced(self, value: Value, expression: Any, depth: int) -> list[tuple[Any, ...]] | None:
        """The elements of an unpacked sequence, where it is one sequence of known length."""
        if (
            self._splices >= _MAX_SPLICES
        ):  # evaluating starts at depth 0 again: without a count of its own, it multiplies
            return None
        _, index, order, block = self._containers[(value[1], value[2])]
        self._splices += 1
        try:
            inner = list(self.eval(expression, self.store.modules[value[1]], index, order, block))
            if len(inner) != 1 or inner[0] == value or not self.is_sequence(inner[0]):
                return None
            slots = self._slots(inner[0], depth + 1)
        finally:
            self._splices -= 1
        return [source for _key, source in slots] if all(key is not None for key, _source in slots) else None

    def _dict_slots(self, value: Value, expression: list[Any], depth: int) -> list[Slot]:
        _, index, order, block = self._containers[(value[1], value[2])]
        module = self.store.modules[value[1]]
        groups: dict[Value | None, list[Slot]] = {}
        for position, (key, item) in enumerate(expression[1]):
            if isinstance(key, list) and key[0] == Op.STARSTAR:
                for slot in self._unpacked_dict(value, item, module, (index, order, block), depth):
                    groups.setdefault(slot[0], []).append(slot)
                continue
            source = ("element", value, position)
            if isinstance(key, list) and key[0] in (Op.STR, Op.INT):
                groups[tuple(key)] = [(tuple(key), source)]  # hides what an earlier key of the name holds
                continue
            found = constants(self.eval(key, module, index, order, block)) if key != 0 else []
            keys: list[Value | None] = [*found] if found else [None]
            for known in keys:
                groups.setdefault(known, []).append((known, source))
        return [slot for group in groups.values() for slot in group]

    def _unpacked_dict(
        self, value: Value, expression: Any, module: Module, place: tuple[int, int, int], depth: int
    ) -> list[Slot]:
        if self._splices >= _MAX_SPLICES:
            return []
        self._splices += 1
        try:
            found = self.eval(expression, module, *place)
            return [slot for inner in found if inner != value for slot in self._slots(inner, depth + 1)]
        finally:
            self._splices -= 1

    def _window(self, value: Value, depth: int) -> list[Slot]:
        slots = self._slots(value[1], depth + 1)
        if not self.is_sequence(value[1]) or any(key is None for key, _source in slots):
            return [(None, source) for _key, source in slots]
        chosen = slots[value[2] : value[3]]
        return [(("#", position), source) for position, (_key, source) in enumerate(chosen)]

    def _slot(self, source: tuple[Any, ...]) -> Values:
        kind = source[0]
        if kind == "element":
            return self.solve(("L", source[1][1], source[1][2], source[2]))
        if kind == "values":
            return dict.fromkeys(source[1], q.CONTAINER)
        if kind == "all":
            return self._everything(source[1])
        if kind == "stored":
            return self.flows.items[source[1]][source[2]]
        return EMPTY

    def _element_value(self, key: Key) -> Values:
        expression, index, order, block = self._containers[(key[1], key[2])]
        module = self.store.modules[key[1]]
        item = expression[1][key[3]][1] if expression[0] == Op.DICT else expression[2][key[3]]
        if isinstance(item, list) and item and item[0] == Op.STAR:
            return self.iterate(self.eval(item[1], module, index, order, block))
        return self.eval(item, module, index, order, block)

    def _tuple_of(self, expression: list[Any], module: Module, index: int, order: int, block: int) -> Values:
        """A display inside a call whose arguments are known: its elements are evaluated there and then."""
        parts: list[tuple[Value, ...]] = []
        for item in expression[2]:
            if isinstance(item, list) and item and item[0] in (Op.STAR, Op.STAR0):
                return EMPTY
            parts.append(frozen(self.eval(item, module, index, order, block)))
        return {("q", tuple(parts)): q.LOCAL}

    def elements(self, value: Value) -> list[tuple[Value | None, Callable[[], Values]]]:
        """(key, what gives the element) of a container."""
        return [(key, partial(self._slot, source)) for key, source in self._slots(value)]

    def is_sequence(self, value: Value) -> bool:
        kind = value[0]
        if kind == "k":
            return bool(self._containers[(value[1], value[2])][0][0] == Op.SEQ)
        return kind in "qw" or (kind == "a" and value[3] == "tuple")

    def type_name(self, value: Value) -> str:
        """The builtin type of a container, "" where it is not certain."""
        kind = value[0]
        if kind == "k":
            expression = self._containers[(value[1], value[2])][0]
            if expression[0] == Op.DICT:
                return "" if expression[-2] == ADDED else "dict"
            return "" if expression[1].endswith(ADDED) else str(expression[1])
        if kind == "a":
            return str(value[3])
        if kind == "w":
            return str(value[4])
        return {"q": "tuple", "g": "generator", "h": value[2] if kind == "h" else ""}.get(kind, "")


def _is_plain(expression: list[Any]) -> bool:
    """Whether a display unpacks nothing and computes no key."""
    if expression[0] == Op.DICT:
        return all(key == 0 or (isinstance(key, list) and key[0] in (Op.STR, Op.INT)) for key, _item in expression[1])
    return not any(isinstance(item, list) and item and item[0] in (Op.STAR, Op.STAR0) for item in expression[2])
