"""Lists that say what an answer is made of: every item is told among the rules, checked or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.cca.compiled import Source
from agent.cca.deterministic import compile_deterministic

Run = Callable[..., tuple[int, str, str]]
ITEMS = ("1. **Details**", "2. One sentence on what it does.", "3. verdict", "4. The callers, if there are any")


def rules_of(text: str) -> list[str]:
    rules = compile_deterministic([Source("rules.md", text)]).ir.rules
    return [rule.quote.text for each in (rules.must_do, rules.must_not, rules.conditional) for rule in each]


@pytest.mark.parametrize(
    "lead",
    [
        "Answer as follows:",
        "Respond in this order:",
        "Structure every answer as follows:",
        "Reply in exactly this format:",
        "The reply has this form:",
        "Your answer consists of four parts:",
        "Each response must have the following sections:",
    ],
)
def test_no_item_of_an_answers_form_vanishes(lead: str) -> None:
    said = {item.split(" ", 1)[1] for item in ITEMS}
    assert said <= set(rules_of("\n".join((lead, "", *ITEMS, ""))))


@pytest.mark.parametrize(
    "lead",
    [
        "A commit has these parts:",
        "Structure bug reports as follows:",
        "The index is built as follows:",
        "The answer of the server to an issue has two parts:",
    ],
)
def test_what_something_else_is_made_of_is_no_rule(lead: str) -> None:
    assert "verdict" not in rules_of("\n".join((lead, "", *ITEMS, "")))


def test_they_are_listed_as_not_checked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("Respond in this order:\n\n" + "\n".join(ITEMS) + "\n")
    (tmp_path / "answer.txt").write_text("It is so.\n")
    code, out, err = run("rules", "check", tmp_path / "answer.txt", tmp_path / "rules.md")
    assert code == 0, err
    for line, item in enumerate(ITEMS, start=3):
        (told,) = [each for each in out.splitlines() if f"rules.md:{line})" in each]
        assert "not checked" in told
        assert item.split(" ", 1)[1] in told
