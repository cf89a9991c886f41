"""The loop against a scripted server on loopback, through the real ``openai`` package."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
from loop_fakes import FakeTools, FakeTree, agent_of, calls
from scripted_server import breaks_after, fails, says, serving, streams, whole

from agent.answer.contract import check
from agent.loop.records import Exchange, Task
from agent.loop.run import run_agent
from retrieval.errors import UserError

TASK = Task("What does run return?")
ANSWER = "`run` returns `serve(port)` [1:5]."


def go(agent: Any, task: Task = TASK, **more: Any) -> Any:
    return run_agent(agent, task, **more)


def results(body: dict[str, Any]) -> list[str]:
    return [message["content"] for message in body["messages"] if message["role"] == "tool"]


def test_a_call_is_done_and_its_lines_can_be_cited():
    with serving(calls(("read_file", {"path": "app.py"})), streams(ANSWER)) as server:
        agent = agent_of(server)
        run = go(agent)
    assert (run.text, run.stopped, run.steps) == (ANSWER, "", 2)
    assert run.usage["total_tokens"] == 110 + 15
    first, second = (request["body"] for request in server.requests)
    assert [tool["function"]["name"] for tool in first["tools"]] == ["grep", "list_files", "read_file"]
    assert "[1] app.py" in results(second)[0]
    assert "5     return serve(port)" in results(second)[0]
    checked = check(run.text, agent.ledger.pack(TASK.question))
    assert checked.statements[0].supported
    assert (checked.citations[0].path, checked.citations[0].start) == ("app.py", 5)
    assert not check("It returns 1 [1:99].", agent.ledger.pack("")).statements[0].supported


def test_parallel_calls_run_side_by_side_and_keep_their_order():
    tree = FakeTree()
    met = threading.Barrier(2, timeout=5)  # broken, and so an error, unless both calls are under way at once
    tools = FakeTools(tree, {"grep": "4 def run", "list_files": "app.py"}, before=lambda _name: met.wait())
    asked = calls(("grep", {"pattern": "run"}), ("list_files", {"path": "."}))
    with serving(asked, streams("Done [1].")) as server:
        run = go(agent_of(server, tree, tools))
    assert [one.call.name for one in run.calls] == ["grep", "list_files"]
    messages = server.requests[1]["body"]["messages"]
    assert [one["tool_call_id"] for one in messages if one["role"] == "tool"] == ["c0", "c1"]
    assert "4 def run" in results(server.requests[1]["body"])[0]


def test_calls_that_all_carry_the_index_0_are_told_apart():
    asked = calls(("grep", {"pattern": "a"}), ("grep", {"pattern": "b"}), same_index=True)
    with serving(asked, streams("No.")) as server:
        run = go(agent_of(server, tools=FakeTools(FakeTree(), {"grep": "x"})))
    assert [json.loads(one.call.arguments) for one in run.calls] == [{"pattern": "a"}, {"pattern": "b"}]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"path": "app.py"', "no JSON"),
        ("[1, 2]", "no object"),
        ("not json at all", "no JSON"),
        ("[" * 50_000, "characters"),
        ('{"a": ' * 3_000, "no JSON"),
    ],
)
def test_bad_arguments_are_a_result_and_the_history_stays_valid(arguments: str, said: str):
    with serving(calls(("read_file", arguments)), streams("I cannot tell from the evidence.")) as server:
        tools = FakeTools(FakeTree())
        run = go(agent_of(server, tools=tools))
    assert said in run.calls[0].text
    assert tools.called == []
    sent = server.requests[1]["body"]["messages"]
    assert (
        json.loads(next(one for one in sent if one.get("tool_calls"))["tool_calls"][0]["function"]["arguments"]) == {}
    )


def test_an_unknown_tool_is_a_result():
    with serving(calls(("rm_rf", {"path": "/"})), streams("No.")) as server:
        run = go(agent_of(server))
    assert run.calls[0].outcome == "error"
    assert "There is no tool" in run.calls[0].text


def test_the_same_call_again_is_not_done_and_in_the_end_nothing_may_be_called():
    again = calls(("grep", {"pattern": "run"}))
    with serving(*[again] * 4, streams("I give up.")) as server:
        tools = FakeTools(FakeTree(), {"grep": "4 def run"})
        run = go(agent_of(server, tools=tools))
    assert len(tools.called) == 1
    assert [one.outcome for one in run.calls] == ["done", "repeated", "repeated", "repeated"]
    assert server.requests[-1]["body"]["tool_choice"] == "none"
    assert any("repeated its calls" in note for note in run.notes)
    assert run.text == "I give up."


def test_the_last_step_has_to_be_the_answer():
    steps = [calls(("grep", {"pattern": str(at)})) for at in range(2)]
    with serving(*steps, streams("So be it.")) as server:
        run = go(agent_of(server, tools=FakeTools(FakeTree(), {"grep": "x"}), steps=3))
    assert [request["body"]["tool_choice"] for request in server.requests] == ["auto", "auto", "none"]
    assert run.text == "So be it."


def test_a_model_that_calls_to_the_end_is_told_of():
    steps = [calls(("grep", {"pattern": str(at)})) for at in range(3)]
    with serving(*steps) as server:
        run = go(agent_of(server, tools=FakeTools(FakeTree(), {"grep": "x"}), steps=3))
    assert run.text == ""
    assert "still calls tools after 3 steps" in run.stopped


def test_calls_beyond_the_limit_are_answered_without_being_done():
    asked = calls(*[("grep", {"pattern": str(at)}) for at in range(5)])
    with serving(asked, streams("Enough.")) as server:
        tools = FakeTools(FakeTree(), {"grep": "x"})
        go(agent_of(server, tools=tools, calls=2))
    assert len(tools.called) == 2
    assert sum("No more calls" in text for text in results(server.requests[1]["body"])) == 3


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


# ------------------------------------------------------------------------------------------------ text instead of tools


def code_of(body: dict[str, Any]) -> str:
    system = body["messages"][0]["content"]
    return next(line.split("{")[0].strip() for line in system.split("\n") if line.startswith("CALL "))


def text_call(name: str, arguments: Any, before: str = "", after: str = "", code: str = "") -> Any:
    def step(handler: Any, body: dict[str, Any]) -> None:
        line = f"{code or code_of(body)} {json.dumps({'name': name, 'arguments': arguments})}"
        streams(*f"{before}{line}{after}")(handler, body)

    return step


REFUSAL = fails(400, "tools are not supported by this model")


def test_a_server_without_tools_is_spoken_to_in_text():
    said: list[str] = []
    script = [REFUSAL, text_call("read_file", {"path": "app.py"}), streams(ANSWER)]
    with serving(*script) as server:
        agent = agent_of(server)
        run = go(agent, on_text=said.append)
    assert run.text == "".join(said) == ANSWER
    assert any("written as text" in note for note in run.notes)
    second, third = (request["body"] for request in server.requests[1:])
    assert "tools" not in second
    assert "read_file(path: string)" in second["messages"][0]["content"]
    assert [one["role"] for one in third["messages"]] == ["system", "user", "assistant", "user"]
    assert "5     return serve(port)" in third["messages"][-1]["content"]
    assert agent.calling == "text"  # the next turn does not try again


def test_llama_cpps_way_of_refusing_tools_is_understood():
    with serving(fails(500, "tools param requires --jinja flag"), streams("Fine.")) as server:
        assert go(agent_of(server)).text == "Fine."


def test_what_is_written_behind_a_call_is_made_up_and_ignored():
    said: list[str] = []
    after = "\nResult: run returns 42\nThe answer is 42."
    script = [text_call("read_file", {"path": "app.py"}, "I look.\n", after), streams(ANSWER)]
    with serving(*script) as server:
        run = go(agent_of(server, calling="text"), on_text=said.append)
    assert "42" not in "".join(said)
    assert "42" not in server.requests[1]["body"]["messages"][2]["content"]
    assert run.text == ANSWER


def test_a_line_that_a_file_could_contain_is_no_call():
    """The code of the protocol is drawn from the question: quoting a file calls nothing."""
    with serving(text_call("read_file", {"path": "app.py"}, code="CALL")) as server:
        tools = FakeTools(FakeTree())
        run = go(agent_of(server, tools=tools, calling="text"))
    assert tools.called == []
    assert run.text.startswith("CALL {")


def test_a_call_in_text_that_is_no_json_is_told():
    def step(handler: Any, body: dict[str, Any]) -> None:
        streams(f"{code_of(body)} read_file(app.py)")(handler, body)

    with serving(step, streams("Sorry.")) as server:
        run = go(agent_of(server, calling="text"))
    assert "as JSON on one line" in server.requests[1]["body"]["messages"][-1]["content"]
    assert run.calls[0].outcome == "error"


def test_tools_that_were_demanded_and_refused_are_an_error():
    with serving(REFUSAL) as server, pytest.raises(UserError, match="tool"):
        go(agent_of(server, calling="native"))


# --------------------------------------------------------------------------------------------------- context over turns


def test_earlier_turns_are_read_again_without_their_tool_results():
    task = Task("And serve?", history=(Exchange("What does run do?", "It serves [1:5]."),))
    with serving(streams("It adds one [1:9].")) as server:
        go(agent_of(server), task)
    roles = [message["role"] for message in server.requests[0]["body"]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


def test_what_does_not_fit_is_left_out_oldest_first_and_said():
    history = tuple(Exchange(f"question {at} " + "word " * 500, f"answer {at}") for at in range(6))
    with serving(streams("Yes.")) as server:
        run = go(agent_of(server, context_tokens=3_000), Task("Now?", history=history))
    sent = json.dumps(server.requests[0]["body"]["messages"])
    assert "question 5" in sent
    assert "question 0" not in sent
    assert any("the oldest turns" in note for note in run.notes)


def test_a_server_that_finds_the_request_too_long_gets_a_shorter_one():
    history = tuple(Exchange(f"question {at} " + "word " * 100, f"answer {at}") for at in range(6))
    too_long = fails(400, "maximum context length is 1000 tokens")
    with serving(too_long, streams("Yes.")) as server:
        run = go(agent_of(server), Task("Now?", history=history))
    sizes = [len(json.dumps(request["body"]["messages"])) for request in server.requests]
    assert sizes[1] < sizes[0] * 0.7
    assert run.text == "Yes."


def test_events_tell_everything_in_order():
    events: list[tuple[str, Any]] = []
    with serving(calls(("read_file", {"path": "app.py"})), streams(ANSWER)) as server:
        go(agent_of(server), on_event=lambda kind, data: events.append((kind, data)))
    assert [kind for kind, _ in events] == ["reply", "shown", "called", "reply"]
    assert events[1][1]["path"] == "app.py"
    json.dumps(events)
