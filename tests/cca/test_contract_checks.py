"""How JSON, delimited rows and SQL in an answer are written: each demand kept and broken, and that judging is total."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca.check_data import dump_check, parse_check
from agent.cca.data_models import CSV_WORDS, JSON_WORDS
from agent.cca.describe import in_words
from agent.cca.interpret import run_check
from agent.cca.part_words import sql as sql_in_words

JSON_CASES: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({"demand": "snake_keys"}, ['{"a_b": {"c1": 2}}'], ['{"aB": 1}', '{"a": [{"C": 1}]}', "```json\n{\"a-b\": 1}\n```"]),
    ({"demand": "camel_keys"}, ['{"aB": {"c": 2}}'], ['{"a_b": 1}', '{"Ab": 1}']),
    ({"demand": "kebab_keys"}, ['{"a-b": 1}'], ['{"a_b": 1}']),
    ({"demand": "pascal_keys"}, ['{"Ab": 1}'], ['{"ab": 1}']),
    ({"demand": "lower_keys"}, ['{"a b": 1}'], ['{"aB": 1}']),
    ({"demand": "upper_keys"}, ['{"A_B": 1}'], ['{"Ab": 1}']),
    ({"demand": "spaceless_keys"}, ['{"ab": "c d"}'], ['{"a b": 1}']),
    ({"demand": "sorted_keys"}, ['{"a": 1, "B": 2}'], ['{"b": 1, "a": 2}']),
    ({"demand": "unique_keys"}, ['{"a": 1, "b": {"a": 2}}'], ['{"a": 1, "a": 2}', '{"x": {"a": 1, "a": 2}}']),
    ({"demand": "key_order", "names": ["a", "b"]}, ['{"a": 1, "c": 0, "b": 2}'], ['[{"b": 1, "a": 2}]']),
    ({"demand": "key_count", "least": 1, "most": 2}, ['{"a": {"x": 1, "y": 2, "z": 3}}'], ['{"a": 1, "b": 2, "c": 3}', "{}"]),
    ({"demand": "same_keys"}, ['[{"a": 1}, {"a": 2}]'], ['[{"a": 1}, {"b": 2}]', '{"a": 1}\n{"b": 2}']),
    ({"demand": "items_have", "names": ["a"]}, ['{"n": 2, "items": [{"a": 1}]}'], ['[{"a": 1}, {"b": 2}]']),
    ({"demand": "items_lack", "names": ["a"]}, ['[{"b": 1}]'], ['[{"b": 1}, {"a": 2}]']),
    ({"demand": "no_null"}, ['{"a": "null"}'], ['{"a": [null]}']),
    ({"demand": "no_empty_text"}, ['{"a": null, "b": "x"}'], ['{"a": {"b": " "}}']),
    ({"demand": "no_empty"}, ['{"a": 0, "b": false}'], ['{"a": []}', '{"a": ""}', '{"a": null}']),
    ({"demand": "no_stand_ins"}, ['{"a": "none of them"}'], ['{"a": "N/A"}', '["unknown"]']),
    ({"demand": "flat"}, ['{"a": [1, 2]}', '[{"a": 1}]'], ['{"a": {"b": 1}}', '{"a": [[1]]}']),
    ({"demand": "texts_only"}, ['{"a": ["1"]}'], ['{"a": 1}', '{"a": null}']),
    ({"demand": "real_booleans"}, ['{"a": true, "b": "yes, it is"}'], ['{"a": "yes"}']),
    ({"demand": "real_numbers"}, ['{"a": 1, "b": "1a"}'], ['{"a": "1.5"}']),
    ({"demand": "no_negative"}, ['{"a": 0}'], ['{"a": [1, -0.5]}']),
    ({"demand": "one_line_texts"}, ['{"a": "b c"}'], [json.dumps({"a": "b\nc"})]),
    ({"demand": "trimmed_texts"}, ['{"a": "b"}'], ['{"a": " b"}']),
    ({"demand": "iso_dates"}, ['{"a": "2024-05-01", "b": "2024-05-01T10:00:00Z"}', '{"a": "v1.2"}'],
     ['{"a": "1/5/2024"}', '{"a": "May 1, 2024"}', '{"a": "2024-5-1"}']),
    ({"demand": "unique_items"}, ["[1, 2]"], ["[1, 1]", '{"a": [{"b": 1}, {"b": 1}]}']),
    ({"demand": "unique_by", "names": ["id"]}, ['[{"id": 1}, {"id": 2}]'], ['[{"id": 1}, {"id": 1}]']),
    ({"demand": "sorted_by", "names": ["n"]}, ['[{"n": 1}, {"n": 1}, {"n": 2}]'], ['{"x": [{"n": 2}, {"n": 1}]}']),
    ({"demand": "falling_by", "names": ["n"]}, ['[{"n": 2}, {"n": 1}]'], ['[{"n": 1}, {"n": 2}]']),
    ({"demand": "sorted_items"}, ['["Alma", "bruno"]', '{"n": ["a"], "m": ["b", "c"]}'], ['{"names": ["b", "a"]}']),
    ({"demand": "sums_to", "most": 1}, ['{"a": 0.3, "b": 0.7}', '[{"n": "x", "p": 0.2}, {"n": "y", "p": 0.8}]'],
     ['{"a": 0.3, "b": 0.8}', '{"p": {"x": 0.5, "y": 0.1}}']),
    ({"demand": "sums_to", "most": 100, "names": ["share"]}, ['[{"share": 60, "id": 7}, {"share": 40, "id": 8}]'],
     ['[{"share": 60, "id": 7}, {"share": 50, "id": 8}]']),
    ({"demand": "pair_order", "names": ["a", "b"]}, ['{"a": 1, "b": 1}'], ['{"a": "2024-02-01", "b": "2024-01-01"}']),
    ({"demand": "depth", "most": 2}, ['{"a": {"b": 1}}'], ['{"a": {"b": [1]}}']),
    ({"demand": "minified"}, ['{"a":"b c"}'], ['{"a": 1}', '{\n"a":1}']),
    ({"demand": "one_line"}, ['{"a": 1}'], ['{\n"a": 1}']),
    ({"demand": "pretty"}, ['{\n  "a": 1\n}'], ['{"a": 1}']),
    ({"demand": "indent", "most": 2}, ['{\n  "a": {\n    "b": 1\n  }\n}'], ['{\n    "a": 1\n}', '{"a": 1}']),
    ({"demand": "tabs"}, ['{\n\t"a": 1\n}'], ['{\n  "a": 1\n}']),
    ({"demand": "first_key", "names": ["a"]}, ['{"a": 1, "b": {"c": 1, "a": 2}}', '[{"b": {"a": 1, "c": 2}}]'],
     ['{"b": 1, "a": 2}', '{"b": 1}', '[{"a": 1}, {"b": 1, "a": 2}]']),
    ({"demand": "last_key", "names": ["a"]}, ['{"b": 1, "a": 2}'], ['{"a": 1, "b": 2}', '{"b": 1}']),
    ({"demand": "counts", "names": ["n", "x"]}, ['{"n": 1, "x": [5]}', '{"m": {"n": 0}, "x": []}'],
     ['{"x": [5], "n": 2}', '{"m": {"n": 3}, "x": [1]}']),
    ({"demand": "text_characters", "most": 3}, ['{"abcd": ["äbc", 12345]}'], ['{"a": {"b": "abcd"}}']),
    ({"demand": "text_words", "most": 2}, ['{"a": "b c"}'], ['["a b c"]']),
    ({"demand": "text_ids"}, ['{"id": "1", "width": 2, "aId": null}'], ['{"a": {"b_id": 1}}', '{"ids": ["a", 1]}']),
    ({"demand": "ascii_only"}, ['{"a": "\\u00e9"}'], ['{"a": "é"}', '{"é": 1}']),
    ({"demand": "no_html"}, ['{"a": "Map<K, V> and a < b"}'], ['{"a": ["<br />"]}', '{"a": "<P class=x>"}']),
    ({"demand": "no_markdown"}, ['{"a": "2 ** 3 * 4 #1"}'], ['{"a": "**b**"}', '{"a": "[x](https://x.y)"}']),
    ({"demand": "boolean_keys", "names": ["is_", "has"]}, ['{"is_a": true, "hasB": false, "c": 1}'],
     ['{"isa": true}', '[{"hash": false}]']),
    ({"demand": "decimals", "most": 1}, ['{"a": 1.5, "b": 2.0, "c": 1e-9, "d": "1.55"}'], ['{"a": [1.55]}']),
]  # fmt: skip
CSV_CASES: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({"demand": "delimiter", "delimiter": ";"}, ["a;b\n1;2,5"], ["a,b\n1,2"]),
    ({"demand": "header", "names": ["id", "name"]}, ["ID, name\n1,A"], ["1,A\n2,B", "name,id\nA,1"]),
    ({"demand": "has_header"}, ["a,b\n1,2"], ["1,2\n3,4"]),
    ({"demand": "no_header"}, ["1,A\n2,B"], ["id,name\n1,A"]),
    ({"demand": "columns", "least": 2, "most": 2}, ['a,b\n1,"2, or 3"'], ["a,b\n1,2,3"]),
    ({"demand": "rows", "most": 2}, ["a,b\n1,2\n3,4"], ["a,b\n1,2\n3,4\n5,6"]),
    ({"demand": "equal_columns"}, ["a,b\n1,2"], ["a,b\n1,2,3"]),
    ({"demand": "quoted"}, ['"a","b"\n"1, x","2"'], ['"a","b"\n1,"2"']),
    ({"demand": "unquoted"}, ["a,b\n1,2"], ['a,"b"\n1,2']),
    ({"demand": "commas_quoted"}, ['a,b\n"1, 2",3'], ["a,b\n1, 2,3"]),
    ({"demand": "spaceless"}, ['a,b\n"1, 2",x y'], ["a, b\n1,2"]),
    ({"demand": "filled"}, ["a,b\n1,2"], ["a,b\n1,"]),
    ({"demand": "first_numeric"}, ["id,b\n1,x"], ["id,b\nx,1"]),
    ({"demand": "column", "names": ["qty"], "pattern": "\\d+"}, ["a,qty\nx,1\ny,2", "| a | Qty |\n|---|---|\n| x | 1 |"],
     ["a,qty\nx,1\ny,2.5", "| a | Qty |\n|---|---|\n| x | one |"]),
    ({"demand": "column", "names": ["#-1"], "pattern": "Open|Shut"}, ["a,b\nx,Open\ny,Shut"], ["a,b\nx,Open\ny,open"]),
    ({"demand": "header_form", "pattern": "[a-z_]+"}, ["a_b,c\nX,Y"], ["aB,c\nx,y"]),
    ({"demand": "unique_rows"}, ["a,b\n1,2\n2,1"], ["a,b\n1,2\n1, 2"]),
    ({"demand": "unique_column", "names": ["id"]}, ["id,b\n1,2\n2,2", "| Id | b |\n|---|---|\n| 1 | x |\n| 2 | x |"], ["b,ID\nx,1\ny,1"]),
    ({"demand": "rising", "names": ["n"]}, ["a,n\nx,9\ny,10", "a,n\nx,2024-01-02\ny,2024-02-01", "a,n\nx,bo\ny,Cy"],
     ["a,n\nx,10\ny,9", "a,n\nx,2024-02-01\ny,2024-01-01"]),
    ({"demand": "falling", "names": ["n"]}, ["a,n\nx,10\ny,9", "a,n\nx,10\ny,9\nTotal,19", "| a | n |\n|---|---|\n| x | $1,000 |\n| y | $9 |"],
     ["a,n\nx,9\ny,10"]),
    ({"demand": "no_prose"}, ["```csv\na,b\n1,2\n```"], ["Here:\n```csv\na,b\n```", "A sentence, with a comma, that goes on."]),
]  # fmt: skip
SQL_CASES = [
    ("lower_keywords", "select a from t", "SELECT a FROM t"),
    ("select_only", "WITH x AS (SELECT 1) SELECT a FROM x;", "DELETE FROM t WHERE a = 1;"),
    ("no_writes", "SELECT a, updated FROM t FOR UPDATE", "SELECT a FROM t; UPDATE t SET a = 1"),
    ("one_statement", "SELECT ';' FROM t;", "SELECT a FROM t; SELECT b FROM t"),
    ("no_subqueries", "WITH x AS (SELECT 1) SELECT a FROM x", "SELECT a FROM (SELECT b FROM t) s"),
    ("order_by", "SELECT a FROM t ORDER BY a", "SELECT a FROM t GROUP BY a"),
    ("where", "SELECT a FROM t WHERE a = 1", "SELECT where_id FROM t"),
    ("no_comments", "SELECT '--' FROM t", "SELECT a FROM t -- all\n"),
    ("no_semicolon", "SELECT a FROM t", "SELECT a FROM t;"),
]


def _verdicts(check: dict[str, Any], answers: list[str]) -> list[str]:
    return [run_check(parse_check(check), answer).status for answer in answers]


@pytest.mark.parametrize(("check", "kept", "broken"), JSON_CASES, ids=lambda value: str(value)[:30])
def test_how_json_is_written(check: dict[str, Any], kept: list[str], broken: list[str]) -> None:
    check = {"op": "json_form", **check}
    assert _verdicts(check, kept) == ["holds"] * len(kept)
    assert _verdicts(check, broken) == ["violated"] * len(broken)
    assert _verdicts(check, ["There is no data here."]) == ["no_verdict"]


@pytest.mark.parametrize(("check", "kept", "broken"), CSV_CASES, ids=lambda value: str(value)[:30])
def test_how_rows_are_written(check: dict[str, Any], kept: list[str], broken: list[str]) -> None:
    check = {"op": "csv_form", **check}
    assert _verdicts(check, kept) == ["holds"] * len(kept)
    assert _verdicts(check, broken) == ["violated"] * len(broken)


@pytest.mark.parametrize(("demand", "kept", "broken"), SQL_CASES)
def test_further_demands_on_sql(demand: str, kept: str, broken: str) -> None:
    check = {"op": "sql", "demand": demand}
    assert _verdicts(check, [kept, broken]) == ["holds", "violated"]
    assert _verdicts(check, ["Ask the database team."]) == ["no_verdict"]
    assert sql_in_words(parse_check(check))


def test_each_demand_has_a_case_and_words() -> None:
    assert {check["demand"] for check, _, _ in JSON_CASES} == set(JSON_WORDS)
    assert {check["demand"] for check, _, _ in CSV_CASES} == set(CSV_WORDS)
    check = parse_check({"op": "json_form", "demand": "key_count", "most": 3})
    assert in_words(check) == "json: that many keys (at most 3)"
    assert parse_check(dump_check(check)) == check


def test_prose_with_commas_is_no_csv() -> None:
    prose = "We met Ann, Bob and Lee, as agreed.\nThen we left, late, for Bern and never came back."
    for check, _, _ in CSV_CASES:
        if check["demand"] != "no_prose":
            assert _verdicts({"op": "csv_form", **check}, [prose]) == ["no_verdict"]


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
        max_leaves=12,
    )
)
def test_judging_json_never_fails(value: Any) -> None:
    answer = json.dumps(value)
    for demand in JSON_WORDS:
        verdict = run_check(parse_check({"op": "json_form", "demand": demand, "names": ["a", "b"], "most": 2}), answer)
        assert "could not be checked" not in verdict.message
