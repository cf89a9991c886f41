"""A small tree, indexed for real, without an embedder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ranking_tree import TREE, write_tree

from retrieval.index.build import update_index
from retrieval.index.location import locate
from retrieval.index.reader import IndexReader
from retrieval.index.settings import Overrides


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexReader]:
    root = tmp_path_factory.mktemp("shop")
    write_tree(root, TREE)
    location = locate(root, explicit=True)
    update_index(location, Overrides(embedder="none"), workers=1)
    with IndexReader.open(location) as reader:
        yield reader
