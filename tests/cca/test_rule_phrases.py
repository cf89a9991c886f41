"""Wordings of rules: each is read as a check that an answer keeps and another breaks, or is left alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca.compiled import Compiled, Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.verify import verify

Compile = Callable[..., Compiled]
JSON = '{"a": 1}'
ROWS = "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |"
PY = "```python\n{}\n```"


@pytest.mark.parametrize(
    ("rule", "kept", "broken"),
    [
        # lists, tables, code blocks
        ("Lists must not have more than 3 items.", "- a\n- b\n- c", "- a\n- b\n- c\n- d"),
        ("Keep lists flat.", "- a\n- b", "- a\n  - b"),
        ("Name at least two causes as bullet points.", "- a\n- b", "- a"),
        ("Tables must have at most two columns.", "| a | b |\n|---|---|\n| 1 | 2 |", ROWS),
        ("Every code block names its language.", "```sh\nls\n```", "```\nls\n```"),
        ("Give at least one code example in SQL.", "```sql\nSELECT 1\n```", "```python\nx\n```"),
        ("Do not wrap the answer in a code fence.", "It is.", "```\nIt is.\n```"),
        ("Ensure the reply does not include ```python blocks.", "It is.", "```python\nx\n```"),
        ("Answer with one and only one code block.", "```\na\n```", "```\na\n```\n\n```\nb\n```"),
        ("Do not use tables, but do use headings.", "# A\n\ntext", f"# A\n\n{ROWS}"),
        # one line among others
        ('End with a line "Done."', "It is so.\nDone.", "It is so."),
        ('Start with a line "Summary:"', "Summary:\nIt is so.", "It is so.\nSummary:"),
        # signs and characters
        ("Avoid smart quotes.", 'He said "no".', "He said “no”."),
        ("Don't leave trailing spaces.", "a\nb", "a \nb"),
        ("Do not use parentheses.", "See [a](https://e.org).", "It (the lock) holds."),
        ("Do not shout in ALL CAPS.", "The HTTP API of AWS is slow.", "PLEASE DO NOT DO THAT."),
        ("Plain text only.", "It is so.", "It is **so**."),
        ("No hashtags.", "# Heading\ntext", "It is #great"),
        ("Write the reply in lower case.", "it is so.", "It is so."),
        ("Leave out links.", "See the manual.", "See https://e.org/x."),
        # forms
        ("Mention the ticket in the form AB-12.", "Done in XYZ-431.", "Done in ticket 431."),
        ("Cite at least one place, e.g. `app.py:10`.", "See core/io.py:7.", "See core/io.py."),
        ("Write dates in ISO 8601.", "On 2024-05-03 it broke.", "On May 3, 2024 it broke."),
        ("Give percentages with one decimal.", "It is 3.1 %.", "It is 3 %."),
        ("Use the 24-hour clock for times.", "At 15:30.", "At 3:30 pm."),
        ('Finish with "ANSWER: $ANSWER".', "2 + 2\nANSWER: 4", "4"),
        # one of few
        ("Answer only with yes or no.", "Yes.", "Probably."),
        ("Reply with exactly one of: low, medium, high.", "medium", "rather high"),
        ("The `level` field must be one of low, medium, high.", '{"level": "low"}', '{"level": "odd"}'),
        # JSON
        ("Return JSON with the 'aa' and 'bb' keys.", '{"aa": 1, "bb": 2}', JSON),
        ("Only return JSON, with the 'aa' key.", '{"aa": 1, "b": 2}', JSON),
        ("Return JSON with the 'aa' key only.", '{"aa": 1}', '{"aa": 1, "b": 2}'),
        ("Do not write anything outside the JSON.", JSON, f"Sure:\n```json\n{JSON}\n```"),
        ("The JSON must be parsable.", JSON, "{a: 1}"),
        ("Output one JSON array only.", "[1]", JSON),
        ("Do not return JSON.", "It is 7.", JSON),
        # edges and lengths
        ('The output should start with "[" and end with "]".', "[1]", "[1"),
        ("Headings must not end with a period.", "# A\n\ntext.", "# A.\n\ntext"),
        ("Every bullet starts with a capital letter.", "- One", "- one"),
        ("Don't end with a question.", "It is.", "Is it?"),
        ('Close with "Sources:" followed by a list.', "It is.\n\nSources:\n- a", "It is."),
        ("Don't say more than a sentence or two.", "A is. B is.", "A is. B is. C is."),
        ("Keep it under **5 words**.", "It is so.", "It is so and stays so for ever."),
        ("Output rules:\n\n1. One paragraph.\n2. No code fences.", "It is.", "It is.\n\nIt was."),
        # stated as facts, or without a verb
        ("The last line of the answer is always `END`.", "a\nEND", "END\na"),
        ("Plain ASCII only.", "ok", "ok…"),
        ("Every answer has a section called \"Limits\".", "a\n\n## Limits\nb", "a"),
        # words
        ('Use "allowlist" instead of "whitelist".', "the allowlist", "the whitelist"),
        ("`shell=True` is forbidden.", PY.format("run(['ls'])"), PY.format("run('ls', shell=True)")),
    ],
)  # fmt: skip
def test_a_wording_is_read(rule: str, kept: str, broken: str, compiled: Compile) -> None:
    made = compiled(rule)
    assert verify(made, kept).violations == ()
    assert verify(made, broken).violations


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        ("Use numbered lists for steps.", "It is 3."),
        ("Python code should be given in code blocks.", "No code is needed."),
        ("The function should be configured to return JSON.", "It sorts."),
        ("You must not include a table of contents.", ROWS),
        ('Do not reveal "secret" values.', "The secret is safe."),
        ("Mention a file such as `a/b.py`.", "See c/d.py."),
        ("Use absolute imports for others and relative imports for our own.", PY.format("from .a import b")),
        ("Use the walrus operator sparingly.", PY.format("if (n := 1): pass")),
        ("No `assert` outside of tests.", PY.format("assert x")),
        ("Never edit `a.json` by hand.", "The rows stand in a.json."),
        ("Don't include line numbers like `diff -U0` does.", "Use diff -U0."),
        ("Do not include any other headings.", "# Summary\n\ntext"),
        ("The template should instruct the model to return a JSON response.", "It does."),
        ("The output is a list of strings starting with `1.`.", '["1. a"]'),
        ('Return JSON with the keys `"aa"` and `"bb"`.', '{"aa": 1, "bb": 2}'),
    ],
)
def test_what_has_no_one_reading_is_left_alone(rule: str, answer: str, compiled: Compile) -> None:
    assert verify(compiled(rule), answer).violations == ()


PIECES = (
    "answer", "must", "do not", "only", "'a'", '"b"', "`c`", "or", "and", "keys", "JSON", "one of", "at most 3", "lines",
    "columns", "start with", "end with", "in the form", "A-1", "```", "**", "lower case", "lists", "but do", ", never",
    "functions", "docstring", "%", "é", ":", ".", "\n- ",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(1, 60))
@settings(max_examples=60, deadline=None)
def test_no_wording_makes_the_compiler_fail(pieces: list[str], times: int) -> None:
    made = compile_deterministic([Source("AGENTS.md", " ".join(pieces * times)[:6_000])])
    found = verify(made, "- a\n\n| a |\n|---|\n| 1 |\n\n```python\nx = 'a'\n```")
    assert not any("could not be checked" in each.verdict.message for each in found.checked)


def test_a_rule_with_more_values_than_a_check_may_hold_gets_none(compiled: Compile) -> None:
    many = ", ".join(f'"value number {n}"' for n in range(400))
    assert compiled(f"Answer only with one of {many}.").verifiers == ()
    assert compiled(f"Return JSON with the keys {many}.") is not None
