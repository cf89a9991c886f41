"""A server's life: bind, serve until SIGINT or SIGTERM, let what is being answered end, close the index."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType

from agent.serve.keeper import Keeper
from agent.serve.settings import DEFAULT_PORT, ServeSettings
from agent.session import Session, Warn
from agent.tools.pool import SessionPool
from retrieval.errors import UserError

_GRACE_S = 5  # for answers that are being written when the server is stopped
_KEEP_ALIVE_S = 30
_BACKLOG = 512
_MAX_HEAD_BYTES = 32_768  # of a request's line and headers


def bind(address: str, port: int | None) -> socket.socket:
    """A listening socket. Without a port: the default one, or any other when that is taken.

    Raises:
        UserError: The address or the port cannot be had.
    """
    for wanted in (DEFAULT_PORT, 0) if port is None else (port,):
        try:
            infos = socket.getaddrinfo(address, wanted, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
            family, kind, protocol, _, place = infos[0]
            listener = socket.socket(family, kind, protocol)
            try:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind(place)
                listener.listen(_BACKLOG)
            except OSError:
                listener.close()
                raise
        except (OSError, UnicodeError) as error:
            if port is None and wanted:
                continue
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise UserError(
                f"The server cannot listen on {address} port {wanted}: {why}.",
                "Give another --port (0 takes a free one) or --host.",
            ) from error
        return listener
    raise AssertionError("unreachable")


def serve(
    listener: socket.socket, session: Session, settings: ServeSettings, warn: Warn, on_ready: Callable[[], None]
) -> None:
    """Serve the tree of ``session`` on ``listener`` until a signal comes, which has to be in the main thread.

    Readers of the index are opened here; the session's own is not used. A second signal ends at once.
    """
    asyncio.run(_serve(listener, session, settings, warn, on_ready))


async def _serve(
    listener: socket.socket, session: Session, settings: ServeSettings, warn: Warn, on_ready: Callable[[], None]
) -> None:
    import uvicorn

    from agent.serve.app import QUICK_THREADS, Server

    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.ERROR)
    pool = SessionPool(session.location, session.embedder, settings.workers + QUICK_THREADS)
    keeper = Keeper(session.location, warn)
    server = Server(settings, pool, keeper)
    running = uvicorn.Server(
        uvicorn.Config(
            server.app,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=_BACKLOG,
            timeout_keep_alive=_KEEP_ALIVE_S,
            timeout_graceful_shutdown=_GRACE_S,
            h11_max_incomplete_event_size=_MAX_HEAD_BYTES,
        )
    )
    loop = asyncio.get_running_loop()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        running.force_exit = running.should_exit
        running.should_exit = True
        loop.call_soon_threadsafe(server.stopping.set)

    try:
        if settings.update:
            keeper.start()
        with _handling(stop):
            waiting = asyncio.create_task(_tell_ready(running, on_ready))
            try:
                await running._serve([listener])
            finally:
                waiting.cancel()
    finally:
        listener.close()
        await asyncio.to_thread(server.close)


async def _tell_ready(running: object, on_ready: Callable[[], None]) -> None:
    while not getattr(running, "started", False):
        await asyncio.sleep(0.01)
    on_ready()


@contextlib.contextmanager
def _handling(stop: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Ours in place of uvicorn's own, which end the process by the signal: stopping a server is no failure."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
