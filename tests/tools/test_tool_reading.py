"""Searching and reading: results show lines of files, say which, and page on without loss."""

from __future__ import annotations

import hashlib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from agent.loop.ledger import Ledger
from agent.loop.tree import TreeLines
from agent.session import open_session
from agent.tools.paging import page_of, window
from agent.tools.records import Item, Line, Outcome
from agent.tools.registry import Toolbox
from retrieval.tokens.counter import count_tokens


def test_pages_of_a_file_add_up_to_the_file(shop: Path) -> None:
    lines = [f"value_{n} = {n!r}  # line {n}" for n in range(1, 400)]
    lines[200] = "blob = '" + "many words in one line " * 900 + "'"
    (shop / "long.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with Toolbox(open_session(shop), max_tokens=600) as box:
        arguments, seen = {"path": "long.py"}, dict.fromkeys(range(1, 400), "")
        for _ in range(200):
            result = box.call("read_file", arguments)
            assert not result.is_error
            assert count_tokens(result.text) <= 600
            for row in result.data["results"]:
                seen[row["line"]] += row["text"]
            if result.more is None:
                break
            arguments = result.more
    assert list(seen.values()) == lines


WORDS = st.text(st.sampled_from("abcdef_ .(){}=ö漢"), max_size=120)
ITEMS = st.lists(st.lists(WORDS, min_size=1, max_size=6), max_size=60)


@given(items=ITEMS, max_tokens=st.integers(250, 900), question=WORDS)
def test_pages_hold_every_item_once_in_order_within_the_budget(
    items: list[list[str]], max_tokens: int, question: str
) -> None:
    every = [Item(tuple(map(Line, lines)), at) for at, lines in enumerate(items)]
    arguments: dict[str, object] = {"question": question}
    seen: list[int] = []
    while True:
        offset = int(str(arguments.get("offset", 0)))
        page = page_of(Outcome(("head",), **window(every, offset)), "tool", arguments, max_tokens)
        assert count_tokens(page.text) <= max_tokens
        seen += page.results
        if page.more is None:
            break
        assert page.more["question"] == question
        arguments = page.more
    assert seen == list(range(len(items)))


def test_a_path_with_a_line_behind_it_is_told_how_to_ask(box: Toolbox) -> None:
    assert "path shop/cart.py, first 12" in box.call("read_file", {"path": "shop/cart.py:12"}).text


def test_evidence_is_the_shown_lines_and_knows_when_they_change(box: Toolbox, shop: Path) -> None:
    result = box.call("read_file", {"path": "shop/prices.py", "first": 6, "last": 8})
    (evidence,) = result.evidence
    text = "\n".join((shop / "shop/prices.py").read_text("utf-8").split("\n")[5:8])
    assert evidence == ("shop/prices.py", 6, 8, hashlib.sha256(text.encode()).hexdigest())
    session = open_session(shop)
    ledger = Ledger(TreeLines(lambda: session.reader))
    (taken,) = ledger.add([evidence])
    assert sorted(taken.lines) == [6, 7, 8]
    assert ledger.recheck() == []
    (shop / "shop/prices.py").write_text(text.replace("cents", "euros"), encoding="utf-8")
    assert {change.outcome for change in ledger.recheck()} == {"dropped"}
    assert ledger.shown("shop/prices.py") == ()


def test_lines_of_a_file_that_has_changed_since_are_told_apart(box: Toolbox, shop: Path) -> None:
    call = ("callers", {"symbol": "price_of"})
    assert "changed since" not in box.call(*call).text
    (shop / "shop/cart.py").write_text("# nothing left\n", encoding="utf-8")
    result = box.call(*call)
    assert "note: changed since they were indexed" in result.text
    assert result.data["changed_since_indexed"] == ["shop/cart.py"]
    assert box.call("read_file", {"path": "shop/cart.py"}).text.endswith("1 # nothing left")


def test_search_shows_the_lines_it_ranks(box: Toolbox, shop: Path) -> None:
    result = box.call("search", {"query": "sum of the prices of all items", "k": 2})
    first = result.data["results"][0]
    assert first["path"] == "shop/cart.py"
    source = (shop / "shop/cart.py").read_text("utf-8").split("\n")
    for number in range(first["start_line"], first["end_line"] + 1):
        assert f"{number} {source[number - 1]}" in result.text


def test_a_pack_counts_what_it_lacks(box: Toolbox) -> None:
    result = box.call("pack", {"question": "where is `frobnicate_ledger` defined"})
    assert not result.data["sufficient"]
    assert "frobnicate_ledger" in result.text
