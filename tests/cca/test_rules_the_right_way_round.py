"""Rules of a newcomer's AGENTS.md that were once read the wrong way round, or held against the wrong thing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.cca.compiled import Compiled
from agent.cca.verify import verify

Compile = Callable[..., Compiled]


def status(rules: Compiled, answer: str, question: str | None = "") -> str:
    found = [each.verdict.status for each in verify(rules, answer, question=question).checked]
    return found[0] if found else "unchecked"


@pytest.mark.parametrize(
    ("rule", "kept", "broken"),
    [
        ("No headings deeper than level 2.", "# One\n\n## Two\n\nText.", "### Three\n\nText."),
        ("Headings must not be deeper than level 2.", "# One\n\nText.", "### Three\n\nText."),
        ("Headings are never deeper than level three.", "# One\n\nText.", "#### Four\n\nText."),
        (
            "Headings are in sentence case and never deeper than level three.",
            "### How it works today\n\nText.",
            "#### How it works today\n\nText.",
        ),
        ("No headings above level 2.", "### Three\n\nText.", "# One\n\nText."),
        ('End with a line that begins "Next:" and names one step.', "It is.\n\nNext: run it.", "It is.\n\nNext"),
        ('Finish with a paragraph that starts "In short".', "It is.\n\nIn short: so it is.", "In short, no.\n\nIt is."),
        ('End with "Next:".', "It is.\n\nNext:", "Next: run it."),
    ],
)
def test_bounds_and_ends_are_of_the_side_that_the_rule_names(
    compiled: Compile, rule: str, kept: str, broken: str
) -> None:
    rules = compiled(f"# Answers\n\n- {rule}\n")
    assert status(rules, kept) == "holds"
    assert status(rules, broken) == "violated"


LONG = "It is so. " * 60


@pytest.mark.parametrize(
    "rule",
    [
        "Keep replies under 100 words unless somebody asks for detail.",
        "Stay under 100 words unless the question asks for detail.",
        "If the question does not ask for detail, stay under 100 words.",
    ],
)
def test_what_frees_of_a_rule_is_not_what_binds_it(compiled: Compile, rule: str) -> None:
    assert status(compiled(f"# Answers\n\n- {rule}\n"), LONG, "Tell me the detail of it.") != "violated"


def test_a_rule_that_a_term_of_the_question_frees_holds_where_the_question_lacks_it(compiled: Compile) -> None:
    rules = compiled('# Answers\n\n- Unless the question mentions "sql", show no code blocks.\n')
    fenced = "So:\n\n```sql\nSELECT 1\n```"
    assert status(rules, fenced, "How do I count?") == "violated"
    assert status(rules, fenced, "How do I count in sql?") != "violated"
    assert status(rules, fenced, None) == "no_verdict"  # nothing is known of the question
    plainly = compiled('# Answers\n\n- If the question mentions "sql", show no code blocks.\n')
    assert status(plainly, fenced, "How do I count in sql?") == "violated"
