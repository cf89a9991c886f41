"""Requests sent byte by byte to a server over a tree full of traps, and what a refusal has to look like."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest
from serve_helpers import SECRET, TOKEN, Running, running, write

OUTSIDE = "text-outside-of-the-root-8d1f"


def hostile_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server over a tree with links out of it, a pipe and a secret."""
    base = tmp_path_factory.mktemp("hostile")
    root = write(base / "tree")
    (base / "outside.py").write_text(f"text = '{OUTSIDE}'\n")
    (root / "link.py").symlink_to(base / "outside.py")
    (root / "linked").symlink_to(base)
    (root / "etc.py").symlink_to("/etc/passwd")
    os.mkfifo(root / "pipe.py")
    with running(root, "-q", env={"CONTEXTC_CACHE_DIR": str(base / "cache")}) as found:
        yield found


def request(
    server: Running,
    target: str = "/api/status",
    method: str = "GET",
    host: str | None = None,
    token: str | None = TOKEN,
    body: bytes = b"",
    headers: tuple[str, ...] = (),
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one request, sent as these bytes."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: {server.host if host is None else host}", "Connection: close"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if body and not any(line.lower().startswith(("content-length", "transfer-encoding")) for line in headers):
        lines.append(f"Content-Length: {len(body)}")
    head = "\r\n".join([*lines, *headers]) + "\r\n\r\n"
    return parse(server.raw(head.encode("utf-8", "surrogateescape") + body))


def parse(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    found = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split(" ")[1]) if first else 0, found, body


def refused(answer: tuple[int, dict[str, str], bytes], *statuses: int) -> None:
    status, headers, body = answer
    assert status in statuses, (status, body[:300])
    assert OUTSIDE.encode() not in body and SECRET.encode() not in body and b"root:x:" not in body
    assert headers["content-type"] == "application/problem+json"
    told = json.loads(body)
    assert told["status"] == status and told["cause"] and told["mend"]
    assert "\n" not in told["cause"] + told["mend"]
    assert "Traceback" not in told["cause"]
