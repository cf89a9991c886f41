"""Where lines that were shown are in a file that changed since."""

from __future__ import annotations

from collections.abc import Sequence


def surviving(now: Sequence[str], block: Sequence[str], first: int) -> list[tuple[int, int, int]]:
    """The parts of ``block``, shown from line ``first`` on, that stand in ``now``: (start, end, line of start now).

    Offsets count from 0 and exclude ``end``; lines count from 1. All of it where it was, or else at the only other
    place; or else its beginning where it was and its end at the only place behind that: what one edit in its middle
    leaves.
    """
    size = len(block)
    if list(now[first - 1 : first - 1 + size]) == list(block):
        return [(0, size, first)]
    if any(line.strip() for line in block):
        starts = [
            at for at in range(len(now) - size + 1) if now[at] == block[0] and list(now[at : at + size]) == list(block)
        ]
        if len(starts) == 1:
            return [(0, size, starts[0] + 1)]
        if starts:
            return []
    head = 0
    while head < size and first - 1 + head < len(now) and now[first - 1 + head] == block[head]:
        head += 1
    found = [(0, head, first)] if head else []
    tail = _tail(now, block[head:], first - 1 + head)
    if tail is not None:
        length, at = tail
        found.append((size - length, size, at + 1))
    return found


def _tail(now: Sequence[str], rest: Sequence[str], behind: int) -> tuple[int, int] | None:
    """(length, start in ``now``) of the longest end of ``rest`` that stands at one place from ``behind`` on."""
    best: list[tuple[int, int]] = []
    for end in range(len(now) - 1, behind - 1, -1):
        length = 0
        while length < len(rest) and end - length >= behind and now[end - length] == rest[-1 - length]:
            length += 1
        if length and (not best or length >= best[0][0]):
            best = [*(one for one in best if one[0] == length), (length, end - length + 1)]
    if len(best) != 1:
        return None
    length, start = best[0]
    return best[0] if any(line.strip() for line in now[start : start + length]) else None
