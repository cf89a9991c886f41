"""What stands before every request: which host it names, where it comes from, its token, its size; and what every
response carries so that a browser neither embeds, sniffs nor keeps it."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from typing import TYPE_CHECKING

from agent.serve.problems import RequestError, problem

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 65_536
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
)
_ORIGIN_MEND = "Use the page that this server shows, or a program that sends no Origin."
_TOKEN_MEND = "Send the token that the server printed when it started: Authorization: Bearer TOKEN"  # noqa: S105


_TOO_LARGE = (f"The request has more than {MAX_BODY_BYTES:,} bytes.", "Send a shorter question.")


class Guard:
    """ASGI middleware around the whole application.

    Args:
        hosts: ``Host`` headers that name this server. Any other is a name that somebody else has pointed at us.
        public: Paths that need no token: they hold nothing of the tree.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: Collection[str], public: Collection[str]) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in hosts)
        self._public = frozenset(public)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in _HEADERS}
                message["headers"] = [*(h for h in message.get("headers", ()) if h[0].lower() not in own), *_HEADERS]
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
        else:
            await self._app(scope, _limited(receive), send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return problem(
                421,
                "The Host header does not name this server.",
                "Use the address that the server printed, or start it with --allow-host NAME.",
                _CLOSE,
            )
        origins = _values(scope, b"origin")
        if len(origins) > 1 or (origins and origins[0].lower() not in self._origins):
            return problem(403, "The request comes from a page of another origin.", _ORIGIN_MEND, _CLOSE)
        lengths = _values(scope, b"content-length")
        if any(not length.isascii() or not length.isdigit() or int(length[:20]) > MAX_BODY_BYTES for length in lengths):
            return _too_large()
        if scope["path"] in self._public:
            return None
        if any(site.lower() not in ("same-origin", "none") for site in _values(scope, b"sec-fetch-site")):
            return problem(403, "The request comes from a page of another site.", _ORIGIN_MEND, _CLOSE)
        return None if self._knows(scope) else _unauthorized(bool(_values(scope, b"authorization")))

    def _knows(self, scope: Scope) -> bool:
        """Compared in constant time, so that answers do not tell how much of a guess was right."""
        given = _values(scope, b"authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        fits = hmac.compare_digest(token.strip(" ").encode("latin-1"), self._token)
        return fits and scheme.lower() == "bearer"


#: A refused request's body is not read: the connection cannot serve another one.
_CLOSE = {"connection": "close"}


def _unauthorized(shown: bool) -> Response:
    cause = "The token is not this server's." if shown else "The request shows no token."
    return problem(401, cause, _TOKEN_MEND, {"www-authenticate": "Bearer", **_CLOSE})


def _too_large() -> Response:
    return problem(413, *_TOO_LARGE, _CLOSE)


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _limited(receive: Receive) -> Receive:
    """A chunked body tells no length beforehand: it is counted as it comes."""
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        if message["type"] == "http.request":
            total += len(message.get("body", b""))
            if total > MAX_BODY_BYTES:
                raise RequestError(413, *_TOO_LARGE)
        return message

    return counted
