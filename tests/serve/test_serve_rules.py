"""``contextc serve --rules``: answers of the API are held against rules as ``contextc ask`` holds them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from scripted_server import serving, whole
from serve_helpers import TOKEN, client_of, events, running, write

from agent.answer.config import AnswerConfig
from agent.cli.rules_options import RulesUse, named_rules
from agent.cli.serve_cmd import rules_for

Run = Callable[..., tuple[int, str, str]]
QUESTION = "who calls price_of"
RULES = '# Answers\n\n- Start with "Answer:".\n- No bullet points.\n- Never use the word "simply".\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    tree = write(tmp_path / "tree")
    (tree / "AGENTS.md").write_text('- Answers start with "Dear".\n- Do not use emojis in answers.\n')
    return tree


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "answers.md"
    file.write_text(RULES)
    return file


def use(*names: str) -> RulesUse:
    return RulesUse(names, "deterministic", False, "full", (), 2, 0)


def test_an_answer_carries_what_the_command_says_of_its_rules(root: Path, rules: Path, run: Run) -> None:
    with client_of(root, rules=rules_for(use(str(rules)))) as client:
        found = client.post("/api/ask", json={"question": QUESTION}).json()["answer"]
    told = run("ask", QUESTION, "--rules", rules, "--json", "--no-update", "--root", root)[1]
    assert found["rules"] == json.loads(told)["rules"]
    assert {each["status"] for each in found["rules"]["checked"]} >= {"violated"}


def test_auto_finds_the_trees_own_rules_for_each_answer(root: Path) -> None:
    with client_of(root, rules=rules_for(use("auto"))) as client:
        found = client.post("/api/ask", json={"question": QUESTION}).json()["answer"]
    assert found["rules"]["sources"] == ["AGENTS.md"]


@pytest.mark.parametrize("names", [(), ("none",)])
def test_without_rules_nothing_is_said_of_them(root: Path, names: tuple[str, ...]) -> None:
    with client_of(root, rules=rules_for(use(*names))) as client:
        assert "rules" not in client.post("/api/ask", json={"question": QUESTION}).json()["answer"]


def test_a_models_draft_is_corrected_and_comes_in_one_piece(root: Path, rules: Path) -> None:
    with serving(
        whole("- simply Cart.total [1].\n- simply add [1]."), whole("Answer: Cart.total calls it [1].")
    ) as model:
        config = AnswerConfig(answerer="openai", base_url=model.base_url, model="tiny")
        with client_of(root, answer=config, rules=rules_for(use(str(rules)))) as client:
            response = client.post("/api/ask/stream", json={"question": QUESTION})
            told = events(response.text)
        assert len(model.requests) == 2
    texts = [data["text"] for name, data in told if name == "text"]
    answer = next(data for name, data in told if name == "answer")
    assert texts == [answer["answer"]]
    assert answer["answer"].startswith("Answer:")
    assert answer["rules"]["cca"]["corrected"] is True


def test_the_process_takes_the_options_and_refuses_a_wrong_name_at_the_start(root: Path, rules: Path, run: Run) -> None:
    code, out, err = run("serve", "--rules", root / "absent.md", "--root", root, "--port", "0", "--token", TOKEN)
    assert (code, out) == (2, "")
    assert "absent.md" in err
    with running(root, "--rules", str(rules)) as server:
        assert server.url


def test_named_rules_are_read_once(rules: Path) -> None:
    before = named_rules((str(rules),))
    rules.write_text("- Use headings.\n")
    assert before[0].text == RULES
