"""A scripted OpenAI-compatible server on loopback: each chat request is answered by the next step of its script."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = Callable[["Handler", dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedServer

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        if self.server.models is None:
            self.reply(404, {"error": {"message": "no such path"}})
        else:
            self.reply(
                200, {"object": "list", "data": [{"id": name, "object": "model"} for name in self.server.models]}
            )

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        self.server.requests.append({"path": self.path, "body": body, "headers": dict(self.headers)})
        self.server.script.pop(0)(self, body)

    def reply(
        self, status: int, payload: Any, headers: dict[str, str] | None = None, kind: str = "application/json"
    ) -> None:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def start_stream(self, length: int | None = None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, payload: Any) -> None:
        data = payload if isinstance(payload, str) else json.dumps(payload)
        self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()


class ScriptedServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: list[Step], models: list[str] | None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = list(script)
        self.models = models
        self.requests: list[dict[str, Any]] = []

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def serving(*script: Step, models: list[str] | None = None) -> Iterator[ScriptedServer]:
    server = ScriptedServer(list(script), models)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def chunk(text: str | None = None, finish: str | None = None, usage: dict[str, int] | None = None) -> dict[str, Any]:
    choices = [] if usage else [{"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}]
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "tiny-1",
        "choices": choices,
        "usage": usage,
    }


def streams(*pieces: str, finish: str | None = "stop", done: bool = True) -> Step:
    def step(handler: Handler, body: dict[str, Any]) -> None:
        handler.start_stream()
        for piece in pieces:
            handler.event(chunk(piece))
        if finish:
            handler.event(chunk(finish=finish))
        handler.event(chunk(usage={"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}))
        if done:
            handler.event("[DONE]")

    return step


def whole(text: str) -> Step:
    """Ignores ``stream`` and answers in one piece."""

    def step(handler: Handler, body: dict[str, Any]) -> None:
        message = {"role": "assistant", "content": text}
        handler.reply(
            200,
            {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": "tiny-1",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7},
            },
        )

    return step


def fails(status: int, message: str, headers: dict[str, str] | None = None, **error: Any) -> Step:
    def step(handler: Handler, body: dict[str, Any]) -> None:
        handler.reply(status, {"error": {"message": message, **error}}, headers)

    return step


def says(status: int, data: bytes, kind: str) -> Step:
    return lambda handler, body: handler.reply(status, data, kind=kind)


def breaks_after(*pieces: str, promised: int = 100_000) -> Step:
    """Promises more bytes than it sends, then closes the connection."""

    def step(handler: Handler, body: dict[str, Any]) -> None:
        handler.start_stream(promised)
        for piece in pieces:
            handler.event(chunk(piece))
        handler.connection.close()

    return step


def sends_raw(*events: Any) -> Step:
    def step(handler: Handler, body: dict[str, Any]) -> None:
        handler.start_stream()
        for each in events:
            handler.event(each)

    return step
