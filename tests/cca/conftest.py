"""Compiled rules from text, and the command line in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.cca.compiled import Compiled, Source
from agent.cca.deterministic import compile_deterministic
from agent.cli.main import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*args: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def compiled() -> Callable[..., Compiled]:
    return lambda text, name="rules.md": compile_deterministic([Source(name, text)])
