"""contextc mcp --http: the SDK's client with the token, and requests that no client of the user's would send."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_process import command, environment, run, text_of
from shop_tree import PACKAGE

PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


@dataclass(frozen=True)
class Http:
    root: Path
    port: int
    token: str

    def request(
        self,
        *,
        method: str = "POST",
        path: str = "/mcp",
        headers: dict[str, str | None] | None = None,
        body: str = PING,
    ) -> int:
        """The status of one request, written by hand so that nothing is normalised on the way; 0: hung up."""
        told: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body.encode("utf-8", "surrogateescape"))),
            "Connection": "close",
            **(headers or {}),
        }
        lines = [
            f"{method} {path} HTTP/1.1",
            *(f"{name}: {value}" for name, value in told.items() if value is not None),
        ]
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            try:
                connection.sendall(("\r\n".join(lines) + "\r\n\r\n" + body).encode("utf-8", "surrogateescape"))
                answer = connection.makefile("rb").readline().decode()
            except ConnectionError:
                return 0
        found = re.match(r"HTTP/1.1 (\d+)", answer)
        return int(found.group(1)) if found else 0


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Http]:
    root = tmp_path_factory.mktemp("http") / "shop"
    for name, text in PACKAGE.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    process = subprocess.Popen(
        command("--http", "--port", "0", "--root", root),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment(), "CONTEXTC_CACHE_DIR": str(tmp_path_factory.getbasetemp() / "cache")},
    )
    assert process.stderr is not None and process.stdout is not None
    served, told = process.stderr.readline(), process.stderr.readline()
    port, token = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", served), re.search(r"Bearer (\S{20,})", told)
    assert port and token, (served, told)
    yield Http(root, int(port.group(1)), token.group(1))
    process.terminate()
    out, err = process.communicate(timeout=30)
    assert out == ""
    assert "Traceback" not in err


def test_two_clients_at_once_and_one_that_breaks_off(http: Http) -> None:
    async def client(name: str, answers: list[str]) -> None:
        headers = {"Authorization": f"Bearer {http.token}"}
        async with (
            create_mcp_http_client(headers=headers) as web,
            Client(streamable_http_client(f"http://127.0.0.1:{http.port}/mcp", http_client=web)) as session,
        ):
            for _ in range(10):
                answers.append(text_of(await session.call_tool("find_symbol", {"name": name})))
            with anyio.move_on_after(0.01):
                await session.call_tool("pack", {"question": "how is the total of a cart made"})
            answers.append(text_of(await session.call_tool("read_file", {"path": "shop/prices.py"})))

    async def test() -> None:
        cart: list[str] = []
        price: list[str] = []
        async with anyio.create_task_group() as group:
            group.start_soon(client, "Cart", cart)
            group.start_soon(client, "price_of", price)
        assert len(cart) == len(price) == 11
        assert all("shop.cart.Cart" in answer for answer in cart[:10])
        assert all("shop.prices.price_of" in answer for answer in price[:10])

    run(test)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": None}, 401),
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Basic dXNlcjpwYXNz"}, 401),
        ({"Authorization": "Bearer " + "x" * 10_000}, 401),
        ({"Authorization": "Bearer \u00e9\u00e8"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:80"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": "localhost.evil.example:8765"}, 421),
        ({"Host": "0.0.0.0:8765"}, 421),
        ({"Host": "[::ffff:127.0.0.1]:1"}, 421),
        ({"Host": ""}, 421),
        ({"Host": "169.254.169.254"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost.evil.example:80"}, 403),
        ({"Origin": "file://"}, 403),
        ({"Content-Type": "text/plain"}, 400),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 400),
        ({"Content-Type": None}, 400),
    ],
)
def test_requests_of_others_are_refused(http: Http, headers: dict[str, str | None], status: int) -> None:
    assert http.request(headers=headers) == status


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/mcp/../etc/passwd",
        "/mcp/..%2f..%2fetc/passwd",
        "//mcp",
        "/openapi.json",
        "/docs",
        "/.env",
        "/mcp%00",
        "/MCP",
    ],
)
def test_there_is_nothing_beside_the_one_path(http: Http, path: str) -> None:
    assert http.request(path=path) in (307, 400, 404)
    assert http.request(path=path, headers={"Authorization": None}) in (400, 401)


def test_what_is_no_call_is_refused_and_the_server_goes_on(http: Http) -> None:
    bodies = [
        "",
        "garbage",
        "{",
        "[" * 5_000,
        "null",
        '"x"',
        "[]",
        '{"jsonrpc": "1.0"}',
        "\udcff\udcfe",
        '{"a": ' * 3_000,
        "{}" * 100,
    ]
    for body in bodies:
        assert 400 <= http.request(body=body) < 500
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "HEAD"):
        assert http.request(method=method) in (400, 404, 405, 406)
    assert http.request(body="x" * 5_000_000) in (0, 400, 413)
    assert http.request(headers={"Content-Length": "99999999999"}) in (0, 400, 413)
    test_two_clients_at_once_and_one_that_breaks_off(http)


def test_a_port_that_is_taken_is_told_with_the_way_out(http: Http) -> None:
    arguments = command("--http", "--port", http.port, "--no-update", "--root", http.root)
    done = subprocess.run(arguments, capture_output=True, text=True, env=environment(), timeout=60, check=False)
    assert done.returncode == 2
    assert "--port" in done.stderr and "Traceback" not in done.stderr
