"""The server as a client meets it: a process of its own, spoken to by the SDK's own client."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "agent.cli.main", "mcp", *map(str, arguments)]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(REPOSITORY), "OPENBLAS_NUM_THREADS": "1"}


@asynccontextmanager
async def connected(
    root: Path, *options: object, log: TextIO | None = None, mode: str = "auto"
) -> AsyncIterator[Client]:
    program, *arguments = command("--root", root, *options)
    parameters = StdioServerParameters(command=program, args=arguments, env=environment())
    async with Client(stdio_client(parameters, errlog=log or sys.stderr), mode=mode) as client:
        yield client


def run(test: Callable[[], Awaitable[None]], seconds: float = 120.0) -> None:
    async def bounded() -> None:
        with anyio.fail_after(seconds):
            await test()

    anyio.run(bounded)


def text_of(result: Any) -> str:
    return str(result.content[0].text)
