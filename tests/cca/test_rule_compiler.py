"""Rule documents to IR and verifiers: slots, quotes, scoping, rejection of misread rules, canonical bytes, the cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agent.cca.check_data import dump_check
from agent.cca.compile import compile_rules
from agent.cca.compiled import Compiled, Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.documents import blocks
from agent.cca.ir import IR, Quote, Rule, Rules, canonical_bytes, json_schema
from agent.cca.linear import scrub
from agent.cca.rule_files import find
from agent.cca.sentences import sentences
from agent.cca.store import from_dict, load, to_dict

Compile = Callable[..., Compiled]

HANDBOOK = """\
# Coordinator

In this world, water boils at 40 degrees and every ticket costs 3 crowns.

## Tools

- `page_oncall(team)`: pages the team on call.
- `open_ticket(title)`: opens a ticket.

## Rules

- Always call `page_oncall` before `open_ticket`.
- Never say "root cause".
- If the severity is "SEV2", include the phrase "Incident declared".
- The answer must not exceed 120 words.
- You may attach a screenshot.
- Is a ticket needed?

## Procedure

1. Read the alert.
2. Page the team.

## Load

| Rate (req/s) | Latency (ms) |
|---|---|
| 10 | 3 |
| 20 | 5 |
| 30 | 8 |
"""


def check_for(text: str, compiled: Compiled) -> Any:
    return next((each.check for each in compiled.verifiers if text in each.rule.text), None)


def test_the_slots_are_filled(compiled: Compile) -> None:
    made = compiled(HANDBOOK)
    ir = made.ir
    assert [rule.quote.text for rule in ir.rules.must_not] == [
        'Never say "root cause".',
        "The answer must not exceed 120 words.",
    ]
    assert [rule.quote.first_line for rule in ir.rules.must_do] == [12]
    (conditional,) = ir.rules.conditional
    assert conditional.condition == 'If the severity is "SEV2"'
    assert {tool.name for tool in ir.available_tools} == {"page_oncall(team)", "open_ticket(title)"}
    assert [step.text for step in ir.workflow] == ["Read the alert.", "Page the team."]
    assert ir.output_spec.max_words == 120
    (data,) = ir.data_profile
    assert [(column.name, column.unit) for column in data.columns] == [("Rate", "req/s"), ("Latency", "ms")]
    assert {"SEV2", "Incident declared", "page_oncall"} <= {term.term for term in ir.exact_terms}
    assert any("water boils at 40 degrees" in fact.text for fact in ir.knowledge)  # kept as it stands
    first = ir.rules.must_do[0].temporal
    assert first is not None
    assert "page_oncall" in first.first
    assert "open_ticket" in first.then
    assert set(made.modules) == {"rule_checker", "data_analyzer"}


def test_quotes_are_verbatim_and_their_lines_right(compiled: Compile) -> None:
    text = "Intro line.\n\nContributors must run\nthe linter   before\neach commit. Nothing else.\n"
    (rule,) = compiled(text).ir.rules.all()
    assert rule.quote == Quote(
        source="rules.md", first_line=3, last_line=5, text="Contributors must run\nthe linter   before\neach commit."
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "You should see a message.",
        "Don't worry about formatting.",
        "You do not need to sign anything.",
        "Should I open an issue?",
        "The parser returns a list.",
        "Feel free to ask.",
        "This should work on Windows.",
        "If you don't have pip, the installer brings it.",
        "Run the tests with `pytest`.",
        "Thank you for contributing!",
    ],
)
def test_what_is_no_rule(sentence: str, compiled: Compile) -> None:
    assert compiled(sentence).ir.rules.all() == ()


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Pull requests must include tests.", "must_do"),
        ("Use four spaces.", "must_do"),
        ("Please add an entry to the changelog.", "must_do"),
        ("Never force-push to main.", "must_not"),
        ("Secrets are not allowed in fixtures.", "must_not"),
        ("Avoid wildcard imports.", "must_not"),
        ("When in doubt, add a test.", "conditional"),
        ("If a test is slow, mark it as slow.", "conditional"),
        ("In docstrings, state the unit of each argument.", "must_do"),
    ],
)
def test_what_is_a_rule(sentence: str, kind: str, compiled: Compile) -> None:
    assert [rule.kind for rule in compiled(sentence).ir.rules.all()] == [kind]


def test_a_list_inherits_the_demand_of_its_introduction(compiled: Compile) -> None:
    made = compiled(
        "Each report must contain:\n\n- the version in use\n- the full traceback\n\nAfter that:\n\n- nothing\n"
    )
    texts = [rule.text for rule in made.ir.rules.all()]
    assert any("the version in use" in text for text in texts)
    assert any("the full traceback" in text for text in texts)
    assert not any(text.endswith("nothing") for text in texts)


def test_a_verifier_that_flags_the_documents_own_example_is_rejected(compiled: Compile) -> None:
    text = 'Every reply must start with "Hello".\n\nA good example:\n\n> Dear Ann, the ticket is closed.\n'
    made = compiled(text)
    assert made.verifiers == ()
    assert [each.rule_id for each in made.rejected] == ["R1"]
    assert not made.ir.rules.all()[0].codeable
    assert compiled(text.replace("Dear Ann", "Hello Ann")).verifiers


@pytest.mark.parametrize(
    "text",
    [
        "Files should be no longer than 400 lines.",
        'Don\'t include preambles such as "Tests that" in test docstrings.',
        "Passwords must have at least 12 characters.",
    ],
)
def test_rules_about_other_things_get_no_verifier(text: str, compiled: Compile) -> None:
    assert compiled(text).verifiers == ()


@pytest.mark.parametrize(
    "text", ["Commit messages must be at most 72 characters per line.", 'Branch names should start with "feature/".']
)
def test_what_a_guide_says_of_commits_and_branches_binds_no_answer(text: str, compiled: Compile) -> None:
    guide = f"# Contributing\n\nThese rules are for pull requests, commits and unit tests of this codebase.\n\n{text}\n"
    assert compiled(guide).verifiers == ()


def test_names_of_code_are_forbidden_in_code_alone(compiled: Compile) -> None:
    made = compiled("# Code style\n\nDo not call `os.system`.\n\n```python\nx = 1\n```\n")
    assert dump_check(check_for("os.system", made))["within"] == "bare_code"


def test_equal_documents_give_equal_bytes() -> None:
    sources = [Source("a.md", HANDBOOK), Source("b.rst", "Use spaces.\n")]
    first, second = compile_deterministic(sources), compile_deterministic(sources)
    assert canonical_bytes(first.ir) == canonical_bytes(second.ir)
    assert first == second
    assert (
        canonical_bytes(first.ir)
        == json.dumps(
            json.loads(canonical_bytes(first.ir)), sort_keys=True, separators=(",", ":"), ensure_ascii=False
        ).encode()
    )


def test_the_ir_validates_against_its_schema_and_refuses_what_does_not_fit(compiled: Compile) -> None:
    ir = compiled(HANDBOOK).ir
    jsonschema.validate(json.loads(canonical_bytes(ir)), json_schema())
    rule = ir.rules.must_do[0]
    for wrong in (
        {"must_not": (rule,)},
        {"must_do": (rule,), "unknown": ()},
    ):
        with pytest.raises(ValidationError):
            Rules(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValidationError):
        Rule(id="7", kind="must_do", text="x", quote=Quote())
    with pytest.raises(ValidationError):
        Quote(first_line=3, last_line=2)
    with pytest.raises(ValidationError):
        IR(compiler="x", context_sha256="0" * 64, rules=Rules(must_do=(rule, rule)))


def test_compiled_rules_survive_json(compiled: Compile) -> None:
    made = compiled(HANDBOOK)
    assert from_dict(json.loads(json.dumps(to_dict(made))), made.sources) == made


def test_the_cache_is_by_content_and_a_damaged_one_is_ignored(tmp_path: Path) -> None:
    source = Source("r.md", "Use tabs.\n")
    made = compile_rules([source], folder=tmp_path)
    (file,) = tmp_path.iterdir()
    assert load(file.stem, (source,), tmp_path) == made
    compile_rules([Source("r.md", "Use tabs!\n")], folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    for damage in (
        b"",
        b"{",
        b"[]",
        b'{"store_version": 1}',
        file.read_bytes().replace(b'"must_do"', b'"must_not"', 1),
    ):
        file.write_bytes(damage)
        assert compile_rules([source], folder=tmp_path) == made


@settings(max_examples=200)
@given(
    st.one_of(
        st.text(max_size=400),
        st.lists(
            st.sampled_from(
                ["# T", "- must x", "1. use `a`", "```", "~~~", "    code", "| a | b |", "|--|--|", "====", ".. note:: x",
                 "> q", "You must not \u201cx\u201d.", "If a, do b:", "", "\t- n", "<!--", "-->", "\ud800"]
            ),
            max_size=25,
        ).map("\n".join),
    )
)  # fmt: skip
def test_any_document_compiles(text: str) -> None:
    made = compile_deterministic([Source("x", text)])
    lines = scrub(text).replace("\r\n", "\n").split("\n")
    for rule in made.ir.rules.all():
        shown = "\n".join(lines[rule.quote.first_line - 1 : rule.quote.last_line])
        for part in rule.quote.text.split("\n"):
            assert part.strip() in shown
    assert from_dict(json.loads(json.dumps(to_dict(made))), made.sources) == made


@settings(max_examples=100)
@given(st.text(alphabet="ab \n#-*>`|.:=~1)\t", max_size=300))
def test_blocks_follow_the_lines_of_a_document(text: str) -> None:
    found = blocks(text)
    total = text.count("\n") + 1
    for before, after in pairwise(found):
        assert before.first_line <= after.first_line
    for block in found:
        assert 1 <= block.first_line <= block.last_line <= total
    for sentence in sentences(found):
        assert sentence.text == " ".join(sentence.text.split())


def test_hostile_documents_cost_no_more_than_their_length() -> None:
    for text in (
        "if " * 60_000,
        "must not " * 40_000,
        "`" * 200_000,
        '"' * 200_000,
        "at most " * 40_000,
        "- " * 100_000,
        "a" * 500_000,
        ("use " + "x" * 400 + ", ") * 800,
        "<!--" * 50_000,
        " p must:\n- i\n" * 10_000,
        "".join(" " * depth + ".. note::\n" for depth in range(500)),
        "".join(" " * depth + "- you must:\n" for depth in range(500)),
        "> [!NOTE]\n> - must x\n" * 4_000,
        "[a](b " * 20_000,
        "**_" * 40_000,
        "do not " * 20_000,
    ):
        compile_deterministic([Source("x", text)])


def test_rule_files_nearest_to_the_evidence_come_first() -> None:
    paths = ["AGENTS.md", "CONTRIBUTING.md", "pkg/AGENTS.md", "pkg/sub/AGENTS.md", "other/AGENTS.md", "pkg/sub/x.py"]
    assert find(paths, ["pkg/sub/x.py"]) == ("pkg/sub/AGENTS.md", "pkg/AGENTS.md", "AGENTS.md", "CONTRIBUTING.md")
    assert find(paths) == ("AGENTS.md", "CONTRIBUTING.md")
    assert find(["src/x.py"], ["src/x.py"]) == ()


def test_a_key_covers_names_and_texts() -> None:
    from agent.cca.compiled import context_sha256

    digests = {
        context_sha256([Source("a", "bc")]),
        context_sha256([Source("ab", "c")]),
        context_sha256([Source("a", "b"), Source("", "c")]),
    }
    assert len(digests) == 3
    assert all(len(each) == len(hashlib.sha256().hexdigest()) for each in digests)
