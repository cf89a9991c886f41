"""``contextc graph`` as a user types it: proofs, three-valued answers, names that mean several things or nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.cli.main import main

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": """\
class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        return sum(price(item) for item in self.items)

    def reset(self):
        self.items = []


def price(item):
    return tax(item) + 1


def tax(item):
    return 0


def unused():
    return None
""",
    "shop/web.py": f'''\
from shop.cart import Cart


def checkout():
    cart = Cart()
    return cart.total()


def guess(thing):
    thing.reset()  # token = "{SECRET}"


class Page:
    def reset(self):
        pass

    def render(self):
        checkout()
''',
    "tests/test_cart.py": """\
from shop.cart import Cart


def test_total():
    assert Cart().total() == 0


def test_reset(cart):
    cart.reset()
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shop")
    write(root, FILES)
    return root


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def ask(shop: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*args: str, root: Path = shop) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["graph", *args, "--root", str(root)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def answers(ask: Callable[..., tuple[int, str, str]]) -> Callable[..., list[dict[str, Any]]]:
    def call(*args: str, **more: Any) -> list[dict[str, Any]]:
        code, out, err = ask(*args, "--json", **more)
        assert code == 0, err
        found: list[dict[str, Any]] = json.loads(out)["answers"]
        return found

    return call


def names(answer: dict[str, Any]) -> list[str]:
    return [result["name"] for result in answer["results"]]


def test_callers_come_with_the_line_that_proves_them(ask: Any, answers: Any) -> None:
    (answer,) = answers("callers", "Cart.total")
    assert answer["status"] == "found"
    assert answer["symbol"] == {
        "qualname": "shop.cart.Cart.total",
        "kind": "method",
        "path": "shop/cart.py",
        "line": 5,
    }
    assert names(answer) == ["shop.web.checkout", "tests.test_cart.test_total"]
    (edge,) = answer["results"][0]["chain"]
    assert (edge["path"], edge["line"], edge["text"]) == ("shop/web.py", 6, "return cart.total()")
    assert (edge["confidence"], edge["kind"]) == ("certain", "call")
    code, out, _ = ask("callers", "Cart.total")
    assert code == 0
    assert "shop/web.py:6  shop.web.checkout  (certain" in out
    assert "      return cart.total()" in out


def test_depth_follows_callers_and_callees_with_their_chains(answers: Any) -> None:
    (answer,) = answers("callers", "Cart.total", "--depth", "3")
    chains = {result["name"]: [edge["from"] for edge in result["chain"]] for result in answer["results"]}
    assert chains["shop.web.Page.render"] == ["shop.web.Page.render", "shop.web.checkout"]
    (answer,) = answers("callees", "Cart.total", "--depth", "3", "--min-confidence", "likely")
    chains = {result["name"]: [edge["to"] for edge in result["chain"]] for result in answer["results"]}
    assert chains["shop.cart.tax"] == ["shop.cart.price", "shop.cart.tax"]


def test_nothing_is_only_said_when_everything_was_resolved(answers: Any, ask: Any) -> None:
    (answer,) = answers("callers", "unused")
    assert (answer["status"], answer["results"], answer["unresolved"]) == ("none", [], [])
    (answer,) = answers("callers", "Cart.reset")
    assert (answer["status"], answer["results"]) == ("unknown", [])
    places = {(edge["path"], edge["line"]): edge["candidates"] for edge in answer["unresolved"]}
    assert set(places) == {("shop/web.py", 10), ("tests/test_cart.py", 9)}
    assert places["shop/web.py", 10] == ["shop.cart.Cart.reset", "shop.web.Page.reset"]
    _, out, _ = ask("callers", "Cart.reset")
    assert "unknown: nothing calls it for certain" in out
    assert "tests/test_cart.py:9  tests.test_cart.test_reset" in out


def test_a_function_that_is_only_handed_on_is_not_called_unused(tmp_path: Path, answers: Any) -> None:
    write(tmp_path, {"m.py": "def hook(): pass\n\n\nHOOKS = {'a': hook}\n\n\ndef fire(name): HOOKS[name]()\n"})
    (answer,) = answers("callers", "hook", root=tmp_path)
    assert answer["status"] == "found" or [edge["line"] for edge in answer["unresolved"]] == [4]
    write(tmp_path, {"m.py": "def hook(): pass\n\n\ndef give(): return hook\n"})
    (answer,) = answers("callers", "hook", root=tmp_path)
    assert answer["status"] == "unknown"
    assert [(edge["kind"], edge["line"]) for edge in answer["unresolved"]] == [("reference", 4)]


def test_tests_that_may_exercise_it_are_told(answers: Any) -> None:
    """No fixture type is known here, so no test is certain; but the call is there."""
    (answer,) = answers("tests", "Cart.reset")
    assert answer["status"] == "unknown"
    assert [(edge["from"], edge["line"]) for edge in answer["unresolved"]] == [("tests.test_cart.test_reset", 9)]
    (answer,) = answers("tests", "tax")
    assert answer["status"] == "found"
    assert names(answer) == ["tests.test_cart.test_total"]
    assert [edge["to"] for edge in answer["results"][0]["chain"]] == [
        "shop.cart.Cart.total",
        "shop.cart.price",
        "shop.cart.tax",
    ]


def test_a_file_with_syntax_errors_leaves_the_answer_open(tmp_path: Path, answers: Any, ask: Any) -> None:
    write(tmp_path, {"a.py": "def lone(): pass\n\ndef other(): pass\n", "b.py": "def broken(:\n    lone()\n"})
    (answer,) = answers("callers", "lone", root=tmp_path)
    assert answer["status"] == "unknown" or names(answer)
    assert [unread["path"] for unread in answer["unread"]] == ["b.py"]
    (answer,) = answers("callers", "other", root=tmp_path)
    assert (answer["status"], answer["unread"]) == ("none", [])


def test_importers_impact_and_path(answers: Any) -> None:
    (answer,) = answers("importers", "shop.cart.Cart")
    assert names(answer) == ["shop.web", "tests.test_cart"]
    (answer,) = answers("importers", "shop/cart.py")
    assert names(answer) == ["shop.web", "tests.test_cart"]
    (answer,) = answers("impact", "tax", "--depth", "4")
    distances = {result["name"]: result["distance"] for result in answer["results"]}
    assert distances["shop.cart.price"] == 1
    assert distances["shop.cart.Cart.total"] == 2
    assert distances["shop.web.Page.render"] == 4
    (answer,) = answers("path", "Page.render", "tax")
    (result,) = answer["results"]
    assert [edge["to"] for edge in result["chain"]] == [
        "shop.web.checkout",
        "shop.cart.Cart.total",
        "shop.cart.price",
        "shop.cart.tax",
    ]
    (answer,) = answers("path", "tax", "unused")
    assert answer["status"] == "none"
    (answer,) = answers("path", "guess", "unused")  # thing.reset() may lead anywhere
    assert answer["status"] == "unknown"
    assert [edge["line"] for edge in answer["unresolved"]] == [10]


def test_a_class_and_a_module_stand_for_what_they_define(answers: Any) -> None:
    (answer,) = answers("tests", "shop/cart.py")
    assert names(answer) == ["tests.test_cart.test_total"]
    (answer,) = answers("impact", "Page")
    assert "shop.web.Page.reset" not in names(answer)  # a member is no dependent
    (answer,) = answers("impact", "Cart")
    assert {"shop.web.checkout", "tests.test_cart.test_total"} <= set(names(answer))


def test_a_path_of_one_step_says_which_way_it_goes(ask: Any) -> None:
    for ends in (("price", "tax"), ("tax", "price")):
        _, out, _ = ask("path", *ends)
        assert "shop.cart.price calls shop.cart.tax" in out


def test_calls_that_share_a_line_with_a_proven_one_stay_unresolved(tmp_path: Path, ask: Any, answers: Any) -> None:
    write(tmp_path, {"main.py": "def f(x):\n    return x\n\ndef g(a):\n    return f(a.first(), a.second())\n"})
    (answer,) = answers("callees", "g", root=tmp_path)
    assert names(answer) == ["main.f"]
    assert [edge["to"] for edge in answer["unresolved"]] == ["?.first", "?.second"]
    _, out, _ = ask("callees", "g", root=tmp_path)
    assert "main.py:5  first  " in out and "main.py:5  second  " in out


def test_an_ambiguous_name_lists_its_candidates(ask: Any, answers: Any) -> None:
    code, out, err = ask("callers", "reset")
    assert (code, out) == (2, "")
    assert "shop.cart.Cart.reset  (method, shop/cart.py:8)" in err
    assert "shop.web.Page.reset  (method, shop/web.py:14)" in err
    assert "--all" in err
    both = answers("callers", "reset", "--all")
    assert [answer["symbol"]["qualname"] for answer in both] == ["shop.cart.Cart.reset", "shop.web.Page.reset"]


def test_an_unknown_name_suggests_the_nearest(ask: Any) -> None:
    code, out, err = ask("callers", "chekout")
    assert (code, out) == (2, "")
    assert "shop.web.checkout" in err
    code, _, err = ask("impact", "cart.totl")
    assert code == 2
    assert "shop.cart.Cart.total" in err
    code, _, err = ask("callers", "\x1b[31mxyzzy" * 100)
    assert code == 2
    assert "\x1b" not in err


def test_definitions_of_one_name_are_one_symbol(tmp_path: Path, answers: Any) -> None:
    write(tmp_path, {"m.py": "if x:\n    def f(): pass\nelse:\n    def f(): pass\nf()\n"})
    found = answers("callers", "f", root=tmp_path)
    assert [answer["symbol"]["qualname"] for answer in found] == ["m.f", "m.f#2"]
    assert all(answer["status"] == "found" for answer in found)


def test_names_outside_the_tree_can_be_asked_for(answers: Any) -> None:
    (answer,) = answers("callers", "sum")
    assert answer["symbol"]["kind"] == "external"
    assert names(answer) == ["shop.cart.Cart.total"]


def test_secrets_and_control_characters_stay_inside(tmp_path: Path, ask: Any) -> None:
    _, out, _ = ask("callers", "Cart.reset", "--json")
    assert SECRET not in out
    write(tmp_path, {"m.py": "def f(): pass\nf()  # \x1b]0;owned\x07 \u202e\n"})
    _, out, _ = ask("callers", "f", root=tmp_path)
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_the_limit_says_how_many_are_left(tmp_path: Path, ask: Any) -> None:
    write(tmp_path, {"m.py": "def f(): pass\n" + "f()\n" * 30})
    _, out, _ = ask("callers", "f", "--limit", "10", root=tmp_path)
    assert out.count("m.py:") == 11  # ten and the definition
    assert "and 20 more" in out


def test_export_of_a_folder_with_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"main.py": "def f():\n    return len([])\n\nf()\n"})
    assert main(["graph", "export", "--format", "json", "--all", "--root", str(tmp_path)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["functions"] == ["main", "main.f"]
    assert [(edge["caller"], edge["callee"], edge["line"]) for edge in data["edges"]] == [
        ("main", "main.f", 4),
        ("main.f", "<builtin>.len", 2),
    ]
    assert set(data["edges"][0]) == {"caller", "callee", "confidence", "path", "line", "rule"}


def test_export_wants_one_selection(ask: Any) -> None:
    for args in ([], ["tax", "--all"], ["--package", "shop", "--all"]):
        code, out, err = ask("export", *args)
        assert (code, out) == (2, "")
        assert "--package" in err
    code, _, err = ask("export", "--package", "nowhere")
    assert code == 2
    assert "nowhere" in err
    code, out, _ = ask("export", "--package", "shop.cart", "--format", "dot", "--kind", "call", "--kind", "import")
    assert code == 0
    assert '"shop.web" -> "shop.cart.Cart" [' in out


def test_help_and_direct_callers_import_nothing_heavy(shop: Path) -> None:
    code = (
        "import sys\nfrom agent.cli.main import main\n"
        "assert main(['graph', '--help']) == 0\nassert 'agent.session' not in sys.modules\n"
        "assert main(['graph', 'callers', 'Cart.total', '--root', sys.argv[1]]) == 0\n"
        "print(sorted({'networkx', 'chromadb', 'openai', 'tiktoken', 'tree_sitter'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, str(shop)]
    subprocess.run(command, check=True, capture_output=True)  # the index may be built by this first call
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip().split("\n")[-1] == "[]"


def test_calls_through_a_protocol_may_mean_what_satisfies_it(tmp_path: Path, answers: Any) -> None:
    write(
        tmp_path,
        {
            "ports.py": "from typing import Protocol\n\n\nclass Store(Protocol):\n    def get(self): ...\n    def put(self): ...\n",
            "use.py": "from ports import Store\n\n\ndef work(store: Store):\n    store.get()\n",
            "real.py": "class Disk:\n    def get(self): ...\n    def put(self): ...\n\n\nclass Half:\n    def get(self): ...\n",
        },
    )
    (answer,) = answers("callers", "Disk.get", root=tmp_path)
    assert answer["status"] == "unknown"
    assert [(edge["from"], edge["rule"], edge["to"]) for edge in answer["unresolved"]] == [
        ("use.work", "protocol", "ports.Store.get")
    ]
    (answer,) = answers("callers", "Half.get", root=tmp_path)  # lacks put(): no Store
    assert answer["status"] == "none"
