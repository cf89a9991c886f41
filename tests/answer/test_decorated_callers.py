"""Calls of a decorated function: told as calls behind its decorator, and no reason to say that nothing uses it."""

from __future__ import annotations

import pytest
from asked_tree import ask, opened

TREE = {
    "words.py": '''"""Words."""


def lazily(*kinds):
    """Run a function later where an argument is of one of the kinds."""

    def decorator(func):
        """Of the kinds."""

        def wrapper(*args):
            """Now or later."""
            if any(isinstance(arg, kinds) for arg in args):
                return later(func, args)
            return func(*args)

        return wrapper

    return decorator


def later(func, args):
    """What runs when it is asked for."""
    return lambda: func(*args)


@lazily(str)
def shorten(text):
    """The first word."""
    return text.split()[0]
'''
    + "".join(f"\n\n@lazily(str)\ndef word_{n}(text):\n    return text[{n}]\n" for n in range(20)),
    "label.py": '''"""Labels."""

from words import shorten


def label(text):
    """A short label."""
    return shorten(text)


def page(text):
    """A page of one label."""
    return label(text)
''',
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory):
    yield from opened(tmp_path_factory.mktemp("words"), TREE)


def test_callers_of_a_decorated_function_are_told(session):
    text = ask(session, "who calls words.shorten?").text
    assert "Behind its decorator it is called at 1 place in 1 file:" in text
    assert "`return shorten(text)`" in text
    assert "nothing in the tree uses" not in text


def test_impact_does_not_lead_on_through_what_may_be_called(session):
    text = ask(session, "what breaks if I change words.shorten?").text
    assert "label" in text and "Nothing in the graph" not in text
    assert "`lazily` at" not in text
