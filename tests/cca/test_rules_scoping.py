"""What a rule binds: answers or code or neither, the question or the answer; what quotes evidence is excused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca import ir as ir_module
from agent.cca.apply import applicable
from agent.cca.check_data import CheckError, parse_check
from agent.cca.compiled import Compiled, Source
from agent.cca.describe import in_words
from agent.cca.deterministic import compile_deterministic
from agent.cca.ir import json_schema
from agent.cca.store import from_dict, to_dict
from agent.cca.verify import Verification, verify

Compile = Callable[..., Compiled]
GUIDE = "# Contributing\n\nThese rules are for pull requests, commits and patches.\n\n"


def statuses(found: Verification) -> list[str]:
    return [each.verdict.status for each in found.checked]


@pytest.mark.parametrize(
    "rule",
    [
        'Don\'t include preambles such as "Tests that" or "Ensures that".',
        "Don't use the ticket system to ask support questions.",
        "Make sure to include code snippets and step-by-step instructions in a report.",
        "The description should be no more than two sentences.",
        "Use these heading styles.",
        "Never commit to `master`.",
        "Tests that hang should use `@SKIP` instead of `@slow`.",
        "Don't rely on truthiness, as it's easy to forget that `None` is considered false.",
        "Place all ``import module`` statements before ``from module import objects``.",
        "Commit messages must be at most 72 characters per line.",
        "Avoid using `pprint()` in doctest examples.",
        "Open a merge request with the two commits.",
        "Don't just write something like `Modified solvers.py`.",
    ],
)
def test_a_guide_for_contributors_binds_no_answer(rule: str, compiled: Compile) -> None:
    made = compiled(GUIDE + rule + "\n", name="CONTRIBUTING.md")
    assert made.ir.rules.all()
    assert made.verifiers == ()


@pytest.mark.parametrize(
    ("rule", "bad"),
    [
        ("Never use `os.system`.", "```python\nos.system('ls')\n```"),
        ("Lines of code should be at most 20 characters.", "```python\nvalue = compute(1, 2, 3)\n```"),
        ("Answers must not exceed 3 words.", "It is in the file."),
        ("Use four spaces for indentation.", "```python\nif x:\n  y()\n```"),
    ],
)
def test_what_it_says_of_code_and_of_answers_binds(rule: str, bad: str, compiled: Compile) -> None:
    made = compiled(GUIDE + rule + "\n", name="CONTRIBUTING.md")
    assert statuses(verify(made, bad)) == ["violated"]
    assert statuses(verify(made, "`os.system`.")) != ["violated"]


def test_instructions_for_agents_may_forbid_emoji(compiled: Compile) -> None:
    rule = "Do not use emojis.\n"
    assert statuses(verify(compiled(GUIDE + rule, name="sub/AGENTS.md"), "Done \U0001f389")) == ["violated"]
    assert compiled(GUIDE + rule, name="CONTRIBUTING.md").verifiers == ()


def test_lines_quoted_from_the_evidence_are_excused(compiled: Compile) -> None:
    made = compiled(GUIDE + "Lines should be at most 20 characters.\n", name="CONTRIBUTING.md")
    long = "value = compute(1, 2, 3, 4)"
    answer = f"It computes:\n\n```python\n    {long}\n```\n"
    assert statuses(verify(made, answer)) == ["violated"]
    assert statuses(verify(made, answer, quotable=frozenset({long}))) == ["no_verdict"]
    own = answer.replace("```\n", f"```\n\n```python\n{long}  # mine\n```\n", 1)
    assert statuses(verify(made, own, quotable=frozenset({long}))) == ["violated"]


@pytest.mark.parametrize(
    ("rule", "asked", "other"),
    [
        ('When asked about pricing, include the phrase "see the price list".', "What is your pricing?", "Who are you?"),
        ('If the user asks about "refunds", mention "see the price list".', "Are refunds possible?", "Hello?"),
        ('When the question mentions `timeout`, say "see the price list".', "why does `timeout` fail", "why"),
    ],
)
def test_a_condition_may_hang_on_the_question(rule: str, asked: str, other: str, compiled: Compile) -> None:
    made = compiled(rule)
    assert statuses(verify(made, "It depends.", question=asked)) == ["violated"]
    assert statuses(verify(made, "Please see the price list.", question=asked)) == ["holds"]
    assert statuses(verify(made, "It depends.", question=other)) == ["no_verdict"]
    assert statuses(verify(made, "It depends.")) == ["no_verdict"]  # nothing is known of the question


def test_an_order_of_several_things(compiled: Compile) -> None:
    made = compiled('Name the stages in this order: "plan", "build", "ship".\n')
    assert statuses(verify(made, "First plan, then build, then ship.")) == ["holds"]
    assert statuses(verify(made, "First build, then plan, then ship.")) == ["violated"]


PYTHON = {"op": "python", "code": "def check(answer):\n    return True\n"}


def test_generated_python_is_taken_only_where_it_is_allowed() -> None:
    with pytest.raises(CheckError, match="allow-generated-code"):
        parse_check(PYTHON)
    assert parse_check(PYTHON, allow_generated=True).op == "python"
    with pytest.raises(CheckError):
        parse_check({"op": "not", "check": PYTHON}, allow_generated=True)  # no part of the language


CHECKS: list[dict[str, Any]] = [
    {"op": "contains", "terms": ["a", "b"], "least": 1},
    {"op": "contains", "terms": ["a"], "of": "question"},
    {"op": "absent", "terms": ["a"], "within": "code"},
    {"op": "matches", "pattern": "a+", "least": 1, "most": 2},
    {"op": "count", "unit": "words", "most": 0},
    {"op": "count", "unit": "words", "least": 2, "most": 2},
    {"op": "count", "unit": "lines", "least": 2, "most": 5},
    {"op": "order", "terms": ["a", "b"]},
    {"op": "property", "name": "a", "schema": {"type": "string"}, "where": {"b": {"const": 1}}},
    {"op": "starts", "terms": ["a"]},
    {"op": "ends", "terms": ["a"], "within": "first_line"},
    {"op": "charset", "allow": "ascii"},
    {"op": "case", "letters": "lower"},
    {"op": "language", "language": "german"},
    {"op": "sorted"},
    {"op": "sorted", "unique": True},
    {"op": "line_length", "most": 79, "within": "code"},
    {"op": "indent", "width": 4},
    {"op": "indent", "tabs": True},
    {"op": "valid", "format": "json", "whole": True},
    {"op": "schema", "schema": {"type": "object"}},
    {"op": "keys", "keys": ["a"], "only": True},
    {"op": "table", "columns": ["a"], "least_rows": 1},
    {"op": "sections", "headings": ["a"]},
    {"op": "numeric", "units": ["m"], "low": 1, "uncertainty": True, "uncertainty_unit": True},
    {"op": "python_code", "demand": "no_bare_except"},
    {"op": "python_code", "demand": "arguments", "most": 4},
    {"op": "table", "least_columns": 2, "most_columns": 3},
    {"op": "count", "unit": "unnamed_fences", "most": 0},
    {"op": "every", "scope": "bullet", "check": {"op": "ends", "terms": ["."]}},
    {"op": "when", "condition": {"op": "contains", "terms": ["a"]}, "then": {"op": "charset", "allow": "ascii"}},
    {"op": "all", "checks": [{"op": "charset", "allow": "no_tabs"}]},
    {"op": "any", "checks": [{"op": "charset", "allow": "no_emoji"}]},
    {"op": "not", "check": {"op": "starts", "terms": ["a"]}},
    {"op": "each", "part": {"kind": "heading"}, "check": {"op": "ends", "terms": ["."]}},
    {"op": "each", "part": {"kind": "line", "nth": 2, "of": {"kind": "section", "name": "a"}},
     "check": {"op": "count", "unit": "words", "most": 3}, "selects": {"op": "contains", "terms": ["a"]}},
    {"op": "pieces", "part": {"kind": "option"}, "least": 4, "most": 4},
    {"op": "series", "part": {"kind": "match", "pattern": "a+"}, "by": "number", "descending": True},
    {"op": "sql", "demand": "no_select_star"},
    {"op": "code", "pattern": "var ", "most": 0, "language": "javascript"},
    {"op": "json_form", "demand": "snake_keys"},
    {"op": "csv_form", "demand": "filled"},
    {"op": "layout", "demand": "code_first"},
]  # fmt: skip


def test_every_check_is_said_in_words() -> None:
    said = [in_words(parse_check(check)) for check in CHECKS]
    assert len(set(said)) == len(said)
    assert {check["op"] for check in CHECKS} | {"python"} == set(in_words.__globals__["_WORDS"])
    assert in_words(parse_check(CHECKS[4])) == "no words"
    assert in_words(parse_check(PYTHON, allow_generated=True)) == "a generated program decides"


def test_the_ir_says_how_a_rule_is_checked(compiled: Compile) -> None:
    rules = compiled("Answers must not exceed 8 words.\nBe kind, always.\n").ir.rules.all()
    assert [(rule.codeable, rule.hint) for rule in rules] == [(True, "at most 8 words"), (False, "")]


def test_the_schema_that_ships_is_that_of_the_ir() -> None:
    shipped = Path(ir_module.__file__).with_name("ir.schema.json")
    assert json.loads(shipped.read_text(encoding="utf-8")) == json_schema()


_WORDS = """
    must not never always if you the a test should please do don't avoid use `x` , . : ; - * # > when before to ensure
    every each code answer **no** [a](b) `c <d>`_ :ref:`e` (for example NL NLNL 1. :: .. note:: ```
"""


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_WORDS.split()), max_size=60))
def test_any_document_compiles_and_quotes_itself(words: list[str]) -> None:
    text = " ".join(words).replace("NL", "\n")
    made = compile_deterministic([Source("d.md", text)])
    lines = text.split("\n")
    for rule in made.ir.rules.all():
        assert 1 <= rule.quote.first_line <= rule.quote.last_line <= len(lines)
        first = rule.quote.text.split("\n")[0].strip()
        assert first in lines[rule.quote.first_line - 1]
    assert compile_deterministic([Source("d.md", text)]) == made


def test_what_bears_on_a_question(compiled: Compile) -> None:
    guide = GUIDE + (
        "Write a news fragment.\nAnswers must be polite.\nThe session cookie must be signed by hand.\n"
        "Never use `os.system`.\n"
    )
    kept = [
        rule.text
        for rule in applicable(compiled(guide, name="CONTRIBUTING.md"), "who signs the session cookie").ir.rules.all()
    ]
    assert kept == [
        "Answers must be polite.",
        "The session cookie must be signed by hand.",
        "Never use `os.system`.",
    ]
    demands = compiled("Be brief.\nAvoid jargon.\n", name="style.txt")
    assert len(applicable(demands, "who signs the session cookie").ir.rules.all()) == len(demands.ir.rules.all()) == 2


def test_what_bears_on_a_question_is_told_without_reading_the_documents_again(monkeypatch: pytest.MonkeyPatch) -> None:
    guide = Source("CONTRIBUTING.md", "# Contributing\n\nAlways run the linter.\n\nAnswers must cite a line.\n")
    style = Source("tone.md", "Always be kind.\n")
    made = compile_deterministic([guide, style])
    kept = from_dict(to_dict(made), made.sources)
    assert kept == made
    assert kept.guides == ("CONTRIBUTING.md",)

    def never(*_: object) -> None:
        raise AssertionError("a document was parsed")

    for name in ("agent.cca.deterministic.blocks", "agent.cca.deterministic.is_guide", "agent.cca.documents.blocks"):
        monkeypatch.setattr(name, never)
    bearing = [rule.text for rule in applicable(kept, "how is the cookie signed").ir.rules.all()]
    assert bearing == ["Answers must cite a line.", "Always be kind."]
