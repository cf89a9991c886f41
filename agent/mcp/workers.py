"""Blocking work beside an event loop: in threads, a bounded number at once, given up when the request is cancelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

from agent.tools.cancel import Cancellation

_T = TypeVar("_T")

THREADS = 8


class Workers:
    """Made inside the event loop that uses it."""

    def __init__(self, threads: int = THREADS) -> None:
        self._limiter = anyio.CapacityLimiter(threads)

    async def run(self, work: Callable[[Cancellation], _T]) -> _T:
        """``work`` in a thread. When the caller is cancelled, the thread is told and left to end by itself."""
        cancellation = Cancellation()
        try:
            return await anyio.to_thread.run_sync(work, cancellation, abandon_on_cancel=True, limiter=self._limiter)
        except anyio.get_cancelled_exc_class():
            cancellation.cancel()
            raise
