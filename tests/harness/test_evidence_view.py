"""What a tier's answerer may know: the pack's lines and nothing beside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench_shop import write_shop

from agent.answer.offline import answer
from agent.session import Session, open_session
from harness.tiers.concatenate import Ranked, as_pack, take
from harness.tiers.evidence_graph import EvidenceGraph
from harness.tiers.evidence_reader import EvidenceReader
from harness.tiers.protocol import TierOptions
from harness.tiers.redacted import RedactedSource
from harness.tiers.registry import TIERS, open_tier
from retrieval.compile.planner import plan
from retrieval.compile.render import render_pack
from retrieval.pack_records import ContextPack
from retrieval.records import EdgeKind
from retrieval.tokens.counter import count_tokens


@pytest.fixture
def shop(tmp_path: Path) -> Session:
    write_shop(tmp_path)
    return open_session(tmp_path / "tree")


def pack_of(session: Session, question: str, *places: tuple[str, int, int]) -> ContextPack:
    source = RedactedSource(session.reader)
    ranked = [Ranked(path, start, end, 1.0, ()) for path, start, end in places]
    return as_pack(session.plan(question), take(ranked, source, 4000), source, budget=4000, reserve=0, strength=1.0)


def line_of(session: Session, path: str, text: str) -> int:
    return next(n for n, line in enumerate(session.reader.file_text(path).lines, start=1) if text in line)


def view(session: Session, pack: ContextPack) -> tuple[EvidenceReader, EvidenceGraph]:
    reader = EvidenceReader(pack, session.reader)
    return reader, EvidenceGraph(session.graph, reader)


def test_lines_that_are_not_shown_have_no_text(shop: Session) -> None:
    pack = pack_of(shop, "prices", ("shop/prices.py", 6, 7))
    reader, _ = view(shop, pack)
    lines = reader.file_text("shop/prices.py").lines
    assert [n for n, line in enumerate(lines, start=1) if line] == [6, 7]
    with pytest.raises(KeyError):
        reader.file_text("shop/cart.py")


def test_a_definition_exists_when_its_def_line_is_shown(shop: Session) -> None:
    at = line_of(shop, "shop/cart.py", "def total")
    shown, _ = view(shop, pack_of(shop, "total", ("shop/cart.py", at, at + 2)))
    assert [row.symbol.qualname for row in shown.symbols_named("total")] == ["shop.cart.Cart.total"]
    assert shown.symbols_named("add") == ()
    assert shown.similar_names("totl") == ()
    body, _ = view(shop, pack_of(shop, "total", ("shop/cart.py", at + 1, at + 2)))
    assert body.symbol("shop.cart.Cart.total") is None


def test_a_docstring_is_known_as_far_as_it_is_shown(shop: Session) -> None:
    at = line_of(shop, "shop/cart.py", "def total")
    with_doc, _ = view(shop, pack_of(shop, "total", ("shop/cart.py", at, at + 1)))
    without, _ = view(shop, pack_of(shop, "total", ("shop/cart.py", at, at)))
    row, bare = with_doc.symbol("shop.cart.Cart.total"), without.symbol("shop.cart.Cart.total")
    assert row is not None
    assert bare is not None
    assert row.symbol.doc == "Sum of the prices of all items."
    assert bare.symbol.doc == ""


def test_a_header_names_the_class_around_a_method(shop: Session) -> None:
    """``Cart.total`` in a header says what ``class Cart:``, which is not shown, would say; a bare window does not."""
    question = "Who calls `price_of`?"
    for key, name in (("2", "`Cart.total` calls it"), ("1", "`total` calls it")):
        pack = pack_of(shop, question, ("shop/prices.py", 6, 8))
        at = line_of(shop, "shop/cart.py", "def total")
        named = ("Cart.total", "shop.cart.Cart.total") if key == "2" else ("", "")
        ranked = [Ranked("shop/cart.py", at, at + 2, 1.0, (), *named), Ranked("shop/prices.py", 6, 8, 1.0, ())]
        source = RedactedSource(shop.reader)
        pack = as_pack(shop.plan(question), take(ranked, source, 4000), source, budget=4000, reserve=0, strength=1.0)
        reader, graph = view(shop, pack)
        assert name in answer(replace(pack, plan=plan(question, reader)), reader, graph).text


def test_an_edge_holds_when_its_line_is_shown(shop: Session) -> None:
    at = line_of(shop, "shop/cart.py", "def total")
    target = "shop.prices.price_of"
    _, all_shown = view(shop, pack_of(shop, "q", ("shop/cart.py", at, at + 2), ("shop/prices.py", 6, 8)))
    assert [edge.src for edge in all_shown.edges_into(target, (EdgeKind.CALL,))] == ["shop.cart.Cart.total"]
    assert [each.qualname for each in all_shown.impact(target, 3, 50)] == ["shop.cart.Cart.total"]
    _, without_call = view(shop, pack_of(shop, "q", ("shop/cart.py", at, at + 1), ("shop/prices.py", 6, 8)))
    assert without_call.edges_into(target, (EdgeKind.CALL,)) == ()
    assert without_call.impact(target, 3, 50) == ()


def test_paths_and_tests_are_found_over_shown_edges_only(shop: Session) -> None:
    total = line_of(shop, "shop/cart.py", "def total")
    invoice = line_of(shop, "shop/invoice.py", "def write_invoice")
    places = [
        ("shop/cart.py", total, total + 2),
        ("shop/invoice.py", invoice, invoice + 2),
        ("tests/test_cart.py", 4, 7),
    ]
    _, graph = view(shop, pack_of(shop, "q", *places))
    path = graph.path_between("shop.invoice.write_invoice", "shop.prices.price_of")
    assert [edge.dst for edge in path] == ["shop.cart.Cart.total", "shop.prices.price_of"]
    assert [each.qualname for each in graph.tests_for("shop.cart.Cart.total", 10)] == ["tests.test_cart.test_total"]
    _, less = view(shop, pack_of(shop, "q", *places[1:]))
    assert less.path_between("shop.invoice.write_invoice", "shop.prices.price_of") == ()


@pytest.mark.parametrize(
    "question", ["Who calls `price_of`?", "What breaks if `price_of` changes?", "What does Cart do?"]
)
def test_the_answer_does_not_depend_on_what_the_pack_does_not_show(tmp_path: Path, question: str) -> None:
    """The same lines shown out of two different trees give the same answer."""
    texts = []
    for nth in range(2):
        folder = tmp_path / str(nth)
        write_shop(folder)
        if nth:
            (folder / "tree/shop/extra.py").write_text(
                "from shop.prices import price_of\n\n\ndef another():\n    return price_of('pear')\n"
            )
            prices = folder / "tree/shop/prices.py"
            prices.write_text(prices.read_text() + "\n\ndef price_of_all():\n    return price_of('all')\n")
        session = open_session(folder / "tree")
        at = line_of(session, "shop/cart.py", "def total")
        pack = pack_of(session, question, ("shop/cart.py", at, at + 2), ("shop/prices.py", 6, 8))
        reader, graph = view(session, pack)
        texts.append(answer(replace(pack, plan=plan(question, reader)), reader, graph).text)
    assert texts[0] == texts[1]


@pytest.mark.parametrize("key", list(TIERS))
@pytest.mark.parametrize("budget", [60, 150, 1000])
def test_every_tier_keeps_its_budget_and_repeats_itself(shop: Session, key: str, budget: int) -> None:
    tier = open_tier(key, shop, TierOptions(budget=budget))
    pack = tier.context("How is the total of a cart computed from prices?")
    assert count_tokens(render_pack(pack)) <= budget
    assert pack == tier.context("How is the total of a cart computed from prices?")
    for chunk in pack.chunks:
        lines = shop.reader.file_text(chunk.path).lines
        numbers = [n for first, last in chunk.ranges for n in range(first, last + 1)]
        assert chunk.source == "\n".join(lines[n - 1] for n in numbers)


def test_secrets_are_redacted_even_when_a_window_cuts_them(tmp_path: Path) -> None:
    body = "\n".join("MIIEpAIBAAKCAQEA" + str(n) * 40 for n in range(9))
    text = f'KEY = """-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"""\n'
    (tmp_path / "keys.py").write_text(text)
    session = open_session(tmp_path)
    pack = pack_of(session, "key", ("keys.py", 4, 6))
    assert "MIIEpAIBAAKCAQEA" not in render_pack(pack)
    assert pack.redactions == 1


def test_a_first_piece_that_is_too_large_is_cut_and_told(shop: Session) -> None:
    source = RedactedSource(shop.reader)
    chunks = take([Ranked("shop/cart.py", 1, 26, 1.0, ())], source, 80)
    assert len(chunks) == 1
    assert chunks[0].tokens <= 80
    assert chunks[0].ranges[0][0] == 1
    pack = as_pack(shop.plan("cart"), chunks, source, budget=80, reserve=0, strength=1.0)
    assert "cut" in pack.warnings[0]


def test_special_tokens_in_a_file_are_counted_as_text(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('END = "<|endoftext|>"\n\n\ndef stop(text):\n    return text.endswith(END)\n')
    session = open_session(tmp_path)
    for key in TIERS:
        pack = open_tier(key, session, TierOptions(budget=400)).context("Where is the text compared with END?")
        assert 0 < count_tokens(render_pack(pack)) <= pack.total_tokens <= 400, key
