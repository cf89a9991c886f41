"""Runs ``contextc chat`` in this process, line by line, so that a test may act between two questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from shop_tree import PACKAGE

from agent.cli.main import main

Line = str | bytes | Callable[[], object]


class Lines:
    """Standard input over a pipe; what can be called is called in its place instead of being read."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self.buffer = self

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            if callable(line):
                line()
            else:
                yield (line if isinstance(line, bytes) else line.encode("utf-8", "surrogateescape")) + b"\n"

    def isatty(self) -> bool:
        return False


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """(exit code, stdout, stderr) of one ``contextc chat``: options, then the lines."""

    def call(*args: object, lines: Sequence[Line] = ()) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", Lines(lines))
        capsys.readouterr()
        code = main(["chat", *map(str, args)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop-tree"
    for name, text in PACKAGE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    tests = root / "tests" / "test_cart.py"
    tests.parent.mkdir()
    tests.write_text(
        "from shop.cart import Cart\n\n\ndef test_total():\n    cart = Cart()\n    cart.add('apple')\n"
        "    assert cart.total() == 3\n"
    )
    return root
