"""Milliseconds of each step of a search."""

from __future__ import annotations

from time import perf_counter


class Clock:
    """``laps`` has the milliseconds of each step, and ``total`` those of all."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = self._first = perf_counter()

    def lap(self, name: str) -> None:
        now = perf_counter()
        self.laps[name] = (now - self._last) * 1000.0
        self.laps["total"] = (now - self._first) * 1000.0
        self._last = now
