"""The command line in this process: exit code, stdout and stderr of one call."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.cli.main import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*args: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
