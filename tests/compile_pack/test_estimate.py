"""Likelihoods judged against the whole set of candidates: order, length, calls, roles; and the fit of their weights."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import numpy as np
import pytest
from pack_fakes import FakeSource, candidate, plan

from harness.evidence import Shown
from harness.fit_evidence import Example, fit, recalls
from retrieval.compile.estimate import OddsConfig, estimated, features, relevance
from retrieval.pack_records import Candidate, LegHit
from retrieval.records import Role
from retrieval.search.links import LinkReader

NAMES = ("first", "second", "third", "fourth", "fifth")


def links(*calls: tuple[str, str]) -> LinkReader:
    """Edges between qualified names, as the index stores them."""
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE TABLE nodes(id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    conn.execute("CREATE TABLE edges(id INTEGER PRIMARY KEY, src INTEGER, dst INTEGER, kind TEXT, confidence TEXT)")
    ids = {name: at for at, name in enumerate(dict.fromkeys(name for call in calls for name in call))}
    conn.executemany("INSERT INTO nodes(id, name) VALUES (?, ?)", [(at, name) for name, at in ids.items()])
    conn.executemany(
        "INSERT INTO edges(src, dst, kind, confidence) VALUES (?, ?, 'call', 'certain')",
        [(ids[src], ids[dst]) for src, dst in calls],
    )
    return LinkReader(conn)


def candidates(chance: float = 0.2) -> list[Candidate]:
    """Functions of equal length in files of their own, equally likely by themselves."""
    source = FakeSource({f"lib/{name}.py": f"def {name}(x):\n    y = x + 1\n    return y\n" for name in NAMES})
    found = [candidate(source.chunks(f"lib/{name}.py")[0], 0.5) for name in NAMES]
    return [
        c._replace(likelihood=chance, chunk=c.chunk._replace(qualname=f"lib.{n}"))
        for c, n in zip(found, NAMES, strict=False)
    ]


def judged(found: list[Candidate], reader: LinkReader) -> list[float]:
    values = estimated(found, plan("how are things added"), reader)
    assert all(value is not None and 0 < value < 1 for value in values)
    return [value or 0.0 for value in values]


def test_what_the_likeliest_candidates_call_is_likelier() -> None:
    found = candidates()
    plain = judged(found, links())
    called = judged(found, links(("lib.first", "lib.fifth"), ("lib.second", "lib.fifth")))
    assert called[4] > plain[4] and called[:4] == plain[:4]
    many = [("lib.first", f"lib.other{at}") for at in range(60)]
    assert plain[4] < judged(found, links(("lib.first", "lib.fifth"), *many))[4] < called[4]


def test_a_line_of_a_long_piece_and_of_a_test_is_less_likely() -> None:
    found = candidates()
    plain = judged(found, links())
    found[0] = found[0]._replace(chunk=found[0].chunk._replace(tokens=found[0].chunk.tokens * 20))
    found[1] = found[1]._replace(chunk=found[1].chunk._replace(role=Role.TEST))
    changed = judged(found, links())
    assert changed[0] < plain[0] and changed[1] < plain[1] and changed[2:] == plain[2:]


def test_what_nobody_estimated_stays_so_and_is_judged_by_its_score() -> None:
    found = candidates()
    found[2] = found[2]._replace(likelihood=None)
    values = estimated(found, plan("how are things added"), links())
    assert [value is None for value in values] == [False, False, True, False, False]
    assert estimated([], plan("x"), links()) == []
    chances = relevance([c._replace(score=s) for c, s in zip(found, (1.0, 0.5, 0.5, 0.2, 0.1), strict=True)], values)
    best = max(value for value in values if value is not None)
    assert 0 < chances[2] < best and chances[0] == values[0]


def test_each_coefficient_has_its_column() -> None:
    x = features(candidates(), plan("how are things added"), links())
    assert x.shape == (len(NAMES), len(OddsConfig.__dataclass_fields__) - 1)


def example(project: str, rng: np.random.Generator) -> Example:
    """Sixty chunks of ten lines; the second column alone tells which are gold."""
    x = rng.normal(size=(60, 10))
    gold = np.where(x[:, 1] > 1.2, 10.0, 0.0)
    pieces = tuple(Shown("m.py", 100, ((at * 10 + 1, at * 10 + 10),)) for at in range(60))
    wanted = [{"path": "m.py", "ranges": [list(p.ranges[0]) for p, lines in zip(pieces, gold, strict=True) if lines]}]
    return Example("set", project, x, np.full(60, 10.0), gold, pieces, wanted, int(gold.sum()))


def test_the_fit_finds_what_tells_gold_lines_and_orders_by_it() -> None:
    rng = np.random.default_rng(0)
    sample = [example(f"p{at % 3}", rng) for at in range(30)]
    theta = fit(sample)
    assert theta[2] == pytest.approx(max(theta[1:])) and theta[2] > 5 * max(abs(theta[1]), *abs(theta[3:]))
    fitted = np.mean([line for _, line in recalls(sample, theta)[1000]])
    by_itself = np.mean([line for _, line in recalls(sample, None)[1000]])
    assert fitted > 0.9 > by_itself


def test_a_set_without_gold_of_a_role_says_nothing_of_that_role() -> None:
    """Changed functions are never tests: their set must not teach that tests are no evidence."""
    rng = np.random.default_rng(1)

    def asked(source: str, tests_are_gold: bool) -> Example:
        x = np.zeros((40, 12))
        x[:, 0] = rng.normal(size=40)
        x[20:, -3] = 1.0  # tests
        gold = np.where(x[:, 0] > 0.5, 10.0, 0.0)
        if not tests_are_gold:
            gold[20:] = 0.0
        return Example(source, "p", x, np.full(40, 10.0), gold, (), (), int(gold.sum()))

    written = [asked("written", True) for _ in range(20)]
    changes = [asked("changes", False) for _ in range(20)]
    alone, both = fit(written), fit(written + changes)
    assert abs(alone[-3]) < 0.5 and both[-3] == pytest.approx(alone[-3], abs=0.3)
    assert fit([replace(e, source="written") for e in written + changes])[-3] < -1.0


def test_places_in_the_legs_count() -> None:
    near, far = LegHit("lexical", 1, 9.0), LegHit("lexical", 200, 2.0)
    two = [each._replace(legs=legs) for each, legs in zip(candidates()[:2], ((near,), (far,)), strict=True)]
    lexical = features(two, plan("how are things added"), links())[:, 7]
    assert lexical.tolist() == pytest.approx([0.0, np.log(200)])
    assert features(two, plan("how are things added"), links())[:, 8].tolist() == pytest.approx([np.log(301)] * 2)
