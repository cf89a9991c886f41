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


_APP = """
from collections import defaultdict
from typing import Callable

class Scaffold:
    def __init__(self):
        self.views: dict[str, Callable[[], int]] = {}
        self.before: dict[str, list[Callable[[], int]]] = defaultdict(list)

    def route(self, rule):
        def decorator(f):
            self.add_url_rule(rule, f)
            return f
        return decorator

    def add_url_rule(self, rule, view_func):
        raise NotImplementedError

    def before_request(self, f):
        self.before.setdefault(None, []).append(f)
        return f
"""
_FLASK = """
from base import Scaffold

class Flask(Scaffold):
    def add_url_rule(self, rule, view_func):
        self.views[rule] = view_func

    def ensure_sync(self, func):
        return func

    def dispatch(self, request):
        for func in self.before[request.blueprint]:
            self.ensure_sync(func)()
        return self.ensure_sync(self.views[request.rule])()
"""
_MAIN = """
from app import Flask
app = Flask()
@app.route("/")
def index(): pass
@app.before_request
def load(): pass
"""


def test_a_registry_of_one_file_that_others_fill_and_read() -> None:
    files = {"base.py": _APP, "app.py": _FLASK, "main.py": _MAIN}
    tree = resolved(files)
    calls = {edge[1] for edge in tree.of("call") if edge[0] == "app.Flask.dispatch"}
    assert {"main.index", "main.load"} <= calls
    tree.resolve(tree.write({"main.py": _MAIN.replace("def load", "def fetch")}))
    calls = {edge[1] for edge in tree.of("call") if edge[0] == "app.Flask.dispatch"}
    assert "main.fetch" in calls
    assert "main.load" not in calls


def test_keys_are_told_apart_across_files() -> None:
    tree = resolved(
        {
            "table.py": "handlers = {}\n",
            "a.py": "from table import handlers\ndef one(): pass\ndef two(): pass\n"
            "handlers['one'] = one\nhandlers['two'] = two\n",
            "b.py": "from table import handlers\ndef run(): handlers['two']()\n",
        }
    )
    assert {edge for edge in tree.of("call") if edge[0] == "b.run"} == {("b.run", "a.two", "likely")}


def test_what_is_passed_to_an_abstract_method_arrives_in_those_that_override_it() -> None:
    tree = resolved(
        {
            "base.py": "import abc\nclass Base(abc.ABC):\n    @abc.abstractmethod\n    def handle(self, callback): ...\n",
            "impl.py": "from base import Base\nclass Impl(Base):\n    def handle(self, callback): callback()\n",
            "main.py": "from base import Base\ndef f(): pass\ndef use(b: Base): b.handle(f)\n",
        }
    )
    assert ("impl.Impl.handle", "main.f", "likely") in tree.of("call")
