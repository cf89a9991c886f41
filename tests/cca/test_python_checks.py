"""Demands on Python in an answer: each has code that keeps it and code that breaks it; fragments give no verdict."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_demand_cases import MORE, MOST, NAMES

from agent.cca.check_data import dump_check, parse_check
from agent.cca.compiled import Source
from agent.cca.demands import WORDS, PythonDemand
from agent.cca.deterministic import compile_deterministic
from agent.cca.interpret import run_check
from agent.cca.verify import verify
from agent.cca.views import View

DOC = '    """Do it."""\n'
CASES: dict[str, tuple[str, str]] = {
    "function_docstrings": (f"def f():\n{DOC}    return 1\n\ndef _g():\n    return 2", "def f():\n    return 1"),
    "class_docstrings": ('class A:\n    """One."""', "class A:\n    x = 1"),
    "annotations": ("def f(self, a: int, *, b: str = '') -> None:\n    pass", "def f(a: int, b) -> None:\n    pass"),
    "arguments": ("def f(self, a, b):\n    pass", "def f(a, b, c):\n    pass"),
    "function_lines": ("def f():\n    return 1", "def f():\n    a = 1\n    return a"),
    "snake_case_functions": ("def read_all(): pass\nclass T(Base):\n    def keyPressEvent(self): pass", "def readAll(): pass"),
    "snake_case_variables": ("row_count = 3\nMAX = 1\nT = TypeVar('T')", "rowCount = 3"),
    "capwords_classes": ("class HTTPServer: pass", "class http_server: pass"),
    "allowed_imports": ("from .x import y", "import os"),
    "no_bare_except": ("try:\n    f()\nexcept OSError:\n    pass", "try:\n    f()\nexcept:\n    pass"),
    "no_broad_except": ("try:\n    f()\nexcept OSError:\n    pass", "try:\n    f()\nexcept Exception:\n    pass"),
    "no_wildcard_imports": ("from os import path", "from os import *"),
    "no_relative_imports": ("from a.b import c", "from .b import c"),
    "no_mutable_defaults": ("def f(a=(), b=None): pass", "def f(*, a=[]): pass"),
    "no_percent_format": ("a = b % c\ns = f'{a} %s'", "s = 'a %s' % b"),
    "no_str_format": ("s = f'{a}'\nt = template.format(a)", "s = '{}'.format(a)"),
    "is_none": ("if a is None and b == c: pass", "if a == None: pass"),
    "no_bool_comparison": ("if a and b == 1: pass", "if a == True: pass"),
    "no_lambda": ("def key(a):\n    return a", "key = lambda a: a"),
    "no_global": ("x = 1", "def f():\n    global x"),
    "no_assert": ("if not a:\n    raise ValueError\ndef test_a():\n    assert a", "assert a"),
    "no_walrus": ("n = len(a)", "if (n := len(a)) > 1: pass"),
    "no_comments": ("#!/usr/bin/env python\na = '# no'", "a = 1  # one"),
    "no_print": ("log.print(a)\nb = 'print(a)'", "if a:\n    print(a)"),
    "no_eval": ("a = ast.literal_eval(b)", "a = eval(b)"),
    "sorted_imports": ("import abc\nimport os\nfrom a import b\n\nimport aaa", "import os\nimport abc"),
    "top_blank_lines": ("def f(): pass\n\n\n@mark\ndef g(): pass", "def f(): pass\n\ndef g(): pass"),
    "double_quotes": ('a = "x"\nb = \'say "x"\'\nc = f"{d[\'e\']}"', "a = 'x'"),
    "single_quotes": ("a = 'x'\nb = \"it's\"\ndef f():\n    \"\"\"Do.\"\"\"", 'a = "x"'),
}  # fmt: skip
EVERY = {**CASES, **MORE}


def fenced(code: str, language: str = "python") -> str:
    return f"See:\n\n```{language}\n{code}\n```\n"


def verdict(demand: str, answer: str) -> str:
    most = {"arguments": 2, "function_lines": 2, **MOST}.get(demand)
    check = {"op": "python_code", "demand": demand, "most": most, "names": NAMES.get(demand, ())}
    return run_check(parse_check(check), answer).status


def test_every_demand_is_tried() -> None:
    assert set(EVERY) == set(get_args(PythonDemand)) == set(WORDS)


@pytest.mark.parametrize("demand", EVERY)
def test_a_demand_is_kept_and_broken(demand: str) -> None:
    good, bad = EVERY[demand]
    assert verdict(demand, fenced(good)) == "holds"
    assert verdict(demand, fenced(bad)) == "violated"
    assert verdict(demand, fenced(bad, "")) in ("violated", "no_verdict")
    indented = "\n".join(f"    {line}" for line in bad.split("\n"))
    assert verdict(demand, fenced(indented)) == "violated"


@pytest.mark.parametrize("demand", EVERY)
def test_what_is_no_python_gives_no_verdict(demand: str) -> None:
    bad = EVERY[demand][1]
    for answer in ("It is cached.", bad, fenced(bad, "js"), fenced(f"{bad}\n)"), fenced("")):
        assert verdict(demand, answer) in ("no_verdict", "holds"), answer


def test_a_violation_points_at_its_line() -> None:
    answer = fenced("x = 1\ntry:\n    f()\nexcept:\n    pass")
    found = run_check(parse_check({"op": "python_code", "demand": "no_bare_except"}), answer)
    assert [answer[span.start : span.end] for span in found.spans] == ["except:"]


def test_what_is_quoted_from_the_evidence_is_no_breach() -> None:
    guide = "# Contributing\n\nThis codebase: commits, pull requests.\n\nAll public functions need a docstring.\n"
    made = compile_deterministic([Source("CONTRIBUTING.md", guide)])
    quoted, own = "def load(path):\n    return path", "def save(path):\n    return path"
    evidence = frozenset({"def load(path):", "return path"})
    assert verify(made, fenced(quoted)).violations
    assert verify(made, fenced(quoted), quotable=evidence).violations == ()
    assert verify(made, fenced(f"{quoted}\n\n{own}"), quotable=evidence).violations


def test_elided_bodies_overloads_and_setters_need_no_docstring() -> None:
    code = "def f(): ...\n@overload\ndef g(a): pass\nclass A:\n    @x.setter\n    def x(self, v): self.v = v"
    assert verdict("function_docstrings", fenced(code)) != "violated"


def test_a_name_in_a_comment_or_a_text_is_no_use_of_it() -> None:
    check = parse_check({"op": "absent", "terms": ["eval"], "case": True, "within": "bare_code"})
    assert run_check(check, fenced("# no eval here\nx = 'eval'")).status == "holds"
    assert run_check(check, fenced("x = 1\ny = eval(x)  # eval")).status == "violated"
    assert run_check(check, fenced("y = eval(x", "python")).status == "violated"
    assert run_check(check, fenced("eval $x", "sh")).status == "violated"
    assert run_check(check, "Never use eval.").status == "no_verdict"


@pytest.mark.parametrize(
    ("unit", "answer", "number"),
    [
        ("longest_list", "- a\n- b\n  - c\n  - d\n  - e\n\ntext\n\n1. x", 3),
        ("longest_list", "1. a\n2. b\n\n3. c\n\nEnd.", 3),
        ("list_depth", "- a\n  - b\n    1. c\n- d", 3),
        ("list_depth", "text - with a dash", 0),
        ("links", "See [a](https://e.org/a) and https://e.org/b, not `x[0](y)`… ", 2),
        ("unnamed_fences", "```\nx\n```\n```py\ny\n```", 1),
    ],
)
def test_units_of_an_answer(unit: str, answer: str, number: int) -> None:
    check = {"op": "count", "unit": unit, "within": "prose" if unit == "links" else "answer"}
    assert run_check(parse_check({**check, "least": number, "most": number}), answer).status == "holds"
    assert run_check(parse_check({**check, "least": number + 1}), answer).status == "violated"


@given(code=st.text(alphabet=st.sampled_from(list("def f(a=[]):\n\t '\"\\#%{}lambda=None\ud800\x00é")), max_size=80))
@settings(max_examples=60, deadline=None)
def test_no_code_makes_a_demand_fail(code: str) -> None:
    answer = fenced(code)
    for demand in CASES:
        check = parse_check({"op": "python_code", "demand": demand, "most": 1})
        found = run_check(check, answer)
        assert not found.message.startswith("could not be checked"), (demand, found.message)
        assert all(0 <= span.start <= span.end <= len(View(answer).text) for span in found.spans)
        assert parse_check(dump_check(check)) == check
