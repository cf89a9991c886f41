"""Compiled rules from text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.cca.compiled import Compiled, Source
from agent.cca.deterministic import compile_deterministic


@pytest.fixture
def compiled() -> Callable[..., Compiled]:
    return lambda text, name="rules.md": compile_deterministic([Source(name, text)])
