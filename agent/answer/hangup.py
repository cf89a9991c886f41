"""Ending a request whose thread waits for its server: the connection is shut down from another thread."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Mapping
from threading import Lock
from typing import Any

_CONNECTED = ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")


class HangUp:
    """The connections of one HTTP client, learned from httpx's trace of each request (its ``trace`` extension)."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sockets: list[socket.socket] = []
        self._over = False

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
