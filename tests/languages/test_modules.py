"""Module names: as imported where that is unique, and unique always."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given

from retrieval.languages.python.modules import module_names


def test_names_as_imported() -> None:
    names = module_names(
        [
            "src/flask/__init__.py",
            "src/flask/app.py",
            "src/flask/json/__init__.py",
            "src/flask/json/tag.py",
            "tests/test_app.py",
            "main.py",
            "tools/run.py",
            "lib/helper.py",
            "setup.py",
        ]
    )
    assert names == {
        "src/flask/__init__.py": "flask",
        "src/flask/app.py": "flask.app",
        "src/flask/json/__init__.py": "flask.json",
        "src/flask/json/tag.py": "flask.json.tag",
        "tests/test_app.py": "tests.test_app",
        "main.py": "main",
        "tools/run.py": "tools.run",
        "lib/helper.py": "helper",
        "setup.py": "setup",
    }


def test_a_package_name_that_occurs_twice_is_told_apart_by_path() -> None:
    names = module_names(["a/pkg/__init__.py", "a/pkg/x.py", "b/pkg/__init__.py", "b/pkg/x.py"])
    assert names["a/pkg/x.py"] == "a.pkg.x"
    assert names["b/pkg/__init__.py"] == "b.pkg"


def test_equal_names_are_numbered_in_path_order() -> None:
    names = module_names(["app.py", "src/app.py", "app.pyi"])
    assert names == {"app.py": "app", "src/app.py": "app@2", "app.pyi": "app@3"}
    assert module_names(reversed(["app.py", "src/app.py", "app.pyi"])) == names


def test_root_init() -> None:
    assert module_names(["__init__.py", "x.py"]) == {"__init__.py": "__init__", "x.py": "x"}


PART = st.sampled_from(["src", "lib", "a", "b", "a.b", "__init__", "x@2"])
PATHS = st.lists(st.builds(lambda dirs, stem: "/".join([*dirs, stem + ".py"]), st.lists(PART, max_size=3), PART))


@given(PATHS)
def test_names_are_unique_and_total(paths: list[str]) -> None:
    names = module_names(paths)
    assert names.keys() == set(paths)
    assert len(set(names.values())) == len(names)
    assert all(names.values())
