"""A server that answers without end, elsewhere, or packed: the request ends, in bounded memory, and says why."""

from __future__ import annotations

import gzip
import json
import time
from typing import Any

import pytest
from answer_fakes import evidence, pack_of
from hypothesis import given
from hypothesis import strategies as st
from scripted_server import Handler, chunk, says, sends_raw, serving, streams, whole

from agent.answer import config as config_module
from agent.answer import recovery, wire
from agent.answer.config import AnswerConfig
from agent.answer.openai_client import ModelStream, stream_answer
from agent.answer.recovery import ToolCalls
from agent.answer.sentences import is_within, opaque_spans
from retrieval import model_http
from retrieval.errors import UserError

PACK = pack_of(evidence(1, "app.py", "def run():\n    return 1", symbol="run", qualname="app.run"))
ANSWER = json.dumps({"model": "tiny-1", "choices": [{"message": {"content": "x" * 5_000}, "finish_reason": "stop"}]})


def ask(server: Any, **settings: Any) -> tuple[str, ModelStream]:
    given = {"model": "tiny", "timeout_s": 5.0, "api_key": "sk-of-the-user", **settings}
    stream = stream_answer(PACK, AnswerConfig(base_url=server.base_url, **given), lambda _seconds: None)
    return "".join(stream), stream


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_neither_key_nor_code_follows_a_redirection(status: int) -> None:
    with serving(streams("stolen")) as other:
        target = other.base_url + "/chat/completions"
        with serving(says(status, b"", "text/plain")) as server:
            server.script[0] = lambda handler, _body: handler.reply(status, b"", {"Location": target})
            with pytest.raises(UserError) as caught:
                ask(server)
        assert not other.requests
    assert f"redirects (HTTP {status}) to {target}" in caught.value.cause


def packed(handler: Handler, _body: Any) -> None:
    handler.reply(200, gzip.compress(ANSWER.encode()), {"Content-Encoding": "gzip"})


def test_a_compressed_reply_is_not_unpacked() -> None:
    with serving(packed, packed) as server:
        with pytest.raises(UserError, match="compressed reply"):
            ask(server)
        assert len(server.requests) == 1
        assert server.requests[0]["headers"]["Accept-Encoding"] == "identity"


def test_a_body_or_a_stream_of_bytes_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_http, "MAX_BODY_BYTES", 4_000)
    for step in (says(200, ANSWER.encode(), "application/json"), says(400, ANSWER.encode(), "application/json")):
        with serving(step) as server, pytest.raises(UserError, match="sent more than"):
            ask(server)
    monkeypatch.setattr(model_http, "MAX_STREAM_BYTES", 2_000)
    with serving(sends_raw(chunk("It returns 1 [1:2]. "), "x" * 5_000)) as server:
        text, stream = ask(server)
    assert text == "It returns 1 [1:2]. "
    assert stream.interrupted.startswith("the server sent more than")


def test_text_without_end_is_cut_and_called_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MAX_TEXT_CHARS", 100)
    with serving(streams(*["word " * 10] * 9), whole("word " * 90)) as server:
        for _ in range(2):
            text, stream = ask(server)
            assert text == "word " * 20
            assert stream.interrupted == "the server wrote more than 100 characters"


def test_calls_without_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "_MAX_CHARS", 100)
    calls = ToolCalls()
    with pytest.raises(model_http.EndlessReplyError):
        for _ in range(20):
            calls.add([{"index": 0, "id": "a", "function": {"name": "grep", "arguments": "x" * 10}}])
    calls.take()
    calls.add([{"index": 0, "id": "a", "function": {"name": "grep", "arguments": "x" * 100}}])


def alive(first: str) -> Any:
    """Never silent, never done."""

    def step(handler: Handler, _body: Any) -> None:
        handler.start_stream()
        if first:
            handler.event(chunk(first))
        for _ in range(200):
            handler.wfile.write(b": working\n\n")
            time.sleep(0.02)

    return step


def test_a_server_that_is_never_silent_and_never_done_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_module, "_REPLY_TIMES", 0.05)
    with serving(alive("It returns 1 [1:2]."), alive(""), alive("")) as server:
        text, stream = ask(server)
        assert (text, stream.interrupted) == ("It returns 1 [1:2].", "it took longer than 0.25 s")
        with pytest.raises(UserError, match=r"did not end a reply within 0\.25 s"):
            ask(server)


@pytest.mark.parametrize("figure", [-1, 10**300, 1.5, "7", True, None, [1]])
def test_figures_that_cannot_be_are_no_figures(figure: object) -> None:
    with serving(sends_raw(chunk("It returns 1."), chunk(finish="stop", usage={"prompt_tokens": figure}))) as server:
        _, stream = ask(server)
    assert stream.usage == {}


def test_lone_surrogates_neither_arrive_nor_are_sent() -> None:
    """One in a reply would make every later request of the conversation fail."""
    history = [{"role": "user", "content": "caf\udcff"}, {"role": "assistant", "content": None}]
    with serving(streams("It \ud800 returns 1.")) as server:
        config = AnswerConfig(base_url=server.base_url, model="tiny")
        assert "".join(ModelStream(history, config, 300)) == "It ? returns 1."
        assert server.requests[0]["body"]["messages"][0]["content"] == "caf?"


def test_white_space_is_no_answer() -> None:
    with serving(streams(" \n", "\t"), whole("\n\n")) as server, pytest.raises(UserError, match="empty answer"):
        ask(server)


def test_a_reply_of_another_shape_prints_no_warnings(capfd: pytest.CaptureFixture[str]) -> None:
    odd = {"model": "m", "choices": [{"message": {"content": [{"text": "hi"}], "tool_calls": 5}}]}
    steps = (streams(), says(200, json.dumps(odd).encode(), "application/json"))
    with serving(*steps) as server, pytest.raises(UserError):
        ask(server)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["x" * 100_000, "grep"])
def test_names_of_calls_are_short(name: str) -> None:
    calls = ToolCalls()
    for more in ("{", "}"):
        calls.add([{"index": 0, "id": name, "function": {"name": name, "arguments": more}}])
    assert calls.take() == [{"id": name[:200], "name": name[:200], "arguments": "{}"}]


@given(st.text("`“” [1:2]", max_size=60), st.integers(0, 60))
def test_a_place_is_hidden_in_exactly_the_spans(text: str, place: int) -> None:
    spans = opaque_spans(text)
    assert is_within(spans, place) == any(start <= place < end for start, end in spans)
