"""A receiver known by ``self`` or by annotation may be of a subclass: what that does to the edges."""

from __future__ import annotations

import pytest
from graph_helpers import Tree, resolved

from retrieval.graph.answers import Relation, Status, answer
from retrieval.graph.dispatch import dispatch

_TEMPLATE = "class Base:\n    def run(self): self.end()\n    def end(self): pass\n"
_SUB = "from main import Base\nclass Sub(Base):\n    def end(self): pass\n"
_TAKES = "from main import Base\ndef f(x: Base): x.end()\n"


def _calls(tree: Tree) -> set[tuple[str, str, str, str]]:
    return {(e[0], e[1], e[3], e[6]) for e in tree.edges() if e[2] == "call"}


def test_self_is_certain_until_a_subclass_overrides() -> None:
    tree = resolved(_TEMPLATE)
    assert _calls(tree) == {("main.Base.run", "main.Base.end", "certain", "self-mro")}
    tree.resolve(tree.write({"sub.py": _SUB}))
    both = {
        ("main.Base.run", "main.Base.end", "likely", "self-mro"),
        ("main.Base.run", "sub.Sub.end", "possible", "override"),
    }
    assert _calls(tree) == both
    kept = {row[0] for row in tree.conn.execute("SELECT id FROM edges")}
    assert dispatch(tree.conn) == 0
    assert {row[0] for row in tree.conn.execute("SELECT id FROM edges")} == kept
    tree.resolve(tree.write({"sub.py": _SUB.replace("def end", "def other")}))
    assert _calls(tree) == {("main.Base.run", "main.Base.end", "certain", "self-mro")}
    tree.resolve(tree.write({"sub.py": _SUB}))
    assert _calls(tree) == both
    tree.resolve(tree.write({"sub.py": None}))
    assert _calls(tree) == {("main.Base.run", "main.Base.end", "certain", "self-mro")}


def test_an_annotated_receiver_may_be_of_a_subclass_of_another_file() -> None:
    tree = resolved({"main.py": _TEMPLATE, "sub.py": _SUB, "user.py": _TAKES})
    assert ("user.f", "main.Base.end", "likely", "annotation") in _calls(tree)
    assert ("user.f", "sub.Sub.end", "possible", "override") in _calls(tree)


@pytest.mark.parametrize(
    "use",
    [
        "from main import Base\nclass H:\n    b: Base\n    def f(self): self.b.end()\n",
        "from main import Base\ndef make() -> Base: ...\ndef f(): make().end()\n",
        "from main import Base\ndef make() -> list[Base]: ...\ndef f():\n    for each in make(): each.end()\n",
    ],
)
def test_so_do_attributes_results_and_elements_by_annotation(use: str) -> None:
    calls = _calls(resolved({"main.py": _TEMPLATE, "sub.py": _SUB, "user.py": use}))
    assert {(callee, confidence) for caller, callee, confidence, _rule in calls if caller.endswith("f")} >= {
        ("main.Base.end", "likely"),
        ("sub.Sub.end", "possible"),
    }


def test_what_has_an_exact_class_stays_as_it_is() -> None:
    use = "from main import Base\ndef f(): Base().end()\ndef g():\n    x = Base()\n    x.end()\n"
    calls = _calls(resolved({"main.py": _TEMPLATE, "sub.py": _SUB, "user.py": use}))
    assert {("user.f", "main.Base.end", "certain"), ("user.g", "main.Base.end", "certain")} <= {c[:3] for c in calls}
    assert not [call for call in calls if call[0].startswith("user") and call[3] == "override"]


@pytest.mark.parametrize(
    "text",
    [
        _TEMPLATE.replace("    def end", "    @typing.final\n    def end"),
        "@final\n" + _TEMPLATE,
        _TEMPLATE.replace("end", "__end"),
    ],
)
def test_final_and_private_methods_stay_certain(text: str) -> None:
    sub = _SUB.replace("end", "__end") if "__end" in text else _SUB
    calls = _calls(resolved({"main.py": "import typing\nfrom typing import final\n" + text, "sub.py": sub}))
    assert {call[2] for call in calls if call[0] == "main.Base.run"} == {"certain"}


def test_only_classes_below_the_receiver_s_count() -> None:
    text = _TEMPLATE + "class K(Base):\n    def go(self): self.end()\nclass L(Base):\n    def end(self): pass\n"
    calls = _calls(resolved(text))
    assert ("main.K.go", "main.Base.end", "certain", "self-mro") in calls
    assert ("main.Base.run", "main.L.end", "possible", "override") in calls


def test_an_alias_of_self_and_operators_are_open_too() -> None:
    text = (
        "class A:\n    def f(self):\n        this = self\n        this.m()\n        self + 1\n"
        "    def m(self): pass\n    def __add__(self, o): pass\n"
        "class B(A):\n    def m(self): pass\n    def __add__(self, o): pass\n"
    )
    assert {call[1:3] for call in _calls(resolved(text))} == {
        ("main.A.m", "likely"),
        ("main.B.m", "possible"),
        ("main.A.__add__", "likely"),
        ("main.B.__add__", "possible"),
    }


def test_an_override_in_a_test_file_counts_for_tests_alone() -> None:
    test = _SUB + "def test_it(x: Base): x.end()\n"
    calls = _calls(resolved({"main.py": _TEMPLATE, "test_sub.py": test}))
    assert ("main.Base.run", "main.Base.end", "certain", "self-mro") in calls
    assert ("test_sub.test_it", "test_sub.Sub.end", "possible", "override") in calls


def test_what_flow_reaches_is_no_override_besides() -> None:
    calls = _calls(resolved(_TEMPLATE + "class Sub(Base):\n    def end(self): pass\nSub().run()\n"))
    assert {call[1:3] for call in calls if call[0] == "main.Base.run"} == {
        ("main.Base.end", "likely"),
        ("main.Sub.end", "likely"),
    }


def test_many_overrides_cost_one_edge_for_each_function() -> None:
    subs = "".join(f"class S{n}(Base):\n    def end(self): pass\n" for n in range(60))
    text = _TEMPLATE.replace("self.end()", "self.end(); self.end()\n        self.end()") + subs
    tree = resolved(text)
    lines = [edge[5] for edge in tree.edges() if edge[6] == "override"]
    assert lines == [2] * 60
    wide = "".join(f"class T{n}(Base):\n    def end(self): pass\n" for n in range(1_001))
    calls = _calls(resolved(_TEMPLATE + wide))
    assert ("main.Base.run", "main.Base.end", "likely", "self-mro") in calls
    assert not [call for call in calls if call[3] == "override"]


@pytest.mark.parametrize("subclasses", [3, 20, 60])
def test_a_method_that_many_subclasses_inherit_is_called_for_certain(subclasses: int) -> None:
    text = "class Base:\n    def get(self): pass\n    def run(self):\n        self.get()\n"
    text += "".join(f"class S{n}(Base):\n    def other(self): pass\n" for n in range(subclasses))
    text += "".join(f"def use{n}():\n    it = S{n}()\n    it.run()\n" for n in range(subclasses))
    assert ("main.Base.run", "main.Base.get", "certain", "self-mro") in _calls(resolved(text))


def test_callers_of_an_override_are_unknown_and_its_impact_possible() -> None:
    tree = resolved({"main.py": _TEMPLATE, "sub.py": _SUB})
    found = answer(tree.conn, Relation.CALLERS, "sub.Sub.end")
    assert found.status is Status.UNKNOWN
    assert [(edge.src, edge.line, edge.rule) for edge in found.unresolved] == [("main.Base.run", 2, "override")]
    impact = answer(tree.conn, Relation.IMPACT, "sub.Sub.end")
    assert [(item.qualname, item.chain[0].confidence) for item in impact.items] == [("main.Base.run", "possible")]
