"""Which definitions a question about relations means, and what is said of them when tests alone depend on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from asked_tree import ask, opened

from agent.answer.answerer import answer_question
from agent.answer.config import AnswerConfig
from agent.session import Session

TREE = {
    "shop/__init__.py": "",
    "shop/cart.py": '''"""The cart."""


class Cart:
    """Holds what is bought."""

    def checkout(self):
        """Take the money."""
        return self.settle()

    def settle(self):
        """Settle the sum."""
        return self.make_receipt()

    def make_receipt(self):
        """The receipt of this cart."""
        return "receipt"

    def lonely(self):
        """Nothing calls this but a test."""
        return 1


class Basket(Cart):
    """A cart without wheels."""
''',
    "shop/helpers.py": '''"""Helpers."""


def make_receipt(cart):
    """The receipt of any cart."""
    return cart

from shop.limits import Limits


def check_limits(count, discount):
    """Refuse a cart that holds too many items or has too large a discount."""
    if count > Limits.MAX_ITEMS:
        raise ValueError("too many items")
    if discount > Limits.MAX_DISCOUNT_PERCENT:
        raise ValueError("too large a discount")
''',
    "shop/limits.py": '''"""What a shop bears."""


class Limits:
    """Bounds, by name."""

    MAX_ITEMS = 25
    MAX_DISCOUNT_PERCENT = 40
''',
    "shop/start.py": '''"""Starting the shop."""

import os

_closed = """The shop is closed now.

Come back tomorrow.
"""


def start(request, config):
    """Open the doors."""
    if "SHOP_CLOSED" in os.environ or os.getenv("SHOP_DOOR", "SHUT") == "SHUT":
        raise RuntimeError(_closed)
    os.environ["SHOP_OPEN"] = "1"
    user = request.environ["REMOTE_USER"]
    return prepare(environ=request.environ, use_till=config["USE_TILL"]), os.environ.get(
        "SHOP_NAME",
    )


def prepare(**options):
    return options
''',
    "tests/test_cart.py": """from shop.cart import Cart


def test_lonely():
    assert Cart().lonely() == 1
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    yield from opened(tmp_path_factory.mktemp("shop"), TREE)


def test_a_path_leads_to_the_definition_of_the_name_that_is_surely_reached(shop: Session) -> None:
    text = ask(shop, "how does Cart.checkout reach make_receipt").text
    assert "`shop.cart.Cart.checkout` and `shop.cart.Cart.make_receipt` are joined by a path of 2 steps" in text
    assert "helpers" not in text


def test_a_change_of_what_only_tests_use_is_not_said_to_break_nothing(shop: Session) -> None:
    text = ask(shop, "what breaks if I change Cart.lonely").text
    assert "Only tests depend on `shop.cart.Cart.lonely`" in text
    assert "breaks nothing" not in text
    assert "`test_lonely` at `tests/test_cart.py:5`" in text


def test_values_of_a_class_are_cited_with_the_class(shop: Session) -> None:
    """The evidence does not hold the class, whose name the statement gives."""
    question = "which values does check_limits compare count and discount with"
    pack = shop.pack(question, budget=300)
    pack = replace(pack, chunks=tuple(chunk for chunk in pack.chunks if chunk.path != "shop/limits.py"))
    answer = answer_question(pack, shop.reader, shop.graph, AnswerConfig(answerer="offline"))
    assert "`MAX_ITEMS = 25` at `shop/limits.py:7` in `shop.limits.Limits`" in answer.text
    assert not answer.unsupported


@pytest.mark.parametrize(
    ("question", "name"),
    [("what does Cart.receipt call", "Cart.receipt"), ("who calls Cart.check_out", "Cart.check_out")],
)
def test_a_member_that_a_class_does_not_have_is_said_with_the_members_like_it(
    shop: Session, question: str, name: str
) -> None:
    """The words of ``Cart.receipt`` stand in the evidence, but no definition has the name."""
    said, _, near = ask(shop, question).text.partition("The nearest names that exist are:\n")
    assert f"`{name}`" in said
    assert near.startswith("- `shop.cart.Cart.")


def test_environment_variables_are_what_is_read_of_the_environment_of_the_process(shop: Session) -> None:
    text = ask(shop, "which environment variables does it read").text
    assert "Code takes 3 variables out of the environment by name:" in text
    assert all(f"- `{name}` at `shop/start.py:" in text for name in ("SHOP_CLOSED", "SHOP_DOOR", "SHOP_NAME"))


@pytest.mark.parametrize(
    "question", ['why is "The shop is closed now" raised?', "what does 'The shop is closed now' mean"]
)
def test_a_message_between_quotes_is_traced_to_what_spells_it(shop: Session, question: str) -> None:
    text = ask(shop, question).text
    assert text.startswith("The message comes from 1 line of code:\n- spelled at `shop/start.py:5`")


def test_plain_words_are_the_ends_of_a_path_where_the_question_joins_them(shop: Session) -> None:
    text = ask(shop, "how does Cart.checkout reach settle").text
    assert "`shop.cart.Cart.checkout` and `shop.cart.Cart.settle` are joined by a path of 1 step" in text
    text = ask(shop, "how do Cart and Basket connect").text
    assert "`shop.cart.Cart` and `shop.cart.Basket` are joined by a path of 1 step" in text
