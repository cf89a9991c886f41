"""contextc mcp over standard input and output, spoken to by the SDK's client."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp_process import command, connected, environment, run, text_of
from mcp_types import PromptReference, ResourceTemplateReference
from shop_tree import PACKAGE

from agent.session import open_session
from agent.tools.registry import Toolbox, tools


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop-tree"
    for name, text in {**PACKAGE, ".env": "PASSWORD=CANARY-secret\n"}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_a_client_lists_and_calls_on_a_root_that_was_never_indexed(shop: Path, tmp_path: Path) -> None:
    async def test() -> None:
        with (tmp_path / "log").open("w") as log:
            async with connected(shop, "-v", log=log, mode="legacy") as client:
                assert client.server_info is not None and client.server_info.name == "contextc"
                listed = (await client.list_tools()).tools
                assert [(each.name, each.input_schema) for each in listed] == [
                    (tool.name, dict(tool.parameters)) for tool in tools()
                ]
                assert all(each.annotations and each.annotations.read_only_hint for each in listed)
                found = await client.call_tool("callers", {"symbol": "price_of"})
                assert not found.is_error
                with Toolbox(open_session(shop)) as box:
                    expected = box.call("callers", {"symbol": "price_of"})
                assert text_of(found) == expected.text
                assert found.meta is not None
                assert found.meta["contextc/evidence"] == [each._asdict() for each in expected.evidence]
                wrong = await client.call_tool("callers", {"symbol": 5})
                assert wrong.is_error
                assert "symbol is 5" in text_of(wrong)
        assert "index built" in (tmp_path / "log").read_text()

    run(test)


def test_resources_and_prompts(shop: Path) -> None:
    async def test() -> None:
        async with connected(shop) as client:
            listed = [each.uri for each in (await client.list_resources()).resources]
            assert listed == [
                "contextc://file/shop/__init__.py",
                "contextc://file/shop/cart.py",
                "contextc://file/shop/prices.py",
            ]
            read = await client.read_resource("contextc://file/shop/prices.py")
            assert read.contents[0].text == PACKAGE["shop/prices.py"]  # type: ignore[union-attr]
            part = await client.read_resource("contextc://file/shop/prices.py#L6-L7")
            assert part.contents[0].text.startswith("def price_of(item):\n")  # type: ignore[union-attr]
            pack = await client.read_resource("contextc://pack/what%20does%20price_of%20do%3F")
            assert "shop/prices.py:" in pack.contents[0].text  # type: ignore[union-attr]
            for uri in (
                "contextc://file/.env", "contextc://file/..%2f..%2fetc/passwd", "contextc://file/%2e%2e/x", "contextc://file//etc/passwd",
                "contextc://file/shop%00/cart.py", "contextc://file/shop/cart.py#L1;L2", "contextc://file/%ff", "contextc://pack/", "file:///etc/passwd",
                "contextc://other/x", "contextc://file/" + "a/" * 5_000,
            ):  # fmt: skip
                with pytest.raises(MCPError) as error:
                    await client.read_resource(uri)
                assert "CANARY" not in str(error.value) and "root:" not in str(error.value)
            templates = (await client.list_resource_templates()).resource_templates
            assert {each.name for each in templates} == {"file", "pack"}
            prompts = (await client.list_prompts()).prompts
            assert {each.name for each in prompts} == {
                "explain",
                "who_calls",
                "what_breaks",
                "tests_for",
                "debug_traceback",
            }
            asked = {
                "explain": "price_of",
                "debug_traceback": 'File "shop/cart.py", line 19, in add\nCartFullError: the cart is full',
            }
            for each in prompts:
                (argument,) = each.arguments or []
                got = await client.get_prompt(each.name, {argument.name: asked.get(each.name, "price_of")})
                text = got.messages[0].content.text  # type: ignore[union-attr]
                assert "=== EVIDENCE" in text and "shop/" in text, each.name
                with pytest.raises(MCPError):
                    await client.get_prompt(each.name, {argument.name: "?"})
            with pytest.raises(MCPError):
                await client.get_prompt("no_such_prompt", {})

            async def offered(ref: PromptReference | ResourceTemplateReference, name: str, value: str) -> list[str]:
                return (await client.complete(ref, {"name": name, "value": value})).completion.values

            who_calls, file = (
                PromptReference(name="who_calls"),
                ResourceTemplateReference(uri="contextc://file/{+path}"),
            )
            assert await offered(who_calls, "symbol", "Car") == ["Cart", "CartFullError"]
            assert await offered(who_calls, "symbol", "shop.cart.Cart.t") == ["shop.cart.Cart.total"]
            assert await offered(who_calls, "symbol", "%") == []
            assert await offered(file, "path", "pri") == ["shop/prices.py"]
            assert await offered(file, "path", ".env") == []

    run(test)


def test_the_tree_changes_in_mid_session(shop: Path) -> None:
    async def test() -> None:
        async with connected(shop) as client:

            async def names(name: str) -> list[str]:
                found = await client.call_tool("find_symbol", {"name": name})
                return [line.split()[0] for line in text_of(found).split("\n")[1:] if line.startswith("shop.")]

            assert await names("refund") == []
            (shop / "shop/refunds.py").write_text("def refund():\n    return 0\n", encoding="utf-8")
            assert await names("refund") == ["shop.refunds.refund"]
            (shop / "shop/refunds.py").rename(shop / "shop/returns.py")
            assert await names("refund") == ["shop.returns.refund"]
            changed = "\n\n" + PACKAGE["shop/prices.py"]
            (shop / "shop/prices.py").write_text(changed, encoding="utf-8")
            assert "shop/prices.py:8" in text_of(await client.call_tool("callers", {"symbol": "price_of"}))
            (shop / "shop/returns.py").unlink()
            assert await names("refund") == []

    run(test)


def test_a_hundred_calls_at_once_are_not_crossed(shop: Path) -> None:
    for number in range(100):
        (shop / f"shop/item_{number}.py").write_text(f"def only_{number}():\n    return {number}\n", encoding="utf-8")

    async def test() -> None:
        async with connected(shop) as client:
            answers: dict[int, str] = {}

            async def ask(number: int) -> None:
                name, arguments = [
                    ("find_symbol", {"name": f"only_{number}"}),
                    ("read_file", {"path": f"shop/item_{number}.py"}),
                    ("grep", {"pattern": f"only_{number}\\("}),
                    ("callers", {"symbol": f"only_{number}"}),
                ][number % 4]
                answers[number] = text_of(await client.call_tool(name, arguments))

            async with anyio.create_task_group() as group:
                for number in range(100):
                    group.start_soon(ask, number)
            assert sorted(answers) == list(range(100))
            for number, text in answers.items():
                assert f"item_{number}." in text, text
                assert not any(f"item_{other}." in text for other in range(100) if other != number)

    run(test)


def test_a_cancelled_call_leaves_the_session_working(shop: Path) -> None:
    for number in range(100):
        (shop / f"shop/item_{number}.py").write_text(
            f"def only_{number}():\n    return {number}\n" * 20, encoding="utf-8"
        )

    async def test() -> None:
        async with connected(shop) as client:
            await client.call_tool("find_symbol", {"name": "Cart"})
            for _ in range(10):
                with anyio.move_on_after(0.002) as scope:
                    await client.call_tool("grep", {"pattern": "(a|b|c)*x?(return|def).*[0-9]$"})
                assert scope.cancelled_caught
            assert "shop.cart.Cart" in text_of(await client.call_tool("find_symbol", {"name": "Cart"}))

    run(test)


class Raw:
    """The server's process, spoken to line by line."""

    def __init__(self, root: Path) -> None:
        self.process = subprocess.Popen(
            command("--root", root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        self.send({"method": "initialize", "id": 0, "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"},
        }})  # fmt: skip
        assert self.receive()["id"] == 0
        self.send({"method": "notifications/initialized"})

    def send(self, message: Mapping[str, Any] | str) -> None:
        assert self.process.stdin is not None
        line = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def call(self, number: int, name: str, arguments: Mapping[str, Any]) -> None:
        self.send({"method": "tools/call", "id": number, "params": {"name": name, "arguments": arguments}})

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


def test_cancelled_requests_are_not_answered_and_the_next_one_is(shop: Path) -> None:
    raw = Raw(shop)
    raw.call(1, "find_symbol", {"name": "Cart"})
    assert raw.receive()["id"] == 1
    lines = []
    for number in range(
        100, 200
    ):  # each followed by its cancellation, in one write: it comes before any answer is made
        arguments = {"name": "pack", "arguments": {"question": f"what does the cart do {number}"}}
        lines.append({"id": number, "method": "tools/call", "params": arguments})
        lines.append({"method": "notifications/cancelled", "params": {"requestId": number}})
    raw.send("\n".join(json.dumps({"jsonrpc": "2.0", **line}) for line in lines))
    raw.call(2, "find_symbol", {"name": "Cart"})
    answered = []
    while 2 not in answered:
        answered.append(raw.receive()["id"])
    assert len(answered) < 90
    raw.process.send_signal(signal.SIGINT)  # Ctrl-C of somebody who has started it by hand
    assert raw.process.wait(timeout=60) == -signal.SIGINT


def test_a_client_that_disconnects_with_calls_in_flight(shop: Path) -> None:
    raw = Raw(shop)
    raw.call(1, "find_symbol", {"name": "Cart"})
    assert raw.receive()["id"] == 1
    for number in range(2, 60):
        raw.call(number, "pack", {"question": f"what does the cart do {number}"})
    assert raw.process.stdin is not None and raw.process.stdout is not None and raw.process.stderr is not None
    raw.process.stdin.close()
    raw.process.stdout.close()
    assert raw.process.wait(timeout=60) in (0, 1)
    assert "Traceback" not in raw.process.stderr.read()
    with Toolbox(open_session(shop, update=False)) as box:
        assert not box.call("find_symbol", {"name": "Cart"}).is_error


def test_garbage_on_the_wire_ends_nothing_and_stdout_is_protocol_only(shop: Path) -> None:
    raw = Raw(shop)
    for line in (
        "",
        "garbage",
        "{",
        "[]",
        '{"jsonrpc": "2.0"}',
        '{"jsonrpc": "2.0", "id": 1, "method": 5}',
        "[" * 3_000,
        "\x00",
        "null",
    ):
        raw.send(line)
    raw.send({"id": 7, "method": "no/such"})
    raw.send({"id": 8, "method": "tools/call", "params": {"name": ["x"], "arguments": "y"}})
    raw.call(9, "find_symbol", {"name": "Cart"})
    seen: dict[Any, dict[str, Any]] = {}
    deadline = time.monotonic() + 60
    while 9 not in seen and time.monotonic() < deadline:
        answer = raw.receive()
        assert answer["jsonrpc"] == "2.0"
        seen[answer.get("id")] = answer
    assert "error" in seen[7] and "error" in seen[8]
    assert "shop.cart.Cart" in seen[9]["result"]["content"][0]["text"]
    out, err = raw.process.communicate(timeout=60)
    assert (raw.process.returncode, out, err) == (0, "", "")
