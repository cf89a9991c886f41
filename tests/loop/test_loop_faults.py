"""What ends a turn: limits, cancellation, servers that fail, models that do not stop."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from loop_fakes import FakeTools, FakeTree, agent_of, calls
from scripted_server import breaks_after, fails, says, serving, streams, whole

from agent.loop.records import Task
from agent.loop.run import run_agent
from retrieval.errors import UserError

TASK = Task("What does run return?")
ANSWER = "`run` returns `serve(port)` [1:5]."


def go(agent: Any, task: Task = TASK, **more: Any) -> Any:
    return run_agent(agent, task, **more)


def test_the_limits_of_tokens_and_cost_end_a_turn():
    with serving(calls(("grep", {"pattern": "x"}))) as server:
        run = go(agent_of(server, tools=FakeTools(FakeTree(), {"grep": "word " * 3_000}), tokens=3_000))
    assert run.stopped == "the limit of 3,000 tokens was reached"
    with serving(calls(("grep", {"pattern": "x"}))) as server:
        limits = {"cost": 0.001, "input_price": 0.3, "output_price": 1.0}
        run = go(agent_of(server, tools=FakeTools(FakeTree(), {"grep": "word " * 3_000}), **limits))
    assert run.stopped == "the limit of cost (0.001) was reached"
    assert run.cost == pytest.approx((100 * 0.3 + 10 * 1.0) / 1e6)


def test_a_limit_of_cost_needs_prices():
    with serving() as server, pytest.raises(UserError, match="prices"):
        agent_of(server, cost=1.0)


def slow(seconds: float) -> Any:
    def step(handler: Any, body: Any) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return step


def test_the_limit_of_time_ends_a_turn_while_the_server_is_silent():
    with serving(slow(1.0)) as server:
        run = go(agent_of(server, seconds=0.2))
    assert run.stopped == "the limit of 0.2 s was reached"


def test_cancelling_ends_a_turn_while_the_server_is_silent():
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    with serving(slow(1.0)) as server:
        run = go(agent_of(server), cancel=cancel)
    assert (run.text, run.stopped) == ("", "it was cancelled")


def test_cancelling_ends_a_turn_while_a_tool_runs():
    cancel, done = threading.Event(), threading.Event()

    def stall(_name: str) -> None:
        cancel.set()
        done.wait(2)

    tools = FakeTools(FakeTree(), {"grep": "x"}, before=stall)
    with serving(calls(("grep", {"pattern": "x"}))) as server:
        run = go(agent_of(server, tools=tools), cancel=cancel)
    done.set()
    assert run.stopped == "it was cancelled"


def test_a_busy_or_failing_server_is_asked_again():
    script = [fails(429, "slow down"), fails(500, "oops"), calls(("read_file", {"path": "app.py"}))]
    with serving(*script, fails(503, "later"), streams(ANSWER)) as server:
        run = go(agent_of(server))
    assert run.text == ANSWER


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (fails(401, "bad key"), "refused the API key"),
        (says(200, b"<html>hello</html>", "text/html"), "OpenAI-compatible"),
        (says(200, b'{"hello": 1}', "application/json"), "OpenAI-compatible"),
        (fails(400, "this model's maximum context length is 10"), "too long"),
    ],
)
def test_a_server_that_is_of_no_use_is_one_cause_and_one_mend(step: Any, said: str):
    with serving(*[step] * 9) as server, pytest.raises(UserError) as caught:
        go(agent_of(server))
    assert said in str(caught.value)
    assert "\n" not in caught.value.cause + caught.value.mend


def test_what_a_server_refused_once_is_not_sent_again():
    script = [
        fails(400, "temperature is not supported with this model"),
        fails(400, "max_tokens is not supported, use max_completion_tokens"),
        calls(("read_file", {"path": "app.py"})),
        streams(ANSWER),
        streams(ANSWER),
    ]
    with serving(*script) as server:
        agent = agent_of(server)
        go(agent)
        go(agent)
    bodies = [request["body"] for request in server.requests]
    assert len(bodies) == 5
    assert all("temperature" not in body and body["max_completion_tokens"] == 1024 for body in bodies[2:])
    assert all(body["stream"] for body in bodies)


def test_a_cancelled_turn_hangs_up_and_asks_for_nothing_more(caplog: pytest.LogCaptureFixture):
    cancel, gone = threading.Event(), threading.Event()

    def stall(handler: Any, body: Any) -> None:
        cancel.set()
        if handler.connection.recv(1) == b"":  # nothing more comes: it waits until the client is gone
            gone.set()
        handler.close_connection = True

    with serving(stall, streams("late")) as server:
        run = go(agent_of(server), cancel=cancel)
        assert gone.wait(5)
        assert len(server.requests) == 1
    assert run.stopped == "it was cancelled"
    assert caplog.messages == []


def test_an_answer_that_breaks_off_says_so():
    with serving(breaks_after("`run` returns ")) as server:
        run = go(agent_of(server))
    assert run.text == "`run` returns "
    assert "broke off" in run.stopped


def test_a_call_that_breaks_off_is_asked_for_again_and_never_done_in_part():
    half = calls(("read_file", {"path": "app.py"}), text="Let me look.", finish=None)
    with serving(half, calls(("read_file", {"path": "app.py"})), streams(ANSWER)) as server:
        tools = FakeTools(FakeTree())
        run = go(agent_of(server, tools=tools))
    assert len(tools.called) == 1
    assert run.text == ANSWER
    assert any("asked for again" in note for note in run.notes)


def test_a_model_that_says_nothing_is_told_of():
    with serving(whole(""), whole(""), whole("")) as server, pytest.raises(UserError, match="empty answer"):
        go(agent_of(server))


def test_endless_repetition_is_cut_off():
    with serving(streams(*["the same words again. "] * 400)) as server:
        run = go(agent_of(server))
    assert "repeats itself" in run.stopped
    assert len(run.text) < 2_000


def test_control_characters_never_reach_the_reader():
    said: list[str] = []
    with serving(streams("a\x1b[31mred\x1b[", "0m b\x07")) as server:
        run = go(agent_of(server), on_text=said.append)
    assert run.text == "".join(said) == "ared b"
