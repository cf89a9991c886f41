"""Running the server: over standard input and output, or as streamable HTTP on loopback behind a token."""

from __future__ import annotations

import hmac
import logging
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import anyio

from agent.mcp.server import build_server
from agent.mcp.service import Service

PATH = "/mcp"


def serve_stdio(service: Service, *, structured: bool = False) -> None:
    """Serve one client until it closes our standard input. An interrupt ends the process at once."""
    from mcp.server.stdio import stdio_server

    # The thread that waits for the client's next line cannot be interrupted, and an index survives any death.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    async def main() -> None:
        server = build_server(service, structured=structured)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(main)


def serve_http(
    service: Service,
    listener: socket.socket,
    token: str | None,
    ready: Callable[[], None],
    *,
    structured: bool = False,
) -> None:
    """Serve any number of clients on a loopback socket until the process is told to end.

    Args:
        token: What clients must send as ``Authorization: Bearer``; None lets everybody on this machine in.
        ready: Called once connections are taken.
    """
    import uvicorn

    server = build_server(service, structured=structured)
    # The host is what the SDK tells by that only names of loopback are allowed in Host and Origin.
    app: Any = server.streamable_http_app(streamable_http_path=PATH, host="127.0.0.1")
    config = uvicorn.Config(
        app if token is None else _Token(app, token),
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )

    class _Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            ready()

    _Server(config).run(sockets=[listener])


class _Token:
    """Lets requests through that carry the token, compared in constant time."""

    def __init__(self, app: Any, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, self._wanted):
                headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": b"The token is missing or wrong.\n"})
                return
        await self._app(scope, receive, send)


def log_to_stderr(verbose: bool) -> None:
    """Standard output is the protocol's alone."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO if verbose else logging.WARNING, format="contextc mcp: %(message)s"
    )
    # The SDK warns of each request that it refuses; a client sees the refusal itself.
    logging.getLogger("mcp").setLevel(logging.INFO if verbose else logging.ERROR)
