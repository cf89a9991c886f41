"""The collector is paused for a step, and is afterwards as it was."""

from __future__ import annotations

import gc

import pytest

from retrieval.collecting import uncollected


def test_no_collection_meanwhile_and_again_afterwards() -> None:
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()  # who found it paused does not resume it
    assert gc.isenabled()


def test_a_step_that_fails_resumes_it() -> None:
    with pytest.raises(ValueError, match="no"), uncollected():
        raise ValueError("no")
    assert gc.isenabled()


def test_a_program_without_collection_stays_without() -> None:
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
