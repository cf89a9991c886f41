"""What each command prints, on a small tree: the promises of the README, in text and in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from shop_tree import PACKAGE

from retrieval.compile.schema import pack_schema

TREE = {
    **PACKAGE,
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    cart = Cart()\n    cart.add('apple', 2)\n    assert cart.total() == 6\n",
    "docs/guide.md": "# Guide\n\n## Filling a cart\n\nUse `Cart.add`. A cart holds at most 99 items.\n",
    "settings.toml": '[shop]\ncurrency = "EUR"\nmax_items = 99\n',
}

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shop(write_tree: Callable[..., Path]) -> Path:
    return write_tree(TREE)


def test_index_says_what_it_did_and_what_it_left_out(run: Run, shop: Path) -> None:
    (shop / "logo.txt").write_bytes(b"\0\1\2\3" * 50)
    (shop / ".env").write_text("TOKEN=abc\n")
    code, out, _ = run("index", shop, "-v")
    assert code == 0
    assert re.search(r"Indexed .* in \d", out)
    assert "binary" in out
    assert "logo.txt" in out
    assert "secret" in out
    code, out, _ = run("index", shop, "--json")
    report = json.loads(out)
    assert report["mode"] == "unchanged"
    assert report["counts"]["files"] == len(TREE)
    assert report["skipped_by_reason"]["binary"] == 1


def test_search_prints_places_symbols_scores_and_legs(run: Run, shop: Path) -> None:
    code, out, _ = run("search", "add an item to the cart", "--root", shop, "-q")
    assert code == 0
    assert re.search(r"shop/cart\.py:14-18\s+Cart\.add\s+\d+\.\d+\s+\[.*lexical #\d+", out) or "shop/cart.py" in out
    _, out, _ = run("search", "add an item to the cart", "--root", shop, "--json", "-k", 3)
    results = json.loads(out)["results"]
    assert 0 < len(results) <= 3
    assert {"path", "start_line", "end_line", "symbol", "score", "legs"} <= set(results[0])
    assert [r["score"] for r in results] == sorted((r["score"] for r in results), reverse=True)


def test_path_filters_include_and_exclude(run: Run, shop: Path) -> None:
    _, out, _ = run("search", "cart", "--root", shop, "--json", "--path", "tests/")
    assert {r["path"] for r in json.loads(out)["results"]} == {"tests/test_cart.py"}
    _, out, _ = run("search", "cart", "--root", shop, "--json", "--path", "!tests/", "--path", "!*.md")
    paths = {r["path"] for r in json.loads(out)["results"]}
    assert paths
    assert not any(path.startswith("tests/") or path.endswith(".md") for path in paths)


def test_pack_shows_numbered_lines_of_the_file(run: Run, shop: Path) -> None:
    code, out, _ = run("pack", "what does Cart.add do", "--root", shop, "-q")
    assert code == 0
    assert re.search(r"^\[1\] shop/cart\.py:\d+-\d+ ", out, re.M)
    lines = (shop / "shop/cart.py").read_text().split("\n")
    shown = [(int(n), text) for n, text in re.findall(r"^(\d+) (.*)$", out.split("[2]")[0], re.M)]
    assert shown
    assert all(lines[number - 1] == text for number, text in shown)
    assert "tokens" in out


def test_pack_json_validates_and_is_the_same_twice(run: Run, shop: Path) -> None:
    _, first, _ = run("pack", "how is the total computed", "--root", shop, "--json", "-q")
    _, second, _ = run("pack", "how is the total computed", "--root", shop, "--json", "-q")
    assert first == second
    pack = json.loads(first)
    jsonschema.validate(pack, pack_schema())
    assert pack["total_tokens"] <= pack["budget"]
    assert all(chunk["legs"] and chunk["sha256"] for chunk in pack["chunks"])


def test_explain_names_every_stage(run: Run, shop: Path) -> None:
    _, out, _ = run("pack", "how is the total computed", "--root", shop, "--explain", "--budget", 120, "-q")
    assert "budgeter" in out
    assert "dropped" in out or "demoted" in out or "sliced" in out


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("where is Cart defined", "shop/cart.py:8"),
        ("who calls price_of", "shop/cart.py"),
        ("which tests cover Cart.total", "tests/test_cart.py"),
        ("where is CartFullError raised", "shop/cart.py"),
        ("what breaks if price_of changes", "Cart.total"),
    ],
)
def test_ask_answers_with_citations_that_resolve(run: Run, shop: Path, question: str, expected: str) -> None:
    code, out, _ = run("ask", question, "--root", shop, "-q")
    assert code == 0
    assert expected in out
    cited = set(re.findall(r"\[(\d+)(?::[\d-]+)?\]", out.split("\n\n[")[0]))
    listed = dict(re.findall(r"^\[(\d+)\] (\S+?):", out, re.M))
    assert cited
    assert cited <= set(listed)
    assert all((shop / path).is_file() for path in listed.values())


def test_ask_abstains_on_what_is_not_there(run: Run, shop: Path) -> None:
    _, out, _ = run(
        "ask", "how does the Kubernetes ingress controller rotate certificates", "--root", shop, "--json", "-q"
    )
    assert json.loads(out)["abstained"] is True
    _, out, _ = run("ask", "what does `Cart.explode` do", "--root", shop, "--json", "-q")
    answer = json.loads(out)
    assert answer["abstained"] is True
    assert "explode" in out


def test_asking_after_an_edit_sees_the_edit(run: Run, shop: Path) -> None:
    run("index", shop, "-q")
    path = shop / "shop/prices.py"
    path.write_text(path.read_text() + "\n\ndef discount_of(item):\n    return 1\n")
    _, out, _ = run("ask", "where is discount_of", "--root", shop, "-q")
    assert "shop/prices.py:11" in out


def test_without_an_update_stale_evidence_is_reported_and_strict_refuses(run: Run, shop: Path) -> None:
    run("index", shop, "-q")
    path = shop / "shop/prices.py"
    path.write_text("# moved\n\n" + path.read_text())
    code, out, _ = run("pack", "what does price_of do", "--root", shop, "--no-update", "-q")
    assert code == 0
    assert "stale" in out
    code, out, _ = run("ask", "what does price_of do", "--root", shop, "--no-update", "-q")
    assert code == 0
    assert "stale" in out
    code, out, _ = run("ask", "what does price_of do", "--root", shop, "--no-update", "--strict", "-q")
    assert code == 3
    assert "stale" in out
    assert run("ask", "what does price_of do", "--root", shop, "--strict", "-q")[0] == 0


def test_status_tells_what_changed(run: Run, shop: Path) -> None:
    _, out, _ = run("status", shop)
    assert "no index" in out
    run("index", shop, "-q")
    _, out, _ = run("status", shop, "--json")
    status = json.loads(out)
    assert status["current"] is True
    assert status["vectors"]["engine"] == "exact"
    assert status["vectors"]["reason"]
    (shop / "shop/prices.py").write_text("PRICES = {}\n")
    (shop / "docs/guide.md").unlink()
    _, out, _ = run("status", shop, "--json")
    status = json.loads(out)
    assert status["changed"] == ["shop/prices.py"]
    assert status["removed"] == ["docs/guide.md"]


def test_doctor_finds_a_sound_index_and_a_broken_one(run: Run, shop: Path) -> None:
    run("index", shop, "-q")
    code, out, _ = run("doctor", "--root", shop, "--json")
    assert code == 0, out
    assert json.loads(out)["ok"] is True
    next((shop / ".contextc").glob("vectors-*")).unlink()
    code, out, _ = run("doctor", "--root", shop, "--json")
    assert code == 2
    broken = [check for check in json.loads(out)["checks"] if not check["ok"]]
    assert "--rebuild" in broken[0]["mend"]


def test_a_subfolder_uses_the_index_around_it_and_says_so(run: Run, shop: Path) -> None:
    run("index", shop, "-q")
    code, out, err = run("search", "price", "--root", shop / "shop")
    assert code == 0
    assert "shop/prices.py" in out
    assert "inside the indexed tree" in err
    assert not (shop / "shop/.contextc").exists()


def test_batches_print_one_line_a_question(run: Run, shop: Path, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text(
        '{"id": "a", "query": "cart total", "question": "how is the total computed"}\n{"id": 2, "query": "price", "question": "where is price_of"}\n'
    )
    _, out, _ = run("search", "--batch", batch, "-k", 5, "--root", shop, "-q")
    meta, *rows = map(json.loads, out.splitlines())
    assert "index_s" in meta["meta"]
    assert [row["id"] for row in rows] == ["a", 2]
    assert all(row["results"] and row["ms"] >= 0 for row in rows)
    _, out, _ = run("pack", "--batch", batch, "--budget", 300, "--root", shop, "-q")
    _, *rows = map(json.loads, out.splitlines())
    assert all(row["tokens"] <= 300 for row in rows)
    assert "shop/cart.py" in {chunk["path"] for chunk in rows[0]["chunks"]}
    assert all(start <= end for chunk in rows[0]["chunks"] for start, end in chunk["ranges"])


def test_a_read_only_tree_is_indexed_in_the_users_cache(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import retrieval.index.location as location

    monkeypatch.setattr(location, "_writable", lambda _folder: False)
    code, out, _ = run("search", "price", "--root", shop, "-q")
    assert code == 0
    assert "shop/prices.py" in out
    assert not (shop / ".contextc").exists()


def test_the_bare_program_prints_its_help_line_by_line(run: Run, shop: Path) -> None:
    code, out, err = run()
    assert (code, out) == (2, "")
    assert re.search(r"\n  ask +Answer a question with cited evidence\.\n", err)


def test_an_empty_query_is_answered_with_an_example_of_the_same_command(run: Run, shop: Path) -> None:
    for command in ("search", "pack", "ask"):
        for question in ("", "???"):
            code, _, err = run(command, "--root", shop, question)
            assert code == 2
            assert f'contextc {command} "' in err
            assert not (shop / ".contextc").exists()


def test_one_letter_is_a_query_and_no_question(run: Run, shop: Path) -> None:
    for command in ("pack", "ask"):
        code, _, err = run(command, "--root", shop, "x")
        assert code == 2
        assert "says too little" in err
    assert run("search", "--root", shop, "x")[0] == 0
    assert run("ask", "--root", shop, "類")[0] == 0


def test_first_use_and_an_empty_tree_are_told(run: Run, shop: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert f"First use here: indexing {shop}" in run("search", "--root", shop, "price")[2]
    assert "First use" not in run("search", "--root", shop, "price")[2]
    empty = tmp_path_factory.mktemp("empty")
    assert "Nothing is indexed" in run("ask", "--root", empty, "where is the price")[2]


def test_search_says_when_no_text_holds_the_words(run: Run, shop: Path) -> None:
    run("index", shop)
    assert "no indexed text holds these words" in run("search", "--root", shop, "zzzqqqxyz")[2]
    assert "no indexed text holds these words" not in run("search", "--root", shop, "price of an apple")[2]
    assert "under the --path filters" in run("search", "--root", shop, "--path", "nowhere/**", "price")[2]


def test_a_pack_too_small_for_anything_blames_the_budget_and_counts_in_good_english(run: Run, shop: Path) -> None:
    _, out, _ = run("pack", "--root", shop, "--budget", "3", "what does Cart.add do")
    assert "holds no evidence" in out
    assert "too thin" not in out
    _, out, _ = run("pack", "--root", shop, "--budget", "100", "what does price_of do")
    assert not out.endswith("\n\n")
    assert "\n\n\n" not in out
    assert " 1 files" not in out and not re.search(r"(?m)^1 pieces", out)
