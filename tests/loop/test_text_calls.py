"""Calls as lines of text, for servers that have no tool calling."""

from __future__ import annotations

import json
from typing import Any

import pytest
from loop_fakes import FakeTools, FakeTree, agent_of
from scripted_server import fails, serving, streams

from agent.loop.records import Task
from agent.loop.run import run_agent
from retrieval.errors import UserError

TASK = Task("What does run return?")
ANSWER = "`run` returns `serve(port)` [1:5]."


def go(agent: Any, task: Task = TASK, **more: Any) -> Any:
    return run_agent(agent, task, **more)


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
    assert any("as lines of text" in note for note in run.notes)
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


@pytest.mark.parametrize(
    "written",
    [
        '<tool_call>\n{"name": "read_file", "arguments": {"path": "app.py"}}\n</tool_call>',
        '{"name": "read_file", "parameters": {"path": "app.py"}}',
        '```json\n{"name": "read_file", "arguments": {"path": "app.py"}}\n```',
        '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "app.py"}}]',
    ],
)
def test_a_call_that_the_server_did_not_read_is_asked_for_as_text_and_not_carried_out(written: str):
    with serving(streams(written), text_call("read_file", {"path": "app.py"}), streams(ANSWER)) as server:
        tools = FakeTools(FakeTree())
        run = go(agent_of(server, tools=tools))
    assert run.text == ANSWER
    assert len(tools.called) == 1
    assert "tools" not in server.requests[1]["body"]
    assert any("passes calls of tools on as text" in note for note in run.notes)


@pytest.mark.parametrize(
    "said", ['{"name": "flask", "version": 3}', '{"name": "unknown", "arguments": {}}', "See `{`."]
)
def test_an_answer_that_is_json_is_an_answer(said: str):
    with serving(streams(said)) as server:
        run = go(agent_of(server))
    assert run.text == said
