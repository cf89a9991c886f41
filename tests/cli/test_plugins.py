"""Commands of other packages: found by entry point, only when a name is not one of ours."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package ``greeter`` with a command ``greet``, and one that claims a name of ours."""
    (tmp_path / "greeter.py").write_text(
        "import click\n\n@click.command()\ndef greet():\n    click.echo('hello from a plugin')\n"
    )
    info = tmp_path / "greeter-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: greeter\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[contextc.commands]\ngreet = greeter:greet\nask = greeter:greet\n")
    monkeypatch.syspath_prepend(str(tmp_path))


def test_a_plugin_adds_a_command_and_cannot_replace_one(run: Run, plugin: None) -> None:
    assert run("greet") == (0, "hello from a plugin\n", "")
    _, out, _ = run("--help")
    assert "From the package greeter." in out
    assert out.count("\n  ask ") == 1
    _code, out, _ = run("ask", "--help")
    assert "hello" not in out


def test_our_own_commands_do_not_look_for_plugins(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(**_: object) -> None:
        raise AssertionError("entry points were read")

    monkeypatch.setattr(importlib.metadata, "entry_points", fail)
    (tmp_path / "a.py").write_text("def greet():\n    return 1\n")
    assert run("search", "greet", "--root", tmp_path, "-q")[0] == 0


def test_the_harness_is_not_imported_before_its_commands_are_called() -> None:
    code = "import sys\nfrom agent.cli.main import main\nmain(['--help'])\nprint([m for m in sys.modules if m.startswith('harness')])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.rstrip().endswith("[]")
