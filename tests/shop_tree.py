"""A small package that tests of the command line and of the benchmark ask about."""

from __future__ import annotations

from collections.abc import Mapping

PACKAGE: Mapping[str, str] = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        '"""A shopping cart."""\n\nfrom shop.prices import price_of\n\nMAX_ITEMS = 99\n\n\n'
        "class Cart:\n"
        '    """Items that a customer is about to buy."""\n\n'
        "    def __init__(self):\n        self.items = []\n\n"
        "    def add(self, item, count=1):\n"
        '        """Add an item, at most MAX_ITEMS of all."""\n'
        "        if len(self.items) + count > MAX_ITEMS:\n"
        '            raise CartFullError("the cart is full")\n'
        "        self.items.extend([item] * count)\n\n"
        "    def total(self):\n"
        '        """Sum of the prices of all items."""\n'
        "        return sum(price_of(item) for item in self.items)\n\n\n"
        "class CartFullError(Exception):\n"
        '    """Too many items."""\n'
    ),
    "shop/prices.py": (
        '"""Prices."""\n\nPRICES = {"apple": 3, "pear": 4}\n\n\n'
        'def price_of(item):\n    """Price of one item in cents."""\n    return PRICES[item]\n'
    ),
}
