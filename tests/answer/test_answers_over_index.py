"""Offline answers over a real index of a small tree: walker, chunker, graph, retrieval and pack as shipped."""

from __future__ import annotations

import asked_tree
import pytest

from agent.answer.records import Answer
from agent.session import Session

TREE = {
    "shop/__init__.py": "",
    "shop/cart.py": '''from shop.prices import price_of


class CartError(Exception):
    """The cart refuses something."""


class Cart:
    """What a customer is about to buy."""

    def __init__(self) -> None:
        self.items: list[str] = []

    def add(self, item: str) -> int:
        """Add an item and return the new size of the cart."""
        if not item:
            raise CartError("no item")
        self.items.append(item)
        return len(self.items)

    def total(self) -> int:
        return sum(price_of(item) for item in self.items)
''',
    "shop/prices.py": '''import os

CURRENCY = os.environ.get("SHOP_CURRENCY", "EUR")


def price_of(item: str) -> int:
    """Price of an item in cents."""
    return len(item) * 100
''',
    "shop/web.py": '''from shop.cart import Cart


def checkout(cart: Cart) -> int:
    """Take the money."""
    cart.add("bag")
    return cart.total()
''',
    "tests/test_cart.py": """from shop.cart import Cart


def test_add():
    assert Cart().add("pen") == 1
""",
    "README.md": "# Shop\n\nSet `SHOP_CURRENCY` to change the currency in which prices are shown.\n",
    "CHANGES.md": "# Changes\n\n## 2.0\n\n`add_later` was removed.\n",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory):
    yield from asked_tree.opened(tmp_path_factory.mktemp("shop"), TREE)


def ask(session: Session, question: str) -> Answer:
    answer = asked_tree.ask(session, question)
    for citation in answer.citations:
        lines = session.reader.file_text(citation.path).lines
        assert citation.text and set(citation.text.split("\n")) <= set(lines[citation.start - 1 : citation.end])
    return answer


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where is `Cart.add` defined?", "`shop.cart.Cart.add` is a method defined at `shop/cart.py:14`"),
        ("What does `Cart.add` do?", '`raise CartError("no item")`'),
        ("Who calls `price_of`?", "`Cart.total` calls it at line 22"),
        ("What does `checkout` call?", "`shop.cart.Cart.total` at line 7"),
        ("What breaks if `price_of` changes?", "`checkout` at `shop/web.py:7` calls `Cart.total`"),
        ("Which tests cover `Cart.add`?", "`test_add` at `tests/test_cart.py:5`"),
        ("How do `checkout` and `price_of` connect?", "joined by a path of 2 steps"),
        ("What would break if I change SHOP_CURRENCY?", "read at `shop/prices.py:3`"),
        ("Who uses `SHOP_CURRENCY`?", "`shop/prices.py:3`"),
        ("What is the difference between `Cart.add` and `add_later`?", "No code has the name `add_later`"),
        ("Where is the setting `SHOP_CURRENCY` handled?", "`shop/prices.py:3`"),
    ],
)
def test_questions_with_an_exact_answer(session, question, expected):
    answer = ask(session, question)
    assert expected in answer.text and not answer.abstained


@pytest.mark.parametrize(
    "question", ["Where is `CartManager.flush` defined?", "How are quaternions interpolated on kubernetes?"]
)
def test_what_is_not_there_is_not_answered(session, question):
    answer = ask(session, question)
    assert answer.abstained and answer.missing


@pytest.mark.parametrize("change", ["removed", "changed", "renamed"])
def test_what_would_break_counts_tests_among_what_depends_on_it(session: Session, change: str) -> None:
    """A bare change is no clause about behaviour: all dependents are told, not those of the code alone."""
    text = asked_tree.ask(session, f"What would break if I {change} Cart.add?").text
    assert "`checkout` at `shop/web.py:6`" in text and "`test_add` at `tests/test_cart.py:5`" in text


def test_no_test_is_said_of_the_steps_that_were_looked_at(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A test six calls away exists: that the graph holds none would be false."""
    steps = "\n\n".join(f"def step_{n}():\n    return step_{n + 1}()" for n in range(6))
    tree = {
        "far.py": f"{steps}\n\n\ndef step_6():\n    return 1\n",
        "tests/test_far.py": "from far import step_0\n\n\ndef test_far():\n    assert step_0() == 1\n",
    }
    for session in asked_tree.opened(tmp_path_factory.mktemp("far"), tree):
        text = asked_tree.ask(session, "Which tests cover step_6?").text
        assert "No test reaches `far.step_6` within 4 steps" in text
        assert "`test_far`" in asked_tree.ask(session, "Which tests cover step_2?").text
