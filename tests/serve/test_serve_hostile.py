"""Requests that want something else than an answer: each is refused, in one problem document, and the server goes on."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from hostile_requests import OUTSIDE, hostile_server, refused, request
from serve_helpers import TOKEN, Running

server = pytest.fixture(scope="module")(hostile_server)


PATHS = [
    "../outside.py", "..%2foutside.py", "%2e%2e/outside.py", "%2e%2e%2foutside.py", "..%5coutside.py", "..\\outside.py",
    "%252e%252e%252foutside.py", "..%c0%afoutside.py", "..%ef%bc%8foutside.py", "%e2%80%a5/outside.py", "....//outside.py",
    "shop/../../outside.py", "shop/%2e%2e/%2e%2e/outside.py", "./../outside.py", "/etc/passwd", "//etc/passwd",
    "%2fetc%2fpasswd", "file:///etc/passwd", "etc.py", "link.py", "linked/outside.py", "linked/tree/../outside.py",
    "/proc/self/environ", "/proc/self/root/etc/passwd", "/dev/stdin", "/dev/zero", "pipe.py", "C:%5cwindows%5cwin.ini",
    "%5c%5chost%5cshare", "~/.ssh/id_rsa", "~root/.bashrc", "$HOME/.env", ".env", "./.env", "shop/../.env", ".ENV",
    ".env%00.py", "shop/cart.py%00", "%00", ".git/config", ".contextc/manifest.json", ".contextc/lock",
    "ignored/private.py", "shop", ".", "..", "shop//cart.py/x", "a" * 1025, "%f0%9f%92%a9",
    "shop/cart.py%0d%0aSet-Cookie:x=1", "%ff%fe", "shop/cart.py?x", "*", "shop/*.py", "nul", "con", "aux.py",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_only_indexed_files_are_read(server: Running, path: str) -> None:
    refused(request(server, "/api/file?path=" + quote(path, safe="%/:$~*?=.")), 404, 422)


@pytest.mark.parametrize(
    "target",
    [
        "/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/page.js/../../settings.py", "/settings.py", "/app.py",
        "/openapi.json/..", "/page.html", "/%2e%2e/page.css", "/static/../guard.py", "/.git/config", "/api/../page.py",
        "/api/file/../status/", "/API/STATUS", "/api/status/", "/api//status", "/api/status%00", "/api/status;x=1",
    ],
)  # fmt: skip
def test_addresses_lead_nowhere_else(server: Running, target: str) -> None:
    refused(request(server, target), 404)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "get", "X" * 60])
def test_other_methods_do_nothing(server: Running, method: str) -> None:
    answer = request(server, "/api/status", method)
    refused(answer, 405)
    assert "GET" in answer[1]["allow"]


JSON = "Content-Type: application/json"
BODIES = [
    (b"", 400), (b"{", 400), (b"nope", 400), (b"[]", 422), (b"null", 422), (b'"question"', 422), (b"{}", 422),
    (b"[" * 30_000, 400), (b'{"question":' * 4_000, 400), (b'{"question": NaN}', 400), (b'{"question": Infinity}', 400),
    (b'{"question": 1e999}', 422), (b'{"question": ' + b"9" * 6_000 + b"}", 400), (b'{"question": "x", "budget": 1e99}', 422),
    (b'{"question": "x", "budget": -1}', 422), (b'{"question": "x", "budget": true}', 422), (b'{"question": "x", "budget": 1.5}', 422),
    (b'{"question": {"$ref": "file:///etc/passwd"}}', 422), (b'{"__proto__": {}, "question": "x"}', 422),
    (b'\xef\xbb\xbf{"question": "x"}', 400), (b"\xff\xfe{\x00}\x00", 400), (b'{"question": "\xff"}', 400),
    (b'{"question": "' + b"x" * 4_001 + b'"}', 422), (b"<x/>", 400), (b'{"question": "x"} {"question": "y"}', 400),
    (b'{"question": "x", "' + b"k" * 30_000 + b'": 1}', 422), (b'{"question": ""}', 422),
]  # fmt: skip


@pytest.mark.parametrize(("body", "status"), BODIES)
@pytest.mark.parametrize("path", ["/api/pack", "/api/ask/stream"])
def test_bodies_that_are_no_request(server: Running, path: str, body: bytes, status: int) -> None:
    refused(request(server, path, "POST", body=body, headers=(JSON,)), status)


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", "json"]
)
def test_what_a_form_can_send_is_no_request(server: Running, kind: str) -> None:
    """A page may send these types to any server without asking it first."""
    refused(request(server, "/api/pack", "POST", body=b'{"question": "x"}', headers=(f"Content-Type: {kind}",)), 415)


def test_huge_bodies_are_not_read(server: Running) -> None:
    huge = b'{"question": "' + b"x" * 100_000 + b'"}'
    refused(request(server, "/api/ask", "POST", body=huge, headers=(JSON,)), 413)
    refused(request(server, "/api/ask", "POST", headers=(JSON, "Content-Length: 99999999999999999999")), 413)
    chunks = b"".join(b"%x\r\n%s\r\n" % (10_000, b"x" * 10_000) for _ in range(10)) + b"0\r\n\r\n"
    refused(request(server, "/api/ask", "POST", body=chunks, headers=(JSON, "Transfer-Encoding: chunked")), 413)


@pytest.mark.parametrize(
    "query",
    [
        "", "?path=", "?path=a&path=b", "?path=shop/cart.py&evil=1", "?path=shop/cart.py&first=0",
        "?path=shop/cart.py&first=-1", "?path=shop/cart.py&first=x", "?path=shop/cart.py&first=1_0", "?path=shop/cart.py&last=1e3",
        "?path=shop/cart.py&first=%D9%A1", "?path=shop/cart.py&first=99999999999999999999", "?path=shop/cart.py&first=--5",
    ],
)  # fmt: skip
def test_parameters_are_what_the_document_says(server: Running, query: str) -> None:
    refused(request(server, f"/api/file{query}"), 422)


@pytest.mark.parametrize(
    "raw",
    [
        b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: {host}\r\nX: a\r\n b\r\n\r\n" * 2, b"GET / HTTP/1.1\r\nBad Header\r\n\r\n",
        b"POST /api/ask HTTP/1.1\r\nHost: {host}\r\nContent-Length: -5\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
        b"POST /api/ask HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: {host}\r\n" + b"X-Long: " + b"a" * 200_000 + b"\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"",
    ],
)  # fmt: skip
def test_what_is_no_http_ends_its_connection_alone(server: Running, raw: bytes) -> None:
    try:
        answer = server.raw(raw.replace(b"{host}", server.host.encode()), half_close=True)
    except OSError:
        answer = b""
    assert b"Traceback" not in answer and OUTSIDE.encode() not in answer
    assert request(server)[0] == 200


def test_a_websocket_is_no_way_in(server: Running) -> None:
    headers = ("Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZQ==", "Sec-WebSocket-Version: 13")
    answer = request(server, token=None, headers=headers)
    assert answer[0] in (400, 401, 403, 404)


def test_headers_cannot_be_injected(server: Running) -> None:
    for target in (
        "/api/file?path=x%0d%0aSet-Cookie:%20a=1",
        "/api/graph?symbol=x%0d%0aSet-Cookie:%20a=1",
        "/%0d%0aA:b",
    ):
        status, headers, _ = request(server, target)
        assert status == 404
        assert "set-cookie" not in headers and "a" not in headers


@pytest.mark.parametrize("target", ["/", "/page.js", "/page.css", "/openapi.json", "/api/status", "/api/nothing", "/x"])
def test_every_response_is_closed_to_other_pages(server: Running, target: str) -> None:
    _, headers, _ = request(server, target)
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


def test_the_page_and_the_document_tell_nothing_of_the_tree(server: Running) -> None:
    for target in ("/", "/page.js", "/openapi.json"):
        status, _, body = request(server, target, token=None)
        assert status == 200
        assert TOKEN.encode() not in body and str(server.told["root"]).encode() not in body


def test_after_all_of_it_the_server_answers(server: Running) -> None:
    body = b'{"question": "who calls price_of"}'
    status, _, answer = request(server, "/api/ask", "POST", body=body, headers=(JSON,))
    assert status == 200
    assert json.loads(answer)["answer"]["citations"]
    assert server.process.poll() is None


def test_links_out_of_the_root_were_never_indexed(server: Running) -> None:
    body = json.dumps({"query": OUTSIDE}).encode()
    status, _, answer = request(server, "/api/search", "POST", body=body, headers=(JSON,))
    assert status == 200
    assert not any(
        Path(row["path"]).name in ("link.py", "outside.py", "etc.py") for row in json.loads(answer)["results"]
    )
