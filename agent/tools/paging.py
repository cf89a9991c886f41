"""Cuts what a tool found to a page of bounded tokens that says how to go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from agent.tools.records import Item, Line, Outcome
from retrieval.tokens.estimate import estimate_tokens

MIN_PAGE_TOKENS = 200
_FOOTER_TOKENS = 90  # kept for the line that says how to page on


@dataclass(frozen=True, slots=True)
class Page:
    """The text of a page, the lines of files in it, the JSON of its items, and the arguments of the next page."""

    text: str
    shown: tuple[Line, ...]
    results: list[Any]
    more: dict[str, Any] | None


def page_of(outcome: Outcome, name: str, arguments: Mapping[str, Any], max_tokens: int) -> Page:
    """As many items as fit into ``max_tokens``; at least one, of which only the first lines when it is larger."""
    budget = max_tokens - _FOOTER_TOKENS
    lines = [Line(fit(line, budget // 4)) for line in outcome.head]
    budget -= sum(map(cost, lines)) + sum(estimate_tokens(line) + 1 for line in outcome.tail)
    results: list[Any] = []
    taken = 0
    for item in outcome.items:
        price = sum(map(cost, item.lines))
        if price > budget:
            if not taken:
                lines += _torn(item, budget)
                results.append(item.data)
                taken = 1
            break
        budget -= price
        lines += item.lines
        results.append(item.data)
        taken += 1
    left = len(outcome.items) - taken + outcome.rest
    more = None
    if left:
        changed = dict(outcome.following(outcome.start + taken))
        more = {**arguments, **changed}
        said = json.dumps(more, ensure_ascii=False)
        if estimate_tokens(said) > _FOOTER_TOKENS - 30:
            said = json.dumps(changed, ensure_ascii=False) + " and the rest as before"
        lines.append(Line(f"… {left:,} more; next page: {name} {said}"))
    else:
        lines += [Line(line) for line in outcome.tail]
    return Page("\n".join(line.text for line in lines), tuple(line for line in lines if line.path), results, more)


def cost(line: Line) -> int:
    """Upper bound of a line's tokens, its end included."""
    return estimate_tokens(line.text) + 1


def _torn(item: Item, budget: int) -> list[Line]:
    kept: list[Line] = []
    for position, line in enumerate(item.lines):
        price = cost(line)
        if price > budget - 8:
            if not kept:
                kept.append(Line(fit(line.text, budget - 8), line.path, line.number))
                position += 1
            if position < len(item.lines):
                kept.append(Line(f"… {len(item.lines) - position} lines of this left out"))
            break
        budget -= price
        kept.append(line)
    return kept


def fit(text: str, tokens: int) -> str:
    """``text``, or as much of its beginning as ``tokens`` hold, marked with ``…``."""
    return text if len(text) <= tokens or estimate_tokens(text) <= tokens else text[: prefix(text, tokens - 1)] + "…"


def prefix(text: str, tokens: int) -> int:
    """How many characters of ``text``, from its start, cost at most ``tokens``."""
    low, high = 0, min(len(text), max(0, tokens) * 24)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return low


class LazyItems(Sequence[Item]):
    """Items that are made when a page takes them."""

    def __init__(self, makers: Sequence[Callable[[], Item]]) -> None:
        self._makers = makers

    def __len__(self) -> int:
        return len(self._makers)

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> LazyItems: ...

    def __getitem__(self, index: int | slice) -> Item | LazyItems:
        return LazyItems(self._makers[index]) if isinstance(index, slice) else self._makers[index]()


def window(items: Sequence[Item], offset: int) -> dict[str, Any]:
    """The part of an `Outcome` that says where a list begins, for a tool that has all of it at hand."""
    return {"items": items[offset:], "start": min(offset, len(items))}
