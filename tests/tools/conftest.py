"""A toolbox over the small shop, indexed once for the whole run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from shop_tree import PACKAGE

from agent.session import open_session
from agent.tools.registry import Toolbox


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a fixture of a whole module indexes goes to no cache of the user's either."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTEXTC_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "cache"))
        yield


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop-tree"
    for name, text in PACKAGE.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def box(shop: Path) -> Iterator[Toolbox]:
    session = open_session(shop)
    with Toolbox(session) as made:
        yield made
    session.close()
