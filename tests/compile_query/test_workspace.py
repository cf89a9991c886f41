"""The workspace on a real index: what each class of question adds to the searched candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from searched_tree import gather, searcher_over

from retrieval.compile.workspace import Workspace
from retrieval.search.engine import Searcher
from retrieval.search.filters import PathFilters
from retrieval.search.strength import MIN_STRENGTH

PADDING = "\n".join(f'    step_{i} = "does nothing in particular, number {i}"' for i in range(30))
TREE = {
    "depot/__init__.py": "",
    "depot/stock.py": f'''"""What is in the depot."""

from depot.errors import DepotError


def reserve_stock(name: str) -> int:
    """Take one piece off the shelf."""
    if not name:
        raise DepotError("no such article on any shelf")
    return len(name)


def recount() -> int:
    """Count again."""
{PADDING}
    return reserve_stock("bolt")
''',
    "depot/errors.py": '''"""Errors of the depot."""


class DepotError(Exception):
    """Something is missing."""


class UnrelatedError(Exception):
    """Never raised."""
''',
    "depot/orders.py": f'''"""Orders."""

from depot.stock import reserve_stock


class OrderDesk:
    """Takes orders."""

    def place_order(self, name: str) -> int:
        """Reserve what is ordered."""
{PADDING.replace("    step", "        step")}
        return reserve_stock(name)

    def cancel_order(self, name: str) -> str:
        """Give back what was ordered."""
{PADDING.replace("    step", "        step")}
        return name


def accept_mail(text: str) -> int:
    """An order that came by mail."""
{PADDING}
    return OrderDesk().place_order(text)
''',
    "tests/test_stock.py": """from depot.stock import reserve_stock


def test_reserving() -> None:
    assert reserve_stock("nut") == 3
""",
}


@pytest.fixture(scope="module")
def depot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("depot"), TREE) as searcher:
        yield searcher


def line_of(path: str, text: str, nth: int = 0) -> int:
    return [n for n, line in enumerate(TREE[path].split("\n"), 1) if text in line][nth]


def at(workspace: Workspace, path: str, line: int):
    return next(
        c for c in workspace.candidates if c.chunk.path == path and c.chunk.start_line <= line <= c.chunk.end_line
    )


def test_few_callers_of_code_come_whole_with_their_call_sites_and_tests_by_the_calling_lines(depot):
    found = gather(depot, "What calls reserve_stock?")
    for path, text in (("depot/orders.py", "return reserve_stock(name)"), ("depot/stock.py", 'reserve_stock("bolt")')):
        line = line_of(path, text)
        candidate = at(found, path, line)
        assert line in candidate.focus and candidate.whole
        assert "calls" in candidate.reason
    test = at(found, "tests/test_stock.py", line_of("tests/test_stock.py", "assert reserve_stock"))
    assert test.focus and not test.whole
    definition = at(found, "depot/stock.py", line_of("depot/stock.py", "def reserve_stock"))
    assert definition.whole and definition in found.candidates[:4]
    assert found.strength >= MIN_STRENGTH
    assert {"focused", "added"} & {d.action for d in found.decisions}


def test_callees_are_whole_and_the_calling_lines_stay_visible(depot):
    found = gather(depot, "What does accept_mail call?")
    assert at(found, "depot/orders.py", line_of("depot/orders.py", "def place_order")).whole
    caller = at(found, "depot/orders.py", line_of("depot/orders.py", "def accept_mail"))
    line = line_of("depot/orders.py", "OrderDesk().place_order")
    assert line in at(found, "depot/orders.py", line).focus or caller.whole


def test_impact_reaches_over_steps_nearer_first(depot):
    found = gather(depot, "What breaks if I change reserve_stock?")
    near = at(found, "depot/orders.py", line_of("depot/orders.py", "return reserve_stock(name)"))
    far = at(found, "depot/orders.py", line_of("depot/orders.py", "OrderDesk().place_order"))
    assert near.score > far.score
    assert "2 steps" in far.reason


def test_tests_for_a_name(depot):
    found = gather(depot, "Which tests cover reserve_stock?")
    test = at(found, "tests/test_stock.py", 5)
    assert "tests" in test.reason
    assert test in found.candidates[:2]


def test_a_connection_is_the_chain(depot):
    found = gather(depot, "How does accept_mail reach reserve_stock?")
    reasons = {c.chunk.symbol.split(".")[-1]: c.reason for c in found.candidates}
    assert any("path from" in reason for reason in reasons.values())
    for text in ("def place_order", "def accept_mail"):
        at(found, "depot/orders.py", line_of("depot/orders.py", text))


def test_an_error_brings_the_raising_line(depot):
    found = gather(depot, "DepotError: no such article on any shelf")
    line = line_of("depot/stock.py", "raise DepotError")
    assert line in at(found, "depot/stock.py", line).focus


def test_traceback_frames_come_with_their_lines_innermost_first(depot):
    inner = line_of("depot/stock.py", "raise DepotError")
    outer = line_of("depot/orders.py", "return reserve_stock(name)")
    found = gather(
        depot,
        "Traceback (most recent call last):\n"
        f'  File "/srv/app/depot/orders.py", line {outer}, in place_order\n'
        f'  File "/srv/app/depot/stock.py", line {inner}, in reserve_stock\n'
        "depot.errors.DepotError: no such article on any shelf\n",
    )
    first, second = at(found, "depot/stock.py", inner), at(found, "depot/orders.py", outer)
    assert inner in first.focus and outer in second.focus


def test_methods_of_a_named_class_follow_the_words(depot):
    found = gather(depot, "How does OrderDesk cancel an order?", limit=3)
    assert any(c.chunk.symbol == "OrderDesk.cancel_order" for c in found.candidates)


def test_missing_names_are_named_and_known_external_ones_are_not(depot):
    found = gather(depot, "Does `reserve_stock` use FluxCapacitor or ghost.py?")
    assert found.missing == ("FluxCapacitor", "ghost.py")
    assert found.strength < gather(depot, "Does `reserve_stock` use Exception?").strength
    assert gather(depot, "Does `reserve_stock` use Exception?").missing == ()


def test_a_graph_question_without_a_name_starts_from_text(depot):
    found = gather(depot, "What would break if taking a piece off the shelf changed?")
    assert any("calls" in c.reason or "depends" in c.reason for c in found.candidates)


def test_limit_and_filters_hold_and_every_chunk_comes_once(depot):
    found = gather(depot, "What calls reserve_stock?", limit=2)
    beyond = Counter(candidate.chunk.path for candidate in found.candidates)
    assert len(found.candidates) - 2 <= sum(n == 1 for n in beyond.values())  # of a further file one stays
    assert any(d.action == "left out" for d in found.decisions)
    filtered = gather(depot, "What calls reserve_stock?", path_filters=PathFilters(exclude=("tests",)))
    assert not any(c.chunk.path.startswith("tests/") for c in filtered.candidates)
    ids = [c.chunk.id for c in filtered.candidates]
    assert len(ids) == len(set(ids))


def test_same_bytes_twice(depot):
    question = "What breaks if I change reserve_stock?"
    assert gather(depot, question) == gather(depot, question)


def test_nothing_found_is_empty(depot):
    found = gather(depot, "qqqq wwww")
    assert (found.candidates, found.strength) == ((), 0.0)
