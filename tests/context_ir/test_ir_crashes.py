"""A kill between any two steps of publishing loses nothing that a request may already refer to."""

from __future__ import annotations

import json
import os
import signal
import sys
from functools import partial
from pathlib import Path
from types import FrameType

import pytest
from forked import in_child

from retrieval.context_ir import compiler
from retrieval.context_ir import vault as vault_module
from retrieval.context_ir.measure import Tokenizer
from retrieval.context_ir.settings import IrSettings
from retrieval.context_ir.tools import GET_TOOL
from retrieval.context_ir.vault import Vault

FILES = {vault_module.__file__, compiler.__file__}


def rows_named(name: str) -> str:
    return json.dumps([{"name": f"{name} {row}", "state": "ready"} for row in range(40)], indent=2)


def request_with(text: str) -> dict[str, object]:
    messages = [{"role": "user", "content": text}, {"role": "user", "content": "which?"}]
    return {"model": "m", "tools": [GET_TOOL], "messages": messages}


def compile_and_die(path: Path, lines: int, pipe: int) -> None:
    """Compiles three requests and kills itself at the ``lines``-th line run in the vault or the compiler.

    What was dispatched before is told through the pipe; at the end, how many lines there were.
    """
    left = lines

    def line(frame: FrameType, event: str, arg: object) -> object:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return line

    def trace(frame: FrameType, event: str, arg: object) -> object:
        return line if frame.f_code.co_filename in FILES else None

    for at in range(3):
        sys.settrace(trace)
        out = compiler.compile_request(
            request_with(rows_named(f"row {at}")),
            settings=IrSettings(enabled=True),
            tokenizer=Tokenizer("chars", "m", len),
            vault=lambda: Vault(path, max_bytes=2_000_000),
        )
        sys.settrace(None)
        assert out.metrics.status == "applied", out.metrics
        os.write(pipe, f"{out.shown[0].source} row {at} 39\n".encode())
    os.write(pipe, f"lines {lines - left}\n".encode())


def run_victim(path: Path, lines: int) -> tuple[int, list[list[str]]]:
    """Exit status and what was told."""
    reading, writing = os.pipe()
    child = in_child(partial(compile_and_die, path, lines, writing))
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = [text.rstrip("\n").split(" ", 1) for text in pipe]
    return os.waitpid(child, 0)[1], told


def test_kills_at_any_line_lose_no_published_evidence(tmp_path: Path) -> None:
    status, told = run_victim(tmp_path / "whole.sqlite", 10**6)
    assert status == 0
    total = int(told[-1][1])
    path = tmp_path / "v.sqlite"
    dispatched: set[tuple[str, str]] = set()
    killed = 0
    for turn, lines in enumerate(range(1, total, max(1, total // 45))):
        victim = path if turn % 2 else tmp_path / f"fresh-{lines}.sqlite"  # a kill while the file is made, too
        status, told = run_victim(victim, lines)
        killed += os.WIFSIGNALED(status)
        dispatched.update((name, which) for name, which in told if name != "lines")
        with Vault(victim) as vault:  # the next process finds a working vault with all that was dispatched
            for name, which in sorted(dispatched) if victim is path else [one for one in told if one[0] != "lines"]:
                found = vault.read(name)
                assert found.pinned and f'"{which}"' in found.text
            assert vault._conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert killed > 35
    assert len(dispatched) >= 2


@pytest.mark.parametrize("step", ["insert", "pin", "commit", "read"])
def test_a_failed_step_leaves_the_request_untouched(step: str, tmp_path: Path) -> None:
    """The same promise without a kill: an error in a step means that the untouched request goes out."""

    class Failing(Vault):
        def _insert(self, text: str, *, pinned: bool) -> str:
            if step == "insert":
                raise OSError("disk")
            return super()._insert(text, pinned=pinned)

        def _make_room(self, keep: set[str]) -> None:
            if step in ("pin", "commit"):
                raise MemoryError
            super()._make_room(keep)

        def read(self, name: str):
            if step == "read":
                raise OSError("gone")
            return super().read(name)

    request = request_with(rows_named("row"))
    out = compiler.compile_request(
        request,
        settings=IrSettings(enabled=True),
        tokenizer=Tokenizer("chars", "m", len),
        vault=lambda: Failing(tmp_path / "v.sqlite"),
    )
    assert out.request is request and (out.metrics.status, out.metrics.reason) == ("untouched", "vault-failed")
    with Vault(tmp_path / "v.sqlite") as vault:
        assert (vault.ids() == []) == (step != "read")  # what was committed stays: safe, if unused
