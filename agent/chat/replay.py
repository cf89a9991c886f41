"""A transcript read again without a model: what was asked, what was called, what was answered, and whether it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.chat.records import Turn
from agent.chat.terminal import render_turn, told_line
from agent.json_text import json_text
from agent.loop.transcript import Read
from retrieval.errors import UserError


def turns_of(path: Path, read: Read) -> tuple[Turn, ...]:
    """The turns of a transcript.

    Raises:
        UserError: An event is not what it should be.
    """
    turns = []
    for number, event in enumerate(read.events, 1):
        if event["event"] == "answer":
            try:
                turns.append(Turn.from_event(event))
            except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
                raise UserError(f"{path}:{number} is no answer of contextc's.", "Was the file edited?") from None
    return tuple(turns)


def replay(read: Read, turns: Sequence[Turn], as_json: bool) -> Iterator[str]:
    """Pieces of output, in the order in which they happened."""
    by_number = {turn.number: turn for turn in turns}
    for event in read.events:
        kind = event["event"]
        if as_json:
            if kind == "answer":
                yield json_text(by_number[int(event["turn"])].to_dict()) + "\n"
            elif kind == "failed":
                yield json.dumps({"turn": event.get("turn"), "error": {"cause": event.get("why")}}) + "\n"
            continue
        yield from _line(event, by_number)


def _line(event: Mapping[str, Any], turns: Mapping[int, Turn]) -> Iterator[str]:
    kind = event["event"]
    if kind == "question":
        yield f"> {_one_line(event.get('text'))}\n"
    elif kind == "called":
        yield f"  {event.get('name')} {_one_line(event.get('arguments'))} ({event.get('outcome')})\n"
    elif kind == "failed":
        yield f"  no answer: {_one_line(event.get('why'))}\n\n"
    elif kind == "answer":
        turn = turns[int(event["turn"])]
        yield from map(told_line, turn.told)
        yield render_turn(turn) + "\n"


def _one_line(text: object) -> str:
    return " ".join(str(text).split())
