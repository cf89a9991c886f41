"""The small tree that the tests of search index."""

from __future__ import annotations

from pathlib import Path

TREE = {
    "shop/__init__.py": '"""A shop."""\n',
    "shop/cart.py": '''"""The cart of a customer."""

from shop.pricing import total_price
from shop.errors import EmptyCartError


class ShoppingCart:
    """Holds items until checkout."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def add_item(self, item: int) -> None:
        """Put an item into the cart."""
        self.items.append(item)

    def checkout(self) -> int:
        """Pay for everything in the cart."""
        if not self.items:
            raise EmptyCartError("the cart holds nothing to pay for")
        return total_price(self.items)
''',
    "shop/pricing.py": '''"""Prices, discounts and taxes."""

TAX_RATE = 0.2


def apply_discount(price: int) -> int:
    """Lower the price for loyal customers."""
    return price - price // 10


def total_price(items: list[int]) -> int:
    """Sum of the discounted prices of all items with tax."""
    return int(sum(apply_discount(i) for i in items) * (1 + TAX_RATE))
''',
    "shop/errors.py": '''"""Errors."""


class EmptyCartError(Exception):
    """Nothing to pay for."""
''',
    "shop/report.py": '''"""Monthly reports."""

from shop.pricing import total_price


def monthly_report(orders: list[list[int]]) -> list[int]:
    """Totals of all orders of a month."""
    return [total_price(order) for order in orders]
''',
    "shop/legacy/pricing.py": '''"""Old prices."""


def total_price_v1(items: list[int]) -> int:
    """Sum of the discounted prices of all items with tax, as it was."""
    return sum(items)
''',
    "tests/test_pricing.py": '''"""Tests of prices, discounts and taxes."""

from shop.pricing import apply_discount, total_price


def test_total_price_of_all_items_with_discount_and_tax() -> None:
    assert total_price([10, 20]) == 32


def test_apply_discount_lowers_the_price() -> None:
    assert apply_discount(10) == 9


def test_total_price_of_nothing() -> None:
    assert total_price([]) == 0
''',
    "docs/pricing.rst": """Pricing
=======

How the total price of all items is computed with discount and tax.
""",
}


def write_tree(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
