"""Blocks that are unpacked late are the blocks that were packed."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.index.codec import StoredBlocks, pack_blocks
from retrieval.records import Block, BlockKind

_BLOCKS = st.lists(
    st.tuples(st.integers(10, 500), st.integers(10, 500), st.integers(0, 9), st.sampled_from(list(BlockKind))),
    max_size=9,
)


@given(_BLOCKS)
def test_late_blocks_are_a_tuple_of_blocks_to_everybody(drawn: list[tuple[int, int, int, BlockKind]]) -> None:
    blocks = tuple(Block(*each) for each in drawn)
    stored = StoredBlocks(pack_blocks(blocks, 10), 10)
    assert (stored, len(stored), tuple(stored), stored[:2], repr(stored)) == (
        blocks, len(blocks), blocks, blocks[:2], repr(blocks),
    )  # fmt: skip
    assert hash(stored) == hash(blocks)


def test_damaged_blocks_are_named_when_somebody_looks() -> None:
    with pytest.raises(sqlite3.DatabaseError, match="decoded"):
        list(StoredBlocks(b"\x01\x02\x03", 1))
