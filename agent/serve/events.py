"""Server-sent events from work in other threads, until it is done or the client has gone."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from agent.serve.problems import describe
from agent.serve.work import Gone, GoneError, wait_for_disconnect

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from agent.serve.asking import Emit

_PULSE_S = 15.0  # of silence, after which a comment shows that the connection stands
_HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
_END = None

#: Runs the work and emits its events; returns when there are no more.
Source = Callable[["Emit", Gone], Awaitable[None]]


def encode(name: str, data: Any) -> bytes:
    """One event. JSON holds no line feed, so its data is one line whatever the text in it."""
    return b"event: %s\ndata: %s\n\n" % (name.encode("ascii"), encode_json(data))


def encode_json(value: Any) -> bytes:
    """UTF-8; of names that are none (file names in another encoding) the odd bytes become question marks."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


class EventStream:
    """An ASGI response. The source's failure is its last event, ``error``.

    The queue holds what a slow client has not taken yet: a pack and an answer, both bounded.
    """

    def __init__(self, source: Source, stopping: asyncio.Event) -> None:
        self._source = source
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        gone = Gone()

        def emit(name: str, data: Any) -> None:
            encoded = encode(name, data)  # in the thread that works
            gone.check()
            loop.call_soon_threadsafe(queue.put_nowait, encoded)

        async def work() -> None:
            try:
                await self._source(emit, gone)
            except GoneError:
                pass
            except Exception as error:
                queue.put_nowait(encode("error", describe(error)))
            finally:
                # Behind what other threads have handed over already.
                loop.call_soon(queue.put_nowait, _END)

        await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
        tasks = [
            asyncio.create_task(work()),
            asyncio.create_task(_forward(queue, send)),
            asyncio.create_task(wait_for_disconnect(receive)),
            asyncio.create_task(self._stopping.wait()),
        ]
        try:
            await asyncio.wait(tasks[1:], return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(OSError):
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _forward(queue: asyncio.Queue[bytes | None], send: Send) -> None:
    while True:
        try:
            event = await asyncio.wait_for(queue.get(), _PULSE_S)
        except TimeoutError:
            event = b": still here\n\n"
        if event is _END:
            return
        await send({"type": "http.response.body", "body": event, "more_body": True})
