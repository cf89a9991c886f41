"""Draft, verify, correct against a scripted server: what each switch changes in prompts and accounting, and each fault."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_server import ScriptedServer, breaks_after, chunk, fails, says, serving, streams, whole

from agent.answer.config import AnswerConfig
from agent.cca.client import OpenAIClient
from agent.cca.compiled import Compiled, Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.flags import FULL, PRESETS, VANILLA, preset
from agent.cca.model_compiler import compile_with_model
from agent.cca.pipeline import Options, Outcome, solve
from agent.cca.repetition import repeats, without_repeats
from agent.cca.replies import first_json_object
from agent.cca.truncate import truncate
from retrieval.errors import UserError
from retrieval.tokens.counter import count_tokens

RULES = """\
The answer must not exceed 8 words.
Do not use contractions.
Use only ASCII characters.

| x (m) | y (N) |
|---|---|
| 1 | 2 |
| 2 | 4 |
| 3 | 6 |
"""
BAD = "It doesn't work, and that isn't caf\u00e9 weather at all today."  # breaks all three
BETTER = "It doesn't work."
GOOD = "It does not work."
REQUEST = [{"role": "system", "content": "SYSTEM"}, {"role": "user", "content": "Does it work?"}]


def compiled(text: str = RULES) -> Compiled:
    return compile_deterministic([Source("rules.md", text)])


def client(server: ScriptedServer, **given: Any) -> OpenAIClient:
    config = AnswerConfig(answerer="openai", base_url=server.base_url, model="tiny-1", timeout_s=5, **given)
    return OpenAIClient(config, sleep=lambda _s: None)


def solved(*replies: Any, options: Options | None = None, rules: Compiled | None = None) -> tuple[Outcome, list[Any]]:
    steps = [streams(reply) if isinstance(reply, str) else reply for reply in replies]
    with serving(*steps) as server:
        made = compiled() if rules is None else rules
        return solve(REQUEST, made, client(server), options or Options()), server.requests


def system_of(request: Any) -> str:
    return str(request["body"]["messages"][0]["content"])


def test_a_draft_with_two_violations_is_corrected() -> None:
    outcome, requests = solved(BAD, GOOD)
    assert outcome.answer == GOOD
    assert outcome.corrected
    assert outcome.before is not None
    assert outcome.after is not None
    assert (len(outcome.before.violations), len(outcome.after.violations)) == (3, 0)
    correction = requests[1]["body"]["messages"][-1]["content"]
    assert BAD in correction
    assert "doesn't" in correction
    assert "R1" in correction
    assert set(outcome.usage) == {"reasoner_1", "reasoner_2"}
    assert outcome.usage["reasoner_2"].prompt_tokens == 12


def test_one_violation_is_left_alone_unless_configured() -> None:
    outcome, requests = solved(BETTER)
    assert outcome.answer == BETTER
    assert len(requests) == 1
    outcome, requests = solved(BETTER, GOOD, options=Options(min_violations=1))
    assert outcome.answer == GOOD
    assert len(requests) == 2


@pytest.mark.parametrize("worse", [BAD, BAD + " Don't, won't, can't.", "", "   "])
def test_a_correction_that_is_no_better_is_dropped(worse: str) -> None:
    outcome, _ = solved(BAD, streams(worse) if worse.strip() else whole(worse), *([whole(worse)] * 2))
    assert outcome.answer == BAD
    assert outcome.tried
    assert not outcome.corrected


@pytest.mark.parametrize(
    "fault",
    [
        fails(400, "no"),
        says(200, b"<html>", "text/html"),
        breaks_after("It does"),
        streams(GOOD, finish="length"),
    ],
)
def test_a_correction_that_fails_costs_nothing(fault: Any) -> None:
    outcome, _ = solved(BAD, fault, *([fails(400, "no")] * 5))
    assert outcome.answer == BAD
    assert not outcome.corrected


def test_a_busy_server_is_waited_for_and_a_dead_one_is_told() -> None:
    outcome, requests = solved(fails(429, "slow down"), fails(500, "oops"), GOOD)
    assert outcome.answer == GOOD
    assert len(requests) == 3
    with pytest.raises(UserError):
        solved(*([fails(503, "down")] * 9))


def test_a_draft_that_breaks_off_is_kept_as_far_as_it_came_and_says_so() -> None:
    outcome, requests = solved(breaks_after("It does not"), options=Options(flags=FULL.without("F6")))
    assert outcome.answer == "It does not"
    assert outcome.interrupted
    assert len(requests) == 1
    whole_one, _ = solved(GOOD)
    assert whole_one.interrupted == ""


def test_a_server_that_falls_silent_is_told() -> None:
    def silent(handler: Any) -> None:
        time.sleep(1.5)

    config = AnswerConfig(answerer="openai", base_url="", model="tiny-1", timeout_s=0.2, max_retries=0)
    with serving(silent, silent, silent) as server, pytest.raises(UserError):
        silent_client = OpenAIClient(replace(config, base_url=server.base_url), sleep=lambda _s: None)
        solve(REQUEST, compiled(), silent_client, Options())


def test_what_a_context_costs_once_and_each_task_again() -> None:
    made, _ = model_compiled(MODEL_REPLY)
    assert made.tokens == 15  # offline, once for the context
    outcome, _ = solved(BAD, GOOD)
    spent = outcome.meta()["usage"]
    assert set(spent) == {"reasoner_1", "reasoner_2"}
    assert all(phase["calls"] == 1 and phase["prompt_tokens"] > 0 for phase in spent.values())


def test_each_switch_changes_what_it_says() -> None:
    flags = {name: FULL.without(name) for name in ("F1", "F2", "F3", "F4", "F5", "F6")}
    _, full = solved(GOOD)
    assert "CHECKLIST" in system_of(full[0])
    assert "CODE EXECUTION RESULTS" in system_of(full[0])
    assert system_of(full[0]).startswith("SYSTEM")

    outcome, requests = solved(BAD, options=Options(flags=flags["F1"]))
    assert (outcome.route, outcome.before) == ("vanilla", None)
    assert requests[0]["body"]["messages"] == REQUEST

    outcome, requests = solved(BAD, GOOD, options=Options(flags=flags["F2"]))
    assert "CHECKLIST" not in system_of(requests[0])
    assert "MUST NOT" not in system_of(requests[1])
    assert outcome.corrected

    for name in ("F3", "F4"):
        outcome, requests = solved(BAD, options=Options(flags=flags[name]))
        assert outcome.before is None
        assert len(requests) == 1

    _, requests = solved(GOOD, options=Options(flags=flags["F5"]))
    assert "CODE EXECUTION" not in system_of(requests[0])
    assert "CHECKLIST" in system_of(requests[0])

    outcome, requests = solved(BAD, options=Options(flags=flags["F6"]))
    assert outcome.before is not None
    assert len(outcome.before.violations) == 3
    assert len(requests) == 1
    assert set(outcome.usage) == {"reasoner_1"}


def test_the_last_switch_cuts_what_is_too_long_from_the_middle() -> None:
    request = [REQUEST[0], {"role": "user", "content": "first " + "filler " * 3000 + "last"}]
    with serving(streams(GOOD), streams(GOOD)) as server:
        cut = solve(request, compiled(), client(server), Options(context_budget=500))
        solve(request, compiled(), client(server), Options(context_budget=500, flags=FULL.without("F7")))
        short, long = (each["body"]["messages"][-1]["content"] for each in server.requests)
    assert cut.truncated > 2000
    assert short.startswith("first filler")
    assert short.endswith("last")
    assert long == request[1]["content"]


def test_the_variants_of_the_paper() -> None:
    assert set(PRESETS) == {"vanilla", "v2", "v3", "v4", "v6", "full"}
    assert preset("Full") == FULL
    assert preset("vanilla") == VANILLA
    assert not preset("v2").f6_correct
    assert preset("v2").f4_verify
    assert not preset("v3").f4_verify
    assert not preset("v4").f2_checklist
    assert preset("v4").f6_correct
    assert not preset("v6").f2_checklist
    assert not preset("v6").f6_correct
    for wrong in ("v9", ""):
        with pytest.raises(UserError):
            preset(wrong)
    with pytest.raises(UserError):
        FULL.without("F8")


def test_adaptive_routing_needs_a_verifier() -> None:
    prose = compiled("Be kind to each other, always.\n")
    assert prose.modules == ()
    outcome, requests = solved(BAD, rules=prose, options=Options(adaptive=True))
    assert outcome.route == "vanilla"
    assert requests[0]["body"]["messages"] == REQUEST
    outcome, _ = solved(GOOD, options=Options(adaptive=True))
    assert outcome.route == "cca"


MODEL_REPLY = (
    '{"rules": [{"kind": "must_not", "text": "No contractions", "quote": "Do not use contractions.", "check": null},'
    '{"kind": "must_do", "text": "Be brief", "quote": "Brevity   is the house style.", "check":'
    ' {"op": "count", "unit": "words", "most": 50}},'
    '{"kind": "must_do", "text": "Invented", "quote": "Nobody wrote this.", "check": null}],'
    '"tools": [{"name": "ruff"}, {"name": "nowhere"}]}'
)
DOCUMENT = "Do not use contractions.\nBrevity is the\nhouse style. We have ruff.\n"


def model_compiled(*replies: Any) -> tuple[Compiled, list[Any]]:
    with serving(*(streams(reply) if isinstance(reply, str) else reply for reply in replies)) as server:
        made = compile_with_model([Source("d.md", DOCUMENT)], client(server, max_retries=0))
        return made, server.requests


def test_a_model_adds_rules_that_stand_in_the_document() -> None:
    made, requests = model_compiled(f"Sure!\n```json\n{MODEL_REPLY}\n```")
    texts = {rule.text: rule for rule in made.ir.rules.all()}
    assert texts["Be brief"].quote.text == "Brevity is the\nhouse style."
    assert texts["Be brief"].quote.first_line == 2
    assert "Invented" not in texts
    assert sum("contractions" in text.lower() for text in texts) == 1  # not twice
    assert {each.origin for each in made.verifiers} == {"deterministic", "model"}
    assert [tool.name for tool in made.ir.available_tools] == ["ruff"]
    assert made.ir.ir_ok
    assert made.tokens == 15
    assert any("dropped" in note for note in made.notes)
    assert requests[0]["body"]["response_format"]["type"] == "json_schema"


def test_a_reply_that_cannot_be_read_is_repaired_once() -> None:
    made, requests = model_compiled("Here are the rules: none.", MODEL_REPLY)
    assert made.ir.ir_ok
    assert len(requests) == 2
    assert "no JSON object" in requests[1]["body"]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "replies",
    [
        ["prose", "prose again"],
        ['{"rules": 7}', '{"rules": [{"kind": 1}]}'],
        [MODEL_REPLY[:80], MODEL_REPLY[:80]],
        [fails(500, "down")],
        [says(200, b"not json", "application/json")] * 3,
        ["[" * 5000, "{" * 5000],
    ],
)
def test_without_a_usable_model_the_deterministic_ir_stands_and_says_so(replies: list[Any]) -> None:
    made, _ = model_compiled(*replies, *([fails(500, "down")] * 3))
    assert not made.ir.ir_ok
    assert made.verifiers == compile_deterministic([Source("d.md", DOCUMENT)]).verifiers
    assert made.notes


def test_of_a_cut_reply_the_rules_that_arrived_count() -> None:
    cut = MODEL_REPLY[: MODEL_REPLY.index('"Invented"') + 4]
    made, requests = model_compiled(streams(cut, finish="length"))
    assert len(requests) == 1
    assert made.ir.ir_ok
    assert [each.origin for each in made.verifiers].count("model") == 1
    assert any("incomplete" in note for note in made.notes)


def test_endless_repetition_ends_a_reply_and_a_repair_shows_little_of_it() -> None:
    sent = 0

    def endless(handler: Any, body: dict[str, Any]) -> None:
        nonlocal sent
        handler.start_stream()
        with contextlib.suppress(OSError):
            for _ in range(20_000):
                handler.event(chunk("please, "))
                sent += 1

    made, requests = model_compiled(endless, endless)
    assert not made.ir.ir_ok
    assert sent < 20_000
    assert len(requests) == 2
    assert len(requests[1]["body"]["messages"][2]["content"]) <= 2_000
    outcome, _ = solved(endless)
    assert outcome.answer.startswith("please, ")
    assert len(outcome.answer) < 600
    assert "repeated itself" in outcome.interrupted


def test_a_short_limit_is_sent_as_it_is() -> None:
    with serving(streams(GOOD)) as server:
        client(server).complete(REQUEST, 40)
        assert server.requests[0]["body"]["max_tokens"] == 40


@settings(max_examples=100)
@given(st.text(max_size=300), st.text(min_size=1, max_size=100))
def test_what_goes_round_in_circles_is_cut_to_two_rounds(before: str, piece: str) -> None:
    text = before + piece * (700 // len(piece) + 2)
    assert repeats(text)
    kept = without_repeats(text)
    assert text.startswith(kept)
    assert len(kept) <= len(before) + 2 * len(piece)
    assert not repeats(kept)
    assert without_repeats(kept) == kept


def test_ordinary_text_does_not_repeat_itself() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert not any(repeats(source[:end]) for end in range(0, len(source), 97))


def test_a_server_without_structured_output_is_asked_without_it() -> None:
    made, requests = model_compiled(fails(400, "unknown field response_format"), MODEL_REPLY)
    assert made.ir.ir_ok
    assert "response_format" not in requests[1]["body"]


@settings(max_examples=200)
@given(st.one_of(st.text(max_size=200), st.text(alphabet='{}[]",:1ab\\ \n', max_size=200)))
def test_any_reply_is_read_without_a_fault(text: str) -> None:
    value = first_json_object(text)
    assert value is None or isinstance(value, dict)


@settings(max_examples=100)
@given(st.text(min_size=1, max_size=600), st.integers(0, 120))
def test_truncation_is_exact(text: str, budget: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    cut = truncate(text, budget)
    assert cut.tokens == count_tokens(cut.text) <= budget or cut.cut == 0
    if cut.cut == 0:
        assert cut.text == text


def test_truncation_keeps_seventy_percent_of_the_head() -> None:
    text = " ".join(str(number) for number in range(5000))
    cut = truncate(text, 1000)
    head, _, tail = cut.text.partition("[\u2026")
    assert 990 <= cut.tokens <= 1000
    assert count_tokens(head) / (count_tokens(head) + count_tokens(tail.partition("\u2026]")[2])) == pytest.approx(
        0.7, abs=0.02
    )
    assert cut.text.endswith(text[-40:])
