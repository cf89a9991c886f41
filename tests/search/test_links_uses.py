"""What a definition uses: read once, the surest edge of each pair, and of too many pairs the surest."""

from __future__ import annotations

import pytest

from retrieval.index.reader import IndexReader
from retrieval.records import CONFIDENCE_WEIGHT, Confidence
from retrieval.search.links import LinkReader


def _by_sql(shop: IndexReader) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for src, dst, confidence in shop.conn.execute(
        "SELECT s.name, d.name, e.confidence FROM edges e JOIN nodes s ON s.id = e.src JOIN nodes d ON d.id = e.dst "
        "WHERE e.kind IN ('call', 'inherit', 'reference') AND e.src != e.dst"
    ):
        own = found.setdefault(src, {})
        own[dst] = max(own.get(dst, 0.0), CONFIDENCE_WEIGHT[Confidence(confidence)])
    return found


def test_the_surest_edge_of_each_pair(shop: IndexReader) -> None:
    expected = _by_sql(shop)
    links = LinkReader(shop.conn)
    for _ in range(2):  # read, and remembered
        assert links.uses([*expected, "nothing.at.all", ""], 10_000) == {**expected, "nothing.at.all": {}}
    name = next(iter(expected))
    assert links.uses([name], 10_000) == {name: expected[name]}


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_of_too_many_pairs_the_surest(shop: IndexReader, limit: int) -> None:
    expected = _by_sql(shop)
    surest = sorted((-weight, src, dst) for src, own in expected.items() for dst, weight in own.items())[:limit]
    found = LinkReader(shop.conn).uses(sorted(expected), limit)
    assert sorted((-weight, src, dst) for src, own in found.items() for dst, weight in own.items()) == surest
    assert found.keys() == expected.keys()
