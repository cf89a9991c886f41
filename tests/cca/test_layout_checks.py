"""The layout of Markdown answers: what each demand takes for a breach, and what it leaves alone."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca import checks as c
from agent.cca.check_data import dump_check, parse_check
from agent.cca.describe import in_words
from agent.cca.interpret import run_check
from agent.cca.layout_models import LayoutDemand
from agent.cca.pieces import pieces
from agent.cca.views import View

CODE = "```python\n# a comment\n\n\n### more\n```"
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |"
BREACHES: tuple[tuple[str, str], ...] = (
    ("level_by_level", "# A\n\n### B\n\nx"),
    ("blank_after_headings", "## A\nx"),
    ("blank_before_headings", "x\n## A\n\ny"),
    ("text_under_headings", "## A\n\n## B\n\nx"),
    ("no_stacked_headings", "## A\n\n### B\n\nx"),
    ("headings_differ", "## A\n\nx\n\n## a\n\ny"),
    ("sentence_case_headings", "## Getting Started\n\nx"),
    ("title_case_headings", "## Getting started\n\nx"),
    ("title_case", "The art of cooking"),
    ("list_after_colon", "Take these.\n\n- a\n- b"),
    ("list_introduced", "## Take\n\n- a\n- b"),
    ("blank_before_lists", "Take:\n- a\n- b"),
    ("spaced_items", "- a\n- b"),
    ("tight_items", "- a\n\n- b"),
    ("blank_between_paragraphs", "It is so.\nThat is the reason why."),
    ("single_blank_lines", "a\n\n\nb"),
    ("flush_paragraphs", "    It is so."),
    ("code_first", f"This:\n\n{CODE}"),
    ("text_first", f"{CODE}\n\nThis."),
    ("text_after_code", f"This:\n\n{CODE}"),
    ("text_before_code", f"{CODE}\n\nThis."),
    ("only_code", f"{CODE}\n\nThis."),
    ("filled_cells", "| a | b |\n|---|---|\n| 1 |  |"),
    ("table_introduced", TABLE),
    ("text_after_table", TABLE),
    ("only_table", f"This:\n\n{TABLE}"),
    ("equal_rows", "| a | b |\n|---|---|\n| 1 |"),
    ("right_aligned_numbers", TABLE),
    ("sorted_rows", "| a |\n|---|\n| y |\n| x |"),
    ("markdown_links", "See https://a.example/x."),
    ("links_last", "See https://a.example/x.\n\nThat is all there is to say."),
    ("rule_between_sections", "## A\n\nx\n\n## B\n\ny"),
)
KEPT: tuple[tuple[str, str], ...] = (
    ("level_by_level", "## A\n\n### B\n\n## C\n\nx"),
    ("level_by_level", f"# A\n\n{CODE}"),  # "### more" is a comment
    ("single_blank_lines", f"# A\n\n{CODE}"),
    ("text_under_headings", "## A\n\n### B\n\nx"),  # a heading below is content
    ("sentence_case_headings", "## Deploy on Google Cloud\n\nx"),  # names have capitals
    ("sentence_case_headings", "## FAQ\n\nx\n\n## What is REST?\n\ny"),
    ("title_case_headings", "## The Art of `git rebase` with macOS\n\nx"),
    ("list_after_colon", "**Take these:**\n\n- a\n  - b"),
    ("tight_items", "- a\n- b\n\nText.\n\n- c\n- d"),
    ("blank_between_paragraphs", "A verse that ends,\nAnd one that goes on."),
    ("flush_paragraphs", "- a\n\n  goes on"),
    ("text_before_code", f"This:\n\n{CODE}\n\nAnd this:\n\n{CODE}"),
    ("filled_cells", "| a | b |\n|---|---|\n| 1 | - |"),
    ("right_aligned_numbers", "| a | b |\n|---|---:|\n| x | 2.5 % |"),
    ("markdown_links", "See [x](https://a.example/x), `https://b.example` and <https://c.example>.\n\n[1]: https://d.example"),
    ("links_last", "So.\n\n## Sources\n\n- [x](https://a.example/x)\n- https://b.example"),
    ("rule_between_sections", "# T\n\n## A\n\nx\n\n---\n\n## B\n\ny"),
)  # fmt: skip


def _status(demand: str, answer: str) -> str:
    return run_check(parse_check({"op": "layout", "demand": demand}), answer).status


@pytest.mark.parametrize(("demand", "answer"), BREACHES)
def test_a_breach_is_found(demand: str, answer: str) -> None:
    assert _status(demand, answer) == "violated"


def test_each_demand_has_a_breach_and_words() -> None:
    assert {demand for demand, _ in BREACHES} == set(get_args(LayoutDemand))
    for demand, _ in BREACHES:
        check = c.Layout(demand=demand)  # type: ignore[arg-type]
        assert in_words(check) and parse_check(dump_check(check)) == check


@pytest.mark.parametrize(("demand", "answer"), KEPT)
def test_what_keeps_a_demand_holds(demand: str, answer: str) -> None:
    assert _status(demand, answer) == "holds"


def test_without_the_part_there_is_no_verdict() -> None:
    whole = {"only_table", "single_blank_lines", "flush_paragraphs", "blank_between_paragraphs", "title_case"}
    for demand, _ in BREACHES:
        if demand not in whole:
            assert _status(demand, "It is so.") == "no_verdict", demand


@pytest.mark.parametrize(
    ("kind", "answer", "found"),
    [
        ("list", "A:\n\n- a\n  - b\n\n- c\n\nText.\n\n1. d\n2. e\n\n1. f", ["- a\n  - b\n\n- c", "1. d\n2. e", "1. f"]),
        ("list", "- a\n* b", ["- a", "* b"]),
        ("list", "```\n- a\n```", []),
        ("table", f"x | y\n\n{TABLE}\n\nz", [TABLE]),
        ("row", f"{TABLE}\n| 3 | 4 |", ["| 1 | 2 |", "| 3 | 4 |"]),
        ("block_quote", "> a\n> b\n\n> c", ["> a\n> b", "> c"]),
    ],
)
def test_blocks(kind: str, answer: str, found: list[str]) -> None:
    view = View(answer)
    assert [view.of(span) for span in pieces(view, c.Part(kind=kind))] == found  # type: ignore[arg-type]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["# A", "### b", "- x", "1. y", "  - z", "", "```", "| a | b |", "|---|", "> q", "Text.",
                                 "https://a.example", "---", "\t", "**B**"]), max_size=14))  # fmt: skip
def test_layout_is_total(lines: list[str]) -> None:
    answer = "\n".join(lines)
    for demand in get_args(LayoutDemand):
        verdict = run_check(c.Layout(demand=demand), answer)
        assert not verdict.message.startswith("could not be checked")
        assert all(0 <= span.start <= span.end <= len(answer) for span in verdict.spans)
    for kind in ("list", "table", "row", "block_quote"):
        spans = pieces(View(answer), c.Part(kind=kind))
        assert all(a.end <= b.start for a, b in pairwise(spans))
