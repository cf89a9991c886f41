"""Families of demands in many wordings: every one is read, and read as the same demand."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from agent.cca.compiled import Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.verify import verify

FAMILIES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("paraphrases.toml").read_text("utf-8"))["family"]
WORDINGS = [(family, wording) for family in FAMILIES for wording in family["wordings"]]


def faults(wording: str, kept: list[str], broken: list[str]) -> list[str]:
    """What is wrong with how a wording is read; nothing when it is read as it should be."""
    compiled = compile_deterministic([Source("prompt", wording)])
    if not compiled.verifiers:
        return ["silent"]
    found = [f"flags {answer!r}" for answer in kept if verify(compiled, answer).violations]
    return found + [f"misses {answer!r}" for answer in broken if not verify(compiled, answer).violations]


@pytest.mark.parametrize(("family", "wording"), WORDINGS, ids=[wording[:60] for _, wording in WORDINGS])
def test_every_wording_of_a_demand_is_read_alike(family: dict[str, Any], wording: str) -> None:
    assert faults(wording, family["kept"], family["broken"]) == []
