"""One toolbox, many threads; an index that moves on; a call that is given up."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from agent.session import open_session
from agent.tools import grep as grep_module
from agent.tools.cancel import Cancellation
from agent.tools.registry import Toolbox
from retrieval.context_ir.vault import Exposure, Vault
from retrieval.index.build import update_index


def test_calls_of_many_threads_are_answered_as_one_by_one(shop: Path) -> None:
    for number in range(60):
        (shop / f"shop/item_{number}.py").write_text(f"def only_{number}():\n    return {number}\n", encoding="utf-8")
    calls = [("find_symbol", {"name": f"only_{n}"}) for n in range(60)]
    calls += [("read_file", {"path": f"shop/item_{n}.py"}) for n in range(60)]
    calls += [("callers", {"symbol": f"only_{n}"}) for n in range(60)]
    calls += [("search", {"query": f"only_{n}", "k": 2}) for n in range(30)]
    with Toolbox(open_session(shop)) as box:
        expected = [box.call(*call) for call in calls]
        with ThreadPoolExecutor(16) as threads:
            found = list(threads.map(lambda call: box.call(*call), calls * 2))
    assert found == expected * 2
    assert not any(result.is_error for result in expected)


def test_the_toolbox_sees_a_new_generation_and_a_new_build(shop: Path) -> None:
    session = open_session(shop)
    with Toolbox(session) as box:
        assert box.call("callers", {"symbol": "brand_new"}).is_error
        (shop / "shop/new.py").write_text("def brand_new():\n    return 1\n\n\nbrand_new()\n", encoding="utf-8")
        update_index(session.location)
        assert box.call("callers", {"symbol": "brand_new"}).data["answers"][0]["total"] == 1
        (shop / "shop/new.py").unlink()
        update_index(session.location, rebuild=True)
        assert box.call("callers", {"symbol": "brand_new"}).is_error
        assert not box.call("find_symbol", {"name": "Cart"}).is_error


def test_without_its_index_every_call_is_an_error_until_it_is_back(shop: Path) -> None:
    session = open_session(shop)
    with Toolbox(session) as box:
        assert not box.call("find_symbol", {"name": "Cart"}).is_error
        aside = shop.parent / "aside"
        session.location.index_dir.rename(aside)
        result = box.call("find_symbol", {"name": "Cart"})
        assert result.is_error
        assert "contextc index" in result.text
        aside.rename(session.location.index_dir)
        assert not box.call("find_symbol", {"name": "Cart"}).is_error


def test_a_cancelled_call_ends_and_the_next_one_works(box: Toolbox, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    cancellation, inside = Cancellation(), threading.Event()
    matches = grep_module._matches

    def slow(*arguments):  # type: ignore[no-untyped-def]
        inside.set()
        time.sleep(0.05)
        return matches(*arguments)

    monkeypatch.setattr(grep_module, "_matches", slow)
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(box.call, "grep", {"pattern": "x"}, cancellation)
        inside.wait()
        cancellation.cancel()
        result = future.result()
    assert result.is_error
    assert "cancelled" in result.text
    assert box.call("grep", {"pattern": "x"}, cancellation).is_error
    assert not box.call("grep", {"pattern": "x"}).is_error


def test_artifacts_are_read_page_by_page(shop: Path) -> None:
    session = open_session(shop)
    token = "ghp_" + "z9Y8x7W6v5U4" * 3
    text = "\n".join(f"record {n}: value {n * n}" for n in range(900)) + f"\n{token}\n"
    with Toolbox(session, max_tokens=700) as box:
        assert "no artifacts" in box.call("artifact_find", {"query": "record"}).text
        with Vault(session.location.index_dir / "vault.sqlite") as vault:
            (name,) = vault.publish([Exposure(text, 1, "tool", "lines")])
        read, arguments = "", {"artifact_id": name}
        while arguments is not None:
            result = box.call("artifact_get", arguments)
            read += result.data["text"]
            arguments = result.more
        assert read == text.replace(token, "[REDACTED:github-token]")
        assert box.call("artifact_peek", {"artifact_id": name}).data["chars"] == len(text)
        hits = box.call("artifact_find", {"query": "RECORD 7:"}).data["results"]
        assert [text[hit["offset"] :][:9] for hit in hits] == ["record 7:"]
        assert box.call("artifact_get", {"artifact_id": "a_000000000000"}).is_error


def test_calls_go_on_while_the_index_is_built_anew(shop: Path) -> None:
    session = open_session(shop)
    stop = threading.Event()

    def ask(box: Toolbox) -> list[str]:
        wrong = []
        while not stop.is_set():
            for call in (("callers", {"symbol": "price_of"}), ("search", {"query": "cart", "k": 2})):
                result = box.call(*call)
                if result.is_error or "shop/cart.py" not in result.text:
                    wrong.append(result.text)
        return wrong

    with Toolbox(session) as box, ThreadPoolExecutor(4) as threads:
        asking = [threads.submit(ask, box) for _ in range(4)]
        for _ in range(4):
            update_index(session.location, rebuild=True, workers=1)
        stop.set()
        assert [each.result() for each in asking] == [[]] * 4
