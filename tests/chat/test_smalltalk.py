"""Greetings and thanks cost no retrieval; everything that could be a question is one."""

from __future__ import annotations

import pytest

from agent.chat.smalltalk import reply_to


@pytest.mark.parametrize(
    "text", ["thanks!", "Thank you so much.", "hello", "Hi there!", "ok", "Ok, thanks", "great", "bye", "  okay :)  "]
)
def test_small_talk_has_a_short_reply(text: str) -> None:
    reply = reply_to(text)
    assert reply and "\n" not in reply


@pytest.mark.parametrize(
    "text",
    ["", "hello?", "ok and who calls it", "thanks, and where is run defined", "hello_world", "why", "run", "no tests?",
     "how does echo work", "great_circle", "cool down timer", "hi " * 40],
)  # fmt: skip
def test_everything_else_is_a_question(text: str) -> None:
    assert reply_to(text) == ""
