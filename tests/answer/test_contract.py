"""The contract: invented citations, hidden lines, absent names, quotes, code blocks, inference, abstention."""

from __future__ import annotations

import pytest
from answer_fakes import evidence, pack_of
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.answer.contract import check

RUN = """def run(self, host=None, port=None):
    \"\"\"Run the application on a local server.

    Never use this in production.
    \"\"\"
    if port is None:
        port = DEFAULT_PORT
    options = {"debug": self.debug}
    options.setdefault("threaded", True)
    run_simple(host, port, self, **options)
    return None"""

PACK = pack_of(
    evidence(
        1,
        "src/flask/app.py",
        RUN,
        540,
        symbol="Flask.run",
        qualname="flask.app.Flask.run",
        ranges=[(540, 546), (549, 550)],
    ),
    evidence(2, "src/flask/cli.py", "def run_command(info):\n    raise NoAppException('x')", 10, symbol="run_command"),
)


def verdicts(text: str) -> list[tuple[str, bool]]:
    return [(statement.kind, statement.supported) for statement in check(text, PACK).statements]


@pytest.mark.parametrize(
    "text",
    [
        "`Flask.run` falls back to `DEFAULT_PORT` [1:545-546].",
        "Flask.run calls run_simple() [1].",
        "The function flask.app.Flask.run lives in `src/flask/app.py:540` [1:540].",
        "It is in app.py [1].",
        "It calls `run_simple(host, port, self, **options)` [1:549].",
        "It says “Run the application on a local server.” [1:541].",
        'It warns "Never use this in production" [1].',
        "It returns `None` [1:550].",
        "run_command raises NoAppException and Flask.run calls run_simple [1][2].",
        "It uses JavaScript-free code on GitHub, version 3.1 [1].",
    ],
)
def test_supported(text):
    assert verdicts(text) == [("evidence", True)], check(text, PACK).statements
    assert check(text, PACK).marked == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("`Flask.run` starts it [7].", "names no evidence"),
        ("`Flask.run` starts it [0].", "names no evidence"),
        ("It sets threaded [1:547-548].", "does not show"),
        ("It does so [1:540-550].", "does not show"),
        ("It does so [1:546-540].", "does not show"),
        ("It does so [1:9999].", "does not show"),
        ("`setdefault` is used [1].", "`setdefault`"),
        ("It calls flask.app.serve_forever [1].", "`flask.app.serve_forever`"),
        ("The NoAppException is raised [1].", "`NoAppException`"),
        ("It calls start_server() [1].", "`start_server`"),
        ("It is in `src/flask/views.py` [1].", "`src/flask/views.py`"),
        ("It is at `src/flask/app.py:547` [1].", "`src/flask/app.py`"),
        ("It calls `run_simple(host, port, ssl_context)` [1].", "`run_simple(host, port, ssl_context)`"),
        ("It says “Deletes all files.” [1].", "“Deletes all files.”"),
        ('It says "Deletes all of your files" [1].', "Deletes all of your files"),
        ("The flag `--no-reload` is read [1].", "`--no-reload`"),
        ("It is fine [1], and so is this [9].", "names no evidence"),
    ],
)
def test_unsupported_is_marked_with_the_reason(text, why):
    checked = check(text, PACK)
    assert [(each.kind, each.supported) for each in checked.statements] == [("evidence", False)]
    assert why in checked.statements[0].why
    assert checked.marked == f"{text} [unsupported]"


def test_a_citation_without_words_states_nothing():
    answer = check("[1]\n\n[2]\n\n[3]", PACK)
    assert [(each.supported, each.why) for each in answer.statements] == [(False, "cites and states nothing")] * 3
    assert answer.citations == ()
    assert verdicts("`DEFAULT_PORT` [1:545-546].") == [("evidence", True)]
    assert verdicts("It calls run_simple. [1]") == [("evidence", True)]


def test_uncited_fact_is_marked_apart():
    checked = check("It starts a server. `Flask.run` calls run_simple [1].", PACK)
    assert checked.marked == "It starts a server. [uncited] `Flask.run` calls run_simple [1]."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This probably keeps the server alive.", [("inference", True)]),
        ("Inference: `run_simple` blocks.", [("inference", True)]),
        ("**Inference:** the port may be any.", [("inference", True)]),
        ("This suggests that `spawn_worker` runs.", [("inference", False)]),
        (
            "## Inference\nThe server blocks.\n## Evidence\nIt calls run_simple [1].",
            [("inference", True), ("evidence", True)],
        ),
        ("Inference:\n- The server blocks.\n- It ends.", [("inference", True)] * 2),
        ("It calls `probably` nothing [1].", [("evidence", False)]),
        ("The evidence does not show how `shutdown` works.", [("abstention", True)]),
        ("I cannot determine this from the excerpts.", [("abstention", True)]),
        ("Why does it matter?", []),
        ("# Heading about `nothing_real`", []),
        ("Evidence:\n- It calls run_simple [1].", [("evidence", True)]),
    ],
)
def test_kinds(text, expected):
    assert verdicts(text) == expected


def test_a_lead_in_rests_on_the_citations_of_its_list():
    assert (
        verdicts("`Flask.run` does two things:\n- calls run_simple [1:549]\n- returns [1:550]")
        == [("evidence", True)] * 3
    )
    assert verdicts("`Unknown.name` does this:\n- calls run_simple [1:549]")[0] == ("evidence", False)
    assert verdicts("It does this:\n- something")[0] == ("evidence", False)


def test_code_blocks_are_quotations():
    good = "```python\n549     run_simple(host, port, self, **options)\n    return None\n```\n"
    assert verdicts(good) == [("evidence", True)]
    bad = check("```python\nos.system('rm -rf /')\n```\n", PACK)
    assert bad.marked.endswith("```\n[unsupported]\n")


def test_abstained_only_without_a_supported_fact():
    assert check("The evidence does not show it.", PACK).abstained
    assert not check("It calls run_simple [1]. The evidence does not show more.", PACK).abstained
    assert not check("", PACK).abstained


def test_citations_are_numbered_once_and_carry_the_lines():
    checked = check("It calls run_simple [1:549]. So run_simple runs [1:549]. It ends [1:550].", PACK)
    assert [(c.number, c.start, c.end) for c in checked.citations] == [(1, 549, 549), (1, 550, 550)]
    assert checked.citations[0].text == "    run_simple(host, port, self, **options)"
    assert [statement.citations for statement in checked.statements] == [(0,), (0,), (1,)]


def test_a_citation_in_code_is_none():
    assert verdicts("It reads `argv[1]`.") == [("evidence", False)]


def test_line_breaks_inside_a_line_do_not_shift_numbers():
    odd = pack_of(evidence(1, "a.py", "x = '\x0c\u2028'\ny_value = 2"))
    assert [s.supported for s in check("`y_value` is set [1:2].", odd).statements] == [True]
    assert check("`y_value` is set [1:2].", odd).citations[0].text == "y_value = 2"


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='ab `[]:.12-\n“”"_*#|', max_size=120))
def test_marks_are_the_only_change(text):
    checked = check(text, PACK)
    bare = checked.marked.replace(" [unsupported]", "").replace(" [uncited]", "").replace("[unsupported]\n", "")
    assert bare.strip("\n") == text.strip("\n")


@pytest.mark.parametrize(
    "text", ["[1" * 50_000, "`" * 100_000, "“" * 50_000, "- a:\n" * 20_000, "e.g. " * 20_000, "a_" * 50_000]
)
def test_hostile_text_is_checked(text):
    assert check(text, PACK).text == text
