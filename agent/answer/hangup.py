"""Ending a request whose thread waits for its server: the connection is shut down from another thread."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from typing import Any

_CONNECTED = ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")


class HangUp:
    """The connections of one HTTP client, learned from httpx's trace of each request (its ``trace`` extension)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._over = False
        self._late = False

    @property
    def is_late(self) -> bool:
        """Whether the time of ``after`` was up."""
        return self._late

    @contextlib.contextmanager
    def after(self, seconds: float) -> Iterator[None]:
        """Hang up when ``seconds`` are over: a socket's own timeout notices silence, but no reply that never ends."""
        watch = threading.Timer(seconds, self._too_late)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def _too_late(self) -> None:
        self._late = True
        self.now()

    @property
    def is_over(self) -> bool:
        return self._over

    def watch(self, request: Any) -> None:
        """An httpx event hook for requests."""
        request.extensions = {**request.extensions, "trace": self._trace}

    def now(self) -> None:
        """Shut down every connection, those yet to be made included: whoever reads from one reads its end."""
        with self._lock:
            self._over = True
            sockets, self._sockets = self._sockets, []
        for each in sockets:
            _shut_down(each)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if not event.endswith(_CONNECTED):
            return
        found = info["return_value"].get_extra_info("socket")
        if not isinstance(found, socket.socket):
            return
        with self._lock:
            self._sockets.append(found)
            over = self._over
        if over:
            _shut_down(found)


def _shut_down(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # closed already
        # Not a TLS socket's own method, which would touch what the reading thread uses.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
