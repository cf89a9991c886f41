"""``contextc chat`` on a terminal: a real one, a pseudo-terminal with the program at its other end."""

from __future__ import annotations

import os
import select
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted_server import serving, streams

pty = pytest.importorskip("pty")
_WAIT_S = 60.0
# The child takes the terminal itself: what runs between fork and exec can hang where the test's process has threads.
_ON_TERMINAL = (
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "os.execv(sys.executable, [sys.executable, '-m', 'agent.cli.main', *sys.argv[1:]])\n"
)


class Terminal:
    """Types into a chat and waits for what it shows."""

    def __init__(self, root: Path, *options: str) -> None:
        self.master, slave = pty.openpty()
        command = [sys.executable, "-c", _ON_TERMINAL, "chat", "--root", str(root), *options]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            close_fds=True,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(slave)
        self.seen = ""

    def until(self, text: str) -> str:
        """What was shown up to and with ``text`` since the last call."""
        deadline = time.monotonic() + _WAIT_S
        while text not in self.seen:
            ready, _, _ = select.select([self.master], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"{text!r} did not come; there is {self.seen!r}"
            try:
                data = os.read(self.master, 65536)
            except OSError:
                data = b""
            assert data, f"{text!r} did not come; there is {self.seen!r}"
            self.seen += data.decode("utf-8", "replace")
        shown, self.seen = self.seen.split(text, 1)
        return shown + text

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def interrupt(self) -> None:
        """Ctrl-C while readline waits for keys. Between two waits it is not noticed before the next key (CPython's
        ``readline``): so a moment is left before it, and it is pressed again where nothing comes of it."""
        for _ in range(5):
            time.sleep(0.3)
            self.type("\x03")
            if select.select([self.master], [], [], _WAIT_S / 5)[0]:
                return

    def end(self) -> int:
        self.process.wait(_WAIT_S)
        return self.process.returncode


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
        os.close(one.master)


def test_a_prompt_history_and_the_way_out(shop: Path, terminals: list[Terminal]):
    terminal = Terminal(shop, "--offline")
    terminals.append(terminal)
    terminal.until("contextc> ")
    terminal.type("who calls price_of?\n")
    assert "Cart.total" in terminal.until("contextc> ")
    terminal.type("half a line")
    terminal.until("half a line")
    terminal.interrupt()  # throws the line away
    terminal.until("contextc> ")
    terminal.type("\x1b[A\n")  # arrow up: the last question
    assert "calls it at line" in terminal.until("contextc> ")
    terminal.type("\x04")
    assert "2 turns saved" in terminal.until("--resume")
    assert terminal.end() == 0
    history = Path(os.environ["CONTEXTC_CACHE_DIR"]) / "chat-history"
    assert "who calls price_of?" in history.read_text()
    assert stat.S_IMODE(history.stat().st_mode) == 0o600


def test_ctrl_c_ends_a_turn_and_not_the_chat(shop: Path, terminals: list[Terminal]):
    asked, release = threading.Event(), threading.Event()

    def stall(handler: Any, body: dict[str, Any]) -> None:
        asked.set()
        release.wait(_WAIT_S)
        handler.close_connection = True

    with serving(stall, streams("I do not ", "know.")) as server:
        terminal = Terminal(shop, "--base-url", server.base_url, "--model", "m")
        terminals.append(terminal)
        terminal.until("contextc> ")
        terminal.type("what is Cart?\n")
        assert asked.wait(_WAIT_S)
        terminal.type("\x03")
        assert "cancelled" in terminal.until("contextc> ")
        terminal.type("what is Cart?\n")
        assert "I do not know." in terminal.until("contextc> ")
        terminal.type(":quit\n")
        assert terminal.end() == 0
        release.set()
