"""Running the server: over standard input and output, or as streamable HTTP on loopback behind a token."""

from __future__ import annotations

import hmac
import logging
import sys
from typing import Any

import anyio

from agent.mcp.server import build_server
from agent.mcp.service import Service

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PATH = "/mcp"


def serve_stdio(service: Service, *, structured: bool = False) -> None:
    """Serve one client until it closes our standard input."""
    from mcp.server.stdio import stdio_server

    async def main() -> None:
        server = build_server(service, structured=structured)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(main)


def serve_http(
    service: Service, host: str, port: int, token: str | None, ready: Any, *, structured: bool = False
) -> None:
    """Serve any number of clients until the process is told to end.

    Args:
        token: What clients must send as ``Authorization: Bearer``; None lets everybody on this machine in.
        ready: Called with the port once connections are taken.
    """
    import uvicorn

    app: Any = build_server(service, structured=structured).streamable_http_app(streamable_http_path=PATH, host=host)
    if token is not None:
        app = _Token(app, token)
    config = uvicorn.Config(
        app, host=host, port=port, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=2
    )

    class _Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets=sockets)
            if self.started:
                ready(self.servers[0].sockets[0].getsockname()[1])

    _Server(config).run()


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
