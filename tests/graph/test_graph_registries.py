"""Calls through something that many functions were put into: possible calls of each of them, up to a stated limit."""

from __future__ import annotations

from graph_helpers import resolved

from retrieval.graph.values import MAX_FUNCTIONS

_DECORATOR = """
class Command:
    def __init__(self, callback): self.callback = callback
    def invoke(self): return run(self.callback)

def run(callback): return callback()

def command(name):
    def decorator(f): return Command(f)
    return decorator
"""


def _views(count: int) -> str:
    return "from app import command\n" + "".join(f"@command('v{n}')\ndef v{n}(): pass\n" for n in range(count))


def test_few_functions_that_get_there_are_likely() -> None:
    tree = resolved({"app.py": _DECORATOR, "views.py": _views(3)})
    assert {edge for edge in tree.of("call") if edge[0] == "app.run"} == {
        ("app.run", f"views.v{n}", "likely") for n in range(3)
    }


def test_many_are_possible_each_and_no_name_is_left_open() -> None:
    tree = resolved({"app.py": _DECORATOR, "views.py": _views(200)})
    assert {edge for edge in tree.of("call") if edge[0] == "app.run"} == {
        ("app.run", f"views.v{n}", "possible") for n in range(200)
    }
    assert {edge[6] for edge in tree.edges() if edge[0] == "app.run" and edge[1].startswith("views.")} == {
        "one-of-many"
    }


def test_more_than_the_limit_stay_unresolved() -> None:
    tree = resolved({"app.py": _DECORATOR, "views.py": _views(MAX_FUNCTIONS + 1)})
    assert {edge for edge in tree.of("call") if edge[0] == "app.run"} == {("app.run", "?.callback", "possible")}


def test_a_variable_that_holds_many_functions_is_no_reference_to_each() -> None:
    tree = resolved({"app.py": _DECORATOR, "views.py": _views(60)})
    assert not [edge for edge in tree.of("reference") if edge[0] == "app.Command.invoke" and "views" in edge[1]]


def test_an_annotation_that_leaves_functions_open_does_not_hide_what_comes() -> None:
    tree = resolved(
        {
            "app.py": """
            from typing import Callable
            class Command:
                def __call__(self): pass
            def run(callback: Command | Callable[..., int]): return callback()
            """,
            "main.py": "from app import run\ndef f(): pass\nrun(f)\n",
        }
    )
    assert {edge for edge in tree.of("call") if edge[0] == "app.run"} == {
        ("app.run", "main.f", "likely"),
        ("app.run", "app.Command.__call__", "likely"),
    }
