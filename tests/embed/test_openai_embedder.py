"""Embeddings over HTTP against a scripted server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
from scripted_server import Handler, serving

from retrieval.embed.base import embed_batches
from retrieval.embed.load import load_embedder
from retrieval.embed.remote import OpenAIEmbedder
from retrieval.errors import UserError

DIM = 4


class Script:
    """What the server answers next: (status, headers, dimension); the default when the list is empty."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, dict[str, str], int]] = []
        self.inputs: list[list[str]] = []
        self.keys: list[str] = []
        self.url = ""


@pytest.fixture
def script() -> Iterator[Script]:
    state = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.inputs.append(body["input"])
            state.keys.append(self.headers.get("Authorization", ""))
            status, headers, dim = state.steps.pop(0) if state.steps else (200, {}, DIM)
            # Out of order on purpose: the index says which vector belongs to which text.
            data = [
                {"object": "embedding", "index": i, "embedding": [float(len(text)), *([1.0] * (dim - 1))]}
                for i, text in enumerate(body["input"])
            ][::-1]
            answer: dict[str, Any] = {"object": "list", "model": body["model"], "data": data, "usage": {}}
            raw = json.dumps(answer if status == 200 else {"error": {"message": "scripted refusal"}}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "CONTEXTC_EMBED_BASE_URL",
        "OPENAI_BASE_URL",
        "CONTEXTC_EMBED_API_KEY",
        "OPENAI_API_KEY",
        "CONTEXTC_EMBED_TIMEOUT",
    ):
        monkeypatch.delenv(name, raising=False)


def patient(script: Script, **options: Any) -> tuple[OpenAIEmbedder, list[float]]:
    pauses: list[float] = []
    return OpenAIEmbedder("m", script.url, sleep=pauses.append, **options), pauses


def test_vectors_come_back_in_order_as_unit_rows(script: Script) -> None:
    embedder, _ = patient(script)
    texts = ["x" * n for n in range(1, 151)]
    matrix = embedder.embed_documents(texts)
    assert matrix.shape == (150, DIM)
    np.testing.assert_allclose(np.linalg.norm(matrix, axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(matrix[:, 0] / matrix[:, 1], np.arange(1, 151), rtol=1e-5)
    assert embedder.dim == DIM
    assert not embedder.local
    assert max(len(batch) for batch in script.inputs) <= embedder.batch_size


def test_constructing_dials_nothing(script: Script) -> None:
    embedder = load_embedder("openai:m", base_url=script.url)
    assert embedder is not None
    assert embedder.model_id == "openai:m"
    assert script.inputs == []


def test_too_many_requests_is_waited_out(script: Script) -> None:
    embedder, pauses = patient(script)
    script.steps = [(429, {"Retry-After": "7"}, DIM), (503, {}, DIM)]
    assert embedder.embed_query("hello").shape == (DIM,)
    assert pauses[0] == 7.0
    assert len(pauses) == 2 and pauses[1] > 0


@pytest.mark.parametrize("header", ["nan", "-5", "inf", "Wed, 21 Oct 2026 07:28:00 GMT", "1e9"])
def test_odd_retry_after_still_waits_a_sane_time(script: Script, header: str) -> None:
    embedder, pauses = patient(script)
    script.steps = [(429, {"Retry-After": header}, DIM)]
    embedder.embed_query("hello")
    assert len(pauses) == 1 and 0 < pauses[0] <= 60


def test_patience_ends_with_a_user_error_that_counts(script: Script) -> None:
    embedder, pauses = patient(script)
    script.steps = [(429, {}, DIM)] * 50
    with pytest.raises(UserError, match=r"HTTP 429, \d+ times"):
        embedder.embed_query("hello")
    assert pauses == sorted(pauses)
    assert len(script.inputs) == len(pauses) + 1


def test_finished_batches_survive_a_later_failure(script: Script) -> None:
    embedder, _ = patient(script, dim=DIM)
    script.steps = [(200, {}, DIM), (200, {}, DIM), *[(429, {}, DIM)] * 50]
    kept = []
    with pytest.raises(UserError):
        for first, matrix in embed_batches(embedder, [f"text {n}" for n in range(300)]):
            kept.append((first, len(matrix)))
    assert kept == [(0, embedder.batch_size), (embedder.batch_size, embedder.batch_size)]


def test_refusal_is_not_repeated(script: Script) -> None:
    embedder, pauses = patient(script)
    script.steps = [(401, {}, DIM)]
    with pytest.raises(UserError, match="HTTP 401"):
        embedder.embed_query("hello")
    assert pauses == []


def test_change_of_dimension_is_refused(script: Script) -> None:
    embedder, _ = patient(script, dim=DIM)
    script.steps = [(200, {}, 8)]
    with pytest.raises(UserError, match="8 dimensions where 4 are expected"):
        embedder.embed_documents(["a", "b"])


def test_unreachable_server_is_a_user_error() -> None:
    embedder = OpenAIEmbedder("m", "http://127.0.0.1:9/v1", sleep=lambda _: None)
    with pytest.raises(UserError, match="failed"):
        embedder.embed_query("hello")


def test_empty_text_is_zero_and_is_not_sent(script: Script) -> None:
    embedder, _ = patient(script, dim=DIM)
    matrix = embedder.embed_documents(["", " \n", "a"])
    assert not matrix[:2].any() and matrix[2].any()
    assert script.inputs == [["a"]]


def test_long_text_is_split_at_the_limit(script: Script) -> None:
    embedder, _ = patient(script, dim=DIM)
    row = embedder.embed_documents(["y" * 1_000_000])[0]
    assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-6)
    sent = [piece for batch in script.inputs for piece in batch]
    assert max(map(len, sent)) <= 8_191
    assert len(sent) > 1


def test_keys_and_addresses_come_from_the_environment(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="needs a key"):
        load_embedder("openai:m")
    monkeypatch.setenv("OPENAI_API_KEY", "k1")
    monkeypatch.setenv("CONTEXTC_EMBED_BASE_URL", script.url)
    embedder = load_embedder("openai:m")
    assert embedder is not None
    embedder.embed_query("hello")
    assert script.keys == ["Bearer k1"]


@pytest.mark.parametrize(
    ("status", "headers", "raw", "said"),
    [
        (200, {}, b"[" * 20_000, "cannot be read"),
        (200, {}, b'{"data": "\xff"}', "cannot be read"),
        (200, {}, b'{"data": 5}', "not a list of vectors"),
        (200, {"Content-Encoding": "gzip"}, b"x", "compressed reply"),
        (307, {"Location": "http://localhost:1/v1/embeddings"}, b"", "HTTP 307"),
        (401, {}, b'{"error": {"message": "no such key: sk-of-the-user"}}', r"no such key: \[key\]"),
    ],
)
def test_whatever_a_server_sends_is_one_line(
    status: int, headers: dict[str, str], raw: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def step(handler: Handler, _body: Any) -> None:
        handler.reply(status, raw, headers)

    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-user")
    with serving(step) as server, pytest.raises(UserError, match=said) as caught:
        OpenAIEmbedder("m", server.base_url, sleep=lambda _: None).embed_query("caf\udcff")
    assert "sk-of-the-user" not in str(caught.value)


@pytest.mark.parametrize("part", ["headers", "body"])
def test_a_server_that_drips_bytes_does_not_hold_an_index_for_ever(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never silent, so that a limit on silence does not end it; it stops when the client hangs up."""
    left = threading.Event()

    def drips(handler: Handler, _body: Any) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Long: ")
        if part == "body":
            handler.wfile.write(b"no\r\nContent-Length: 9000000\r\n\r\n")
        try:
            while True:
                handler.wfile.write(b" ")
                handler.wfile.flush()
                left.wait(0.02)
        except OSError:
            left.set()
        handler.close_connection = True

    monkeypatch.setenv("CONTEXTC_EMBED_TIMEOUT", "0.3")
    pauses: list[float] = []
    with serving(drips) as server:
        embedder = OpenAIEmbedder("m", server.base_url, sleep=pauses.append)
        with pytest.raises(UserError, match=r"took more than 0\.3 s for one reply") as caught:
            embedder.embed_query("hello")
        assert left.wait(30)
    assert "CONTEXTC_EMBED_TIMEOUT" in caught.value.mend
    assert pauses == []


@pytest.mark.parametrize("value", ["soon", "0", "-1", "nan", "inf", "1e9"])
def test_a_limit_that_is_no_time_is_told(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTEXTC_EMBED_TIMEOUT", value)
    with pytest.raises(UserError, match="CONTEXTC_EMBED_TIMEOUT is"):
        OpenAIEmbedder("m", "http://127.0.0.1:9/v1")
