"""Load of ``contextc mcp``: many calls in flight over one session, each answer held against what the tools give.

Usage: ``python -m harness.mcp_load [ROOT | CORPUS] [--calls 1000] [--rounds 3]`` (a folder, or a corpus such as
``flask``). Prints lost, crossed and failed calls, latencies and the server's peak memory; exit code 1 unless all is 0.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from agent.session import open_session
from agent.tools.registry import Toolbox
from harness.corpora import fetch
from harness.speed import tree_mib
from retrieval.index.build import update_index
from retrieval.index.location import for_writing, locate

_SYMBOLS = 400
_LIMIT_S = 600.0
_SAMPLE_S = 0.2

Call = tuple[str, Mapping[str, Any]]


@dataclass
class Round:
    """What came of the calls of one round; ``seconds`` from the moment when the first was sent, memory of the server
    with pages that it maps from the index (shared ones counted once)."""

    answered: int = 0
    crossed: int = 0
    failed: int = 0
    peak_mib: float = 0.0
    seconds: list[float] = field(default_factory=list)


def expected_answers(root: Path) -> list[tuple[Call, str]]:
    """Calls about different symbols and files of the tree, all with different answers."""
    from agent.mcp.service import RESULT_TOKENS

    update_index(for_writing(locate(root, explicit=True)))  # else the server rebuilds an older one midway
    session = open_session(root)
    rows = session.reader.conn.execute(
        "SELECT s.qualname, s.def_line, f.path FROM symbols s JOIN files f ON f.id = s.file_id "
        "WHERE s.kind IN ('function', 'method', 'class') AND instr(s.qualname, '#') = 0 "
        "ORDER BY length(s.qualname), s.qualname LIMIT ?",
        (_SYMBOLS,),
    ).fetchall()
    found: dict[str, Call] = {}
    with Toolbox(session, max_tokens=RESULT_TOKENS) as box:
        for at, (qualname, line, path) in enumerate(rows):
            calls: tuple[Call, ...] = (
                ("find_symbol", {"name": qualname}),
                ("callers", {"symbol": qualname}),
                ("read_file", {"path": path, "first": line, "last": line + 5}),
                ("callees", {"symbol": qualname}),
                ("search", {"query": qualname, "k": 3}),
            )
            name, arguments = calls[at % len(calls)]
            result = box.call(name, arguments)
            if not result.is_error:
                found.setdefault(result.text, (name, arguments))
    session.close()
    return [(call, text) for text, call in found.items()]


async def one_round(client: Any, asked: Sequence[tuple[Call, str]], count: int) -> Round:
    """``count`` calls, all of them sent before the first answer is waited for."""
    import anyio

    done = Round()
    began = time.perf_counter()

    async def ask(call: Call, text: str) -> None:
        result = await client.call_tool(call[0], dict(call[1]))
        done.seconds.append(time.perf_counter() - began)
        done.answered += 1
        done.failed += bool(result.is_error)
        done.crossed += not result.is_error and result.content[0].text != text

    with anyio.move_on_after(_LIMIT_S):
        async with anyio.create_task_group() as group:
            for call, text in islice(cycle(asked), count):
                group.start_soon(ask, call, text)
    return done


async def measure(root: Path, count: int, rounds: int) -> list[Round]:
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    asked = expected_answers(root)
    arguments = ["-m", "agent.cli.main", "mcp", "--root", str(root)]
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(stdio_client(parameters)) as client:
        await client.call_tool("find_symbol", {"name": "main"})
        done = []
        for _ in range(rounds):
            with _PeakOfChildren() as memory:
                done.append(await one_round(client, asked, count))
            done[-1].peak_mib = memory.mib
        return done


class _PeakOfChildren:
    """Samples the memory of the processes that this one has started."""

    def __init__(self) -> None:
        self.mib = 0.0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def _sample(self) -> None:
        own = Path(f"/proc/self/task/{os.getpid()}/children")
        while not self._end.wait(_SAMPLE_S):
            with contextlib.suppress(OSError):
                self.mib = max(self.mib, sum(tree_mib(int(pid)) for pid in own.read_text().split()))

    def __enter__(self) -> _PeakOfChildren:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()


def main(arguments: Sequence[str]) -> int:
    import anyio

    parser = argparse.ArgumentParser(prog="python -m harness.mcp_load", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree", nargs="?", default="flask", help="a folder, or a corpus (default: flask)")
    parser.add_argument("--calls", type=int, default=1_000, help="calls in flight (default: 1000)")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(arguments)
    root = Path(given.tree) if Path(given.tree).is_dir() else fetch(given.tree)
    bad = 0
    for number, done in enumerate(anyio.run(measure, root, given.calls, given.rounds), start=1):
        lost = given.calls - done.answered
        bad += lost + done.crossed + done.failed
        ordered = sorted(done.seconds)
        p50 = statistics.median(ordered) if ordered else 0.0
        p95 = ordered[int(0.95 * (len(ordered) - 1))] if ordered else 0.0
        rate = done.answered / max(ordered, default=1.0)
        counts = f"{lost} lost, {done.crossed} crossed, {done.failed} failed"
        times = f"answered after p50 {p50:.2f} s, p95 {p95:.2f} s; {rate:,.0f} calls/s"
        print(f"round {number}: {given.calls:,} calls in flight, {counts}; {times}; {done.peak_mib:,.0f} MiB")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
