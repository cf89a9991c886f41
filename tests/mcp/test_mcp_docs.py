"""The page for clients: its snippets parse, its commands start a server that answers, and it names every tool and prompt."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_process import REPOSITORY, command, environment, run
from shop_tree import PACKAGE

from agent.mcp.prompts import PROMPTS
from agent.tools.registry import tools

PAGE = (REPOSITORY / "docs/mcp.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


def commands(value: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every program with its arguments in a client's configuration."""
    if isinstance(value, dict):
        if "command" in value:
            yield value["command"], tuple(value["args"])
        for each in value.values():
            yield from commands(each)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for name, text in {
        **PACKAGE,
        "shop/app.py": "def full_dispatch_request():\n    pass\n\n\nfull_dispatch_request()\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_every_configuration_parses_and_its_command_serves(shop: Path) -> None:
    found = [each for text in blocks("json") for each in commands(json.loads(text))]
    found += [each for text in blocks("toml") for each in commands(tomllib.loads(text))]
    assert len(found) >= 6
    assert {program for program, _ in found} == {"contextc"}
    places = {"/path/to/project": str(shop), "${workspaceFolder}": str(shop)}
    distinct = {tuple(places.get(each, each) for each in arguments) for _, arguments in found}
    assert len(distinct) == 2

    async def test() -> None:
        for arguments in sorted(distinct):
            assert arguments[0] == "mcp"
            program, *rest = command(*arguments[1:])
            parameters = StdioServerParameters(command=program, args=rest, env=environment(), cwd=shop)
            async with Client(stdio_client(parameters)) as client:
                result = await client.call_tool("find_symbol", {"name": "Cart"})
                assert "shop/cart.py" in str(result.content[0])

    run(test)


def test_the_example_client_runs(shop: Path, tmp_path: Path) -> None:
    (text,) = blocks("python")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/contextc"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={REPOSITORY} exec {sys.executable} -m agent.cli.main "$@"\n', encoding="utf-8"
    )
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-c", text.replace("/path/to/project", str(shop))],
        capture_output=True, text=True, check=False, timeout=100, env={**environment(), "PATH": path},
    )  # fmt: skip
    assert "shop.app.full_dispatch_request (function, shop/app.py:1): 1 call in 1 file" in done.stdout, done.stderr


def test_the_page_names_every_tool_and_prompt() -> None:
    assert all(f"`{tool.name}`" in PAGE for tool in tools())
    assert all(f"`{prompt.name}`" in PAGE for prompt in PROMPTS)
    assert "sixteen" in PAGE and len(tools()) == 16
