"""The loop against a scripted server on loopback, through the real ``openai`` package."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from loop_fakes import FakeTools, FakeTree, agent_of, calls
from scripted_server import fails, serving, streams

from agent.answer.contract import check
from agent.loop.records import Exchange, Task
from agent.loop.run import run_agent

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
