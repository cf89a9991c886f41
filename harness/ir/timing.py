"""Compile time at the default limits on sources of 64,000 characters, one for each kind of encoding."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from harness.ir.bench import TOKENIZERS
from harness.ir.code_families import import_headers
from harness.ir.tasks import conversation
from retrieval.context_ir.compiler import compile_request
from retrieval.context_ir.measure import tiktoken_tokenizer
from retrieval.context_ir.settings import IrSettings
from retrieval.context_ir.vault import Vault

CHARS = 64_000


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of one compilation with an open vault, its write and read back included, and what it chose."""

    source: str
    chars: int
    cpu_ms: float
    wall_ms: float
    formats: dict[str, int]


def records() -> str:
    rows = [
        {
            "observed_at": f"2025-03-{1 + at % 28:02d}T{at % 24:02d}:30:00Z",
            "component": f"service {('Harbor', 'Harbour', 'Haven')[at % 3]} {at % 40}",
            "state": ("ready", "pending", "degraded")[at % 3],
            "latency_ms": at * 37 % 1000 / 8,
        }
        for at in range(1024)
    ]
    return _grown(lambda count: json.dumps(rows[:count], indent=2))


def log() -> str:
    def lines(count: int) -> str:
        return "\n".join(
            f"2025-05-04T08:{at % 60:02d}:{at * 7 % 60:02d}Z worker-{at % 4} INFO project.web finished request "
            f"{1000 + at * 37} with status {(200, 404, 500)[at % 3]} after {at * 13 % 90} ms"
            for at in range(count)
        )

    return _grown(lines)


def spans() -> str:
    kinds = [f"the {word} gate opened and the pilot left for the fairway in calm weather" for word in "abcdefgh"]
    return _grown(lambda count: "\n".join(kinds[at * at % 8] for at in range(count)))


def evidence() -> str:
    piece = import_headers().messages[3]["content"].split("\n[1] ")[1].split("\n\n[2]")[0]
    return _grown(lambda count: "\n\n".join(f"[{at}] {piece}" for at in range(1, count + 1)) + "\n", 200)


def _lent(vault: Vault) -> AbstractContextManager[Vault]:
    return nullcontext(vault)


def _grown(make: Callable[[int], str], most: int = 1024) -> str:
    """The longest text of at most 64,000 characters."""
    low, high = 1, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(make(middle)) <= CHARS else (low, middle - 1)
    return make(low)


SOURCES = (("records", records), ("log", log), ("repeated lines", spans), ("code evidence", evidence))


def measure(folder: Path, repeats: int = 9, encoding: str = "o200k_base") -> list[Timing]:
    """The median of ``repeats`` compilations of each source, after one that is not counted."""
    found: list[Timing] = []
    for name, make in SOURCES:
        source = make()
        request = conversation(name, "timing", [source], "?", lambda _seen: "", "").request(TOKENIZERS[encoding])
        cpu: list[float] = []
        wall: list[float] = []
        formats: dict[str, int] = {}
        for repeat in range(repeats + 1):
            counter = tiktoken_tokenizer(encoding, TOKENIZERS[encoding])  # remembers no counts yet
            with Vault(folder / f"timing-{name.replace(' ', '-')}-{repeat}.sqlite") as vault:
                lend = partial(_lent, vault)
                started, started_cpu = time.perf_counter(), time.process_time()
                out = compile_request(request, settings=IrSettings(enabled=True), tokenizer=counter, vault=lend)
                cpu.append((time.process_time() - started_cpu) * 1000)
                wall.append((time.perf_counter() - started) * 1000)
            formats = dict(out.metrics.formats)
        found.append(Timing(name, len(source), median(cpu[1:]), median(wall[1:]), formats))
    return found
