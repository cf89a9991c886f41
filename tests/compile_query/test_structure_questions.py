"""Questions about structure: what runs the steps, and the headers of the classes of a kind, come into the workspace."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from searched_tree import focused, gather, searcher_over

from retrieval.compile.structure import asks_for_flow, asks_for_kinds
from retrieval.search.engine import Searcher

TREE = {
    "press/steps.py": '''"""What is done to a book."""


def fold_sheets(book: str) -> str:
    """Fold the printed sheets of a book."""
    return book + " folded"


def sew_sheets(book: str) -> str:
    """Sew the folded sheets of a book."""
    return book + " sewn"


def glue_cover(book: str) -> str:
    """Glue the cover to the sewn book."""
    return book + " covered"
''',
    "press/shop.py": """from press.steps import fold_sheets, glue_cover, sew_sheets


def evening(order: str) -> str:
    if not order:
        raise ValueError(order)
    return glue_cover(sew_sheets(fold_sheets(order)))


def morning() -> str:
    return fold_sheets("again")
""",
    "press/covers.py": '''"""Covers."""


class Cover:
    """What is around a book."""


class LeatherCover(Cover):
    """Made of leather."""

    def smell(self) -> str:
        return "old"


class Linen(Cover):
    """Made of linen."""
''',
    "tests/test_shop.py": """from press.steps import fold_sheets, glue_cover, sew_sheets


def test_all() -> None:
    assert glue_cover(sew_sheets(fold_sheets("a")))
""",
}


@pytest.fixture(scope="module")
def press(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("press"), TREE) as searcher:
        yield searcher


def test_what_runs_the_steps_is_found_although_it_says_none_of_the_words(press):
    found = gather(press, "Through which stages does a book go, from printed sheets to the cover?")
    assert ("press/shop.py", "return glue_cover(sew_sheets(fold_sheets(order)))") in focused(found, TREE)
    runner = next(c for c in found.candidates if c.chunk.symbol == "evening")
    assert runner.whole and "calls 3 of the likeliest definitions" in runner.reason
    assert not any(
        "of the likeliest" in c.reason for c in found.candidates if c.chunk.symbol in ("morning", "test_all")
    )


def test_headers_of_a_kind_come_with_bases_and_subclasses(press):
    lines = focused(gather(press, "Which kinds of covers are there, and what do they derive from?"), TREE)
    assert {
        ("press/covers.py", f"class {header}:") for header in ("Cover", "LeatherCover(Cover)", "Linen(Cover)")
    } <= lines
    assert ("press/covers.py", "def smell(self) -> str:") not in lines


@pytest.mark.parametrize(
    ("question", "flow", "kinds"),
    [
        ("How does a request get from the socket to the view?", True, False),
        ("Which steps does the server take when it starts?", True, False),
        ("How is the parser put together?", True, False),
        ("Which classes derive from Cover?", False, True),
        ("What makes a class count as a scheduler?", False, True),
        ("What does fold_sheets return for an empty book?", False, False),
        ("Where is the password hash upgraded?", False, False),
    ],
)
def test_what_is_asked_for_is_told_by_the_words(question: str, flow: bool, kinds: bool) -> None:
    assert (asks_for_flow(question), asks_for_kinds(question)) == (flow, kinds)


def test_other_questions_get_no_structure(press):
    found = gather(press, "What does glue_cover return?")
    assert not any("likeliest" in c.reason or "a class of" in c.reason for c in found.candidates)
