"""Compact JSON is what ``json`` writes, whatever it is made of, and facts are read the same by the quick ways."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.compact_json import dump_bytes, dumps, dumps_ascii, loads
from retrieval.languages.python.facts import read_facts
from retrieval.languages.python.tree import parse

_leaves = st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None))
_values = st.recursive(
    _leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
)


@given(_values)
def test_it_is_what_json_writes(value: object) -> None:
    assert dumps(value) == json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    assert dumps_ascii(value) == json.dumps(value, separators=(",", ":"))
    assert b"\n" not in dump_bytes(value)
    assert loads(dump_bytes(value)) == loads(dumps_ascii(value)) == value


def test_what_is_nested_too_deep_for_the_quick_way_is_written_and_read() -> None:
    value: object = 0
    for _ in range(600):
        value = [value]
    assert loads(dumps(value)) == value


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError):
        loads('{"S":[')


@pytest.mark.parametrize(
    ("callee", "wanted"),
    [
        ("a.b.c", "a.b.c"),
        ("a . b", "a.b"),
        ("a.b\\\n.c", "a.b.c"),
        ("(a).b", "a.b"),
        ("None.x", [".", 0, "x"]),
        ("a().b", [".", ["(", "a", []], "b"]),
        ("naïve.ö", "naïve.ö"),
        ("a[0].b", [".", ["s", "a", ["#", 0]], "b"]),
    ],
)
def test_names_of_callees_do_not_depend_on_how_they_are_written(callee: str, wanted: object) -> None:
    source = f"({callee}())\n".encode()
    facts = read_facts(parse(source), source, "m.py", "m")
    assert [call[3] for call in facts["C"] if call[3] != "a" or callee == "a"] == [wanted]


def test_a_target_of_a_comprehension_keeps_its_own_name_in_a_chain() -> None:
    source = b"y = [x.a.b() for x in z]\nx.a.b()\n"
    facts = read_facts(parse(source), source, "m.py", "m")
    assert [call[3] for call in facts["C"]] == ["x~1.a.b", "x.a.b"]


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ('"key"', ["'", "key"]),
        ("''", ["'", ""]),
        ('"""key"""', ["'", "key"]),
        ("''''''", ["'", ""]),
        ("'it\\'s'", ["'", "it\\'s"]),
        ('r"key"', ["'", "key"]),
        ('u"ö"', ["'", "ö"]),
        ('"ö"', ["'", "ö"]),
        ('"{x}"', ["'", "{x}"]),
        ('f"{x}"', ["t", "str"]),
        ('b"key"', ["t", "bytes"]),
        ('"' + "k" * 60 + '"', ["t", "str"]),
        ('"a" "b"', ["t", "str"]),
    ],
)
def test_strings_that_may_be_keys(written: str, wanted: list[str]) -> None:
    source = f"x = {written}\n".encode()
    facts = read_facts(parse(source), source, "m.py", "m")
    assert facts["S"][0]["b"][0][1] == wanted
