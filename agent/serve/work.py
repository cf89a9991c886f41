"""Blocking work in threads, for requests whose client may go away meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from agent.serve.problems import RequestError
from agent.session import Session
from agent.tools.cancel import Cancellation, CancelledError
from agent.tools.pool import SessionPool

if TYPE_CHECKING:
    from starlette.types import Receive

T = TypeVar("T")


class GoneError(Exception):
    """The client has gone: nobody waits for the result."""


class Gone:
    """Set when the client has gone. Work that takes long looks at it, and may be told by callbacks."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    def check(self) -> None:
        """Raises GoneError."""
        if self._event.is_set():
            raise GoneError

    def sleep(self, seconds: float) -> None:
        """Like ``time.sleep``; raises GoneError as soon as the client has gone."""
        if self._event.wait(seconds):
            raise GoneError

    def on_gone(self, callback: Callable[[], None]) -> None:
        """Have ``callback`` called from another thread when the client goes; at once when it has gone."""
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def set(self) -> None:
        with self._lock:
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()


@contextmanager
def lent(pool: SessionPool, gone: Gone) -> Iterator[Session]:
    """A session of the pool. When the client goes, the statement that runs on it ends, and with it the work.

    Raises:
        GoneError: That happened.
        IndexUnavailableError: There is no index that may be used.
    """
    cancellation = Cancellation()
    gone.on_gone(cancellation.cancel)
    with pool.session() as session:
        try:
            with cancellation.interrupting(session.reader.conn):
                yield session
        except CancelledError:
            raise GoneError from None


class Threads:
    """A fixed number of threads and a bounded line before them."""

    def __init__(self, count: int, waiting: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._most = count + waiting
        self._inside = 0

    async def run(self, work: Callable[[], T]) -> T:
        """The result of ``work``; cancelling drops it when it has not begun.

        Raises:
            RequestError: 503, too many wait already.
        """
        if self._inside >= self._most:
            raise RequestError(503, f"{self._inside} requests are being served or wait.", "Try again in a moment.")
        self._inside += 1
        future = self._executor.submit(work)
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: _tell(loop, self._left))
        return await asyncio.wrap_future(future)

    def _left(self) -> None:
        self._inside -= 1

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)


def _tell(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(call)


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has gone; the request's body has to be read already."""
    while (await receive())["type"] != "http.disconnect":
        pass
