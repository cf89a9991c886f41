"""The OpenAI-compatible client against a scripted server on loopback, through the real ``openai`` package."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from answer_fakes import evidence, pack_of
from scripted_server import breaks_after, chunk, fails, says, sends_raw, serving, streams, whole

from agent.answer.config import AnswerConfig
from agent.answer.openai_client import ModelStream, stream_answer
from agent.answer.openai_errors import retry_delay
from agent.answer.plugin import load_answerer
from retrieval.errors import UserError

PACK = pack_of(evidence(1, "app.py", "def run():\n    return 1", symbol="run", qualname="app.run"))


class Clock:
    def __init__(self) -> None:
        self.waits: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)


def ask(server, **settings) -> tuple[str, ModelStream, Clock]:
    clock = Clock()
    config = AnswerConfig(base_url=server.base_url, **{"model": "tiny", "timeout_s": 5.0, **settings})
    stream = stream_answer(PACK, config, clock)
    return "".join(stream), stream, clock


def refusal(server, **settings) -> UserError:
    with pytest.raises(UserError) as caught:
        ask(server, **settings)
    return caught.value


def test_streams_pieces_with_usage_and_a_deterministic_request():
    with serving(streams("It ", "returns 1 [1].")) as server:
        text, stream, _ = ask(server)
    assert text == "It returns 1 [1]."
    assert stream.usage == {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    assert (stream.model, stream.finish_reason, stream.interrupted) == ("tiny-1", "stop", "")
    body = server.requests[0]["body"]
    assert (body["temperature"], body["seed"], body["stream"], body["max_tokens"]) == (0.0, 0, True, 1024)
    assert "def run():" in body["messages"][1]["content"]


def test_nothing_is_sent_until_the_first_piece_is_asked_for():
    with serving(streams("x")) as server:
        stream_answer(PACK, AnswerConfig(base_url=server.base_url, model="tiny"))
        assert server.requests == []


def test_429_waits_as_long_as_the_server_says_then_succeeds():
    with serving(fails(429, "slow down", {"Retry-After": "7"}), streams("ok")) as server:
        text, _, clock = ask(server)
    assert (text, clock.waits) == ("ok", [7.0])


def test_backoff_doubles_without_jitter_and_gives_up_with_the_count():
    steps = [fails(503, "loading")] * 4
    with serving(*steps) as server, pytest.raises(UserError) as caught:
        clock = Clock()
        "".join(stream_answer(PACK, AnswerConfig(base_url=server.base_url, model="m", max_retries=3), clock))
    assert clock.waits == [0.5, 1.0, 2.0]
    assert "tried 4 times" in caught.value.cause and "loading" in caught.value.cause


def test_a_pause_longer_than_two_minutes_is_reported_instead_of_waited_for():
    with serving(fails(429, "come back tomorrow", {"Retry-After": "86400"})) as server:
        assert "come back tomorrow" in refusal(server).cause


def test_a_spent_quota_is_not_retried():
    with serving(fails(429, "no money", code="insufficient_quota")) as server:
        assert "quota" in refusal(server).cause
        assert len(server.requests) == 1


def test_retry_after_may_be_a_date():
    error = SimpleNamespace(response=SimpleNamespace(headers={"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}))
    assert retry_delay(error, 0, AnswerConfig(), lambda: datetime(2015, 10, 21, 7, 27, 30, tzinfo=UTC)) == 30.0
    garbage = SimpleNamespace(response=SimpleNamespace(headers={"retry-after": "soon"}))
    assert retry_delay(garbage, 2, AnswerConfig(backoff_s=1)) == 4.0


def test_a_wrong_key_is_named_and_never_printed():
    with serving(fails(401, "Incorrect API key provided: sk-secret-123.")) as server:
        error = refusal(server, api_key="sk-secret-123")
    assert "refused the API key" in error.cause and "OPENAI_API_KEY" in error.mend
    assert "sk-secret-123" not in str(error)
    assert "sk-secret-123" not in repr(AnswerConfig(api_key="sk-secret-123"))


def test_an_unknown_model_lists_what_the_server_has():
    with serving(fails(404, "model 'tiny' not found"), models=["llama3", "qwen3"]) as server:
        error = refusal(server)
    assert "no model 'tiny'" in error.cause and "llama3, qwen3" in error.mend


def test_a_wrong_path_says_so():
    with serving(fails(404, "page not found")) as server:
        assert "/v1" in refusal(server).mend


def test_the_only_model_of_a_server_is_taken_and_several_are_listed():
    with serving(streams("ok"), models=["llama3"]) as server:
        ask(server, model="")
        assert server.requests[0]["body"]["model"] == "llama3"
    with serving(models=["llama3", "qwen3"]) as server:
        assert "llama3, qwen3" in refusal(server, model="").mend


@pytest.mark.parametrize(
    "step",
    [
        fails(400, "This model's maximum context length is 4096 tokens", code="context_length_exceeded"),
        fails(400, "the request exceeds the available context size"),
        fails(413, "payload"),
    ],
)
def test_evidence_that_is_too_long_names_the_budget(step):
    with serving(step) as server:
        assert "--budget" in refusal(server).mend


def test_nobody_listens():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    clock = Clock()
    with pytest.raises(UserError) as caught:
        "".join(stream_answer(PACK, AnswerConfig(base_url=f"http://127.0.0.1:{port}/v1", model="m"), clock))
    assert "Nothing answers" in caught.value.cause and "offline" in caught.value.mend
    assert clock.waits == []


def test_a_server_that_answers_at_once_is_not_asked_twice():
    with serving(whole("It returns 1 [1].")) as server:
        text, stream, _ = ask(server)
        assert (text, len(server.requests)) == ("It returns 1 [1].", 1)
        assert stream.usage["total_tokens"] == 7


@pytest.mark.parametrize(
    "first", [fails(400, "stream is not supported", param="stream"), sends_raw(), sends_raw("{broken")]
)
def test_a_server_that_cannot_stream_is_asked_without(first):
    with serving(first, whole("plain")) as server:
        text, _, _ = ask(server)
        assert text == "plain"
        assert "stream" not in server.requests[-1]["body"]


def test_options_a_server_refuses_are_dropped_or_renamed():
    steps = [
        fails(400, "Unrecognized request argument: stream_options"),
        fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        fails(400, "Unsupported value: 'temperature'"),
        streams("ok"),
    ]
    with serving(*steps) as server:
        text, _, clock = ask(server)
        body = server.requests[-1]["body"]
    assert (text, clock.waits) == ("ok", [])
    assert body["max_completion_tokens"] == 1024
    assert not {"stream_options", "max_tokens", "temperature"} & set(body)


def test_a_connection_that_breaks_before_any_text_is_retried():
    with serving(breaks_after(), streams("ok")) as server:
        text, _, clock = ask(server)
    assert (text, clock.waits) == ("ok", [0.5])


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (breaks_after("It returns "), "broke off"),
        (sends_raw(chunk("It returns "), "{not json"), "not JSON"),
        (sends_raw(chunk("It returns "), {"error": {"message": "out of memory"}}), "out of memory"),
        (streams("It returns ", finish=None, done=False), "closed the stream"),
        (streams("It returns ", finish="length"), "limit of its length"),
    ],
)
def test_text_that_arrived_before_a_fault_is_kept_and_called_incomplete(step, why):
    with serving(step) as server:
        text, stream, _ = ask(server)
        assert len(server.requests) == 1
    assert text == "It returns "
    assert why in stream.interrupted


@pytest.mark.parametrize(
    "steps",
    [
        [says(200, b"<html>login</html>", "text/html")] * 2,
        [says(200, b"nonsense", "application/json")] * 2,
        [says(200, b'{"hello": 1}', "application/json")] * 2,
        [says(200, b'{"choices": []}', "application/json")] * 2,
        [says(200, b"[1]", "application/json")] * 2,
    ],
)
def test_what_is_no_openai_server_is_called_so(steps):
    with serving(*steps) as server:
        assert "OpenAI-compatible" in refusal(server).cause


def test_an_empty_answer_is_an_error():
    with serving(streams(), whole("")) as server:
        assert "empty answer" in refusal(server).cause


def test_a_silent_server_times_out():
    def silent(handler, body):
        import time

        time.sleep(0.6)

    with serving(silent, silent) as server:
        error = refusal(server, timeout_s=0.2, max_retries=1)
    assert "did not answer within 0.2 s (tried 2 times)" in error.cause


def test_control_characters_in_an_error_do_not_reach_the_terminal():
    with serving(fails(422, "bad \x1b[31mred\x1b[0m\nthing")) as server:
        assert refusal(server).cause.endswith("bad red thing")


def test_a_remote_server_needs_a_key_and_a_local_one_does_not():
    with pytest.raises(UserError, match="OPENAI_API_KEY"):
        AnswerConfig(base_url="https://api.example.com/v1").key()
    assert AnswerConfig(base_url="http://192.168.1.7:8000/v1").key()
    assert AnswerConfig(base_url="http://ollama:11434/v1").key()


def test_settings_from_the_environment():
    env = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://localhost:1/v1", "CONTEXTC_MODEL": "m"}
    config = AnswerConfig.from_env(env, model="given", base_url=None)
    assert (config.api_key, config.base_url, config.model, config.wants_model) == (
        "k",
        "http://localhost:1/v1",
        "given",
        True,
    )
    assert not AnswerConfig.from_env({}).wants_model
    assert not AnswerConfig.from_env(env, answerer="offline").wants_model
    with pytest.raises(UserError, match="not the URL"):
        AnswerConfig.from_env({}, base_url="localhost:11434")
    for url in ("http://[::1", "http://host:port/v1", "file:///etc/passwd"):
        with pytest.raises(UserError, match="not the URL"):
            AnswerConfig.from_env({}, base_url=url)
    with pytest.raises(UserError, match="no answerer"):
        load_answerer("oracle")
