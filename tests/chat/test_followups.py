"""What a follow-up is read as."""

from __future__ import annotations

import pytest

from agent.chat.followups import follow_up
from agent.chat.records import Topic

TOPIC = Topic("who calls Cart.total", "shop.cart.Cart.total", "Cart.total", ("shop.prices.price_of", "shop.cart.Cart"))
S = "`shop.cart.Cart.total`"
NAMES = ("Cart", "price_of", "Cart.add", "MAX_ITEMS")


def names(text: str) -> tuple[str, ...]:
    return tuple(name for name in NAMES if name in text.replace("`", " ").replace("?", " ").split())


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("and who calls it?", f"who calls {S}?"),
        ("who calls it", f"who calls {S}"),
        ("And what does it call?", f"what does {S} call?"),
        ("what breaks if it changes?", f"what breaks if {S} changes?"),
        ("where is that defined?", f"where is {S} defined?"),
        ("how does this work?", f"how does {S} work?"),
        ("which tests cover this function?", f"which tests cover {S}?"),
        ("what are its arguments when called with two items in the cart?", None),
        ("so, is that function tested?", f"is {S} tested?"),
        ("and the tests?", f"which tests cover {S}?"),
        ("tests?", f"which tests cover {S}?"),
        ("what about tests", f"which tests cover {S}?"),
        ("the callers", f"who calls {S}?"),
        ("its callers?", f"who calls {S}?"),
        ("who uses?", f"who calls {S}?"),
        ("dependencies?", f"what does {S} call?"),
        ("and the impact?", f"what breaks if {S} changes?"),
        ("what would break?", f"what breaks if {S} changes?"),
        ("where?", f"where is {S} defined?"),
        ("tell me more", f"how does {S} work?"),
        ("which tests cover its callers?", f"which tests cover {S}’s callers?"),
        ("which tests cover them?", "which tests cover `shop.prices.price_of` and `shop.cart.Cart`?"),
        ("who calls them?", "who calls `shop.prices.price_of` and `shop.cart.Cart`?"),
        ("where are those functions defined?", "where are `shop.prices.price_of` and `shop.cart.Cart` defined?"),
        ("what about Cart.add?", "who calls Cart.add"),
        ("and `Cart.add`?", "who calls Cart.add"),
    ],
)
def test_a_follow_up_becomes_a_whole_question_and_says_so(said: str, read: str | None):
    found = follow_up(said, TOPIC, names)
    if read is None:
        assert S in found.question
    else:
        assert found.question == read
    assert found.told.startswith(f"read as: {found.question}")


@pytest.mark.parametrize(
    "said",
    [
        "who calls price_of?",
        "how does price_of use it?",
        "is it possible to run the tests in parallel?",
        "does Cart know its items?",
        "where is the documentation of the command line?",
        "which files hold the configuration of the whole shop",
        "how are prices rounded",
        "how do blueprints register their routes?",
        "what do carts do when they are full?",
        "what does a view do with its arguments?",
        "the committee",
        "unit",
        "",
        "?" * 500,
        "it" * 500,
    ],
)
def test_a_question_that_stands_alone_stays_as_it_is(said: str):
    assert follow_up(said, TOPIC, names).question == said
    assert follow_up(said, TOPIC, names).told == ""


def test_without_a_topic_nothing_is_resolved():
    assert follow_up("and who calls it?", None, names).question == "and who calls it?"


def test_it_is_linear():
    follow_up("and " * 20_000 + "it", TOPIC, names)
    follow_up("what about " + "the " * 20_000, TOPIC, names)
    follow_up("it is " * 20_000, TOPIC, names)
