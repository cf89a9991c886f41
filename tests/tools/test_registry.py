"""What every tool keeps to: a schema from its signature, arguments checked, results bounded, never an exception."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from agent.tools.registry import Toolbox, tools


def test_schemas_are_valid_and_say_what_each_argument_is() -> None:
    for tool in tools():
        jsonschema.Draft202012Validator.check_schema(dict(tool.parameters))
        assert tool.description
        assert all(value.get("description") for value in tool.parameters["properties"].values()), tool.name
    assert [tool.name for tool in tools()] == sorted(tool.name for tool in tools())


@pytest.mark.parametrize(
    ("name", "arguments", "cause"),
    [
        ("no_such_tool", {}, "There is no tool"),
        ("search", {}, "'query' is missing"),
        ("search", {"query": "cart", "colour": "red"}, "no argument 'colour'"),
        ("search", {"query": 7}, "query is 7"),
        ("search", {"query": ["cart"]}, "query is a list"),
        ("search", {"query": "cart", "k": "5"}, "k is '5'"),
        ("search", {"query": "cart", "k": True}, "k is true"),
        ("search", {"query": "cart", "k": 2.5}, "k is 2.5"),
        ("search", {"query": "cart", "k": 0}, "k is 0"),
        ("search", {"query": "cart", "k": 10**5000}, "k is a huge number"),
        ("search", {"query": "x" * 100_000}, "query is 'xxx"),
        ("search", ["cart"], "The arguments are no object"),
        ("search", None, "The arguments are no object"),
        (None, {}, "There is no tool"),
    ],
)
def test_a_wrong_call_is_one_line_of_cause_and_one_of_mend(box: Toolbox, name: Any, arguments: Any, cause: str) -> None:
    result = box.call(name, arguments)
    assert result.is_error
    assert cause in result.text
    assert result.text.count("\n") == 1
    assert result.data["error"]["mend"]


def test_null_for_an_argument_with_a_default_is_the_default(box: Toolbox) -> None:
    assert box.call("search", {"query": "cart", "k": None, "paths": None}) == box.call("search", {"query": "cart"})
    assert box.call("search", {"query": None}).is_error
