"""The parts of an answer that checks can name, and what is judged of them."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca import checks as c
from agent.cca.check_data import dump_check, parse_check
from agent.cca.interpret import run_check
from agent.cca.part_models import PartKind
from agent.cca.pieces import pieces
from agent.cca.scoped.forms import shape
from agent.cca.scoped.sentence import scoped
from agent.cca.views import View

TEST = "1. Which gas is it?\nA) oxygen\nB) neon\nAnswer: A\n\n2. And this?\nA) tin\nB) lead"
COMMIT = "radio: retry a beacon\n\nIt was lost.\n\nRefs: OWL-1\nSigned-off-by: Ann <a@x.org>"
REPORT = "# Title\n\n## Risks\n- High: fire\n  and smoke\n- Low: rain\n\n### More\nIt is.\n\n## Costs\nNone."


@pytest.mark.parametrize(
    ("part", "answer", "found"),
    [
        ({"kind": "title"}, REPORT, ["Title"]),
        ({"kind": "title"}, "Ferry strike ends\n\nThe boats sail.", ["Ferry strike ends"]),
        ({"kind": "title"}, "The boats sail again. It is over.\n\nMore.", []),
        ({"kind": "title"}, "Yes.\n\nIt is so.", []),
        ({"kind": "section", "name": "Risks"}, REPORT, ["- High: fire\n  and smoke\n- Low: rain\n\n### More\nIt is."]),
        ({"kind": "section", "name": "risks"}, "**Risks:** fire\nand rain\n\nMore.", ["fire\nand rain"]),
        ({"kind": "bullet"}, REPORT, ["High: fire\n  and smoke", "Low: rain"]),
        ({"kind": "bullet", "of": {"kind": "section", "name": "Costs"}}, REPORT, []),
        ({"kind": "bullet", "nth": -1, "marked": True}, REPORT, ["- Low: rain"]),
        ({"kind": "step"}, "1. One\n2) Two\n- three", ["One", "Two"]),
        ({"kind": "option"}, TEST, ["oxygen", "neon", "tin", "lead"]),
        ({"kind": "option"}, "A) alone", []),
        ({"kind": "stem"}, TEST, ["Which gas is it?", "And this?"]),
        ({"kind": "item", "nth": 2}, TEST, ["2. And this?\nA) tin\nB) lead"]),
        ({"kind": "subject"}, COMMIT, ["radio: retry a beacon"]),
        ({"kind": "subject"}, f"```\n{COMMIT}\n```", ["radio: retry a beacon"]),
        ({"kind": "subject"}, "It is so. It stays so, and nobody knows for how long.\n\nMore.", []),
        ({"kind": "body"}, COMMIT, ["It was lost."]),
        ({"kind": "trailer"}, COMMIT, ["Refs: OWL-1", "Signed-off-by: Ann <a@x.org>"]),
        ({"kind": "link_text"}, "See [the form](https://e.org) ![x](y.png).", ["the form"]),
        ({"kind": "value", "name": ".btn"}, "a.btn=Go\nb.hint=Stay", ["Go"]),
        ({"kind": "key"}, "a.btn=Go\nb.hint=Stay", ["a.btn", "b.hint"]),
        ({"kind": "cell"}, "| a | b |\n|---|---|\n| 1 | 2 |", ["1", "2"]),
        ({"kind": "quote"}, "He said “so it is” and \"no\".", ["so it is", "no"]),
        ({"kind": "match", "pattern": r"\d+ °C", "behind": 4}, "At 20 °C (warm)\nor 5 °C", ["20 °C (wa", "5 °C"]),
        ({"kind": "sentence"}, '{"a": "It is. It was."}', []),
        ({"kind": "line", "nth": 2}, "one\n\ntwo", ["two"]),
    ],
)  # fmt: skip
def test_parts_are_what_a_reader_sees(part: dict[str, object], answer: str, found: list[str]) -> None:
    view = View(answer)
    assert [view.of(span) for span in pieces(view, c.Part.model_validate(part))] == found


@pytest.mark.parametrize(
    ("check", "answer", "status"),
    [
        ({"op": "series", "part": {"kind": "list_item"}, "by": "date", "descending": True},
         "- 2024-05-01 a\n- 2023-01-01 b", "holds"),
        ({"op": "series", "part": {"kind": "list_item"}, "by": "version"}, "- 1.10.0\n- 1.9.0", "violated"),
        ({"op": "series", "part": {"kind": "list_item"}, "by": "number"}, "- a", "no_verdict"),
        ({"op": "series", "part": {"kind": "list_item"}, "by": "terms", "terms": ["High", "Low"]},
         "- low tide\n- high tide", "violated"),
        ({"op": "series", "part": {"kind": "match", "pattern": r"^(\d+\.)"}, "by": "number", "counted": True},
         "1. a\n2. b\n\n1. c", "holds"),
        ({"op": "pieces", "part": {"kind": "option", "of": {"kind": "item"}}, "least": 4}, "It is so.", "no_verdict"),
        ({"op": "each", "part": {"kind": "section", "name": "Risks"}, "check": {"op": "count", "unit": "words", "most": 3}},
         "It is so.", "no_verdict"),
        ({"op": "each", "part": {"kind": "line", "nth": 3}, "check": {"op": "starts", "terms": ["a"]}, "required": True},
         "a\nb", "violated"),
        ({"op": "sql", "demand": "no_select_star"}, "```sql\nSELECT COUNT(*), 2 * x FROM t -- SELECT *\n```", "holds"),
        ({"op": "sql", "demand": "no_select_star"},
"```sql\nWITH a AS (SELECT t.* FROM t) SELECT x FROM a\n```", "violated"),
        ({"op": "sql", "demand": "no_comma_join"},
"```sql\nSELECT EXTRACT(YEAR FROM d), x FROM a JOIN b ON f(a, b)\n```",
         "holds"),
        ({"op": "sql", "demand": "semicolon"}, "```sql\nSELECT 1\n```", "violated"),
        ({"op": "sql", "demand": "limit"}, "```sql\nSELECT a FROM t LIMIT 5\n```", "holds"),
        ({"op": "sql", "demand": "upper_keywords"}, "```sql\nSELECT 'select' FROM t\n```", "holds"),
        ({"op": "sql", "demand": "lower_names"}, "It is so.", "no_verdict"),
        ({"op": "python_code", "demand": "allowed_imports", "names": ["numpy"], "standard": True},
         "```python\nimport os, numpy.linalg\n```", "holds"),
        ({"op": "python_code", "demand": "allowed_imports", "names": ["numpy"]}, "```python\nimport os\n```", "violated"),
    ],
)  # fmt: skip
def test_parts_are_judged(check: dict[str, object], answer: str, status: str) -> None:
    made = parse_check(check)
    assert run_check(made, answer).status == status
    assert parse_check(dump_check(made)) == made


KINDS = tuple(kind for kind in get_args(PartKind) if kind != "match")
PARTS = st.builds(
    c.Part,
    kind=st.sampled_from(KINDS),
    nth=st.integers(-3, 3),
    name=st.sampled_from(["", "Risks", "sql", ".btn"]),
    behind=st.sampled_from([0, 5]),
    marked=st.booleans(),
)
LINES = st.lists(
    st.sampled_from(
        ["# Title", "## Risks", "**Risks:**", "- a", "1. b", "A) c", "B) d", "Answer: A", "", "It is. So?", "a.btn=x",
         "| a | b |", "|---|---|", "```sql", "```", "SELECT * FROM t", "Refs: X-1", "radio: retry", "“q” [t](u)", "  more"]
    ),
    max_size=12,
)  # fmt: skip


@given(LINES, PARTS, PARTS)
@settings(max_examples=200, deadline=None)
def test_parts_lie_within_the_answer_and_in_order(lines: list[str], part: c.Part, outer: c.Part) -> None:
    view = View("\n".join(lines))
    for each in (part, part.model_copy(update={"of": outer})):
        spans = pieces(view, each)
        assert all(0 <= span.start <= span.end <= len(view.text) for span in spans)
        assert [span.start for span in spans] == sorted(span.start for span in spans)


@pytest.mark.parametrize(
    ("shown", "fits", "fits_not"),
    [
        ("14 March 2025", ["2 May 1999"], ["14 Mar 2025", "14 March 25"]),
        ("YYYY-MM-DD", ["2024-01-31"], ["2024-1-31"]),
        ("HM-000000", ["HM-204871"], ["HM-20487"]),
        ("Serves n", ["Serves 4"], ["Serves four"]),
        ("(#123)", ["(#7)"], ["#7"]),
        ("6.30am", ["10.05pm"], ["6:30am", "6.3am"]),
        ("## x.y.z - YYYY-MM-DD", ["## 3.2.1 - 2025-02-14"], ["## v3.2.1 - 2025-02-14"]),
        ("Name <address>", ["Ann Lee <a@x.org>"], ["Ann Lee"]),
    ],
)
def test_an_example_stands_for_what_is_written_like_it(shown: str, fits: list[str], fits_not: list[str]) -> None:
    check = c.Matches(pattern=rf"\A(?:{shape(shown)})\z")
    assert [run_check(check, text).status for text in fits] == ["holds"] * len(fits)
    assert [run_check(check, text).status for text in fits_not] == ["violated"] * len(fits_not)


@pytest.mark.parametrize(
    "piece", ["each bullet of ", "no ", "§, ", "in headings, ", "starts with a number and ", "(a "]
)
def test_reading_what_repeats_ends(piece: str) -> None:
    assert scoped((piece * 200)[:400].strip()) is None or piece == "no "
