"""Whoever does not name this server, comes from elsewhere or lacks the token is refused and told nothing."""

from __future__ import annotations

import pytest
from hostile_requests import hostile_server, refused, request
from serve_helpers import TOKEN, Running

server = pytest.fixture(scope="module")(hostile_server)


HOSTS = [
    "evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "localhost.evil.example:{port}",
    "127.0.0.1:{port}.evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "localhost:80", "0.0.0.0:{port}",
    "[::]:{port}", "127.0.0.2:{port}", "2130706433:{port}", "0x7f.1:{port}", "127.1:{port}", "user@127.0.0.1:{port}",
    "127.0.0.1:{port}/", "127.0.0.1:{port}, evil.example", "evil.example\t127.0.0.1:{port}", "metadata.internal:{port}",
    "", " ", "localhost.:{port}", "LOCALHOST.:{port}", "127.0.0.1%00:{port}", "①②⑦.⓪.⓪.①:{port}",
]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("target", ["/api/status", "/"])
def test_another_name_is_not_this_server(server: Running, host: str, target: str) -> None:
    answer = request(server, target, host=host.format(port=server.port))
    if answer[0] == 400 and "problem" not in answer[1].get("content-type", ""):
        assert b"Invalid HTTP request" in answer[2]  # what is no HTTP is refused before us
    else:
        refused(answer, 421)


def test_its_own_names_are_this_server(server: Running) -> None:
    for name in ("127.0.0.1", "localhost", "LocalHost", "[::1]"):
        assert request(server, host=f"{name}:{server.port}")[0] == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1", "null", "",
        "http://localhost:{port}.evil.example", "http://evil.example:{port}", "file://", "http://127.0.0.1:{port}/x",
        "http://user@127.0.0.1:{port}", "chrome-extension://abcdef",
    ],
)  # fmt: skip
def test_pages_of_other_origins_are_refused_whatever_they_know(server: Running, origin: str) -> None:
    header = f"Origin: {origin.format(port=server.port)}"
    answer = request(server, headers=(header,))
    refused(answer, 403)
    assert not any(name.startswith("access-control") for name in answer[1])
    preflight = request(
        server, "/api/ask", "OPTIONS", token=None, headers=(header, "Access-Control-Request-Method: POST")
    )
    refused(preflight, 403)
    assert not any(name.startswith("access-control") for name in preflight[1])


def test_the_servers_own_origin_is_served(server: Running) -> None:
    for host in (server.host, f"localhost:{server.port}"):
        assert request(server, headers=(f"Origin: http://{host}",))[0] == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "CROSS-SITE", "weird"])
def test_what_a_browser_calls_another_site_is_refused(server: Running, site: str) -> None:
    refused(request(server, headers=(f"Sec-Fetch-Site: {site}",)), 403)


TOKENS = [
    "",
    " ",
    TOKEN[:-1],
    TOKEN + "x",
    TOKEN.upper(),
    "null",
    "undefined",
    "*",
    "a" * 5000,
    "é" * 28,
    f"{TOKEN}, x",
]


@pytest.mark.parametrize("token", [None, *TOKENS])
def test_without_the_token_nothing_is_told(server: Running, token: str | None) -> None:
    for target in ("/api/status", "/api/file?path=shop/cart.py", "/api/nothing", "/favicon.ico", "//", "/api"):
        answer = request(server, target, token=token)
        refused(answer, 401)
        assert answer[1]["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "header",
    [
        f"Authorization: Basic {TOKEN}", f"Authorization: {TOKEN}", f"Authorization: Bearer\t{TOKEN}x",
        f"Cookie: token={TOKEN}", f"X-Authorization: Bearer {TOKEN}", f"Proxy-Authorization: Bearer {TOKEN}",
    ],
)  # fmt: skip
def test_the_token_elsewhere_does_not_count(server: Running, header: str) -> None:
    refused(request(server, f"/api/status?token={TOKEN}", token=None, headers=(header,)), 401)


def test_two_tokens_or_hosts_or_origins_are_none(server: Running) -> None:
    refused(request(server, headers=("Authorization: Bearer wrong",)), 401)
    assert request(server, headers=("Host: evil.example",))[0] in (400, 421)
    own = f"Origin: http://{server.host}"
    refused(request(server, headers=(own, "Origin: http://evil.example")), 403)
