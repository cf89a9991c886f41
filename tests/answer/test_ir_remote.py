"""Scores from a model, and the live benchmark, against a scripted server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import openai
import pytest
from scripted_server import fails, serving, whole

from agent.cli.main import main
from harness.ir.families import temporal
from harness.ir.live import run_live, says
from retrieval.context_ir.attention import Score
from retrieval.context_ir.remote_scorer import MAX_CANDIDATE_CHARS, RemoteScorer, parse_scores
from retrieval.context_ir.request import Eligible

FOUND = [
    Eligible(1, "user", "about gates"),
    Eligible(4, "assistant", "about boats"),
    Eligible(5, "user", "x" * (MAX_CANDIDATE_CHARS + 1)),
]
GOOD = {
    "scores": [
        {"id": 1, "relevance": 0.9, "guard": 0.1, "salience": 1},
        {"id": 0, "relevance": 0, "guard": 0.2, "salience": 0.3},
    ]
}


def test_one_request_scores_all_candidates() -> None:
    with serving(whole(json.dumps(GOOD))) as server:
        batch = RemoteScorer(server.base_url, "tiny").score("Where is the boat?", FOUND)
    assert list(batch.scores) == [Score(0, 0.2, 0.3), Score(0.9, 0.1, 1), None]
    assert (batch.tokens, batch.cost_usd, batch.model) == (7, None, "tiny-1")
    sent = json.loads(server.requests[0]["body"]["messages"][1]["content"])
    assert sent["question"] == "Where is the boat?" and [one["id"] for one in sent["messages"]] == [0, 1]
    assert "key" not in repr(RemoteScorer(server.base_url, "tiny", "secret-key"))


@pytest.mark.parametrize("reply", ["", "I think 0.5", "[]", '{"scores": 3}', "```json\n{}\n```", '{"scores"'])
def test_prose_instead_of_json_fails_the_batch(reply: str) -> None:
    with pytest.raises(ValueError):
        parse_scores(reply, 2)


def test_a_failing_server_fails_the_batch() -> None:
    with serving(fails(500, "down")) as server, pytest.raises(openai.OpenAIError):
        RemoteScorer(server.base_url, "tiny").score("?", FOUND)


def test_incomplete_doubled_and_foreign_entries_are_no_scores() -> None:
    entry = {"relevance": 0.5, "guard": 0.5, "salience": 0.5}
    entries: list[Any] = [{"id": 0, **entry}, {"id": 0, **entry}, {"id": 1, "relevance": 0.5}, {"id": 9, **entry}]
    entries += [
        {"id": True, **entry},
        {"id": 2, **entry, "guard": "0.5"},
        {"id": 3, **entry, "salience": True},
        "text",
        None,
    ]
    assert parse_scores(json.dumps({"scores": entries}), 5) == [None] * 5
    assert parse_scores('{"scores": [{"id": 0, "relevance": 1e999, "guard": 0, "salience": 0}]}', 1)[0] is not None


def answers(text: str = "", *, calls_first: bool = False):
    """Answers with ``text``; or first asks for the source that the request shows."""

    def step(handler: Any, body: dict[str, Any]) -> None:
        shown = re.search(r"source=(a_[0-9a-f]+)", json.dumps(body))
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls_first and shown:
            arguments = json.dumps({"artifact_id": shown[1], "limit": 50})
            call = {"id": "c1", "type": "function", "function": {"name": "artifact_get", "arguments": arguments}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}
        handler.reply(
            200,
            {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": "tiny",
                "choices": [choice],
                "usage": usage,
            },
        )

    return step


def test_live_answers_are_held_against_gold_with_bounded_recovery(tmp_path: Path) -> None:
    task = temporal()
    steps = [
        answers(f"It was {task.gold}."),
        answers("No idea."),
        answers(calls_first=True),
        answers(calls_first=True),
        answers("Done."),
    ]
    with serving(*steps) as server:
        client = openai.OpenAI(base_url=server.base_url, api_key="local")
        found = list(run_live([task], client, "gpt-4.1-mini", tmp_path, 3))
    assert [(one.arm, one.correct, one.answer_calls, one.prompt_tokens) for one in found] == [
        ("plain", True, 1, 100), ("attention", False, 1, 100), ("attention+ir", False, 3, 300),
    ]  # fmt: skip
    assert all(one.cost_usd is None for one in found)
    bodies = [request["body"] for request in server.requests]
    assert bodies[-1]["tool_choice"] == "none" and "tool_choice" not in bodies[-2]
    result = json.loads(bodies[-1]["messages"][-1]["content"])
    assert len(result["text"]) == 50 and result["artifact_id"].startswith("a_")


def test_says() -> None:
    assert says("It is  Pending now", "pending") and says("about 1.50 bar", "1.50")
    assert not says("1.505", "1.50") and not says("1.50.2", "1.50") and not says("unready", "ready")


def test_a_live_run_that_fails_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(fails(401, "bad key")) as server:
        code = main(["bench", "ir", "--live", "--model", "gpt-4.1-mini", "--base-url", server.base_url])
    assert code == 2 and "bad key" in capsys.readouterr().err
