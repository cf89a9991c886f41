"""A small tree and questions about it, for tests of runs and grades."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shop_tree import PACKAGE

FILES: Mapping[str, str] = {
    **PACKAGE,
    "shop/invoice.py": (
        '"""Invoices."""\n\nfrom shop.cart import Cart\n\n\n'
        'def write_invoice(cart: Cart, customer):\n    """The text of an invoice."""\n'
        '    return f"{customer} owes {cart.total()} cents"\n'
    ),
    "tests/test_cart.py": (
        "from shop.cart import Cart\n\n\ndef test_total():\n    cart = Cart()\n    cart.add('apple', 2)\n"
        "    assert cart.total() == 6\n"
    ),
    "docs/guide.md": "# Guide\n\n## Filling a cart\n\nUse `Cart.add`. A cart holds at most 99 items.\n",
}


def question(
    id: str,
    text: str,
    category: str,
    gold: list[dict[str, Any]],
    must: list[str],
    *,
    must_not: list[str] | None = None,
    answerable: bool = True,
    corpus: str = "path:tree",
) -> dict[str, Any]:
    if must_not is None:
        must_not = []

    def facts(phrases: list[str], prefix: str) -> list[dict[str, Any]]:
        return [{"id": f"{prefix}{n}", "text": p, "check": {"any_of": [p]}} for n, p in enumerate(phrases)]

    return {
        "id": id,
        "corpus": corpus,
        "question": text,
        "category": category,
        "difficulty": "easy",
        "answerable": answerable,
        "gold": gold,
        "must": facts(must, "m"),
        "must_not": facts(must_not, "n"),
    }


QUESTIONS = [
    question(
        "q1",
        "Where is `price_of` defined?",
        "symbol-lookup",
        [{"path": "shop/prices.py", "symbol": "price_of"}],
        ["shop/prices.py"],
    ),
    question(
        "q2",
        "Who calls `price_of`?",
        "relationship",
        [{"path": "shop/cart.py", "symbol": "Cart.total"}],
        ["Cart.total"],
    ),
    question(
        "q3", "What does `Cart.add` do?", "explanation", [{"path": "shop/cart.py", "symbol": "Cart.add"}], ["MAX_ITEMS"]
    ),
    question(
        "q4", "How does the Kubernetes ingress rotate TLS certificates?", "unanswerable", [], [], answerable=False
    ),
]


def write_shop(folder: Path, questions: list[dict[str, Any]] = QUESTIONS) -> Path:
    """The tree in ``folder/tree``; returns the question file."""
    for name, text in FILES.items():
        path = folder / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in questions))
    return file


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
