"""The methods: what each asks, what it keeps, what it books, and that no reply breaks it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca.baselines.ctx2skill import Ctx2Skill
from agent.cca.baselines.readagent import Pages, ReadAgent
from agent.cca.baselines.registry import NAMES, method
from agent.cca.baselines.skills import Skill, put, relevant
from agent.cca.client import Message, Reply, Usage
from agent.cca.protocol import Context, Settings, amortised, question_of, total, with_text_replaced
from retrieval.errors import UserError

RULES = "Every answer must end with the word OVER.\n\nNever use the word 'please'.\n\nAnswers must be ASCII only."
CONTEXT = Context("c1", "You answer for the station.", RULES)
ASK: list[Message] = [
    {"role": "system", "content": CONTEXT.system},
    {"role": "user", "content": f"{RULES}\n\nWhich gate is open?"},
]
S = Settings()


class Scripted:
    """Replies in order, the last one again and again; what was asked is kept."""

    def __init__(self, *replies: str, tokens: tuple[int, int] = (100, 10)) -> None:
        self.replies = list(replies)
        self.asked: list[list[Message]] = []
        self.tokens = tokens

    def complete(
        self, messages: Sequence[Message], max_tokens: int, json_schema: Mapping[str, Any] | None = None
    ) -> Reply:
        self.asked.append(list(messages))
        text = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return Reply(text, Usage(1, *self.tokens, 0.5), "scripted")


def test_vanilla_sends_the_request_as_it_is() -> None:
    client = Scripted("Gate 4. OVER")
    vanilla = method("vanilla")
    prepared = vanilla.prepare(CONTEXT, S, client)
    done = vanilla.infer(prepared, ASK, S, client)
    assert client.asked == [ASK]
    assert done.answer == "Gate 4. OVER"
    assert total(prepared.usage) == Usage()
    assert done.usage == {"answer": Usage(1, 100, 10, 0.5)}


def test_cca_corrects_by_the_rules_of_the_context_and_books_both_reasoners() -> None:
    client = Scripted("Gate 4 please — see you", "Gate 4. OVER")
    cca = method("cca")
    prepared = cca.prepare(CONTEXT, S, client)
    done = cca.infer(prepared, ASK, S, client)
    assert done.answer == "Gate 4. OVER"
    assert done.meta["corrected"] is True
    assert {phase: usage.calls for phase, usage in done.usage.items()} == {"reasoner_1": 1, "reasoner_2": 1}
    assert "CHECKLIST" in client.asked[0][0]["content"]
    assert total(prepared.usage).tokens == 0  # the deterministic compiler asks no model


def test_what_a_model_spends_on_compiling_is_booked_offline() -> None:
    client = Scripted("no JSON at all")
    prepared = method("cca", model_compiler=True).prepare(CONTEXT, S, client)
    assert prepared.usage["compiler"].calls >= 1
    assert prepared.ok is False


@pytest.mark.parametrize("name", ["cca-v6", "cca-v4", "cca-no-F2"])
def test_variants_without_the_checklist_do_not_show_it(name: str) -> None:
    client = Scripted("Gate 4. OVER")
    chosen = method(name)
    chosen.infer(chosen.prepare(CONTEXT, S, client), ASK, S, client)
    assert "CHECKLIST" not in client.asked[0][0]["content"]


def test_adaptive_falls_back_to_direct_prompting_where_nothing_can_be_verified() -> None:
    plain = Context("p", "", "The harbour was built in 1820 by the town of Brel.")
    asked: list[Message] = [{"role": "user", "content": plain.text + "\n\nWho built it?"}]
    client = Scripted("The town of Brel.")
    chosen = method("cca-adaptive")
    assert chosen.infer(chosen.prepare(plain, S, client), asked, S, client).meta["route"] == "vanilla"
    assert client.asked == [asked]


LONG = "\n\n".join(f"Paragraph {n}. " + " ".join(f"word{n}x{i}" for i in range(90)) for n in range(12))


def test_readagent_pages_where_the_model_says_and_answers_with_the_pages_it_named() -> None:
    reader = ReadAgent(min_words=150, max_words=400)
    client = Scripted("<2>", "<2>", "<3>", "<4>", *[f"gist {n}" for n in range(1, 6)])
    context = Context("l", "", LONG)
    texts = reader.paginate(LONG, Scripted("<2>"))
    assert "".join(texts) == LONG
    assert [text.count("Paragraph") for text in texts] == [2, 2, 2, 2, 4]
    prepared = reader.prepare(context, S, client)
    memory: Pages = prepared.artifact
    assert "".join(page.text for page in memory.pages) == LONG
    assert set(prepared.usage) == {"pagination", "gists"}
    asked: list[Message] = [{"role": "user", "content": f"{LONG}\n\nWhat does paragraph 0 say?"}]
    online = Scripted("I want [1, 99, 1]", "It says words.")
    done = reader.infer(prepared, asked, S, online)
    assert done.meta["looked_up"] == [1]
    final = online.asked[1][0]["content"]
    assert memory.pages[0].text.strip() in final
    assert memory.pages[1].text.strip() not in final
    assert memory.pages[1].gist in final
    assert final.endswith("What does paragraph 0 say?")
    assert set(done.usage) == {"lookup", "answer"}


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=" \n\tab\r<1>é", max_size=400), st.sampled_from(["<1>", "", "<999>", "pause at <2>"]))
def test_pages_joined_are_the_text(text: str, reply: str) -> None:
    reader = ReadAgent(min_words=2, max_words=5)
    pages = reader.paginate(text, Scripted(reply))
    assert "".join(pages) == text
    assert all(len(page.split()) <= 5 for page in pages)


def _challenge(*tasks: str) -> str:
    return json.dumps({"tasks": [{"task": task, "rubric": ["ends with OVER"]} for task in tasks]})


def test_self_play_learns_a_skill_from_a_failure_and_gives_it_to_the_answer() -> None:
    client = Scripted(
        _challenge("Which gate?"),
        "Gate 4",
        '{"pass": false, "failed": ["ends with OVER: it does not"]}',
        '{"name": "closing", "when": "always", "must_say": "end with OVER"}',
        'Sure: {"name": "closing", "when": "every answer", "text": "End with the word OVER."}',
        _challenge("Which dock?"),
        "Dock 2. OVER",
        '{"pass": true, "failed": []}',
    )
    player = Ctx2Skill(rounds=2, tasks=1)
    prepared = player.prepare(CONTEXT, S, client)
    assert prepared.artifact.skills == (Skill("closing", "every answer", "End with the word OVER."),)
    assert {role: usage.calls for role, usage in prepared.usage.items()} == {
        "challenger": 2,
        "reasoner": 2,
        "judge": 2,
        "proposer": 1,
        "generator": 1,
    }
    assert "End with the word OVER." in client.asked[6][0]["content"]  # the second round's reasoner has the skill
    online = Scripted("Gate 4. OVER")
    done = player.infer(prepared, ASK, S, online)
    assert "End with the word OVER." in online.asked[0][0]["content"]
    assert done.meta == {"skills": 1, "used": ["closing"]}


@pytest.mark.parametrize(
    "reply", ["", "prose", "{", '{"tasks": 3}', '{"tasks": [{"task": 1}]}', '{"pass": "yes"}', "[]"]
)
@pytest.mark.parametrize("name", NAMES)
def test_no_reply_breaks_a_method(name: str, reply: str) -> None:
    client = Scripted(reply)
    chosen = method(name, model_compiler=True)
    done = chosen.infer(chosen.prepare(CONTEXT, S, client), ASK, S, client)
    assert done.answer == reply


def test_a_judge_that_cannot_be_read_teaches_nothing() -> None:
    client = Scripted(_challenge("Which gate?"), "Gate 4", "hm")
    prepared = Ctx2Skill(rounds=1, tasks=1).prepare(CONTEXT, S, client)
    assert prepared.artifact.skills == ()
    assert prepared.notes == ("1 replies of the judge could not be read",)


def test_skills_of_one_name_replace_each_other_and_the_fitting_ones_are_chosen() -> None:
    library = put(put((), Skill("a", "gates", "old")), Skill("b", "docks and boats", "moor the boats"))
    library = put(library, Skill("a", "gates", "open gates at noon"))
    assert [each.text for each in library] == ["open gates at noon", "moor the boats"]
    assert [each.name for each in relevant(library, "where do boats moor?", 1)] == ["b"]


def test_preparing_is_shared_out_over_the_tasks() -> None:
    offline = [{"compiler": Usage(1, 900, 100, 2.0)}, {"compiler": Usage(1, 400, 100, 1.0)}]
    online = [{"reasoner_1": Usage(1, 90, 10, 1.0)}] * 5
    cost = amortised(offline, online)
    assert (cost.offline, cost.online, cost.tokens) == (300.0, 100.0, 400.0)
    assert (cost.offline_seconds, cost.online_seconds) == (0.6, 1.0)
    assert amortised(offline, []).tokens == 0


def test_tokens_that_a_server_does_not_report_are_counted() -> None:
    vanilla = method("vanilla")
    client = Scripted("Gate 4. OVER", tokens=(0, 0))
    done = vanilla.infer(vanilla.prepare(CONTEXT, S, client), ASK, S, client)
    assert done.usage["answer"].prompt_tokens > 20
    assert done.usage["answer"].completion_tokens > 3


def test_text_and_question_are_told_apart() -> None:
    assert question_of(ASK, RULES) == "Which gate is open?"
    assert with_text_replaced(ASK, RULES, "GIST")[0][1]["content"] == "GIST\n\nWhich gate is open?"
    assert with_text_replaced(ASK, "elsewhere", "GIST") == (ASK, False)


def test_an_unknown_method_is_a_user_error() -> None:
    with pytest.raises(UserError, match="no method"):
        method("magic")
    with pytest.raises(UserError, match="no part"):
        method("cca-no-F9")
