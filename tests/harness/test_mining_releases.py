"""Changelog entries of a release find the functions that it changed, in the lines of the release before."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.mine_releases import aligned, changed_functions, entries, questions
from harness.mine_tree import read_tree

CODE = '''"""A shop."""


class Basket:
    """What is bought."""

    def total_price(self, items):
        """The sum of all prices."""
        total = 0
        for item in items:
            total += item.price
        return total

    def discount_rate(self, customer):
        rate = 0
        if customer.loyal:
            rate = 5
        return rate


def parse_voucher(text):
    code = text.strip()
    if not code:
        raise ValueError("empty voucher")
    return code
'''
OLD_LOG = "Changes\n=======\n\n1.0\n---\n\n- First release of the shop with a basket and with vouchers.\n"
NEW_LOG = """Changes
=======

1.1
---

- Vouchers: `parse_voucher` ignores the case of the code that a customer
  types (#12).
- The discount rate of loyal customers is read from the settings, thanks to
  a contributor.
- Fixed.

1.0
---

- First release of the **shop** with a basket and with vouchers.
"""


@pytest.fixture
def releases(tmp_path: Path) -> tuple[Path, Path]:
    new = CODE.replace("code = text.strip()", "code = text.strip().lower()").replace(
        "rate = 5", "rate = SETTINGS.loyal"
    )
    new = new.replace("The sum of all prices.", "The sum of the prices of all items.")
    for name, code, log in (("shop-1.0", CODE, OLD_LOG), ("shop-1.1", new, NEW_LOG)):
        folder = tmp_path / name
        (folder / "tests").mkdir(parents=True)
        (folder / "shop.py").write_text(code)
        (folder / "tests" / "test_shop.py").write_text(code.replace("parse_voucher", "test_voucher"))
        (folder / "CHANGES.rst").write_text(log)
    return tmp_path / "shop-1.0", tmp_path / "shop-1.1"


def test_only_new_entries_that_say_something_are_questions(releases: tuple[Path, Path]) -> None:
    found = entries(*map(read_tree, releases))
    assert len(found) == 2
    assert found[0].startswith("Vouchers: parse voucher ignores the case") and "#12" not in found[0]


def test_changed_functions_leave_out_tests_and_docstrings(releases: tuple[Path, Path]) -> None:
    changed = changed_functions(*map(read_tree, releases))
    assert [(each.definition.path, each.definition.name) for each in changed] == [
        ("shop.py", "parse_voucher"),
        ("shop.py", "discount_rate"),
    ]
    assert changed[0].lines == frozenset(range(21, 26))


def test_each_entry_meets_the_function_it_speaks_of(releases: tuple[Path, Path]) -> None:
    old, new = map(read_tree, releases)
    found = {
        text.split()[0]: [c.definition.name for c in about]
        for text, about in aligned(entries(old, new), changed_functions(old, new))
    }
    assert found == {"Vouchers:": ["parse_voucher"], "The": ["discount_rate"]}


def test_rows_are_about_the_old_tree(releases: tuple[Path, Path]) -> None:
    rows = questions(*releases)
    assert [row["sdist"] for row in rows] == ["shop==1.0"] * 2
    assert rows[0]["gold"] == [{"path": "shop.py", "ranges": [[21, 25]]}]
    assert questions(releases[0], releases[0]) == []
